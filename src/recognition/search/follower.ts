/**
 * Small payments that only follow others: fees for exchange, cash and bookings have no date of their own, however
 * regular what they follow. They are told by their amount, a constant share of a purchase just before them, or by
 * coming with nearly every payment of one irregular kind and with nothing else.
 */
import { kindOf } from "../../payments/history.ts";
import type { Payment } from "../../payments/payment.ts";
import type { Payee } from "../../payments/payee.ts";
import { areChosen } from "../../payments/price-kind.ts";
import { firstOf, itemAt } from "../../present.ts";
import { partsFromNumber, weekdayOfNumber } from "../../time/calendar.ts";

/** A fee is booked on the day of its purchase or within so many days after it. */
const lagDaysMax = 2;
/** It is a small part of the purchase. */
const shareMax = 0.12;
const paymentsMin = 3;
/** So large a share of the payments must be explained, amounts within rounding and so many per cent. */
const explainedMin = 0.85;
const shareTolerance = 0.06;
const roundingMinor = 1;
/** A bank raises its fee now and then: what one share leaves unexplained, another one near it may explain. */
const shareRatioMax = 1.4;
/** Fees of one amount follow payments of one payee; both ways, and those are themselves irregular. */
const followedMin = 0.8;
const irregularMin = 0.35;

/**
 * A user's outgoing payments, by day, and the middle one of all that they cost, in minor units; 0 where there are none.
 */
export type Outgoing = { payments: readonly Payment[]; usualCost: number };

/** @param payments all of the user's, cash too. */
export function outgoingOf(payments: readonly Payment[]): Outgoing {
  const outgoing = payments.filter(({ transaction }) => transaction.amountMinor < 0);
  const areByDay = outgoing.every(({ at }, index) => index === 0 || at >= itemAt(outgoing, index - 1).at);
  return {
    payments: areByDay ? outgoing : outgoing.sort((a, b) => a.at - b.at),
    usualCost: usualCostOf(payments),
  };
}

function usualCostOf(payments: readonly Payment[]): number {
  const costs = new Float64Array(payments.length);
  let paid = 0;
  for (const { transaction, cost } of payments) if (transaction.amountMinor < 0) costs[paid++] = cost;
  return costs.subarray(0, paid).sort()[paid >> 1] ?? 0;
}

const cash = "CASH";

/** Cash is drawn anywhere. */
function nameOf({ kind, merchant }: Payment): string {
  return kind === "CASH" ? cash : merchant.key;
}

/** Whether the payee's payments only follow others of the user's. */
export function followsOthers({ direction, product, payments }: Payee, outgoing: Outgoing): boolean {
  if (direction === "IN" || product !== null || payments.length < paymentsMin) return false;
  if (kindOf(firstOf(payments).transaction.rawType) === "DIRECT_DEBIT") return false;
  const triggers: Payment[][] = [];
  let following = 0;
  for (const payment of payments) {
    const before = triggersOf(payment, outgoing);
    if (before.length > 0) following++;
    triggers.push(before);
    // What follows too few is not looked at to its end.
    if (following + payments.length - triggers.length < explainedMin * payments.length) return false;
  }
  return isShareOf(payments, triggers) || comesWith(payments, triggers, outgoing);
}

/** The nearest in time first, those of one day in their order. */
function triggersOf(fee: Payment, { payments }: Outgoing): Payment[] {
  const triggers: Payment[] = [];
  let end = firstFrom(payments, fee.at + 1);
  for (let lag = 0; lag <= lagDaysMax; lag++) {
    let start = end;
    while (start > 0 && itemAt(payments, start - 1).at === fee.at - lag) start--;
    for (let at = start; at < end; at++) {
      const payment = itemAt(payments, at);
      if (fee.cost <= shareMax * payment.cost && payment.merchant.key !== fee.merchant.key) triggers.push(payment);
    }
    end = start;
  }
  return triggers;
}

