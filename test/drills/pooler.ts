/**
 * PgBouncer in transaction mode between a fleet and its PostgreSQL: what check-config says of versions and modes that
 * cannot work, a batch through both doors and reads by users of two banks who must never see each other's, and a
 * PgBouncer that is killed under load.
 */
import assert from "node:assert/strict";
import { chmod, mkdtemp } from "node:fs/promises";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import type { Bank } from "../faults/sending.ts";
import { repository } from "../outside/service.ts";
import {
  assertKept,
  assertNoLockIsLeft,
  callWithoutPause,
  Fleet,
  secondsUntilServed,
  settle,
  startTraffic,
} from "./fleet.ts";
import { PgBouncer, Postgres, urlsAt } from "./postgres.ts";
import { startRedis } from "./redis.ts";
import { findProgram, onStage, run as runProgram, Skipped, type Stage } from "./tools.ts";

export const summary =
  "a fleet through PgBouncer in transaction mode; isolation, versions, and a kill of it under load";

const usersEach = 6;
/** How long clients work before, and after it was killed. */
const workMs = 8000;
const awayMs = 3000;

export async function run(parameters: readonly string[]): Promise<void> {
  await onStage("pooler", async (stage) => {
    const postgres = await Postgres.primary(stage, "postgres");
    const newer = await newerPgBouncer(stage);
    if (!parameters.includes("--load")) await tellUnfit(stage, postgres, newer);
    if (newer === null) throw new Skipped("PgBouncer 1.21 or newer could not be had here (.ci/newer-pgbouncer)");
    await fleetThrough(stage, postgres, newer);
  });
}

/** @returns null: there is none to be had */
export async function newerPgBouncer(stage: Stage): Promise<string | null> {
  const given = process.env.TIDELINE_NEWER_PGBOUNCER;
  const folder = given ?? (await mkdtemp(path.join(stage.folder, "pgbouncer-")));
  if (given === undefined) {
    const had = await runProgram(path.join(repository, ".ci/newer-pgbouncer"), [folder]).then(
      () => true,
      () => false,
    );
    if (!had) return null;
    // It runs as another account.
    await chmod(folder, 0o711);
  }
  return path.join(folder, "pgbouncer");
}

/** What check-config says of each. */
async function tellUnfit(stage: Stage, postgres: Postgres, newer: string | null): Promise<void> {
  const cases: {
    what: string;
    says: RegExp | null;
    mode: string;
    program?: string;
    settings?: string[];
    mark: string;
  }[] =
    newer === null
      ? []
      : [
          {
            what: "newer, transaction mode",
            says: null,
            mode: "transaction",
            program: newer,
            mark: "?pooler=transaction",
          },
          {
            what: "newer, transaction mode, not marked",
            says: /add \?pooler=transaction/,
            mode: "transaction",
            program: newer,
            mark: "",
          },
          {
            what: "newer, without prepared statements",
            says: /forgets named statements/,
            mode: "transaction",
            program: newer,
            settings: ["max_prepared_statements = 0"],
            mark: "?pooler=transaction",
          },
          { what: "newer, session mode", says: null, mode: "session", program: newer, mark: "" },
          {
            what: "newer, statement mode",
            says: /statement mode/,
            mode: "statement",
            program: newer,
            mark: "?pooler=transaction",
          },
        ];
  const own = await findProgram("pgbouncer").catch(() => null);
  if (own === null) console.log("SKIPPED: what is said of Debian 12's PgBouncer: there is none on this machine");
  else {
    const version = /[\d.]+/.exec(await runProgram(own, ["--version"]))?.[0] ?? "";
    const [major = 0, minor = 0] = version.split(".").map(Number);
    const isOld = major < 1 || (major === 1 && minor < 21);
    const says = isOld ? /PgBouncer .*forgets named statements/ : null;
    cases.push({
      what: `the machine's, ${version}, transaction mode`,
      says,
      mode: "transaction",
      program: own,
      mark: "?pooler=transaction",
    });
  }
  for (const { what, says, mode, program, settings = [], mark } of cases) {
    const bouncer = await PgBouncer.open(stage, postgres, {
      mode,
      ...(program === undefined ? {} : { program }),
      settings: [
        ...(says === null && mode === "transaction" ? ["max_prepared_statements = 200"] : []),
        ...settings,
      ].filter((line) => program === newer || !line.startsWith("max_prepared")),
    });
    const problems = await problemsOf(postgres, `${postgres.url("api", bouncer.port)}${mark}`);
    await bouncer.killHard();
    if (says === null) assert.deepEqual(problems, [], what);
    else
      assert.ok(
        problems.some((one) => says.test(one)),
        `${what}: ${problems.join("; ")}`,
      );
    console.log(`check-config, PgBouncer ${what}: ${problems.length === 0 ? "no problem" : problems.join("; ")}`);
  }
}

async function problemsOf(postgres: Postgres, apiUrl: string): Promise<string[]> {
  const environment = {
    PATH: process.env.PATH,
    DATABASE_URL: postgres.url("migrator"),
    DATABASE_URL_API: apiUrl,
    TIDELINE_KEY_ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
  };
  const command = [path.join(repository, "src/cli/tideline.mjs"), "check-config", "--json"];
  const text = await runProgram(process.execPath, command, environment).catch(
    (error: unknown) => (error as { stdout: string }).stdout,
  );
  return (JSON.parse(text) as { problems: string[] }).problems;
}

