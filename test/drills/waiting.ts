/**
 * A bank's transactions come before anybody has named their accounts, then the accounts do. What waited is released
 * twice: once with another bank's small files and requests beside it, which must not wait for it; once while the loader
 * and the database are killed again and again. Each record is in the ledger once, and receipts say so.
 */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import type { Receipt } from "../../src/landing/receipt.ts";
import { present } from "../../src/present.ts";
import { makeRecords, sealFile, sealRequest } from "../faults/generated.ts";
import { createRandom, type Random } from "../faults/random.ts";
import { type Bank, pushSealed, SftpLane } from "../faults/sending.ts";
import { Fleet } from "./fleet.ts";
import { Postgres, urlsAt } from "./postgres.ts";
import {
  accountsCount,
  type Content,
  contentOf,
  faultyOf,
  isFaulty,
  isNamed,
  lineOf,
  unnamedCount,
  waitingAtEnd,
} from "./waiting-table.ts";
import { findProgram, onStage, run as runProgram, secondsSince, type Stage, until } from "./tools.ts";

export const summary =
  "releases records that waited for accounts: beside another bank, then with loader and database killed; --rows 300000, --strikes 6, --seed";

const members = { api: "api", sftp: "sftp", worker: "worker", scheduler: "scheduler" };
const recordsOfNeighbour = 20;
const calmCalls = 12;
const neighbourPauseMs = 150;
/** No small delivery waits for a large one, whatever the machine has to do. */
const neighbourWithinSeconds = 5;
const databaseAwayMs = 500;
const withinMs = 900_000;

const strikes = ["loader killed", "database killed", "both killed"] as const;

type World = { stage: Stage; postgres: Postgres; fleet: Fleet; bank: Bank; neighbour: Bank; key: string; rows: number };

export async function run(parameters: string[]): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      rows: { type: "string", default: "300000" },
      strikes: { type: "string", default: "6" },
      seed: { type: "string", default: "19" },
    },
  });
  await findProgram("gpg");
  await findProgram("sftp");
  const random = createRandom(Number(values.seed));
  await onStage("waiting", async (stage) => {
    const postgres = await Postgres.primary(stage, "postgres");
    const fleet = await Fleet.open(stage, { urls: urlsAt(postgres), redisUrl: null, members });
    const bank = await fleet.onboard("north", accountsCount);
    const neighbour = await fleet.onboard("south", 4);
    await fleet.tideline("partner", "rotate-pgp-key", bank.partner.id);
    const handed = path.join(stage.folder, "handed");
    await fleet.tideline("partner", "credentials", bank.partner.id, "--out", handed);
    await mkdir(path.join(stage.folder, "gnupg"), { mode: 0o700 });
    const key = path.join(handed, "openpgp-public.asc");
    const world = { stage, postgres, fleet, bank, neighbour, key, rows: Number(values.rows) };

    await deliverWaiting(world, "beside");
    await releaseBesideNeighbour(world, random.fork("beside"));
    await deliverWaiting(world, "struck");
    await releaseUnderStrikes(world, random.fork("struck"), Number(values.strikes));
    for (const table of ["beside", "struck"]) console.log(await assertOnce(world, table));
  });
}

const fileOf = (table: string) => `transactions_${table}.csv.pgp`;

/** Everything in it waits but what is faulty. */
async function deliverWaiting(world: World, table: string): Promise<void> {
  const lines = Array.from({ length: world.rows }, (_, number) => `${lineOf(table, number)}\n`);
  const header = "bank_id;account_number;transaction_id;transaction_date;type;currency;amount;description\n";
  await deliver(world, fileOf(table), header + lines.join(""));
  const startedAt = performance.now();
  await untilCounted(world, table, world.rows - faultyOf(world.rows));
  console.log(`${table}: ${world.rows} records kept ${secondsSince(startedAt).toFixed(1)} s after they had landed`);
}

/** Names all accounts but a few, which releases what waits. */
async function nameAccounts(world: World, table: string): Promise<void> {
  const lines = Array.from(
    { length: accountsCount - unnamedCount },
    (_, uid) => `"1";"${world.bank.users[uid]}";"${table}-${uid}"\n`,
  );
  await deliver(world, `accounts_${table}.csv.pgp`, `bank_id;user_id;account_number\n${lines.join("")}`);
}

