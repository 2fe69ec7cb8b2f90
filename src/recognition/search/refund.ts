/**
 * Money that a payee gave back: it lowers what a service cost, and is no payment of it.
 */
import type { HistoryTransaction, Payment } from "../../payments/payment.ts";
import type { Obligation } from "./obligation.ts";
import type { Payee } from "../../payments/payee.ts";

/** A refund belongs to a payment made at most this long before. */
const refundDaysMax = 90;

/**
 * Refunds of each obligation that has any, oldest first. Each refund belongs to one: the latest payment that covers it.
 */
export function refundsOf(
  obligations: readonly Obligation[],
  payees: readonly Payee[],
): Map<Obligation, HistoryTransaction[]> {
  const paidOut = groupByKey(obligations);
  const taken = new Set(
    obligations.filter(({ payee }) => payee.direction === "IN").flatMap(({ payments }) => payments),
  );
  const refunds = new Map<Obligation, HistoryTransaction[]>();
  for (const payee of payees) {
    if (payee.direction === "OUT") continue;
    for (const payment of payee.payments) {
      const obligation = taken.has(payment) ? null : refunded(payment, paidOut.get(payee.key) ?? []);
      if (obligation !== null) refunds.set(obligation, [...(refunds.get(obligation) ?? []), payment.transaction]);
    }
  }
  return refunds;
}

function groupByKey(obligations: readonly Obligation[]): Map<string, Obligation[]> {
  const groups = new Map<string, Obligation[]>();
  for (const obligation of obligations) {
    if (obligation.payee.direction === "IN") continue;
    for (const key of [obligation.payee.key, ...obligation.aliases]) {
      groups.set(key, [...(groups.get(key) ?? []), obligation]);
    }
  }
  return groups;
}

/** The obligation with the latest payment before the refund that it does not exceed; null when there is none. */
function refunded(refund: Payment, obligations: readonly Obligation[]): Obligation | null {
  let best: Obligation | null = null;
  let bestAt = refund.at - refundDaysMax - 1;
  for (const obligation of obligations) {
    const paid = obligation.payments.findLast(({ at, cost }) => at <= refund.at && cost >= refund.cost);
    if (paid !== undefined && paid.at > bestAt) {
      best = obligation;
      bestAt = paid.at;
    }
  }
  return best;
}
