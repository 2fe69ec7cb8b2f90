/**
 * A fleet of one API, one SFTP door, three workers and three schedulers, with Redis, on PostgreSQL behind PgBouncer: how
 * fast one, two and three workers load the same; what schedulers do once though there are three; then kills and rolling
 * restarts while both doors are in use. Whatever was acknowledged is there, once.
 */
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { loadavg } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openSimulator, type Received } from "../../src/demo/receiver.ts";
import { makeRecords, sealFile, type SentRecord } from "../faults/generated.ts";
import { createRandom, type Random } from "../faults/random.ts";
import { type Bank, createUsers, noteFile, SftpLane } from "../faults/sending.ts";
import { decide, openBudgets, problemsOfMessages } from "../faults/told.ts";
import { ordinaryTraffic } from "../faults/traffic.ts";
import { assertKept, assertNoLockIsLeft, callWithoutPause, Fleet, settle, startTraffic } from "./fleet.ts";
import { newerPgBouncer } from "./pooler.ts";
import { PgBouncer, Postgres, urlsAt } from "./postgres.ts";
import { redisMegabytes, type RedisServer, startRedis } from "./redis.ts";
import { onStage, secondsSince, Skipped, type Stage, until } from "./tools.ts";

export const summary =
  "a fleet behind PgBouncer: rows/s with 1, 2, 3 workers; kills and rolling restarts; --minutes 3 (30), --seed, --only speed|schedules|kills";

const members = {
  api: "api",
  sftp: "sftp",
  "worker-1": "worker",
  "worker-2": "worker",
  "worker-3": "worker",
  "scheduler-1": "scheduler",
  "scheduler-2": "scheduler",
  "scheduler-3": "scheduler",
};
const names = Object.keys(members);
const workers = names.filter((name) => name.startsWith("worker"));
const schedulers = names.filter((name) => name.startsWith("scheduler"));

const usersCount = 200;
/** As many for each of one, two and three workers. */
const filesOfSpeed = 12;
const recordsOfFile = 30_000;
const usersOfFile = 30;
const budgetsCount = 20;
const changesEach = 5;
const expectedDays = 20;
/** Whoever does a thing twice does it soon after. */
const afterwardsMs = 3000;
/** Half an hour of it is a million records, which the book holds in memory. */
const pauseMs = 1000;
const awayMs = 2000;
const dayMs = 86_400_000;

export async function run(parameters: string[]): Promise<void> {
  const { values } = parseArgs({
    args: parameters,
    options: {
      minutes: { type: "string", default: "3" },
      seed: { type: "string", default: "17" },
      only: { type: "string" },
    },
  });
  const plays = (part: string) => values.only === undefined || values.only === part;
  await onStage("kills", async (stage) => {
    const postgres = await Postgres.primary(stage, "postgres");
    const program = await newerPgBouncer(stage);
    if (program === null) throw new Skipped("PgBouncer 1.21 or newer could not be had here (.ci/newer-pgbouncer)");
    const settings = ["max_prepared_statements = 200", "default_pool_size = 25"];
    const bouncer = await PgBouncer.open(stage, postgres, { mode: "transaction", program, settings });
    const redis = await startRedis(stage);
    const fleet = await Fleet.open(stage, { urls: pooledUrls(postgres, bouncer), redisUrl: redis.url, members });
    const bank = await fleet.onboard("north", usersCount);
    const random = createRandom(Number(values.seed));
    if (plays("speed")) await measureSpeed(fleet, postgres, bank, random.fork("speed"));
    if (plays("schedules")) await watchSchedules(stage, fleet, postgres, bank);
    if (plays("kills"))
      await endure({ stage, fleet, bouncer, redis, bank }, random.fork("kills"), Number(values.minutes) * 60_000);
    console.log(assertKept(await settle(bank, postgres.lookUrl), bank));
    await assertNoLockIsLeft(postgres);
    await fleet.tideline("audit", "verify");
    console.log("the audit trail's chain, written by whichever scheduler was there, is whole");
    await assertToldOnce(fleet);
  });
}

