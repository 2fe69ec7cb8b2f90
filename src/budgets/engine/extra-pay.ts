/**
 * A thirteenth month, holiday pay or a bonus that comes in the line of the ordinary pay. Of a pay that stands, what one
 * payment has more than half above it is extra, and is spread over the year. Pure.
 */
import { medianOf } from "../monthly.ts";
import { isDayCovered, type Window } from "../window.ts";
import type { Counted } from "./counted.ts";
import type { Extra } from "./snapshot.ts";

/** Of the ordinary pay: overtime lifts a month by less. */
const extraFrom = 1.5;
/** With fewer payments nobody knows what is ordinary. */
const paymentsMin = 4;

/** Null: none in the covered months. @param payments of one payer, a month apart, oldest first */
export function extraOf(payments: readonly Counted[], window: Window): Extra | null {
  if (payments.length < paymentsMin) return null;
  const ordinary = medianOf(payments.map(({ minor }) => minor));
  const transactions = payments
    .filter(({ row, minor }) => isDayCovered(window, row.day) && minor >= extraFrom * ordinary)
    .map(({ row, minor }) => ({ txid: row.txid, day: row.day, extraMinor: minor - ordinary }));
  return transactions.length === 0 || 2 * transactions.length > payments.length ? null : { transactions };
}