/** As a bank does: encrypted by GnuPG, uploaded by OpenSSH's client. */
async function deliver({ stage, bank, key }: World, name: string, text: string): Promise<void> {
  const plain = path.join(stage.folder, "plain.csv");
  const sealed = path.join(stage.folder, name);
  await writeFile(plain, text);
  const home = path.join(stage.folder, "gnupg");
  await runProgram("gpg", ["--homedir", home, "--batch", "--quiet", "-f", key, "-o", sealed, "-e", plain]);
  const batch = path.join(stage.folder, "batch");
  await writeFile(batch, `put ${sealed} inbox/\n`);
  const { folder, sftpPort, id } = bank.partner;
  const known = `UserKnownHostsFile=${path.join(folder, "known_hosts")}`;
  const login = ["-i", path.join(folder, "sftp_key"), "-P", String(sftpPort), `${id}@127.0.0.1`];
  await runProgram("sftp", ["-q", "-b", batch, "-o", known, ...login]);
}

type Counted = { state: string; loaded: number; waiting: number; refused: number; going: boolean };

async function count(world: World, table: string): Promise<Counted> {
  return await ask(world, table, "");
}

/** In one statement, and so of one moment. */
async function countWithLedger(world: World, table: string): Promise<Counted & { inLedger: number }> {
  return await ask(
    world,
    table,
    `, (select count(*)::int from transactions where txid like '${table}-%') as "inLedger"`,
  );
}

async function ask<Row extends Counted>({ postgres }: World, table: string, more: string): Promise<Row> {
  const [one] = await postgres.askService<Row>(
    `select state, records_new::int as loaded, records_waiting::int as waiting, records_refused::int as refused,
            revisit_requested_at is not null as going${more}
       from deliveries
      where name = '${fileOf(table)}'`,
  );
  return present(one, "the delivery");
}

async function untilCounted(world: World, table: string, waiting: number): Promise<void> {
  const holds = async () => {
    const counted = await count(world, table);
    return counted.state === "loaded" && counted.waiting === waiting && !counted.going;
  };
  await until(`${waiting} of ${table} wait`, holds, withinMs, 100);
}

async function releaseBesideNeighbour(world: World, random: Random): Promise<void> {
  const calm = await callNeighbour(world, random.fork("calm"), (calls) => calls < calmCalls);
  await nameAccounts(world, "beside");
  const startedAt = performance.now();
  const watching = watchStatus(world, "beside");
  let isOver = false;
  const calling = callNeighbour(world, random.fork("busy"), () => !isOver);
  await untilCounted(world, "beside", waitingAtEnd(world.rows));
  const seconds = secondsSince(startedAt);
  isOver = true;
  const busy = await calling;
  const seen = await watching.stop();
  console.log(
    `beside: released in ${seconds.toFixed(1)} s, ${Math.round(world.rows / seconds)} records/s; load ${loadavg()[0]?.toFixed(1)}`,
  );
  tellSeen(seen, performance.now());
  for (const what of ["file", "push"] as const) {
    console.log(`another bank's ${what}: alone ${tellTimes(calm, what)}; beside the release ${tellTimes(busy, what)}`);
    const slowest = Math.max(...busy.filter((one) => one.what === what).map((one) => one.loaded));
    assert.ok(slowest < neighbourWithinSeconds * 1000, `a ${what} took ${slowest} ms beside the release`);
  }
}

/** Milliseconds from its first byte until it was acknowledged, and until it was loaded. */
type Neighbourly = { what: "file" | "push"; landed: number; loaded: number };