function pooledUrls(postgres: Postgres, bouncer: PgBouncer) {
  const pooled = urlsAt(postgres, bouncer.port);
  const mark = (url: string) => `${url}?pooler=transaction`;
  return { ...urlsAt(postgres), jobs: mark(pooled.jobs), loader: mark(pooled.loader), api: mark(pooled.api) };
}

/**
 * As many files, of users of their own each, come at one moment to one, two and three workers of one loading thread each,
 * which have started before.
 */
async function measureSpeed(fleet: Fleet, postgres: Postgres, bank: Bank, random: Random): Promise<void> {
  const lane = new SftpLane(bank.partner);
  const base = { rate: 0 };
  for (const name of workers.slice(1)) await fleet.member(name).stop();
  for (let count = 1; count <= workers.length; count += 1) {
    const chosen = workers.slice(0, count);
    for (const name of chosen) if (!fleet.member(name).isRunning) await fleet.member(name).start();
    for (const name of chosen) await until(`${name} is ready`, () => fleet.isReady(name), 240_000);
    // Receipts are looked for by the bank's prefix.
    const begin = `${bank.prefix}-speed-${count}`;
    const files = await uploadParts(bank, lane, begin, random);
    // What recognition still has to do of an earlier round is no part of loading.
    await postgres.askService("delete from changed_users");
    const before = await processorSecondsOf(fleet, chosen);
    await lane.run((session) => Promise.all(files.map(({ name }) => session.renameOver(`${name}.part`, name))));
    for (const { name, records } of files) noteFile(bank, name, records);
    const these = `from deliveries where name like '${begin}-%'`;
    const loaded = `select count(*) as n ${these} and state = 'loaded'`;
    await until("the files are loaded", async () => (await countOf(postgres, loaded)) === files.length, 600_000, 200);
    const processor = (await processorSecondsOf(fleet, chosen)) - before;
    const [took] = await postgres.askService<{ seconds: number; records: string; loaders: string }>(
      `select extract(epoch from max(finished_at) - min(started_at))::float8 as seconds, sum(records) as records, count(distinct loaded_by) as loaders ${these}`,
    );
    const rate = Number(took?.records) / (took?.seconds ?? Number.NaN);
    base.rate ||= rate;
    console.log(
      `${count} ${count === 1 ? "worker" : "workers"}: ${took?.records} rows in ${took?.seconds.toFixed(1)} s, ${Math.round(rate)} rows/s, ` +
        `${(rate / base.rate).toFixed(2)} of one worker's; ${took?.loaders} of their threads loaded, with ${processor.toFixed(1)} s of processor time; load ${loadavg()[0]?.toFixed(1)}`,
    );
  }
  lane.close();
}

type Part = { name: string; records: readonly SentRecord[] };

/** Under temporary names: what is renamed has landed. */
async function uploadParts(bank: Bank, lane: SftpLane, begin: string, random: Random): Promise<Part[]> {
  const parts: Part[] = [];
  for (let number = 0; number < filesOfSpeed; number += 1) {
    const name = `${begin}-${number}.jwe`;
    const users = Array.from({ length: usersOfFile }, (_, user) => `${begin}-${number}-${user}`);
    await createUsers({ partner: bank.partner, users });
    const records = makeRecords(random, users, recordsOfFile);
    const elements = records.map((one) => one.json);
    bank.book.offer(records);
    await lane.run((session) => session.put(`${name}.part`, sealFile(bank.key, "jwe", elements)));
    parts.push({ name, records });
  }
  return parts;
}

async function processorSecondsOf(fleet: Fleet, several: readonly string[]): Promise<number> {
  const seconds = await Promise.all(several.map((name) => processorSeconds(fleet.member(name).pid)));
  return seconds.reduce((sum, one) => sum + one, 0);
}

