/**
 * What is categorised: one user's rows with what recognition and the user say about them. Plain data, so that it
 * crosses threads.
 */
import type { Day } from "../time/calendar.ts";
import type { LedgerTransaction } from "../ledger/history.ts";
import type { PaymentFrequency } from "../interface/payment-frequency.ts";

/** One row of the ledger, or of a file: neither needs the ledger's number. */
export type BudgetTransaction = Omit<LedgerTransaction, "id">;

/** A service or a regular income, as far as categories need it. */
export type RecognisedSeries = {
  direction: "OUT" | "IN";
  /** Of config/products.json; null when the payee is not in it. */
  productId: string | null;
  paymentFrequency: PaymentFrequency;
  /** Of its payments, oldest first; the refunds are not among them. */
  txids: readonly string[];
};

/** An account of the user, whether its transactions are here or not. */
export type OwnAccount = { id: string; iban: string | null };

export type BudgetHistory = {
  /** In any order; each txid once. */
  transactions: readonly BudgetTransaction[];
  series: readonly RecognisedSeries[];
  ownAccounts: readonly OwnAccount[];
  /** The brand's, ISO 3166-1 alpha-2. */
  country: string;
  asOf: Day;
  /** By payee key: what the user answered in this budget. Of several categories the first carries the payment. */
  userRules: ReadonlyMap<string, readonly string[]>;
};
