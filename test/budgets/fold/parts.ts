/**
 * Literal parts, answers, items and nodes of the fold. What a test does not say holds as it stands here: twelve covered
 * months from 2025-06 to 2026-05, the business day 15 June 2026, one payee "Shop" of groceries, amounts in øre.
 */
import type { CategoryNode, Item, ItemService, Note } from "../../../src/budgets/budget.ts";
import {
  type BudgetSnapshot,
  noAccountEvents,
  nothingExcluded,
  type Part,
  type PartTransaction,
} from "../../../src/budgets/engine/snapshot.ts";
import type { Answer } from "../../../src/budgets/events.ts";
import { type Decisions, decide, type InForce } from "../../../src/budgets/fold/decisions.ts";
import { type CategorisedPart, subjectOf } from "../../../src/budgets/fold/categorised-parts.ts";

export const budgetId = "0f3a8b5e-7f43-4a86-9b0c-3a1f5f6c2d10";

export const months = [
  "2025-06",
  "2025-07",
  "2025-08",
  "2025-09",
  "2025-10",
  "2025-11",
  "2025-12",
  "2026-01",
  "2026-02",
  "2026-03",
  "2026-04",
  "2026-05",
];

export function snapshotWith(more: Partial<BudgetSnapshot> = {}): BudgetSnapshot {
  return {
    rulesVersion: "rules of the test",
    asOf: "2026-06-15",
    country: "DK",
    currency: "DKK",
    months,
    covered: 12,
    parts: [],
    accounts: [],
    signals: { ownTransfersElsewhere: 0, cardBillsWithoutPurchases: 0 },
    excluded: nothingExcluded,
    bankTotalMinor: 0,
    accountEvents: noAccountEvents,
    balances: [],
    unconvertedTransactions: 0,
    ...more,
  };
}

/** With the bank's sign. A transaction is named by its day unless it is given a name. */
export function paid(day: string, minor: number, more: { txid?: string; oneOff?: boolean } = {}): PartTransaction {
  const { txid = day, oneOff = false } = more;
  const [amount, currency] = [minor / 100, "DKK"];
  const document = {
    id: txid,
    transactionDate: day,
    type: "OTHER",
    amount,
    currency,
    originalAmount: amount,
    originalCurrency: currency,
    merchantName: "Shop",
  } as const;
  return { txid, minor, oneOff, document };
}

/** On the tenth of each month of the window. */
export function paidMonthly(minor: number): PartTransaction[] {
  return months.map((month) => paid(`${month}-10`, minor));
}

/** On the tenth of each of so many of the window's latest months. */
export function paidInLast(count: number, minor: number): PartTransaction[] {
  return paidMonthly(minor).slice(-count);
}

export function partWith(more: Partial<Part> = {}): Part {
  return {
    key: "payee:SHOP:FOOD_GROCERIES",
    standing: "PAYEE",
    side: "EXPENSE",
    payeeKey: "SHOP",
    title: "Shop",
    imageUrl: "https://bank.example/shop.svg",
    categoryId: "FOOD_GROCERIES",
    rule: "MERCHANT",
    confidence: 0.9,
    candidates: [],
    service: null,
    paymentCostMinor: 0,
    paymentFrequency: "UNKNOWN",
    monthlyMinor: null,
    missing: null,
    ended: null,
    extra: null,
    remainingPayments: null,
    firstPaidOn: null,
    transactions: [],
    ...more,
  };
}

/** What is paid to a payee of no known category. */
export function unknownPart(
  payeeKey: string,
  transactions: readonly PartTransaction[],
  more: Partial<Part> = {},
): Part {
  const key = `payee:${payeeKey}:`;
  return partWith({
    key,
    payeeKey,
    title: payeeKey,
    categoryId: null,
    rule: "NONE",
    confidence: 0,
    transactions,
    ...more,
  });
}

export const phone: ItemService = {
  id: "5d0c8a52-3a0e-5f6f-9a0e-0a54c1a0a001",
  paymentCostMinor: 15_900,
  paymentFrequency: "MONTHLY",
  totalPastYearMinor: 190_800,
  productTitle: "Fjordtel",
  imageUrl: "https://bank.example/fjordtel.svg",
  status: "ACTIVE",
  nextExpectedOn: "2026-07-10",
};

