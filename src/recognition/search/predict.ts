/**
 * What comes next: the day and the amount of the next payment, and whether there will be one.
 */
import { bankingDayFrom } from "../../time/calendar.ts";
import type { Holding } from "../holding.ts";
import { likeliestDay, nearDays, scatterOf } from "./scatter.ts";
import { type Schedule, isPaused, occurrenceNear, postingDay } from "./schedule.ts";
import { lastOf } from "../../present.ts";

export type Prediction = {
  /** Day number of the next payment; for a series that ended the day on which it was last expected. */
  nextAt: number;
  status: "ACTIVE" | "INACTIVE";
  /** What was due has not come, and is not given up yet. */
  isOverdue: boolean;
};

/**
 * The first posting day after the last payment; what dates that are kept make due today is due today. While it is overdue within the grace:
 * the next banking day.
 * @param dates of the payments, day numbers, ascending, at least one.
 */
export function predict(
  schedule: Schedule,
  dates: readonly number[],
  asOfAt: number,
  country: string,
  holding?: Holding,
): Prediction {
  const lastAt = lastOf(dates);
  const occurrence = occurrenceAfter(schedule, occurrenceNear(schedule, lastAt, country), lastAt, country);
  const scatter = scatterOf(schedule, dates, country);
  const tell = (after: number): number =>
    (scatter === null ? null : likeliestDay(scatter, occurrence, after, country)) ??
    postingDay(schedule, occurrence, country);
  const dueAt = tell(lastAt);
  if (dueAt === asOfAt && scatter === null) {
    holding?.changesAt(asOfAt + 1);
    return { nextAt: dueAt, status: "ACTIVE", isOverdue: false };
  }
  if (dueAt > asOfAt) {
    const nextAt = tell(asOfAt);
    // Days that go by take chances from other days before they take any from those near the one that is told.
    holding?.changesAt(scatter === null ? dueAt + 1 : Math.min(dueAt, nextAt - nearDays));
    return { nextAt, status: "ACTIVE", isOverdue: false };
  }
  const givenUpAfter = dueAt + schedule.cadence.graceDays;
  if (asOfAt > givenUpAfter) return { nextAt: dueAt, status: "INACTIVE", isOverdue: false };
  const nextAt = bankingDayFrom(asOfAt + 1, 1, country);
  holding?.changesAt(dueAt === asOfAt ? asOfAt + 1 : Math.min(nextAt, givenUpAfter + 1));
  // What was told last is held until it has passed: a day that goes by brings no date nearer than it was.
  return {
    nextAt: Math.max(nextAt, scatter === null ? 0 : tell(dueAt - 1)),
    status: "ACTIVE",
    isOverdue: dueAt < asOfAt,
  };
}

/** The first occurrence after another one that is posted after a day. */
function occurrenceAfter(schedule: Schedule, occurrence: number, at: number, country: string): number {
  let next = occurrence + 1;
  while (postingDay(schedule, next, country) <= at || isPaused(schedule, next)) next++;
  return next;
}
