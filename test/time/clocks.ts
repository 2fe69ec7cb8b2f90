/** Clocks for tests. */
import type { Day } from "../../src/time/calendar.ts";
import type { Clock } from "../../src/time/clock.ts";

/** Real time on a business day that stays, in every zone: a test may run over midnight. */
export function standingOn(day: Day): Clock {
  return { now: () => new Date(), today: () => day };
}
