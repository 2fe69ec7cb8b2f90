/**
 * Obligations that went quiet and are paid again: a payment to the same payee at about the price takes up the
 * obligation that had ended, whatever day it comes on. Where hardly anything else is paid to the payee, what comes on
 * the day on which it was due is that payment, though it costs a fraction or a multiple.
 */
import type { Holding } from "../holding.ts";
import type { Payment } from "../../payments/payment.ts";
import { type Obligation, datesUnderRule } from "./obligation.ts";
import { sellsOthers } from "../../payments/payee.ts";
import { predict } from "./predict.ts";
import { hasFixedPrice } from "./price.ts";
import { fitSchedule, occurrenceNear, postingDay } from "./schedule.ts";
import { lastOf } from "../../present.ts";

/** Half of all spells of silence end within weeks, few after a year. */
const quietDaysMax = 400;
/** Obligations must be most of what the payee is paid for: at a shop another payment is another purchase. */
const shareMin = 0.6;
/** |log ratio| of a price that went on: a fixed one after its rises, a bill after its swings. */
const logFixedRatioMax = 0.25;
const logBillRatioMax = 0.9;
/** The same where the payee is paid for nothing else, and on the due date. */
const logFixedDueRatioMax = 1.2;
const logBillDueRatioMax = 2.2;
/** Where more than this share of what a payee is paid is for something else, so may be what comes on a due date. */
const othersShareMax = 0.3;
/** Two payments nearer than this share of the period are no two dates. */
const periodShareMin = 0.5;
/** One payment within so many periods came late; later, or with others after it, it set a new date. */
const latePeriodsMax = 1.75;

/** The obligation with the payments in no series that take it up again; itself where it runs, or nothing does. */
export function revived(
  obligation: Obligation,
  strays: readonly Payment[],
  asOfAt: number,
  country: string,
  holding?: Holding,
): Obligation {
  const { payee, payments, schedule, cadence } = obligation;
  const last = lastOf(payments);
  if (strays.every(({ at }) => at <= last.at) || sellsOthers(payee)) return obligation;
  if (strays.length > (1 - shareMin) * payee.payments.length) return obligation;
  const isRunning = predict(schedule, datesUnderRule(obligation), asOfAt, country, holding).status === "ACTIVE";
  const isFixed = hasFixedPrice(payments);
  const max = isFixed ? logFixedRatioMax : logBillRatioMax;
  const dueMax = isForThisAlone(obligation, strays) ? (isFixed ? logFixedDueRatioMax : logBillDueRatioMax) : 0;
  const isDue = ({ at }: Payment): boolean =>
    Math.abs(at - postingDay(schedule, occurrenceNear(schedule, at, country), country)) <= cadence.toleranceDays;
  const taken: Payment[] = [];
  for (const stray of strays) {
    const before = taken.at(-1) ?? last;
    const gap = stray.at - before.at;
    if (gap < periodShareMin * cadence.days || gap > quietDaysMax) continue;
    const ratio = Math.abs(stray.logCost - before.logCost);
    if ((ratio <= max && !isRunning) || (ratio <= dueMax && isDue(stray))) taken.push(stray);
  }
  const [first] = taken;
  if (first === undefined) return obligation;
  const keepsDates = taken.every(isDue);
  const joined = { ...obligation, payments: [...payments, ...taken] };
  const isLate = taken.length === 1 && first.at - last.at < latePeriodsMax * cadence.days;
  const ruleFrom = keepsDates || isLate ? obligation.ruleFrom : first.at;
  return { ...joined, ruleFrom, schedule: fitSchedule(datesUnderRule({ ...joined, ruleFrom }), cadence, country) };
}

/** Whether the payee is paid for hardly anything but the obligation. */
function isForThisAlone({ payee, payments }: Obligation, strays: readonly Payment[]): boolean {
  const others = payee.payments.length - payments.length;
  return others === strays.length && others <= Math.max(1, othersShareMax * payee.payments.length);
}
