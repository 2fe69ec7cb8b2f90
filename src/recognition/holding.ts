/**
 * For how long a user's figures stay as they are while nothing comes. Whatever looks at the day notes the first later
 * one on which it might say something else; a user for whom none has come need not be looked at.
 */
import type { Converted } from "../rates/rates.ts";
import { type Day, dayFromNumber } from "../time/calendar.ts";

export class Holding {
  #changesAt = Infinity;
  readonly #ratesUntil: Day | null;

  /** @param ratesUntil the newest day of the rates that convert; null: none do */
  constructor(ratesUntil: Day | null = null) {
    this.#ratesUntil = ratesUntil;
  }

  /** @param at a day number; what lies behind the day asked for changes nothing any more, and need not be noted. */
  changesAt(at: number): void {
    if (at < this.#changesAt) this.#changesAt = at;
  }

  /**
   * A figure was made at a day's rate. Of a day that has gone by and has its rates, this is for good, unless they are
   * corrected (moveDayOn). What no fresh rate converts is made anew with the next rates (ReadModelRow.lacksRates); until
   * then no day makes an old rate fresh.
   */
  convertsAt(day: Day, today: Day, converted: Converted | null): void {
    const lacks = converted === null || converted.rateDate !== undefined;
    const hasRates = this.#ratesUntil !== null && day <= this.#ratesUntil;
    const isSettled = day < today ? lacks || hasRates : lacks && !hasRates;
    if (!isSettled) this.endsNow();
  }

  /** Nothing is known of the next day. */
  endsNow(): void {
    this.#changesAt = -Infinity;
  }

  /** The first day on which something may be another than on `today`, told no further than a week ahead. */
  until(todayAt: number): Day {
    return dayFromNumber(Math.max(todayAt + 1, Math.min(todayAt + daysMax, this.#changesAt)));
  }
}

/** Whatever went by all of this, as another address of the images, is put right within the week. */
const daysMax = 7;
