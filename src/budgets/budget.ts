/**
 * The folded budget: what the engine found and what was answered, as one state from which documents and reports are
 * rendered. Every amount is whole minor units of the brand's currency; costs and incomes are positive, transactions
 * keep the bank's sign.
 */
import type { Day } from "../time/calendar.ts";
import type { PaymentFrequency } from "../interface/payment-frequency.ts";
import type { Transaction } from "../interface/services.ts";
import type { Candidate, RuleId } from "../categories/candidate.ts";
import type {
  Stopped,
  Reconciliation,
  Comparison,
  CreditView,
  AdditionalRiskIndicator,
  UncountedPayer,
} from "./observed.ts";
import type { Language } from "../texts/languages.ts";
import type { BudgetEvent, EnteredDebt, LoggedEvent } from "./events.ts";
import type { UserData } from "../interface/user-data.ts";

export type BudgetStatus = "DRAFT" | "READY" | "ACCEPTED" | "DENIED";
/** "2026-05": a calendar month. */
export type Month = string;

export type ItemSource = "ENGINE" | "ACTION" | "DERIVED_FROM_TRANSACTIONS";
export type ItemType = "SERVICE" | "TRANSACTION" | "RAW" | "DERIVED_FROM_TRANSACTIONS" | "USER_PROVIDED";

/** A recurring payment behind an item, as recognised. */
export type ItemService = {
  id: string;
  paymentCostMinor: number;
  paymentFrequency: PaymentFrequency;
  totalPastYearMinor: number;
  productTitle: string;
  imageUrl: string;
  status: "ACTIVE" | "UNDER_CANCELLATION";
  nextExpectedOn: Day;
};

/** An expense or an income of the budget. */
export type Item = {
  id: string;
  /** What the id is derived from. */
  key: string;
  /** What an answer is about: a service, a payee or a question; null for what cannot be answered about. */
  subject: string | null;
  /** Null for what is gathered, and for an amount that was typed. */
  payeeKey: string | null;
  title: string;
  imageUrl: string;
  source: ItemSource;
  type: ItemType;
  paymentFrequency: PaymentFrequency;
  paymentCostMinor: number;
  paymentCostMonthlyMinor: number;
  averageLastThreeMonthsMinor: number;
  averageLastTwelveMonthsMinor: number;
  service: ItemService | null;
  /** Leaves; the first carries the payment where it covers several. Empty: uncategorised. */
  categories: readonly string[];
  /** Oldest first; empty for an amount that the user typed. */
  transactions: readonly Transaction[];
  /** Why it stands where it stands. */
  rule: RuleId;
  confidence: number;
  candidates: readonly Candidate[];
  /** In how many covered months of the window it was seen. */
  monthsSeen: number;
  /** Of a recurring payment that was due and was not paid; null for every other. */
  overdue: { since: Day; /** Not paying it is a sign of risk. */ isArrears: boolean } | null;
  /** Of an income; null for an expense. */
  income: IncomeFacts | null;
  /** Instalments still to come, by a counter in the bank's text; null without one. */
  remainingPayments: number | null;
};

/**
 * CERTAIN: regular. IRREGULAR: in many months, without a cadence; the budget counts a share of the lower of its means.
 * EXTRA: a thirteenth month, holiday pay or a bonus, spread over the year. GIVEN: an amount that somebody typed.
 */
export type IncomeClass = "CERTAIN" | "IRREGULAR" | "EXTRA" | "GIVEN";

/** How steadily an income comes, over the covered months. */
export type IncomeFacts = {
  class: IncomeClass;
  /** Of its first payment that is known in the window. */
  since: Day | null;
  /** Covered months without a payment. */
  monthsEmpty: number;
  /** The middle month, and the mean of the three lowest; months without a payment count as nothing. */
  medianMonthMinor: number;
  lowestThreeMonthsMinor: number;
  /** Mean of the last three months to that of the months before them; null where there were none. */
  trend: number | null;
  /** The longest run of months without a payment between two with one. */
  longestGapMonths: number;
};

