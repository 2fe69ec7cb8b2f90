/** Loading not faster than allowed: small chunks, and after each a rest for as long as its records should have taken. */
import { chunkRecordsMax } from "../../config/limits.ts";
import { pacedChunkMs } from "../../config/staging.ts";
import type { RestClock } from "../turn.ts";

export type Pace = {
  /** So many records a chunk, so that none runs further ahead than one rest makes good. */
  chunkRecordsMax: number;
  /** So many records more were loaded. @returns how far that is ahead of the rate; 0: not at all. */
  note(records: number): number;
};

export function startPace(recordsPerSecondMax: number, { nowMs }: Pick<RestClock, "nowMs">): Pace {
  const startedAtMs = nowMs();
  let records = 0;
  return {
    chunkRecordsMax: Math.min(chunkRecordsMax, Math.max(1, Math.floor((recordsPerSecondMax * pacedChunkMs) / 1000))),
    note(more) {
      records += more;
      return Math.max(0, (records / recordsPerSecondMax) * 1000 - (nowMs() - startedAtMs));
    },
  };
}
