/**
 * For how long a user's figures stay as they are while nothing comes. Whatever looks at the day notes the first later
 * one on which it might say something else; a user for whom none has come need not be looked at.
 */
import { type Day, dayFromNumber } from "../time/calendar.ts";

export class Holding {
  #changesAt = Infinity;

  /** @param at a day number; what lies behind the day asked for changes nothing any more, and need not be noted. */
  changesAt(at: number): void {
    if (at < this.#changesAt) this.#changesAt = at;
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
