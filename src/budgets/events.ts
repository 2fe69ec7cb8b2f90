/**
 * What is done to a budget: an append-only list, of which the budget is folded. Amounts are minor units of the brand's
 * currency.
 */
import type { PaymentFrequency } from "../interface/payment-frequency.ts";
import type { UserData } from "../interface/user-data.ts";

/** How an answered payment is budgeted. DERIVED_FROM_TRANSACTIONS also stands for the request's DERIVE. */
export type AnswerType = "SERVICE" | "TRANSACTION" | "RAW" | "DERIVED_FROM_TRANSACTIONS" | "USER_PROVIDED";

export type AnsweredCategory = {
  id: string;
  /** Its part of one payment; null where the payment is not split. */
  amountMinor: number | null;
};

export type Answer = {
  type: AnswerType;
  /** At least one. Several with amounts split the payment, several without are one payment that covers all. */
  categories: readonly AnsweredCategory[];
  /** What it is about: "service:<id>", "payee:<key>", or null for an amount that the user typed. */
  subject: string | null;
  /** Of TRANSACTION. */
  txid: string | null;
  /** Of USER_PROVIDED; and of SERVICE and TRANSACTION where the user corrects the engine's. */
  amountMinor: number | null;
  frequency: PaymentFrequency | null;
  title: string | null;
  /** What was asked about when it was answered; absent from answers that were given before it was kept. */
  about?: AnswerAbout;
};

/** amountMinor: a month's. from: the categories that it had; empty: none. */
export type AnswerAbout = { payee: string; amountMinor: number; from: readonly string[] };

/** What is left of a debt, as somebody knows who need not look at the account. */
export type EnteredDebt = {
  title: string;
  remainingMinor: number;
  /** A year's interest in hundredths of a per cent: 525 is 5.25 %. */
  rateHundredths: number;
  /** Months until it is paid back. */
  termMonths: number;
};

export type BudgetEvent =
  | { type: "ANSWERED"; actionId: string; answer: Answer }
  /** Undoes the action's answer. notApplicable: closes its question for good, or opens it again. */
  | { type: "REVOKED"; actionId: string; notApplicable: boolean }
  | { type: "SKIPPED"; actionId: string }
  | { type: "ADJUSTED"; categoryId: string; amountMinor: number; frequency: PaymentFrequency }
  | { type: "ADJUSTMENT_REMOVED"; categoryId: string }
  | { type: "USER_DATA_SET"; userData: UserData }
  | { type: "COAPPLICANT_SET"; applicantType: "SHARED_FINANCES" | "SEPARATE_FINANCES"; budgetId: string | null }
  /** Replaces the debts that were given before. */
  | {
      type: "DEBTS_SET";
      debts: readonly EnteredDebt[];
      /** The rate at which the payments are tried, as Sweden's kalkylränta; absent where none was given. */
      calculationRateHundredths?: number;
    }
  | { type: "COMMENTED"; comment: string }
  | { type: "COMPLETED"; status: "ACCEPTED" | "DENIED" };

/** An event as stored. */
export type LoggedEvent = {
  /** Grows by each event of the budget, from 1. */
  sequence: number;
  /** ISO 8601 instant. */
  at: string;
  /** Who did it for the customer, as the partner calls them; null: the customer. */
  actor: string | null;
  event: BudgetEvent;
};
