/**
 * What comes next: the day and the amount of the next payment, and whether there will be one.
 */
import { bankingDayFrom } from "../../time/calendar.ts";
import type { Payment } from "../../payments/payment.ts";
import { likeliestDay, scatterOf } from "./scatter.ts";
import { type Schedule, occurrenceNear, postingDay } from "./schedule.ts";
import { hasFixedPrice } from "./price.ts";
import { lastOf } from "../../present.ts";

export type Prediction = {
  /** Day number of the next payment; for a series that ended the day on which it was last expected. */
  nextAt: number;
  status: "ACTIVE" | "INACTIVE";
};

/** A due date is given up after so many days only by a series that was seen to keep its dates so often. */
const keptPaymentsMin = 6;
/**
 * What is collected to the day and has not come for so long was missed: the longest closed days, or a file that came
 * late, explain no more.
 */
const lateDaysMax = 5;

/**
 * The first posting day after the last payment. While it is overdue within the grace: the next banking day, or, where
 * the dates were always kept and it is overdue by more than could be explained, the due date after it.
 * @param dates of the payments, day numbers, ascending, at least one.
 */
export function predict(schedule: Schedule, dates: readonly number[], asOfAt: number, country: string): Prediction {
  const lastAt = lastOf(dates);
  const occurrence = occurrenceAfter(schedule, occurrenceNear(schedule, lastAt, country), lastAt, country);
  const scatter = scatterOf(schedule, dates, country);
  const tell = (after: number): number =>
    (scatter === null ? null : likeliestDay(scatter, occurrence, after, country)) ??
    postingDay(schedule, occurrence, country);
  const dueAt = tell(lastAt);
  if (dueAt > asOfAt) return { nextAt: tell(asOfAt), status: "ACTIVE" };
  if (asOfAt > dueAt + schedule.cadence.graceDays) return { nextAt: dueAt, status: "INACTIVE" };
  const isMissed = scatter === null && dates.length >= keptPaymentsMin && asOfAt - dueAt > lateDaysMax;
  const nextAt = isMissed
    ? postingDay(schedule, occurrenceAfter(schedule, occurrence, asOfAt, country), country)
    : bankingDayFrom(asOfAt + 1, 1, country);
  // What was told last is held until it has passed: a day that goes by brings no date nearer than it was.
  return { nextAt: Math.max(nextAt, scatter === null ? 0 : tell(dueAt - 1)), status: "ACTIVE" };
}

/** The first occurrence after another one that is posted after a day. */
function occurrenceAfter(schedule: Schedule, occurrence: number, at: number, country: string): number {
  let next = occurrence + 1;
  while (postingDay(schedule, next, country) <= at) next++;
  return next;
}

/** Each older bill counts by so much less. */
const billDecay = 0.85;
const billsMax = 12;

/** Expected cost of the next payment in minor units of the account's currency, positive. */
export function expectedCost(payments: readonly Payment[]): number {
  if (hasFixedPrice(payments)) return lastOf(payments).cost;
  let sum = 0;
  let weights = 0;
  payments
    .slice(-billsMax)
    .toReversed()
    .forEach(({ cost }, age) => {
      sum += cost * billDecay ** age;
      weights += billDecay ** age;
    });
  return Math.round(sum / weights);
}
