/** Keeps the figures of flow: each process what it counts, and one of them a minute what the whole service has waiting. */
import type { Database } from "../database/database.ts";
import type { Events } from "../events.ts";
import { startCounting } from "../observation/flow/counted.ts";
import { readFlowNow } from "../observation/flow/reading.ts";
import { addCounts, takeReading, thin } from "../observation/flow/table.ts";
import type { Round } from "../schedule/rounds.ts";

/** Often enough that what is counted stands in its minute, or in the next one. */
const keptEveryMs = 15_000;
/** Soon after a minute has begun. */
const readEveryMs = 10_000;

/** @returns stops, and keeps what is left where the database lets it */
export function keepCounts(database: Database, events: Events): () => Promise<void> {
  const counting = startCounting(events.registry);
  let failing = false;
  const keep = async () => {
    const { counts, kept } = await counting.since();
    await addCounts(database, counts);
    kept();
  };
  let keeping = Promise.resolve();
  const timer = setInterval(() => {
    keeping = keeping
      .then(keep)
      .then(() => void (failing = false))
      .catch((error: unknown) => {
        // A database that is away is told once; what was counted meanwhile is kept when it is back.
        if (!failing) events.emit("job.failed", { job: "flow-counts", durationMs: 0, error });
        failing = true;
      });
  }, keptEveryMs);
  return async () => {
    clearInterval(timer);
    await keeping;
    await keep().catch(() => undefined);
  };
}

export function flowRound(database: Database): Round {
  return {
    name: "flow",
    everyMs: readEveryMs,
    run: async () => {
      if (await takeReading(database, readFlowNow)) await thin(database);
    },
  };
}
