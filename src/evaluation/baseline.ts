/**
 * The rule that recognition must beat: what anyone writes in an afternoon. Payments of one name without its digits, the
 * median gap between them, and the frequency nearest to it. It knows no prices, merchants or languages. Pure.
 */
import { addDays, addMonths, type Day, daysBetween } from "../time/calendar.ts";
import type { PaymentFrequency } from "../interface/payment-frequency.ts";
import type { HistoryTransaction } from "../payments/payment.ts";
import { firstOf, itemAt, lastOf } from "../present.ts";
import type { Detected } from "./measure.ts";

/** Frequency, days of its period, days after which a due payment is taken as missing, whole months of the period. */
const periods: readonly (readonly [PaymentFrequency, days: number, graceDays: number, months: number])[] = [
  ["DAILY", 1, 4, 0],
  ["WEEKLY", 7, 5, 0],
  ["BIWEEKLY", 14, 7, 0],
  ["MONTHLY", 30.4, 12, 1],
  ["BIMONTHLY", 60.9, 16, 2],
  ["QUARTERLY", 91.3, 20, 3],
  ["HALFYEARLY", 182.6, 30, 6],
  ["YEARLY", 365.25, 40, 12],
];
const paymentsMin = 3;
/** Share of the gaps that must lie near the period, and how near: without it every shop would be a subscription. */
const regularMin = 0.6;
const nearShare = 0.2;

export function detectByMedianGap(history: readonly HistoryTransaction[], asOf: Day): Detected[] {
  const seen = history.filter(({ day }) => day <= asOf).toSorted((a, b) => (a.day < b.day ? -1 : 1));
  const named = Map.groupBy(seen, nameAndDirection);
  return [...named.values()].flatMap((payments) => detectOne(payments, asOf) ?? []);
}

function nameAndDirection({ merchantName, description, amountMinor }: HistoryTransaction): string {
  const name = (merchantName ?? description).toLowerCase().replace(/\d/g, "").replace(/\s+/g, " ").trim();
  return `${amountMinor < 0 ? "out" : "in"} ${name}`;
}

function detectOne(payments: HistoryTransaction[], asOf: Day): Detected | null {
  if (payments.length < paymentsMin) return null;
  const gaps = payments.slice(1).map(({ day }, at) => daysBetween(itemAt(payments, at).day, day));
  const gap = Math.max(1, median(gaps));
  const nearest = periods.toSorted(([, a], [, b]) => Math.abs(Math.log(gap / a)) - Math.abs(Math.log(gap / b)));
  const [frequency, days, graceDays, months] = firstOf(nearest);
  const regular = gaps.filter((one) => Math.abs(one - days) <= Math.max(1, nearShare * days)).length;
  if (regular < regularMin * gaps.length) return null;
  const { day, amountMinor } = lastOf(payments);
  return {
    payments,
    direction: amountMinor < 0 ? "OUT" : "IN",
    paymentFrequency: frequency,
    status: daysBetween(day, asOf) <= gap + graceDays ? "ACTIVE" : "INACTIVE",
    visibility: "VISIBLE",
    nextExpectedDay: months === 0 ? addDays(day, Math.round(gap)) : addMonths(day, months),
    expectedAmountMinor: median(payments.map((one) => Math.abs(one.amountMinor))),
  };
}

function median(values: readonly number[]): number {
  return itemAt(
    values.toSorted((a, b) => a - b),
    values.length >> 1,
  );
}
