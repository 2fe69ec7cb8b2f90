/** What the rule of a run's dates adds to its steps, where closed days moved some of them. */
import { deviation } from "../chain.ts";
import { type Schedule, occurrenceNear, postingDay } from "../schedule.ts";
import type { Payment } from "../../../payments/payment.ts";
import { itemAt } from "../../../present.ts";

/** Two dates are kept by some rule or other. */
const ruledPaymentsMin = 3;

/**
 * What the rule adds to the steps of a run. From payment to payment each one that closed days moved misses its day, and
 * the next one again; under the rule neither does. One date goes into the choice of the rule.
 */
export function closedDaysEvidence(run: readonly Payment[], schedule: Schedule, country: string): number {
  const { cadence } = schedule;
  if (run.length < ruledPaymentsMin || cadence.months !== 1 || schedule.spreadDays > 0) return 0;
  const { logDeviation, toleranceDays } = cadence;
  const logOff = (days: number): number => logDeviation[Math.min(toleranceDays, Math.abs(days))] as number;
  let gain = -logOff(0);
  for (const [index, payment] of run.entries()) {
    gain += logOff(payment.at - postingDay(schedule, occurrenceNear(schedule, payment.at, country), country));
    if (index === 0) continue;
    const before = itemAt(run, index - 1);
    const periods = Math.max(1, Math.round((payment.at - before.at) / cadence.days));
    gain -= logOff(deviation(before, payment, cadence, periods));
  }
  return Math.max(0, gain);
}