async function callNeighbour(
  { neighbour, postgres }: World,
  random: Random,
  goesOn: (calls: number) => boolean,
): Promise<Neighbourly[]> {
  const client = new pg.Client(postgres.lookUrl);
  await client.connect();
  const lane = new SftpLane(neighbour.partner);
  const calls: Neighbourly[] = [];
  const untilLoaded = async (column: string, value: string) => {
    const query = { name: column, text: `select 1 from deliveries where ${column}::text = $1 and state = 'loaded'` };
    await until(`${value} is loaded`, async () => (await client.query(query, [value])).rowCount === 1, withinMs, 10);
  };
  try {
    for (let number = 0; goesOn(number); number += 1) {
      const elements = makeRecords(random, neighbour.users, recordsOfNeighbour).map((one) => one.json);
      const name = `south-${random.between(1, 1_000_000_000)}.jwe`;
      const sealed = sealFile(neighbour.key, "jwe", elements.slice(0, recordsOfNeighbour / 2));
      calls.push(
        await timed(
          "file",
          () => lane.run((session) => session.put(name, sealed)),
          () => untilLoaded("name", name),
        ),
      );
      const request = sealRequest(neighbour.key, elements.slice(recordsOfNeighbour / 2));
      const push = () => pushSealed(neighbour, request);
      calls.push(await timed("push", push, () => untilLoaded("request_id", request.requestId)));
      await wait(neighbourPauseMs);
    }
    return calls;
  } finally {
    lane.close();
    await client.end();
  }
}

async function timed(
  what: Neighbourly["what"],
  land: () => Promise<void>,
  load: () => Promise<void>,
): Promise<Neighbourly> {
  const startedAt = performance.now();
  await land();
  const landed = performance.now() - startedAt;
  await load();
  return { what, landed, loaded: performance.now() - startedAt };
}

function tellTimes(calls: readonly Neighbourly[], what: Neighbourly["what"]): string {
  const these = calls.filter((one) => one.what === what);
  const told = (of: "landed" | "loaded") => {
    const sorted = these.map((one) => one[of]).toSorted((a, b) => a - b);
    return `${of} ${Math.round(sorted[Math.floor(sorted.length / 2)] ?? Number.NaN)} ms (slowest ${Math.round(sorted.at(-1) ?? Number.NaN)})`;
  };
  return `${told("landed")}, ${told("loaded")} of ${these.length}`;
}

type Seen = {
  at: number;
  waiting: number;
  percent: number | null;
  recordsPerSecond: number | null;
  secondsLeft: number | null;
};