export type NoteType = "INCLUDES_OTHERS" | "INCLUDED_IN_OTHERS" | "EXPECTED_EMPTY" | "EXPECTED_NONEMPTY";
export type Severity = "LOW" | "MEDIUM" | "HIGH";
/** `categories` only for the first two types. */
export type Note = { type: NoteType; message: string; categories: readonly string[] | null; severity: Severity };

/** A node of the tree, expenses and income alike. */
export type CategoryNode = {
  id: string;
  name: string;
  totalMonthlyMinor: number;
  /** Null: neither here nor below did the user give a value. */
  totalMonthlyUserProvidedMinor: number | null;
  averageLastThreeMonthsMinor: number;
  averageLastTwelveMonthsMinor: number;
  /** Only on leaves. */
  items: readonly Item[];
  children: readonly CategoryNode[];
  notes: readonly Note[];
};

export type AlertType =
  | "CATEGORIZATION_TARGET_NOT_MET"
  | "MISSING_EXPENSES"
  | "UNEXPECTED_EXPENSES"
  | "GROUPED_CATEGORIES"
  | "MISSING_ACCOUNTS"
  | "REFERENCE_MISMATCH"
  | "USER_PROVIDED_EXPENSES";
export type Alert = { type: AlertType; severity: Severity; message: string };

export type RiskIndicator = {
  type: "EXCESSIVE_DISPOSABLE_INCOME" | "DEBT_COLLECTION";
  isMarked: boolean;
  title: string;
  description: string;
  /** The rows that mark it, oldest first. */
  evidence: readonly Transaction[];
};

export type BudgetAccount = {
  providerId: string;
  name: string;
  iban: string | null;
  bban: string | null;
  selectedStatus: "SELECTED" | "DESELECTED" | "UNDECIDED";
  /** Of its transactions that are counted; null without any. */
  firstDay: Day | null;
  lastDay: Day | null;
};

export type MonthlySpending = { month: Month; amountMinor: number | null };
export type AverageSpending = {
  lastMonthMinor: number;
  lastThreeMonthsMinor: number | null;
  lastTwelveMonthsMinor: number | null;
  months: readonly MonthlySpending[];
};
export type Spending = { averages: AverageSpending; lows: AverageSpending; highs: AverageSpending };

/** One of the twelve months before the current one, oldest first. */
export type BudgetMonth = {
  month: Month;
  /** Whether the accounts' data reach over the whole month. */
  covered: boolean;
  /** Everything that left and came, transfers between own accounts and the like left out. */
  expensesMinor: number;
  incomeMinor: number;
};

export type Question = {
  id: string;
  type: "RECATEGORIZATION" | "MISSING_CATEGORY";
  title: string;
  content: string;
  skipped: boolean;
  /** Whether `next` may offer it: the others can still be answered by who knows them. */
  open: boolean;
  /** Of RECATEGORIZATION: the payee's largest expense, and what an answer is about, which may be all of the payee's. */
  item: Item | null;
  subject: string | null;
  potentialCategories: readonly string[] | null;
  /** Of MISSING_CATEGORY. */
  category: string | null;
  /** Monthly cost, for the order. */
  weightMinor: number;
};

/** A category that the table has an amount for, and the budget's figure. */
export type ReferenceCategory = { id: string; referenceMinor: number; budgetMinor: number };

/** What a household of this kind needs at least, by a public table. */
export type ReferenceCheck = {
  setId: string;
  source: string;
  validFrom: Day;
  validTo: Day | null;
  /** How far the figures were checked against their source. */
  checked: string;
  isOlderThanTwelveMonths: boolean;
  /** 0 where the table is of children only. */
  adults: number;
  children: number;
  /** That there are two adults follows from the marital status alone. */
  isHouseholdAssumed: boolean;
  /** The table has only what children cost: it is compared with what the whole household spends. */
  isOfChildren: boolean;
  /** The whole household's, or the user's share of it. */
  referenceMinor: number;
  /** The budget's figure for the same categories. */
  budgetMinor: number;
  /** How much of the reference the budget reaches: of a table by category, more of one makes up for no other. */
  coveredMinor: number;
  /** Of a table by category; empty for one that has a sum. They add up to the two figures. */
  byCategory: readonly ReferenceCategory[];
  /** Leaves that are compared. */
  categories: readonly string[];
};

