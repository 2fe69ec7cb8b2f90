/**
 * What a recurring payment costs: the latest price where prices stand, the covered year spread evenly where they vary.
 * Pure.
 */
import { addDays, addMonths, type Day } from "../../time/calendar.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import { divideHalfUp, type KnownFrequency, medianOf, periodDays, perPaymentOf } from "../monthly.ts";
import { firstDayOf, isCovered, monthIndexOf, monthsMax, sum, type Window } from "../window.ts";
import { firstOf, lastOf } from "../../present.ts";

/** A payment of a series, positive. */
export type Priced = { day: Day; costMinor: number };

/** monthlyMinor null: the price times its cadence. */
export type Price = { paymentCostMinor: number; monthlyMinor: number | null };

/** With less than a year of it, prices that vary are told by the middle one of so many. */
const recentPayments = 6;

/**
 * @param paid oldest first, at least one @param isMissing it is due and was not paid: the year is the one to its last
 * payment, since what was not paid makes nothing cheaper
 */
export function priceOf(
  paid: readonly Priced[],
  frequency: PaymentFrequency,
  window: Window,
  isMissing: boolean,
): Price {
  const costs = paid.slice(-recentPayments).map(({ costMinor }) => costMinor);
  const [latest = 0, before] = costs.toReversed();
  const isSparse = frequency === "YEARLY" || frequency === "HALFYEARLY";
  if (isSparse || latest === before || isStepped(costs)) return { paymentCostMinor: latest, monthlyMinor: null };
  const year = frequency === "UNKNOWN" ? null : isMissing ? yearToLast(paid) : coveredYear(paid, frequency, window);
  if (year === null || frequency === "UNKNOWN") return { paymentCostMinor: medianOf(costs), monthlyMinor: null };
  const monthlyMinor = divideHalfUp(sum(year), monthsMax);
  return { paymentCostMinor: perPaymentOf(monthlyMinor, frequency), monthlyMinor };
}

/** A fixed price that has just changed: all but the latest are one price. */
function isStepped(costs: readonly number[]): boolean {
  return costs.length >= 3 && new Set(costs.slice(0, -1)).size === 1;
}

/** Null: the covered months are no year, or it began in the middle of them. */
function coveredYear(paid: readonly Priced[], frequency: KnownFrequency, window: Window): number[] | null {
  if (window.covered < monthsMax) return null;
  if (firstOf(paid).day > addDays(firstDayOf(window), periodDays[frequency])) return null;
  return paid.filter(({ day }) => isCovered(window, monthIndexOf(window, day))).map(({ costMinor }) => costMinor);
}

/** Null: it was paid for less than a year. */
function yearToLast(paid: readonly Priced[]): number[] | null {
  const since = addMonths(lastOf(paid).day, -monthsMax);
  if (firstOf(paid).day > addDays(since, periodDays.MONTHLY)) return null;
  return paid.filter(({ day }) => day > since).map(({ costMinor }) => costMinor);
}
