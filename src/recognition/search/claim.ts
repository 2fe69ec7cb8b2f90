/**
 * Once a series' rule is known, its due dates claim the payments that the search for the run left out: after a missed
 * date, with a price that changed, or scattered further than a step from payment to payment allows.
 */
import { isSamePrice } from "./chain.ts";
import { chronologically } from "../../payments/history.ts";
import type { Payment } from "../../payments/payment.ts";
import { type Schedule, occurrenceNear, postingDay } from "./schedule.ts";
import { hasFixedPrice } from "./price.ts";
import { firstOf, lastOf } from "../../present.ts";

/**
 * |log ratio| up to which a due payment at another price is still this series': a step of a fixed price, a bill by use.
 */
const logPriceStepMax = 0.4;
const logBillRatioMax = 0.9;
/** The same of a bill that is collected on a date between two that were paid: an estimate, a settlement. */
const logLeapMax = 2.4;
/** A long series has many due dates; those before this many are history that no one looks at again. */
const occurrencesMax = 4_000;

/**
 * The series with the free payments that its due dates claim; free payments are by day and belong to the same payee.
 */
export function claimDue<S extends { payments: Payment[] }>(
  series: S,
  schedule: Schedule,
  free: readonly Payment[],
  country: string,
): S {
  if (free.length === 0) return series;
  const claimed: Payment[] = [];
  const { missesMax } = schedule.cadence;
  const paid = paidOccurrences(series.payments, schedule, country);
  const occurrences = [...paid.keys()];
  const first = firstOf(occurrences);
  const last = lastOf(occurrences);
  const isDue = priceTest(series.payments, logBillRatioMax);
  const isBill = priceTest(series.payments, logLeapMax);
  const left = new Set(free);
  const take = (occurrence: number, hasPrice = isDue): boolean => {
    const at = postingDay(schedule, occurrence, country);
    const payment = nearestDue(left, at, schedule.cadence.toleranceDays, hasPrice);
    if (payment === null) return false;
    left.delete(payment);
    claimed.push(payment);
    return true;
  };
  for (let n = Math.max(first, last - occurrencesMax); n < last; n++)
    if (!paid.has(n) && !take(n) && lastOf(series.payments).kind !== "CARD") take(n, isBill);
  for (let n = last + 1, misses = 0; misses <= missesMax; n++) misses = take(n) ? 0 : misses + 1;
  for (let n = first - 1, misses = 0; misses <= missesMax; n--) misses = take(n) ? 0 : misses + 1;
  return claimed.length === 0
    ? series
    : { ...series, payments: [...series.payments, ...claimed].sort(chronologically) };
}

/** The occurrences that have a payment, ascending. Payments piled up on one day stand for the due dates moved to it. */
export function paidOccurrences(
  payments: readonly Payment[],
  schedule: Schedule,
  country: string,
): Map<number, Payment> {
  const paid = new Map<number, Payment>();
  let previous = -Infinity;
  for (const payment of payments) {
    let occurrence = occurrenceNear(schedule, payment.at, country);
    if (occurrence <= previous) occurrence = previous + 1;
    paid.set(occurrence, payment);
    previous = occurrence;
  }
  return paid;
}

type PriceTest = (payment: Payment) => boolean;

function priceTest(payments: readonly Payment[], logBillMax: number): PriceTest {
  const latest = lastOf(payments);
  const earliest = firstOf(payments);
  const max = hasFixedPrice(payments) ? logPriceStepMax : logBillMax;
  const near = (payment: Payment, other: Payment): boolean =>
    isSamePrice(payment, other) || Math.abs(payment.logCost - other.logCost) <= max;
  return (payment) => near(payment, latest) || near(payment, earliest);
}

/**
 * The free payment on the due date before the first one that cost less than it: a trial, or a part of a period. Null
 * when there is none.
 */
export function introductoryPayment(
  payments: readonly Payment[],
  schedule: Schedule,
  free: readonly Payment[],
  country: string,
): Payment | null {
  const first = firstOf(payments);
  const due = postingDay(schedule, occurrenceNear(schedule, first.at, country) - 1, country);
  const isLower: PriceTest = (payment) => payment.at < first.at && payment.cost < first.cost;
  return nearestDue(new Set(free), due, schedule.cadence.toleranceDays, isLower);
}

function nearestDue(free: ReadonlySet<Payment>, at: number, toleranceDays: number, isDue: PriceTest): Payment | null {
  let nearest: Payment | null = null;
  let distance = toleranceDays + 1;
  for (const payment of free) {
    const off = Math.abs(payment.at - at);
    if (off < distance && isDue(payment)) {
      nearest = payment;
      distance = off;
    }
  }
  return nearest;
}