export type StatusReason = "NOT_INITIALISED" | "TOO_FEW_MONTHS" | "OPEN_QUESTIONS";

export type Coapplicant = { type: "SHARED_FINANCES" | "SEPARATE_FINANCES"; budgetId: string | null };

export type FoldedBudget = {
  id: string;
  status: BudgetStatus;
  /** `yyyy-MM-dd'T'HH:mm:ss` in the brand's zone. */
  createdTime: string;
  language: Language;
  country: string;
  currency: string;
  /** Null until there is a snapshot. */
  asOf: Day | null;
  rulesVersion: string | null;
  /** 0 before the first completion; each completion and each edit after it starts another. */
  revision: number;
  months: readonly BudgetMonth[];
  coveredMonths: number;
  totalMonthlyMinor: number;
  totalMonthlyUserProvidedMinor: number | null;
  totalMonthlyIncomeMinor: number;
  totalMonthlyIncomeUserProvidedMinor: number | null;
  averageExpensesLastThreeMonthsMinor: number;
  averageExpensesLastTwelveMonthsMinor: number;
  averageIncomeLastThreeMonthsMinor: number;
  averageIncomeLastTwelveMonthsMinor: number;
  amountCategorizedMinor: number;
  amountCategorizedUserProvidedMinor: number | null;
  disposableIncomeMinor: number | null;
  disposableIncomeUserProvidedMinor: number | null;
  categorizationTargetMinor: number;
  categories: readonly CategoryNode[];
  uncategorized: readonly Item[];
  /** Null: the brand shows no income. */
  income: readonly CategoryNode[] | null;
  nonrecurringTransactions: readonly Transaction[];
  nonrecurringSpending: Spending;
  nonrecurringIncome: Spending;
  nonrecurringExpenses: Spending;
  alerts: readonly Alert[];
  accounts: readonly BudgetAccount[];
  userData: UserData | null;
  /** When the user data were given; null without any. */
  userDataAt: string | null;
  /** Who gave them for the customer; null: the customer. */
  userDataBy: string | null;
  /** Null: the brand shows none. */
  riskIndicators: readonly RiskIndicator[] | null;
  comment: string;
  reference: ReferenceCheck | null;
  coapplicant: Coapplicant | null;
  /** Why a budget is a draft; null for every other. */
  statusReason: StatusReason | null;
  /** Services and incomes that are paid no more, latest first. */
  stopped: readonly Stopped[];
  /** The parts of totalMonthlyIncome by the program. */
  incomeCertainMinor: number;
  incomeIrregularMinor: number;
  /** Who paid in the covered months and is not counted on, by the sum. */
  uncountedPayers: readonly UncountedPayer[];
  /** Null until there is a snapshot. */
  reconciliation: Reconciliation | null;
  comparison: Comparison | null;
  /** Of payments that no document names, see kinds.ts. */
  specialTransactionIds: ReadonlySet<string>;
  credit: CreditView | null;
  /** Null: the brand shows no risk indicators. */
  additionalRiskIndicators: readonly AdditionalRiskIndicator[] | null;
  /** In the order in which they are asked. */
  questions: readonly Question[];
  /** Adjustments in force, by category: the monthly value and as it was given. */
  adjustments: readonly {
    categoryId: string;
    monthlyMinor: number;
    amountMinor: number;
    frequency: PaymentFrequency;
  }[];
  /** Everything that was done, oldest first, with what an undo revoked. */
  log: readonly LoggedEvent[];
  /** Payments of a currency for which no rate is known; they are in no sum. */
  unconvertedTransactions: number;
};

export type { BudgetEvent, EnteredDebt, LoggedEvent };
export type * from "./observed.ts";
