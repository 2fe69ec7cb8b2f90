/**
 * Direct debits that came back and were charged again: the return is no income, and the second charge is no second
 * payment. Both are left out, so that the first charge stands for the one that was paid in the end.
 */
import type { Payment } from "./payment.ts";

/** A debit comes back within so many days, and is charged again within so many of the return. */
const returnDaysMax = 10;
const chargeDaysMax = 21;
/** What a second charge may cost more: the fee for the first. */
const feeShareMax = 0.15;
const feeMinorMax = 15_000;
const sharedWordLengthMin = 4;

/** The payments (by day) without returns and second charges. */
export function withoutReversals(payments: readonly Payment[]): readonly Payment[] {
  const left = new Set<Payment>();
  for (let index = 0; index < payments.length; index++) {
    const back = payments[index] as Payment;
    if (back.transaction.amountMinor < 0) continue;
    const first = returned(back, payments, index);
    const again = first === null ? null : chargedAgain(first, back, payments, index, left);
    if (again !== null) left.add(back).add(again);
  }
  return left.size === 0 ? payments : payments.filter((payment) => !left.has(payment));
}

/** The debit that came back: the latest of just the amount, to the same payee, in the days before. */
function returned(back: Payment, payments: readonly Payment[], index: number): Payment | null {
  for (let at = index - 1; at >= 0; at--) {
    const payment = payments[at] as Payment;
    if (back.at - payment.at > returnDaysMax) return null;
    if (payment.transaction.amountMinor === -back.transaction.amountMinor && isSamePayee(payment, back)) return payment;
  }
  return null;
}

function chargedAgain(
  first: Payment,
  back: Payment,
  payments: readonly Payment[],
  index: number,
  left: ReadonlySet<Payment>,
): Payment | null {
  for (let at = index + 1; at < payments.length; at++) {
    const payment = payments[at] as Payment;
    if (payment.at - back.at > chargeDaysMax) return null;
    const fee = payment.cost - first.cost;
    if (
      payment.transaction.amountMinor < 0 &&
      fee >= 0 &&
      fee <= Math.min(feeShareMax * first.cost, feeMinorMax) &&
      payment.merchant.key === first.merchant.key &&
      !left.has(payment)
    )
      return payment;
  }
  return null;
}

/** One name, or a telling word of the payee's within the return's line. */
function isSamePayee({ merchant: paid }: Payment, { merchant: back }: Payment): boolean {
  if (paid.key === back.key) return true;
  const words = new Set(back.key.split(" "));
  const telling = paid.key.split(" ").filter((word) => word.length >= sharedWordLengthMin);
  return telling.length === 0 ? ` ${back.key} `.includes(` ${paid.key} `) : telling.every((word) => words.has(word));
}
