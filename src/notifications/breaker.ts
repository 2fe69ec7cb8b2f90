/**
 * A circuit breaker a receiver: one that fails again and again is left alone for a while, then tried with one message.
 */

/** So many failures in a row open it. */
const failuresMax = 5;
const firstPauseMs = 30_000;
const pauseMsMax = 10 * 60_000;

export type Breaker = {
  /** How many messages may be tried now: none while open, one to see whether it is over, else `wanted`. */
  allowance(wanted: number): number;
  succeed(): void;
  fail(): void;
};

export function createBreaker(now: () => number): Breaker {
  let failures = 0;
  let pauseMs = firstPauseMs;
  let openUntil = 0;
  return {
    allowance(wanted) {
      if (failures < failuresMax) return wanted;
      return now() >= openUntil ? Math.min(1, wanted) : 0;
    },
    succeed() {
      failures = 0;
      pauseMs = firstPauseMs;
    },
    fail() {
      failures += 1;
      if (failures < failuresMax) return;
      openUntil = now() + pauseMs;
      pauseMs = Math.min(pauseMs * 2, pauseMsMax);
    },
  };
}