async function countOf(postgres: Postgres, query: string): Promise<number> {
  return Number((await postgres.askService<{ n: string }>(query))[0]?.n);
}

const ticksPerSecond = 100;

/** Of a process since it was started, in its own code and the system's for it. */
async function processorSeconds(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /s, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
}

/**
 * Three schedulers: what was due and did not come is told by one of them; what is done to budgets is told once each, and
 * while schedulers are killed at least once, in order.
 */
async function watchSchedules(stage: Stage, fleet: Fleet, postgres: Postgres, bank: Bank): Promise<void> {
  const { id } = bank.partner;
  const received: Received[] = [];
  const receiver = await openSimulator({
    port: 0,
    staticToken: "drill",
    slowMs: 0,
    behave: () => "accept",
    report: (one) => void received.push(one),
  });
  stage.atEnd(() => receiver.close());
  const token = path.join(stage.folder, "receiver-token");
  await writeFile(token, "drill", { mode: 0o600 });
  const given = ["--url", receiver.url, "--token-file", token, "--allow-private-addresses"];
  await fleet.tideline("notifications", "receiver", "set", id, ...given);
  const since = new Date(Math.floor(Date.now() / dayMs - expectedDays) * dayMs + dayMs / 2).toISOString();
  const nightly = {
    name: "nightly",
    pattern: "nightly-{YYYY}{MM}{DD}.jwe",
    cutoff: "00:00",
    timeZone: "UTC",
    days: "daily",
    graceMinutes: 0,
    since,
  };
  await fleet.tideline("partner", "set", id, `expectedFiles=${JSON.stringify([nightly])}`);
  const arrived = (told: Parameters<typeof problemsOfMessages>[0]) => async () =>
    !problemsOfMessages(told, received).some((problem) => problem.startsWith("lost"));

  const calm = await openBudgets(bank.partner, usersNamed("calm"));
  await Promise.all(calm.map((one) => decide(bank.partner, one, changesEach)));
  await until("all was told", arrived(calm), 240_000);
  await until(
    "what did not come is recorded",
    async () => (await countOf(postgres, "select count(*) as n from expected_files")) === expectedDays,
    120_000,
  );
  await wait(afterwardsMs);
  const told = received.length;
  assert.deepEqual(problemsOfMessages(calm, received), []);
  assert.equal(told, budgetsCount * changesEach, "with three schedulers each is told once");
  const missing = (await Promise.all(schedulers.map((name) => fleet.events(name, "expected-file.missing")))).flat();
  assert.equal(missing.length, expectedDays);
  console.log(
    `three schedulers: ${told} notifications of ${told} changes, ${missing.length} missing files told for ${expectedDays} days`,
  );

  received.length = 0;
  const struck = await openBudgets(bank.partner, usersNamed("struck"));
  const deciding = Promise.all(struck.map((one) => decide(bank.partner, one, changesEach)));
  for (const name of schedulers) {
    await fleet.member(name).kill();
    await fleet.member(name).start();
  }
  await deciding;
  // What a scheduler died with comes back when its lease is over.
  await until("all was told", arrived(struck), 300_000);
  assert.deepEqual(problemsOfMessages(struck, received), []);
  const changes = budgetsCount * changesEach;
  console.log(
    `each killed once meanwhile: ${changes} changes all told, in order, ${received.length - changes} of them twice`,
  );
}

function usersNamed(prefix: string): string[] {
  return Array.from({ length: budgetsCount }, (_, number) => `${prefix}-${number}`);
}

type World = { stage: Stage; fleet: Fleet; bouncer: PgBouncer; redis: RedisServer; bank: Bank };

