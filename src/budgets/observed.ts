/**
 * What a budget says of what was observed, beside its own figures: where every amount went, what stopped, and what the
 * accounts tell of credit. Every amount is whole minor units of the brand's currency.
 */
import type { Day } from "../time/calendar.ts";
import type { Exclusion } from "../categories/candidate.ts";
import type { Transaction } from "../interface/services.ts";
import type { EnteredDebt } from "./events.ts";

/**
 * How a service or income ended. PAID_OFF: its last instalment or a settlement was seen; REPLACED: another payee of its
 * kind took over; MOVED: it belonged to a home that was left; CANCELLED: the customer cancelled it; STOPPED: it is paid
 * no more, and nothing says why; TIME: an obligation of which nothing was seen for as long as its kind justifies.
 */
export type EndReason = "PAID_OFF" | "REPLACED" | "MOVED" | "CANCELLED" | "STOPPED" | "TIME";

/** A service or a regular income that is paid no more. */
export type Stopped = {
  title: string;
  side: "EXPENSE" | "INCOME";
  /** Leaves; empty: uncategorised. */
  categories: readonly string[];
  /** What it was a month. */
  monthlyMinor: number;
  reason: EndReason;
  /** The day on which it was missed for the first time. */
  since: Day;
  lastPaidOn: Day;
  /** Its payments in the window, oldest first. */
  transactions: readonly Transaction[];
};

/** Why money is neither spent nor earned. WINNINGS: what gambling paid out. */
export type ExcludedReason = Exclusion | "WINNINGS";

/** minor: positive as its name says; transactions: all that it is made of, oldest first. */
export type ReconciliationTerm = { minor: number; transactions: readonly Transaction[] };

/**
 * Of the covered months: income + oneOffIncome − expenses − oneOffExpenses + excluded = bankTotal, to the minor unit.
 * Expenses are net of what payees paid back.
 */
export type Reconciliation = {
  income: ReconciliationTerm;
  oneOffIncome: ReconciliationTerm;
  expenses: ReconciliationTerm;
  oneOffExpenses: ReconciliationTerm;
  /** With the bank's sign, by why. */
  excluded: readonly (ReconciliationTerm & { reason: ExcludedReason })[];
  excludedMinor: number;
  bankTotalMinor: number;
  /** Covered months. */
  months: number;
  /**
   * Of accounts whose balance is known: changeMinor by the rows, null where no account reaches back to before them;
   * missingMinor by how much two observations differ from the rows between them, null where there are no two.
   */
  balances: { accounts: number; changeMinor: number | null; missingMinor: number | null } | null;
};

/**
 * What the budget leaves a month beside what the accounts kept: budget − accounts = income + expenses + oneOff.
 * UNKNOWN: no month is covered.
 */
export type Comparison = {
  verdict: "AGREES" | "BETTER" | "WORSE" | "UNKNOWN";
  budgetMinor: number;
  accountsMinor: number;
  /** By how much the budgeted income is more than the regular income that was seen. */
  incomeMinor: number;
  /** By how much the budgeted expenses are less than the regular ones that were seen. */
  expensesMinor: number;
  /** What went once, less what came once. */
  oneOffMinor: number;
};

/**
 * Rows that prove something: those of the window counted and summed, those of the running month apart. Amounts are
 * without their sign.
 */
export type Evidence = {
  count: number;
  minor: number;
  sinceCount: number;
  sinceMinor: number;
  /** Of both, oldest first. */
  transactions: readonly Transaction[];
};

export type LoanLine = {
  title: string;
  categoryId: string;
  monthlyMinor: number;
  paid: Evidence;
  /** Of its first payment that is known at all. */
  firstOn: Day | null;
  /** Its payments began in the window, and the data reach back to before that. */
  isNew: boolean;
  /** By a counter in the bank's text; null without one. */
  remainingPayments: number | null;
  overdueSince: Day | null;
};

/** Countries whose rules are known: fold/credit/stress.ts says which. */
export type StressRule = "NO" | "DK" | "SE";

/** Debts as they were given, each with its annuity at its rate and at the higher one that is asked for. */
export type StressedDebts = {
  debts: readonly (EnteredDebt & { monthlyMinor: number; stressedRateHundredths: number; stressedMinor: number })[];
  rule: StressRule | null;
  /** As it was given with them; null without one. */
  calculationRateHundredths: number | null;
  remainingMinor: number;
  monthlyMinor: number;
  stressedMinor: number;
  /** Whether any debt's higher rate is higher than its own. */
  isStressed: boolean;
  /** Of a year's budgeted income; null without income. */
  debtToIncome: number | null;
  /** Budgeted income less expenses, with the stressed annuities in the place of what goes to lenders now. */
  leftMinor: number;
  /** Of these expenses only the fixed and the financial ones. */
  availableMinor: number;
  /** With the public table's amount for the categories that it covers, and without savings; null without a table. */
  minimum: {
    referenceMinor: number;
    source: string;
    validFrom: Day;
    isOlderThanTwelveMonths: boolean;
    leftMinor: number;
  } | null;
};

export type CreditView = {
  loans: readonly LoanLine[];
  payouts: Evidence;
  cards: Evidence;
  payLater: Evidence;
  collection: Evidence;
  gambling: {
    stakes: Evidence;
    winnings: Evidence;
    /** Stakes less winnings of the covered months. */
    netMinor: number;
    /** A month's net of a month's income; null without income. */
    shareOfIncome: number | null;
    /** Stakes of the last three months to those of the twelve, both a month; null without any. */
    trend: number | null;
  };
  overdraft: Evidence;
  rejected: Evidence;
  returned: Evidence;
  /** What goes to lenders a month, and its part of the income; null without income. */
  serviceMinor: number;
  serviceRatio: number | null;
  /** Null: nobody gave the remaining debts. */
  entered: StressedDebts | null;
  balances: readonly AccountBalance[];
  /** The known balances, and for how many months of the budget's expenses they last; null: no balance is known. */
  buffer: { balanceMinor: number; months: number | null } | null;
};

/** What is known of one account's balance, from what the partner observed and the rows before and after. */
export type AccountBalance = {
  name: string;
  observedOn: Day;
  observedMinor: number;
  /** At the end of each month of the window; null where the account has no rows yet. */
  monthEndsMinor: readonly (number | null)[];
  /** Before the first covered month; null without one. */
  openingMinor: number | null;
  /** In the covered months: on how many days it closed below zero, and the lowest close. */
  daysBelowZero: number;
  lowestMinor: number;
  /** An earlier observation, and by how much the rows between the two miss the later one. */
  check: { from: Day; missingMinor: number } | null;
};

export type AdditionalRiskType =
  | "ARREARS"
  | "NEW_CREDIT"
  | "PAY_LATER"
  | "GAMBLING"
  | "OVERDRAFT"
  | "REJECTED_PAYMENTS"
  | "DEBT_SERVICE"
  | "NEGATIVE_BALANCE";

/** As a risk indicator of the interface, of types that it does not have. */
export type AdditionalRiskIndicator = {
  type: AdditionalRiskType;
  isMarked: boolean;
  title: string;
  description: string;
  /** The rows that mark it. */
  evidence: readonly Transaction[];
};

/** A payer whose money is no regular income: too seldom, or without a category. */
export type UncountedPayer = { title: string; months: number; minor: number };
