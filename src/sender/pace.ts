/** Holding a sender to a number of records a second. */
import { setTimeout as wait } from "node:timers/promises";

export type Pace = (records: number) => Promise<void>;

/** Milliseconds to wait before going on, `sent` records after the start. */
export function delayMs(sent: number, elapsedMs: number, recordsPerSecondMax: number): number {
  return Math.max(0, (sent / recordsPerSecondMax) * 1000 - elapsedMs);
}

/** @param recordsPerSecondMax undefined: no limit. Rejects with an AbortError when the signal is raised. */
export function createPace(recordsPerSecondMax: number | undefined, signal: AbortSignal | undefined): Pace {
  if (recordsPerSecondMax === undefined) return () => Promise.resolve();
  const startedAt = performance.now();
  let sent = 0;
  return async (records) => {
    const ms = delayMs(sent, performance.now() - startedAt, recordsPerSecondMax);
    sent += records;
    if (ms > 0) await wait(ms, undefined, signal ? { signal } : {});
  };
}