/** As an operator does: the command, again and again. What it says while the database is away counts as nothing seen. */
function watchStatus({ fleet, bank }: World, table: string) {
  const seen: Seen[] = [];
  const stopping = new AbortController();
  const loop = (async () => {
    while (!stopping.signal.aborted) {
      const at = performance.now();
      const told = await fleet
        .tideline("status", fileOf(table), "--partner", bank.partner.id, "--json")
        .catch(() => null);
      if (told !== null) {
        const { progress, counts } = JSON.parse(told) as {
          progress?: Omit<Seen, "at" | "waiting"> | null;
          counts: { waiting: number };
        };
        if (progress) seen.push({ at, waiting: counts.waiting, ...progress });
      }
      await wait(200);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await loop;
      return seen;
    },
  };
}

function tellSeen(seen: readonly Seen[], endedAt: number): void {
  for (const { at, waiting, percent, recordsPerSecond, secondsLeft } of seen)
    console.log(
      `  status: ${waiting} wait, ${percent ?? "?"} %, ${recordsPerSecond ?? "?"} records/s, ${secondsLeft ?? "?"} s left; in truth ${((endedAt - at) / 1000).toFixed(1)}`,
    );
  assert.ok(
    seen.some((one) => one.recordsPerSecond !== null && one.secondsLeft !== null),
    "status never told how long it would take",
  );
  const percents = seen.flatMap(({ percent }) => (percent === null ? [] : [percent]));
  assert.deepEqual(
    percents,
    percents.toSorted((a, b) => a - b),
    "progress went back",
  );
}

async function releaseUnderStrikes(world: World, random: Random, wanted: number): Promise<void> {
  const { fleet, rows } = world;
  const [first, last] = [rows - faultyOf(rows), waitingAtEnd(rows)];
  await nameAccounts(world, "struck");
  const startedAt = performance.now();
  const watching = watchStatus(world, "struck");
  const struck: string[] = [];
  let before = first;
  for (let number = 0; number < wanted; number += 1) {
    const share = (before - last) / (wanted - number + 1);
    const enough = before - random.between(1, Math.max(1, Math.floor(share)));
    await until("more is released", async () => (await count(world, "struck")).waiting <= enough, withinMs, 20);
    await wait(random.between(0, 300));
    await strike(world, strikes[number % strikes.length] ?? "loader killed");
    const counted = await countWithLedger(world, "struck");
    assert.equal(counted.inLedger, counted.loaded, "what the delivery counts is what the ledger has");
    assert.equal(counted.loaded + counted.waiting + counted.refused, rows);
    if (!counted.going) break;
    before = counted.waiting;
    struck.push(`${strikes[number % strikes.length]} at ${counted.loaded}`);
  }
  assert.ok(struck.length >= Math.min(wanted, 3), `only ${struck.length} strikes hit the release: take more --rows`);
  await untilCounted(world, "struck", last);
  const endedAt = performance.now();
  const seen = await watching.stop();
  for (const name of Object.keys(members)) assert.ok(fleet.member(name).isRunning, `${name} ended`);
  console.log(
    `struck: released in ${((endedAt - startedAt) / 1000).toFixed(1)} s through ${struck.join(", ")}; load ${loadavg()[0]?.toFixed(1)}`,
  );
  tellSeen(seen, endedAt);
}

async function strike({ fleet, postgres }: World, what: (typeof strikes)[number]): Promise<void> {
  if (what !== "database killed") await fleet.member("worker").kill();
  if (what !== "loader killed") {
    await postgres.killHard();
    await wait(databaseAwayMs);
    await postgres.start();
  }
  if (what !== "database killed") await fleet.member("worker").start();
}

/** By the ledger's rows, one by one, and by the receipt as its bank reads it. */
async function assertOnce({ postgres, bank, rows }: World, table: string): Promise<string> {
  const found = await postgres.askService<Content & { txid: string; uid: string; account: string }>(
    `select txid, bank_user_id as uid, account_id as account, amount::text, description, booked_on::text as day
       from transactions
       join users on users.id = transactions.user_id
      where txid like '${table}-%'`,
  );
  const byId = new Map(found.map((row) => [row.txid, row]));
  let [lost, wrong, owed] = [0, 0, 0];
  for (let number = 0; number < rows; number += 1) {
    const content = contentOf(number);
    if (!isNamed(content) || isFaulty(number)) continue;
    owed += 1;
    const row = byId.get(`${table}-${number}`);
    if (row === undefined) lost += 1;
    else if (
      row.uid !== bank.users[content.uid] ||
      Number(row.amount) !== Number(content.amount) ||
      row.description !== content.description ||
      row.day !== content.day ||
      row.account !== `${table}-${content.uid}`
    )
      wrong += 1;
  }
  const doubled = found.length - byId.size;
  assert.deepEqual({ lost, doubled, wrong, rows: found.length }, { lost: 0, doubled: 0, wrong: 0, rows: owed });
  const lane = new SftpLane(bank.partner);
  const waiting = waitingAtEnd(rows);
  const expected = { records: rows, new: owed, known: 0, conflicting: 0, refused: faultyOf(rows), waiting, markers: 0 };
  let told: Receipt | null = null;
  const isRight = async () => {
    told = JSON.parse(await lane.run((session) => session.readReceipt(`${fileOf(table)}.receipt.json`))) as Receipt;
    const { counts } = told;
    return Object.entries(expected).every(([name, value]) => counts[name as keyof typeof counts] === value);
  };
  await until(`the receipt of ${table} says ${JSON.stringify(expected)}`, isRight, 60_000, 200).catch(
    (cause: unknown) => {
      throw new Error(JSON.stringify(told), { cause });
    },
  );
  lane.close();
  const { state, result } = told as unknown as Receipt;
  assert.deepEqual({ state, result }, { state: "loaded", result: "partly" });
  return `${table}: lost 0, doubled 0 of ${owed}; its receipt: ${JSON.stringify(expected)}, ${state}, ${result}`;
}
