/** Recognition as the service runs it, on threads of its own, over a migrated database. */
import { availableParallelism } from "node:os";
import path from "node:path";
import { type Database, openDatabase } from "../../../src/database/database.ts";
import { migrate } from "../../../src/database/migrate.ts";
import { createEvents } from "../../../src/events.ts";
import { recogniseChanged } from "../../../src/recognition/run.ts";
import { stages, type StageTimes } from "../../../src/recognition/stages.ts";
import type { RecogniseOutcome, RecogniseTask } from "../../../src/recognition/task.ts";
import { openPools, type Pools } from "../../../src/staging/pools.ts";
import { addDays, type Day } from "../../../src/time/calendar.ts";
import { createClock } from "../../../src/time/clock.ts";
import { asOf, markUnchanged, markWhole, tell } from "./arrivals.ts";

export type Recogniser = { database: Database; pools: Pools; threads: number };

/** On as many threads as there are processors, each with a connection. */
export async function withRecogniser(
  url: string,
  folder: string,
  work: (recogniser: Recogniser) => Promise<void>,
): Promise<void> {
  await migrate(url);
  const threads = availableParallelism();
  const database = openDatabase(url, { sizeMax: threads + 2, applicationName: "bench" });
  const pools = openPools(
    { databaseUrl: url, keyEncryptionKey: Buffer.alloc(32), vaultDirectory: path.join(folder, "vault") },
    { doorThreads: 1, loadThreads: 1, recognitionThreads: threads },
  );
  try {
    await work({ database, pools, threads });
  } finally {
    await pools.close();
    await database.end();
  }
}

/**
 * Users that a thread recognises before anything is measured, of whole histories, then of kept pasts. V8 compiles what a
 * run calls bit by bit, on threads of its own: of 24 nights of 30 users with 1,600 rows in one thread, on a busy machine,
 * what the process used beyond that thread was 16 to 26 ms a user in the first three and 2 to 9, once 15, in the last nine.
 */
const warmUsersWhole = 100;
const warmUsersPast = 400;

/** Threads start and compile, which is a matter of seconds and not of users. Nothing of it is left. */
export async function warm(recogniser: Recogniser, userIds: readonly number[]): Promise<void> {
  const { database, threads } = recogniser;
  const runsOver = (users: number): number => Math.max(2, Math.ceil((users * threads) / userIds.length));
  for (let run = 0; run < runsOver(warmUsersWhole); run++) {
    await markWhole(database, userIds);
    await recogniseAll(recogniser, userIds.length, addDays(asOf, run % 2));
  }
  for (let run = 0; run < runsOver(warmUsersPast); run++) {
    await markUnchanged(database, userIds);
    await recogniseAll(recogniser, userIds.length, addDays(asOf, run % 2));
  }
  await database.query("truncate services, read_models, membership_alerts, income_models, packed_pasts");
}

export async function recogniseAll(
  { database, pools, threads }: Recogniser,
  users: number,
  day: Day,
  times?: StageTimes,
): Promise<void> {
  let done = 0;
  const startedAt = performance.now();
  const recognise = async (task: RecogniseTask): Promise<RecogniseOutcome> => {
    const outcome = await pools.recognise(task);
    done += outcome.users;
    if (times !== undefined) for (const stage of stages) times[stage] += outcome.times[stage];
    tell("recognised", done, users, outcome.users, startedAt);
    return outcome;
  };
  const recognised = await recogniseChanged(
    {
      database,
      clock: createClock(day),
      events: createEvents({ level: "silent" }),
      baseUrl: "https://bench.example",
      recognise,
    },
    () => false,
    threads,
  );
  // A few are taken again by a lane whose look at the list is older than the other's commit; that finds nothing to
  // write.
  if (recognised < users) throw new Error(`${recognised} of ${users} users were recognised`);
}
