/** What a user of the API and the operator of the machine notice while batches load. */
import { setTimeout as wait } from "node:timers/promises";
import type { Partner } from "../partner.ts";
import type { Service } from "../service.ts";

export type Watch = {
  /** Ends watching. */
  stop(): Promise<Observations>;
};

export type Observations = {
  memoryBytesMax: number;
  reads: number;
  readsFailed: number;
  readMs: { p50: number; p99: number; max: number };
};

const readEveryMs = 50;
const measureEveryMs = 500;

/** @param token of a user whose services are read again and again */
export function startWatch(service: Service, partner: Partner, token: string): Watch {
  const durations: number[] = [];
  const seen = { memoryBytesMax: 0, failed: 0, stopped: false };
  const reading = (async () => {
    while (!seen.stopped) {
      const startedAt = performance.now();
      const status = await partner.call("GET", "/services", { token }).then(
        (answer) => answer.status,
        () => 0,
      );
      if (status === 200 || status === 202) durations.push(performance.now() - startedAt);
      else seen.failed += 1;
      await wait(readEveryMs);
    }
  })();
  const measuring = (async () => {
    while (!seen.stopped) {
      seen.memoryBytesMax = Math.max(seen.memoryBytesMax, await service.memoryBytes());
      await wait(measureEveryMs);
    }
  })();
  return {
    async stop() {
      seen.stopped = true;
      await Promise.all([reading, measuring]);
      return {
        memoryBytesMax: seen.memoryBytesMax,
        reads: durations.length,
        readsFailed: seen.failed,
        readMs: spread(durations),
      };
    },
  };
}

export function spread(durations: readonly number[]): Observations["readMs"] {
  const sorted = durations.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), max: sorted.at(-1) ?? 0 };
}
