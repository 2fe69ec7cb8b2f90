/**
 * What the engine knows of a user's money at one business day, before anyone answered anything. Plain data: it is
 * stored.
 */
import type { Day } from "../../time/calendar.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import type { Transaction } from "../../interface/services.ts";
import type { BudgetAccount, ItemService, Month } from "../budget.ts";
import type { Candidate, RuleId } from "../../categories/candidate.ts";

/** A transaction in the brand's currency. */
export type PartTransaction = {
  txid: string;
  /** With the bank's sign. */
  minor: number;
  /** Too large to be of its category's ordinary months: it is counted as nonrecurring. */
  oneOff: boolean;
  document: Transaction;
};

/**
 * SERVICE: a running recurring payment. REGULAR: a regular income. ENDED: a service or income that has stopped; it is
 * in what was observed, and costs nothing any more. PAYEE: everything else at one payee in one category.
 */
export type Standing = "SERVICE" | "REGULAR" | "ENDED" | "PAYEE";

/** Transactions that are budgeted together. */
export type Part = {
  /** "service:<id>", "income:<series>", "payee:<key>:<category>": stable over recalculation. */
  key: string;
  standing: Standing;
  side: "EXPENSE" | "INCOME";
  payeeKey: string;
  title: string;
  imageUrl: string;
  /** A leaf; null when nothing was sure enough. */
  categoryId: string | null;
  rule: RuleId;
  confidence: number;
  candidates: readonly Candidate[];
  /** Of SERVICE. */
  service: ItemService | null;
  /** Of SERVICE and REGULAR: what is expected to be paid how often. */
  paymentCostMinor: number;
  paymentFrequency: PaymentFrequency;
  /** Oldest first, from the window's first month to the business day; of a service at least the latest payment. */
  transactions: readonly PartTransaction[];
};

/** What hints at accounts that are not here. */
export type AccountSignals = {
  /** Transfers of the last three months to an own account that is not in the set. */
  ownTransfersElsewhere: number;
  /** Payments of the last three months of a card's bill whose purchases are not in the set. */
  cardBillsWithoutPurchases: number;
};

export type BudgetSnapshot = {
  rulesVersion: string;
  asOf: Day;
  country: string;
  currency: string;
  months: readonly Month[];
  covered: number;
  /** By key. */
  parts: readonly Part[];
  accounts: readonly BudgetAccount[];
  signals: AccountSignals;
  unconvertedTransactions: number;
};