async function endure(world: World, random: Random, forMs: number): Promise<void> {
  const { fleet, bank } = world;
  const token = await bank.partner.login(bank.users[0] ?? "");
  const traffic = startTraffic(bank, random.between(1, 1_000_000), { ...ordinaryTraffic, pauseMs });
  const reading = callWithoutPause(async () => (await bank.partner.call("GET", "/services", { token })).status, 200);
  const startedAt = performance.now();
  const struck = new Map<string, number>();
  const before = bank.book.acknowledged.length;
  for (const what of drawStrikes(random)) {
    await strike(world, what);
    struck.set(nameOf(what), (struck.get(nameOf(what)) ?? 0) + 1);
    await wait(random.between(2000, 8000));
    if (performance.now() - startedAt >= forMs) break;
  }
  await traffic.finish();
  const calls = await reading.stop();
  const served = calls.filter(({ status }) => status === 200 || status === 202).length;
  const kinds = [...struck].map(([what, times]) => `${what} ${times}`).sort();
  console.log(`${(secondsSince(startedAt) / 60).toFixed(1)} min: ${kinds.join(", ")}`);
  console.log(
    `${bank.book.acknowledged.length - before} deliveries acknowledged meanwhile; of ${calls.length} reads by the only API ${served} were served`,
  );
  console.log(`Redis took ${(await redisMegabytes(world.redis.port)).toFixed(1)} MB at most since it was last emptied`);
  for (const name of names) assert.ok(fleet.member(name).isRunning, `${name} ended`);
  const spared = roles.filter((role) => !struck.has(nameOf({ killed: ofRole(role).slice(0, 1) })));
  assert.deepEqual(spared, [], "too few minutes to kill one of each role");
}

const roles = [...new Set(Object.values(members))];
const others = ["rolling restart of all eight", "PgBouncer killed", "Redis killed and emptied", "two workers"] as const;

type Strike = Exclude<(typeof others)[number], "two workers"> | { killed: readonly string[] };

/**
 * Round by round: one process of each role, then the rest. Drawn freely, a quarter of an hour has few enough strikes to
 * spare every worker and both doors.
 */
function* drawStrikes(random: Random): Generator<Strike, never> {
  for (let round = 0; ; round += 1) {
    for (const role of random.shuffle(roles)) {
      const ofIt = ofRole(role);
      yield { killed: [ofIt[round % ofIt.length] ?? role] };
    }
    for (const other of random.shuffle(others))
      yield other === "two workers" ? { killed: random.shuffle(workers).slice(0, 2) } : other;
  }
}

function ofRole(role: string): string[] {
  return names.filter((name) => members[name as keyof typeof members] === role);
}

function nameOf(what: Strike): string {
  if (typeof what === "string") return what;
  const [one = ""] = what.killed;
  return what.killed.length > 1 ? "two workers killed" : `${members[one as keyof typeof members]} killed`;
}

async function strike({ stage, fleet, bouncer, redis }: World, what: Strike): Promise<void> {
  if (typeof what !== "string") return await killAll(fleet, what.killed);
  if (what === "PgBouncer killed") {
    await bouncer.killHard();
    await wait(awayMs);
    await bouncer.start();
  } else if (what === "Redis killed and emptied") {
    await redis.server.kill();
    await wait(awayMs);
    redis.server = (await startRedis(stage, [], redis.port)).server;
  } else for (const name of names) await fleet.restart(name);
}

async function killAll(fleet: Fleet, several: readonly string[]): Promise<void> {
  await Promise.all(several.map((name) => fleet.member(name).kill()));
  await Promise.all(several.map((name) => fleet.member(name).start()));
  for (const name of several) await until(`${name} is ready`, () => fleet.isReady(name), 240_000);
}

/** By whichever of them, and over all of their lives. */
async function assertToldOnce(fleet: Fleet): Promise<void> {
  const missing = (await Promise.all(schedulers.map((name) => fleet.events(name, "expected-file.missing")))).flat();
  const days = missing.map(({ dueDay }) => dueDay);
  assert.equal(new Set(days).size, days.length, "a file was told as missing twice");
}