/** A running service: a phone for 159.00 a month. */
export function servicePart(more: Partial<Part> = {}): Part {
  return partWith({
    key: `service:${phone.id}`,
    standing: "SERVICE",
    payeeKey: "FJORDTEL",
    title: "Fjordtel",
    imageUrl: phone.imageUrl,
    categoryId: "COMMUNICATION_MOBILE",
    rule: "PRODUCT",
    confidence: 0.95,
    service: phone,
    paymentCostMinor: 15_900,
    paymentFrequency: "MONTHLY",
    transactions: paidMonthly(-15_900),
    ...more,
  });
}

/** A regular income: a salary of 25,000.00 a month. */
export function salaryPart(more: Partial<Part> = {}): Part {
  return partWith({
    key: "income:salary",
    standing: "REGULAR",
    side: "INCOME",
    payeeKey: "EMPLOYER",
    title: "Employer",
    categoryId: "INCOME_SALARY",
    rule: "TEXT",
    paymentCostMinor: 2_500_000,
    paymentFrequency: "MONTHLY",
    transactions: paidMonthly(2_500_000),
    ...more,
  });
}

/** That all of a payee is groceries. */
export function answerWith(more: Partial<Answer> = {}): Answer {
  return {
    type: "DERIVED_FROM_TRANSACTIONS",
    categories: [{ id: "FOOD_GROCERIES", amountMinor: null }],
    subject: "payee:SHOP",
    txid: null,
    amountMinor: null,
    frequency: null,
    title: null,
    ...more,
  };
}

export function inForce(more: Partial<Answer> = {}, actionId = "action", sequence = 1): InForce {
  return { actionId, answer: answerWith(more), sequence };
}

/** Where a part stands by the engine's word, or by the answer's. */
export function placed(part: Part, answer: InForce | null = null): CategorisedPart {
  const own = part.categoryId === null ? [] : [{ id: part.categoryId, amountMinor: null }];
  return { part, subject: subjectOf(part), answer, categories: answer === null ? own : answer.answer.categories };
}

export function decisionsWith(more: Partial<Decisions> = {}): Decisions {
  return { ...decide([]), ...more };
}

/** Everyday groceries for 1,000.00 a month. */
export function itemWith(more: Partial<Item> = {}): Item {
  return {
    id: "item",
    key: "payee:SHOP:FOOD_GROCERIES",
    subject: "payee:SHOP",
    payeeKey: "SHOP",
    title: "Shop",
    imageUrl: "https://bank.example/shop.svg",
    source: "DERIVED_FROM_TRANSACTIONS",
    type: "DERIVED_FROM_TRANSACTIONS",
    paymentFrequency: "MONTHLY",
    paymentCostMinor: 100_000,
    paymentCostMonthlyMinor: 100_000,
    averageLastThreeMonthsMinor: 100_000,
    averageLastTwelveMonthsMinor: 100_000,
    service: null,
    categories: ["FOOD_GROCERIES"],
    transactions: [],
    rule: "MERCHANT",
    confidence: 0.9,
    candidates: [],
    monthsSeen: 12,
    overdue: null,
    income: null,
    remainingPayments: null,
    ...more,
  };
}

/** A leaf or a group; a group comes to what its children come to. */
export function nodeWith(id: string, totalMonthlyMinor: number, more: Partial<CategoryNode> = {}): CategoryNode {
  return {
    id,
    name: id,
    totalMonthlyMinor,
    totalMonthlyUserProvidedMinor: null,
    averageLastThreeMonthsMinor: 0,
    averageLastTwelveMonthsMinor: 0,
    items: [],
    children: [],
    notes: [],
    ...more,
  };
}

export function groupWith(
  id: string,
  children: readonly CategoryNode[],
  more: Partial<CategoryNode> = {},
): CategoryNode {
  return nodeWith(
    id,
    children.reduce((sum, child) => sum + child.totalMonthlyMinor, 0),
    { children, ...more },
  );
}

export function noteWith(
  type: Note["type"],
  severity: Note["severity"] = "LOW",
  categories: readonly string[] | null = null,
): Note {
  return { type, message: "", categories, severity };
}
