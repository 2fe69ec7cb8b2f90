/** How many calls came in somebody's present minute, which begins with the first one. */

const minuteMs = 60_000;
/** Rates at once; only partners that exist are counted, of which real installations have tens. */
const countedMax = 5000;

type Minute = { calls: number; endsAtMs: number };

export class CallRates {
  readonly #now: () => number;
  readonly #minutes = new Map<string, Minute>();

  /** @param now milliseconds of a clock that only moves on */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts one call. @returns null: it is one of the first `callsMax`; else in how many seconds the minute is over */
  count(name: string, callsMax: number): number | null {
    const now = this.#now();
    const minute = this.#minutes.get(name);
    if (minute === undefined || minute.endsAtMs <= now) {
      this.#begin(name, now);
      return callsMax >= 1 ? null : minuteMs / 1000;
    }
    minute.calls += 1;
    return minute.calls > callsMax ? Math.ceil((minute.endsAtMs - now) / 1000) : null;
  }

  #begin(name: string, now: number): void {
    this.#minutes.delete(name);
    this.#minutes.set(name, { calls: 1, endsAtMs: now + minuteMs });
    const [oldest] = this.#minutes.keys();
    if (oldest !== undefined && this.#minutes.size > countedMax) this.#minutes.delete(oldest);
  }
}
