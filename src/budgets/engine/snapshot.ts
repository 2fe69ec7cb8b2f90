/**
 * What the engine knows of a user's money at one business day, before anyone answered anything. Plain data: it is
 * stored.
 */
import type { Day } from "../../time/calendar.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import type { Transaction } from "../../interface/services.ts";
import type { AccountBalance, BudgetAccount, EndReason, ExcludedReason, ItemService, Month } from "../budget.ts";
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
 * SERVICE: a running recurring payment. MISSING: one that was due and was not paid; what that means depends on its
 * category, which an answer may change, so the fold decides it. REGULAR: a regular income. ENDED: a service or income
 * that has stopped; it is in what was observed, and costs nothing any more. PAYEE: everything else at one payee in one
 * category.
 */
export type Standing = "SERVICE" | "MISSING" | "REGULAR" | "ENDED" | "PAYEE";

/** Of MISSING: since when it has been due, and until when any recurring payment stays in a budget. */
export type Missing = { since: Day; staysUntil: Day };

/** since: the day on which it was missed for the first time. */
export type Ended = { reason: EndReason; since: Day };

/** What one payer pays beside the ordinary pay, in the same line: a thirteenth month, holiday pay, a bonus. */
export type Extra = { transactions: readonly { txid: string; day: Day; extraMinor: number }[] };

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
  /** What that is a month, where the price varies and a whole year of it was seen; null: the price times its cadence. */
  monthlyMinor: number | null;
  /** Of MISSING, and of a SERVICE that the fold made of one. */
  missing: Missing | null;
  /** Of ENDED. */
  ended: Ended | null;
  /** Of REGULAR. */
  extra: Extra | null;
  /** Instalments still to come, by a counter in the bank's text; null without one. */
  remainingPayments: number | null;
  /** Of its first payment in the whole history. */
  firstPaidOn: Day | null;
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

/** Rows of the bank that say how an account is run, oldest first, whatever they are budgeted as. */
export type AccountEvents = {
  /** Interest and fees of an overdraft. */
  overdraft: readonly PartTransaction[];
  /** Fees for payments that were refused, and reminders. */
  rejected: readonly PartTransaction[];
  /** Direct debits that came back. */
  returned: readonly PartTransaction[];
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
  /** Neither spent nor earned, in the window and until the business day, oldest first, by why. */
  excluded: Readonly<Record<ExcludedReason, readonly PartTransaction[]>>;
  /** Sum of all bank amounts in the covered months, straight from the rows. */
  bankTotalMinor: number;
  accountEvents: AccountEvents;
  /** Accounts whose balance was told. */
  balances: readonly AccountBalance[];
  unconvertedTransactions: number;
};

export const nothingExcluded: BudgetSnapshot["excluded"] = {
  OWN_TRANSFER: [],
  CARD_SETTLEMENT: [],
  REFUNDED: [],
  LOAN_PAYOUT: [],
  WINNINGS: [],
};
export const noAccountEvents: AccountEvents = { overdraft: [], rejected: [], returned: [] };

/** A snapshot of an earlier version lacks what was not kept then; its figures stay what they were. */
export function readStored(stored: BudgetSnapshot): BudgetSnapshot {
  return {
    ...stored,
    excluded: { ...nothingExcluded, ...(stored as Partial<BudgetSnapshot>).excluded },
    bankTotalMinor: (stored as Partial<BudgetSnapshot>).bankTotalMinor ?? observedIn(stored),
    accountEvents: (stored as Partial<BudgetSnapshot>).accountEvents ?? noAccountEvents,
    balances: (stored as Partial<BudgetSnapshot>).balances ?? [],
    parts: stored.parts.map((part) => ({ ...partDefaults, ...part })),
  };
}

const partDefaults = {
  monthlyMinor: null,
  missing: null,
  ended: null,
  extra: null,
  remainingPayments: null,
  firstPaidOn: null,
} as const;

/** Of a snapshot that did not keep what was excluded: what is left is all that it knows. */
function observedIn({ parts, months, covered }: BudgetSnapshot): number {
  const known = new Set(months.slice(months.length - covered));
  return parts
    .flatMap(({ transactions }) => transactions)
    .filter(({ document }) => known.has(document.transactionDate.slice(0, 7)))
    .reduce((total, { minor }) => total + minor, 0);
}
