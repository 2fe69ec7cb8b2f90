/** One payment of one user: as the ledger has it, and as it is prepared for recognition. */
import type { LedgerTransaction } from "../ledger/history.ts";
import { daysInMonth, partsFromNumber } from "../time/calendar.ts";
import type { Merchant } from "./merchant.ts";
import type { PaymentKind } from "./payment-kind.ts";

export type { PaymentKind } from "./payment-kind.ts";

/**
 * One ledger row of one user; plain data, so that it crosses worker threads. A file's rows have no number of the
 * ledger's.
 */
export type HistoryTransaction = Omit<LedgerTransaction, "id"> & {
  /** What an earlier run read in its texts, where that was kept; it is no plain data. */
  read?: Reading | undefined;
};

/** What the texts of a row say: behind which merchant it is, and how money moved. */
export type Reading = { merchant: Merchant; kind: PaymentKind };

export type Payment = {
  transaction: HistoryTransaction;
  /** Behind its name or description. */
  merchant: Merchant;
  kind: PaymentKind;
  /** Days since 1970-01-01. */
  at: number;
  /** Months since year 0. */
  monthIndex: number;
  dayOfMonth: number;
  isMonthEnd: boolean;
  /** Absolute amount in the currency in which the price is set: the original one where the purchase was foreign. */
  price: number;
  priceCurrency: string;
  /** Absolute amount in the account's currency. */
  cost: number;
  logCost: number;
};

/** Of another kind or merchant. All payments have one shape: what looks at very many of them is fast then. */
export function changedPayment(
  { transaction, at, monthIndex, dayOfMonth, isMonthEnd, price, priceCurrency, cost, logCost }: Payment,
  { merchant, kind }: Pick<Payment, "merchant" | "kind">,
): Payment {
  return {
    transaction,
    merchant,
    kind,
    at,
    monthIndex,
    dayOfMonth,
    isMonthEnd,
    price,
    priceCurrency,
    cost,
    logCost,
  };
}

/** Moved to another day: what its line says. */
export function movedPayment(payment: Payment, at: number): Payment {
  const { transaction, merchant, kind, price, priceCurrency, cost, logCost } = payment;
  const { year, month, dayOfMonth } = partsFromNumber(at);
  return {
    transaction,
    merchant,
    kind,
    at,
    monthIndex: year * 12 + month - 1,
    dayOfMonth,
    isMonthEnd: dayOfMonth === daysInMonth(year, month),
    price,
    priceCurrency,
    cost,
    logCost,
  };
}
