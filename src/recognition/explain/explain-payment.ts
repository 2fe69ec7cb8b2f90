/**
 * Why a payment belongs to no service, in one short paragraph of English for operators: the search that decided is made
 * again over the payee's payments, and what it found is read out.
 */
import type { Day } from "../../time/calendar.ts";
import { formatAmount } from "../../money.ts";
import { merchantCategory } from "../../payments/catalogue.ts";
import { paymentKind, prepare } from "../../payments/history.ts";
import type { HistoryTransaction, Payment } from "../../payments/payment.ts";
import { ownTransfers } from "../../payments/own-transfer.ts";
import { groupByPayee, type Payee, titleOf } from "../../payments/payee.ts";
import { outgoingOf } from "../search/follower.ts";
import { priorByName, seriesPrior } from "../search/prior.ts";
import type { RecognitionContext } from "../recognise.ts";
import { findSeries } from "../search/series.ts";
import { firstOf, itemAt, lastOf } from "../../present.ts";

/** @param row a payment of the history that no service has. */
export function explainPayment(
  row: HistoryTransaction,
  history: readonly HistoryTransaction[],
  context: RecognitionContext,
): string {
  const what = `${formatAmount({ minor: row.amountMinor, currency: row.currency })} ${row.currency} on ${row.day}`;
  const apart = setApart(row, context.asOf);
  if (apart !== null) return `${what}: ${apart}`;
  if (ownTransfers(history.filter(({ day }) => day <= context.asOf)).has(row.txid))
    return `${what}: money moved between the user's own accounts is no payment.`;
  const payments = prepare(history, context.asOf);
  const payees = groupByPayee(payments, context.country);
  const payee = payees.find(({ payments }) => payments.some(({ transaction }) => transaction.txid === row.txid));
  if (payee === undefined) return `${what}: nothing says to whom it went.`;
  return [
    `${titleOf(payee, payee.payments)}, ${what}:`,
    found(row, payee, outgoingOf(payments).usualCost, context.country),
    known(payee),
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** What is not looked at for recurring payments at all; null for all else. */
function setApart(row: HistoryTransaction, asOf: Day): string | null {
  if (row.day > asOf) return `it is dated after ${asOf}, the day for which recognition ran.`;
  if (row.amountMinor === 0) return "an amount of zero is no payment.";
  if (row.amountMinor > 0) return "money that came in is no expense; it counts as income or as a refund.";
  if (paymentKind(row.rawType) === "CASH") return "cash follows its owner's rhythm, not a payee's.";
  return null;
}

function found(row: HistoryTransaction, payee: Payee, usualCost: number, country: string): string {
  const { series, rest } = findSeries(
    payee.payments,
    seriesPrior(priorByName(payee, country), payee, usualCost),
    country,
  );
  const isRow = ({ transaction }: Payment): boolean => transaction.txid === row.txid;
  if (series.some(({ payments }) => payments.some(isRow)))
    return "its dates make a series, which was then given to a service under another name.";
  if (!rest.some(isRow))
    return `it is one of ${payee.payments.length} payments that come regularly, but as habits do: their amounts and dates follow the user, not a bill.`;
  const elsewhere =
    series.length === 0
      ? ""
      : ` ${series.length === 1 ? "A series" : `${series.length} series`} of the payee's others ${series.length === 1 ? "was" : "were"} found without it.`;
  return rest.length === 1
    ? `it is the only payment of its kind to this payee.${elsewhere}`
    : `${spread(rest)} No cadence explains them better than chance.${elsewhere}`;
}

function spread(payments: readonly Payment[]): string {
  const gaps = payments.slice(1).map(({ at }, index) => at - itemAt(payments, index).at);
  const costs = payments.map(({ cost }) => cost);
  const currency = firstOf(payments).transaction.currency;
  const amount = (minor: number): string => formatAmount({ minor, currency });
  const days = least(gaps) === most(gaps) ? String(least(gaps)) : `${least(gaps)} to ${most(gaps)}`;
  const cost =
    least(costs) === most(costs) ? amount(least(costs)) : `${amount(least(costs))} to ${amount(most(costs))}`;
  return `${payments.length} payments lie ${days} days apart and cost ${cost} ${currency}.`;
}

/** What the payee sells, where it speaks against obligations. */
function known(payee: Payee): string {
  const { mcc } = lastOf(payee.payments).transaction;
  const category = mcc === null ? null : merchantCategory(mcc);
  if (category === null || (category.recurring !== "NEVER" && category.recurring !== "ONE_OFF")) return "";
  return `Against: the merchant's category, ${category.description}, is paid for ${category.recurring === "NEVER" ? "singly" : "mostly singly"}.`;
}

function least(values: readonly number[]): number {
  return values.reduce((a, b) => Math.min(a, b));
}

function most(values: readonly number[]): number {
  return values.reduce((a, b) => Math.max(a, b));
}
