/** Business days that jump, and several schedulers at once: what is due comes once, neither never nor twice. */
import { setTimeout as wait } from "node:timers/promises";
import { withDatabase } from "../../outside/ledger-check.ts";
import { makeRecords } from "../generated.ts";
import { Member } from "../member.ts";
import type { FaultKind, Round } from "../round.ts";
import { push } from "../sending.ts";

const recordsPerUser = 40;
const withinMs = 90_000;
const lookEveryMs = 100;
/** A scheduler that does something twice does it soon after the first time. */
const afterwardsMs = 2500;
const dayMs = 86_400_000;
const expectedDays = 20;

/** Forward by a day, a month and over a leap day; backward; and home again. */
const jumps = ["2026-03-01", "2026-03-02", "2026-04-02", "2028-02-29", "2027-12-31", "2026-03-01"];
/** Days before, of and after both changes of summer time in Europe/Copenhagen. */
const summerTime = ["2026-03-28", "2026-03-29", "2026-03-30", "2026-10-24", "2026-10-25", "2026-10-26"];

export const clockKinds: FaultKind[] = [
  {
    name: "business clock jumps",
    world: "single",
    rounds: { short: 1, long: 2 },
    strike: (round) => visit(round, round.short ? jumps.slice(2, 3) : jumps),
  },
  {
    name: "summer time begins and ends",
    world: "single",
    rounds: { short: 1, long: 2 },
    strike: (round) => visit(round, round.short ? summerTime.slice(1, 2) : summerTime),
  },
  { name: "three schedulers started at once", world: "fleet", rounds: { short: 1, long: 5 }, strike: threeSchedulers },
];

/**
 * The service starts on each of these days; every user's figures are computed for it, each user's once, or move on to
 * it as they are.
 */
async function visit(round: Round, days: readonly string[]): Promise<void> {
  const { world, bank, random } = round;
  const member = world.member("everything");
  await push(bank, makeRecords(random, bank.users, recordsPerUser * bank.users.length), bank.users);
  await untilNone(round, "changed users", "select count(*) from changed_users");
  for (const day of days) {
    await member.stop();
    const before = sumUsers(await member.eventsNamed("recognition.ran"));
    const stoppedAt = new Date().toISOString();
    member.launch({ TIDELINE_AS_OF: day });
    round.struck();
    if (!(await member.settled())) round.fail(`the service does not start on ${day}`);
    await untilNone(
      round,
      `figures of another day than ${day}`,
      "select (select count(*) from read_models where computed_for <> $1) + (select count(*) from changed_users)",
      [day],
    );
    await wait(afterwardsMs);
    const computed = sumUsers(await member.eventsNamed("recognition.ran")) - before;
    const models = await count(round, "select count(*) from read_models where computed_at >= $1", [stoppedAt]);
    if (computed !== models) round.fail(`on ${day} ${computed} users were computed, ${models} have figures of it`);
  }
  // Home again: the next round has today.
  await member.stop();
}

function sumUsers(events: readonly Record<string, unknown>[]): number {
  return events.reduce((sum, event) => sum + Number(event.users), 0);
}

/** Twenty files were due and none came: each is told as missing once, by whichever of them. */
async function threeSchedulers(round: Round): Promise<void> {
  const { world, bank } = round;
  const own = world.member("scheduler");
  const name = `expected-${bank.prefix}`;
  await own.kill();
  await expectFiles(round, name);
  const others = [2, 3].map(
    (number) =>
      new Member({
        ...own.settings,
        name: `scheduler-${number}`,
        dataDir: `${own.settings.dataDir}-${number}`,
        logFile: `${own.settings.logFile}-${number}`,
      }),
  );
  const all = [own, ...others];
  try {
    for (const scheduler of all) scheduler.launch();
    round.struck();
    await Promise.all(all.map((scheduler) => scheduler.settled()));
    await untilNone(
      round,
      "files not told as missing",
      `select ${expectedDays} - count(*) from expected_files where name = $1`,
      [name],
    );
    await wait(afterwardsMs);
    const told = (await Promise.all(all.map((scheduler) => scheduler.eventsNamed("expected-file.missing"))))
      .flat()
      .filter((event) => event.expectation === name);
    if (told.length !== expectedDays || new Set(told.map((event) => event.dueDay)).size !== expectedDays)
      round.fail(`${told.length} files were told as missing, ${expectedDays} are`);
  } finally {
    await Promise.all(others.map((scheduler) => scheduler.kill()));
  }
}

/** Due at each of the last midnights. */
async function expectFiles({ world, bank }: Round, name: string): Promise<void> {
  const since = new Date(Math.floor(Date.now() / dayMs - expectedDays) * dayMs + dayMs / 2).toISOString();
  const nightly = {
    name,
    pattern: `${name}-{YYYY}{MM}{DD}.jwe`,
    cutoff: "00:00",
    timeZone: "UTC",
    days: "daily",
    graceMinutes: 0,
    since,
  };
  await world.tideline("partner", "set", bank.partner.id, `expectedFiles=${JSON.stringify([nightly])}`);
}

async function untilNone(round: Round, what: string, query: string, values: unknown[] = []): Promise<void> {
  const deadline = performance.now() + withinMs;
  while ((await count(round, query, values)) > 0) {
    if (performance.now() > deadline) return round.fail(`still ${what} after ${withinMs / 1000} s`);
    await wait(lookEveryMs);
  }
}

async function count({ world }: Round, query: string, values: unknown[] = []): Promise<number> {
  return await withDatabase(await world.databaseUrl(), async (client) =>
    Number(Object.values((await client.query<Record<string, string>>(query, values)).rows[0] ?? {})[0]),
  );
}
