/**
 * PostgreSQL stopped or gone under load, and connections that break at the worst moments. The service itself goes on.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { HarnessDatabase } from "../database.ts";
import type { Cut, Silence } from "../database-proxy.ts";
import type { FaultKind, Round } from "../round.ts";
import { ordinaryTraffic, Traffic } from "../traffic.ts";

const outagesPerRound = 5;
const cutsPerRound = 12;
const silencesPerRound = 4;
/** Beyond the time in which callers are answered. */
const silenceMsMax = 15_000;
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
  ...(["client", "server"] as const).map((side): FaultKind => ({
    name: side === "client" ? "network loses what PostgreSQL is asked" : "network loses what PostgreSQL answers",
    world: "attached",
    rounds: { short: 1, long: 3 },
    strike: (round) => silences(round, side),
  })),
  {
    name: "out of memory: a backend of PostgreSQL killed",
    world: "attached",
    rounds: { short: 1, long: 3 },
    strike: (round) => outages(round, (database) => database.killBackend(round.random), false),
  },
];

/** One way only: the other side is heard all the while, and whatever was said may come late or never. */
async function silences(round: Round, side: Silence): Promise<void> {
  const { random, short } = round;
  const { proxy } = databaseOf(round);
  const traffic = new Traffic(round.bank, random.fork("traffic"), ordinaryTraffic);
  traffic.start();
  for (let silence = 0; silence < (short ? 1 : silencesPerRound); silence += 1) {
    await wait(random.between(100, 2500));
    proxy.fallSilent(side);
    round.struck();
    await wait(random.between(500, short ? 4000 : silenceMsMax));
    proxy.speakAgain(random.share() < 0.5);
  }
  await traffic.finish();
  expectRunning(round);
}

/** @param isGone and must be started again; otherwise it comes back by itself */
async function outages(round: Round, end: (database: HarnessDatabase) => Promise<void>, isGone = true): Promise<void> {
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
    if (isGone) await database.start();
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
