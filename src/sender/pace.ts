/** Holding a sender to a number of records a second. */
import { setTimeout as wait } from "node:timers/promises";

export type Pace = (records: number) => Promise<void>;

/** Milliseconds until so many records are due, counted from the start. */
export function delayMs(due: number, elapsedMs: number, recordsPerSecondMax: number): number {
  return Math.max(0, (due / recordsPerSecondMax) * 1000 - elapsedMs);
}

/**
 * A batch goes when the last of its records is due: at no time have more gone than the rate times the time that passed,
 * and the whole takes as long as it says.
 * @param recordsPerSecondMax undefined: no limit. Rejects with an AbortError when the signal is raised.
 */
export function createPace(recordsPerSecondMax: number | undefined, signal: AbortSignal | undefined): Pace {
  if (recordsPerSecondMax === undefined) return () => Promise.resolve();
  const startedAt = performance.now();
  let sent = 0;
  return async (records) => {
    sent += records;
    const due = sent;
    // A timer counts whole milliseconds and may go off within the last one.
    for (;;) {
      const ms = delayMs(due, performance.now() - startedAt, recordsPerSecondMax);
      if (ms === 0) return;
      await wait(Math.ceil(ms), undefined, signal ? { signal } : {});
    }
  };
}
