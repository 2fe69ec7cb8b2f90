/**
 * What comes next: the day and the amount of the next payment, and whether there will be one.
 */
import { bankingDayFrom } from "../calendar.ts";
import type { Payment } from "./history.ts";
import { hasFixedPrice } from "./obligation.ts";
import { type Schedule, occurrenceNear, postingDay } from "./schedule.ts";

export type Prediction = {
  /** Day number of the next payment; for a series that ended the day on which it was last expected. */
  nextAt: number;
  status: "ACTIVE" | "INACTIVE";
};

/** The first posting day after the last payment; while it is overdue within the grace, the next banking day. */
export function predict(schedule: Schedule, lastAt: number, asOfAt: number, country: string): Prediction {
  let occurrence = occurrenceNear(schedule, lastAt, country) + 1;
  while (postingDay(schedule, occurrence, country) <= lastAt) occurrence++;
  const dueAt = postingDay(schedule, occurrence, country);
  if (dueAt > asOfAt) return { nextAt: dueAt, status: "ACTIVE" };
  if (asOfAt > dueAt + schedule.cadence.graceDays) return { nextAt: dueAt, status: "INACTIVE" };
  return { nextAt: bankingDayFrom(asOfAt + 1, 1, country), status: "ACTIVE" };
}

/** Each older bill counts by so much less. */
const BILL_DECAY = 0.85;
const BILLS_MAX = 12;

/** Expected cost of the next payment in minor units of the account's currency, positive. */
export function expectedCost(payments: readonly Payment[]): number {
  if (hasFixedPrice(payments)) return payments.at(-1)!.cost;
  let sum = 0;
  let weights = 0;
  payments
    .slice(-BILLS_MAX)
    .toReversed()
    .forEach(({ cost }, age) => {
      sum += cost * BILL_DECAY ** age;
      weights += BILL_DECAY ** age;
    });
  return Math.round(sum / weights);
}