/** Index of the first payment on the day or after it. */
function firstFrom(payments: readonly Payment[], at: number): number {
  let low = 0;
  let high = payments.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (itemAt(payments, middle).at < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The amounts differ, and each is one and the same share of a purchase before it; or another one since that was raised. */
function isShareOf(fees: readonly Payment[], triggers: readonly (readonly Payment[])[]): boolean {
  if (!areOfManyAmounts(fees)) return false;
  const shares = sharesOfLargest(fees, triggers);
  return shares.some((share) => {
    const [left, leftTriggers] = unexplainedBy(share, fees, triggers);
    if (left.length <= (1 - explainedMin) * fees.length) return true;
    if (!areOfManyAmounts(left) || !areOfManyAmounts(fees.filter((fee) => !left.includes(fee)))) return false;
    return sharesOfLargest(left, leftTriggers).some(
      (other) =>
        Math.max(share / other, other / share) <= shareRatioMax &&
        unexplainedBy(other, left, leftTriggers)[0].length <= (1 - explainedMin) * fees.length,
    );
  });
}

/** One amount is a constant share of whatever is constant. */
function areOfManyAmounts(fees: readonly Payment[]): boolean {
  return new Set(fees.map(({ cost }) => cost)).size >= paymentsMin;
}

/** What wanders by no more than shares do is as good as constant: of such fees the share must be the very share. */
function toleranceOf(fees: readonly Payment[]): number {
  let levels = 0;
  let level = 0;
  for (const cost of fees.map((fee) => fee.cost).sort((a, b) => a - b)) {
    if (levels > 0 && cost - level <= 2 * shareTolerance * level) continue;
    levels++;
    level = cost;
  }
  return levels < paymentsMin ? 0 : shareTolerance;
}

/** Of the largest fee the share is told best: of each purchase before it that it may be of. */
function sharesOfLargest(fees: readonly Payment[], triggers: readonly (readonly Payment[])[]): number[] {
  const largest = fees.reduce((most, { cost }, index) => (cost > itemAt(fees, most).cost ? index : most), 0);
  return itemAt(triggers, largest).map((trigger) => itemAt(fees, largest).cost / trigger.cost);
}

function unexplainedBy(
  share: number,
  fees: readonly Payment[],
  triggers: readonly (readonly Payment[])[],
): [Payment[], (readonly Payment[])[]] {
  const tolerance = toleranceOf(fees);
  const left = fees
    .map((fee, index) => ({ fee, before: itemAt(triggers, index) }))
    .filter(
      ({ fee: { cost }, before }) =>
        !before.some((one) => Math.abs(cost - share * one.cost) <= Math.max(roundingMinor, tolerance * cost)),
    );
  return [left.map(({ fee }) => fee), left.map(({ before }) => before)];
}

/**
 * Each fee comes with cash; or with one payee's payments, nearly all of them, and nothing else has it, where those are
 * irregular or of amounts that somebody chose. What keeps a date of its own follows no irregular purchase.
 */
function comesWith(
  fees: readonly Payment[],
  triggers: readonly (readonly Payment[])[],
  { payments }: Outgoing,
): boolean {
  const withCash = triggers.filter((before) => before.some(({ kind }) => kind === "CASH"));
  if (withCash.length >= explainedMin * fees.length) return true;
  const isFree = (days: readonly number[]): boolean => !keepsItsDay(days) && (isIrregular(days) || wanders(days));
  const areFree = isFree(daysOf(fees));
  const haveOneAmount = fees.every(({ cost }) => cost === firstOf(fees).cost);
  const followed = new Map<string, Payment[]>();
  for (const before of triggers) {
    for (const key of new Set(before.map(nameOf))) {
      const nearest = before.find((payment) => nameOf(payment) === key);
      if (nearest === undefined) continue;
      const purchases = followed.get(key);
      if (purchases === undefined) followed.set(key, [nearest]);
      else purchases.push(nearest);
    }
  }
  return [...followed].some(
    ([key, purchases]) =>
      purchases.length >= explainedMin * fees.length &&
      purchases.length >= followedMin * payments.filter((payment) => nameOf(payment) === key).length &&
      ((areFree && isFree(daysOf(purchases))) || (haveOneAmount && areChosen(purchases))),
  );
}

/** Each once: of several bills that one payee collects on one day the second is no payment out of turn. */
function daysOf(payments: readonly Payment[]): number[] {
  return [...new Set(payments.map(({ at }) => at))];
}

/** Days of the month further apart than closed days and short months move a due date, and gaps that differ. */
const wanderingDaysMin = 3;
const wanderingGapsMin = 3;

/** Whether dates fall on any day of the week and wander over the month: nobody collects so, however often it happens. */
function wanders(days: readonly number[]): boolean {
  if (days.length < irregularDatesMin || !days.some((day) => weekdayOfNumber(day) > lastWeekday)) return false;
  const months = days.map((day) => partsFromNumber(day).dayOfMonth);
  const gaps = days.slice(1).map((day, index) => day - itemAt(days, index));
  return (
    Math.max(...gaps) - Math.min(...gaps) > wanderingGapsMin &&
    months.filter((day) => monthDistance(day, itemAt(months, 0)) > wanderingDaysMin).length * 3 > months.length
  );
}

const irregularDatesMin = 4;
const lastWeekday = 5;
const monthDays = 30;

function monthDistance(a: number, b: number): number {
  const off = Math.abs(a - b);
  return Math.min(off, monthDays - off);
}

/** Due dates of two months, moved towards each other by closed days, are no nearer. */
const monthGapMin = 24;

/**
 * Whether the dates are one day of the month, or what banking days make of it, at most one in each: a pause among them
 * frees nothing.
 */
function keepsItsDay(days: readonly number[]): boolean {
  if (days.length < irregularDatesMin) return false;
  const { dayOfMonth } = partsFromNumber(firstOf(days));
  const offMax = days.some((day) => weekdayOfNumber(day) > lastWeekday) ? 0 : wanderingDaysMin;
  return days.every(
    (day, index) =>
      monthDistance(partsFromNumber(day).dayOfMonth, dayOfMonth) <= offMax &&
      (index === 0 || day - itemAt(days, index - 1) >= monthGapMin),
  );
}

/** Whether gaps differ by so much of their mean that they keep no date. */
function isIrregular(days: readonly number[]): boolean {
  if (days.length < paymentsMin) return false;
  const gaps = days.slice(1).map((day, index) => day - itemAt(days, index));
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  return Math.sqrt(variance) >= irregularMin * mean;
}
