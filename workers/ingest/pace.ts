/** Loading not faster than allowed: a little ahead is slept off, much gives the slot up for as long. */
import { setTimeout as wait } from "node:timers/promises";
import { pacedChunksMax, paceSleepMsMax } from "../../config/staging.ts";

export type Pace = {
  /** After a chunk. @returns how long to rest before going on elsewhere; null: go on now. */
  keep(records: number): Promise<number | null>;
};

export function startPace(recordsPerSecondMax: number, nowMs: () => number = () => performance.now()): Pace {
  const startedAtMs = nowMs();
  let records = 0;
  let chunks = 0;
  return {
    async keep(more) {
      records += more;
      chunks += 1;
      const aheadMs = (records / recordsPerSecondMax) * 1000 - (nowMs() - startedAtMs);
      if (aheadMs > paceSleepMsMax) return chunks >= pacedChunksMax ? aheadMs : null;
      if (aheadMs > 0) await wait(aheadMs);
      return null;
    },
  };
}
