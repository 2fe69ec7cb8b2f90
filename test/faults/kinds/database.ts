/**
 * PostgreSQL stopped or gone under load, and connections that break at the worst moments. The service itself goes on.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { HarnessDatabase } from "../database.ts";
import type { Cut } from "../database-proxy.ts";
import type { FaultKind, Round } from "../round.ts";
import { ordinaryTraffic, Traffic } from "../traffic.ts";

const outagesPerRound = 5;
const cutsPerRound = 12;
/** A point that no connection comes to in time was not tried. */
const reachedWithinMs = 30_000;
const largeFile = 41_000;

export const databaseKinds: FaultKind[] = [
  {
    name: "PostgreSQL kill -9",
    world: "attached",
    rounds: { short: 1, long: 3 },
    strike: (round) => outages(round, (database) => database.killHard()),
  },
  {
    name: "PostgreSQL restarted",
    world: "attached",
    rounds: { short: 1, long: 3 },
    strike: (round) => outages(round, (database) => database.stop()),
  },
  {
    name: "connection cut during COPY",
    world: "attached",
    rounds: { short: 1, long: 4 },
    strike: (round) => cuts(round, () => ({ at: "copy", pieces: round.random.between(1, 6) })),
  },
  {
    name: "connection cut before COMMIT",
    world: "attached",
    rounds: { short: 1, long: 3 },
    strike: (round) => cuts(round, () => ({ at: "commit", commits: round.random.between(1, 8) })),
  },
  {
    name: "connection cut between COMMIT and its reply",
    world: "attached",
    rounds: { short: 1, long: 4 },
    strike: (round) => cuts(round, () => ({ at: "committed", commits: round.random.between(1, 8) })),
  },
];

async function outages(round: Round, end: (database: HarnessDatabase) => Promise<void>): Promise<void> {
  const { random, short } = round;
  const database = databaseOf(round);
  const traffic = new Traffic(round.bank, random.fork("traffic"), {
    ...ordinaryTraffic,
    largeFile: random.share() < 0.5 ? largeFile : 0,
  });
  traffic.start();
  for (let outage = 0; outage < (short ? 1 : outagesPerRound); outage += 1) {
    await wait(random.between(100, 2500));
    await end(database);
    round.struck();
    await wait(random.between(0, 1500));
    await database.start();
  }
  await traffic.finish();
  expectRunning(round);
}

async function cuts(round: Round, next: () => Cut): Promise<void> {
  const { random, short } = round;
  const { proxy } = databaseOf(round);
  const traffic = new Traffic(round.bank, random.fork("traffic"), {
    ...ordinaryTraffic,
    largeFile: random.share() < 0.5 ? largeFile : 0,
  });
  traffic.start();
  for (let cut = 0; cut < (short ? 3 : cutsPerRound); cut += 1) {
    const made = await Promise.race([proxy.cut(next()).then(() => true), wait(reachedWithinMs, false)]);
    if (made) round.struck();
    else round.fail("no connection came to the point where it was to be cut");
  }
  proxy.disarm();
  await traffic.finish();
  expectRunning(round);
}

function databaseOf({ world }: Round): HarnessDatabase {
  if (!world.database) throw new Error("this world has no database of the harness's own");
  return world.database;
}

/** An outage of the database must not end the service. */
function expectRunning({ world, fail }: Round): void {
  for (const member of world.members) if (!member.isRunning) fail(`${member.settings.name} ended`);
}