async function fleetThrough(stage: Stage, postgres: Postgres, program: string): Promise<void> {
  // Few connections, so that transactions of different callers follow each other on each.
  const settings = ["max_prepared_statements = 200", "default_pool_size = 12"];
  const bouncer = await PgBouncer.open(stage, postgres, { mode: "transaction", program, settings });
  const redis = await startRedis(stage);
  const direct = urlsAt(postgres);
  const pooled = urlsAt(postgres, bouncer.port);
  const mark = (url: string) => `${url}?pooler=transaction`;
  const urls = { ...direct, jobs: mark(pooled.jobs), loader: mark(pooled.loader), api: mark(pooled.api) };
  const members = { api: "api", sftp: "sftp", "worker-1": "worker", "worker-2": "worker", scheduler: "scheduler" };
  const fleet = await Fleet.open(stage, { urls, redisUrl: redis.url, members });
  const banks = [await fleet.onboard("north", usersEach), await fleet.onboard("south", usersEach)] as const;
  const traffics = banks.map((bank, seed) => startTraffic(bank, seed + 1));
  const tokens = await Promise.all(
    banks.map((bank) => Promise.all(bank.users.map((user) => bank.partner.login(user)))),
  );
  let reads = 0;
  const seen = new Map<string, Set<string>>();
  const readers = banks.flatMap((bank, which) =>
    (tokens[which] ?? []).map((token, user) =>
      callWithoutPause(async () => {
        const { status, text } = await bank.partner.call("GET", "/transactions?limit=200", { token });
        if (status !== 200) return status;
        reads += 1;
        const rows = JSON.parse(text) as { amount: number; transactionDate: string }[];
        const mine = seen.getOrInsertComputed(bank.users[user] ?? "", () => new Set());
        for (const { amount, transactionDate } of rows) mine.add(keyOfRow(amount, transactionDate));
        return status;
      }),
    ),
  );
  await wait(workMs);
  const killedAt = performance.now();
  await bouncer.killHard();
  await wait(awayMs);
  await bouncer.start();
  const backAt = performance.now();
  await wait(workMs);
  await Promise.all(traffics.map((traffic) => traffic.finish()));
  const calls = (await Promise.all(readers.map((reader) => reader.stop()))).flat().sort((a, b) => a.at - b.at);
  const before = calls.filter(({ at, took }) => at + took < killedAt);
  assert.deepEqual([...new Set(before.map(({ status }) => status))], [200], "reads before the kill");
  const until = secondsUntilServed(calls, backAt);
  assert.ok(until !== null, "no read was served after PgBouncer came back");
  console.log(`PgBouncer killed for ${awayMs / 1000} s under load: first read ${until.toFixed(2)} s after it was back`);
  for (const bank of banks) console.log(`${bank.prefix}: ${assertKept(await settle(bank, postgres.lookUrl), bank)}`);
  const own = new Map(banks.flatMap((bank) => [...ownRows(bank)]));
  const rows = [...seen].flatMap(([user, keys]) => [...keys].map((key) => ({ user, key })));
  const foreign = rows.filter(({ user, key }) => own.get(user)?.has(key) !== true);
  console.log(
    `reads: ${reads} by ${usersEach * 2} users of two banks at once showed ${rows.length} different rows, ${foreign.length} of them another's`,
  );
  assert.ok(rows.length > 100, "too few rows were seen to tell");
  assert.deepEqual(foreign.slice(0, 5), []);
  await assertNoLockIsLeft(postgres);
  await assertIsolated(postgres, pooled.api);
  await assertNothingRefused(fleet);
}

/** Amount and day tell a row of a book among half a million amounts on 640 days. */
function keyOfRow(amount: number, day: string): string {
  return `${Math.abs(amount)} on ${day}`;
}

/** What was sent of each user, by now all of it. */
function ownRows({ book, users }: Pick<Bank, "book" | "users">): Map<string, Set<string>> {
  const own = new Map(users.map((user) => [user, new Set<string>()]));
  for (const key of book.owed) {
    const [user = ""] = key.split("\0");
    const [amount, , , day] = JSON.parse(book.contentOf(key) ?? "[]") as [number, string, string, string];
    own.get(user)?.add(keyOfRow(amount, day));
  }
  return own;
}

/** SQL that got onto a connection of callers sees nothing, on whichever of the server's it runs, whoever had it before. */
async function assertIsolated(postgres: Postgres, apiUrl: string): Promise<void> {
  const [there] = await postgres.askService<{ n: string }>("select count(*) as n from transactions");
  assert.ok(Number(there?.n) > 0, "there is nothing that could be seen");
  let seen = 0;
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const client = new pg.Client({ connectionString: apiUrl });
    await client.connect();
    const { rows } = await client.query<{ n: string; tenant: string }>(
      "select count(*) as n, coalesce(current_setting('tideline.tenant', true), '') as tenant from transactions",
    );
    seen += Number(rows[0]?.n ?? 0) + (rows[0]?.tenant === "" ? 0 : 1);
    await client.end();
  }
  assert.equal(seen, 0);
  console.log(
    "isolation: 50 connections of tideline_api without a claim, over the same few of the server: 0 rows, no claim left behind",
  );
}

/** Nothing failed for want of a right, a statement that was not known, or a table that stayed behind. */
async function assertNothingRefused(fleet: Fleet): Promise<void> {
  const failed: string[] = [];
  for (const name of fleet.members.keys())
    for (const event of ["job.failed", "delivery.failed"])
      for (const one of await fleet.events(name, event)) failed.push(JSON.stringify(one));
  const wrong = failed.filter((line) => /26000|42P05|42P07|42501|permission denied|prepared statement/.test(line));
  assert.deepEqual(wrong, []);
}
