/** Expenses and incomes: what is budgeted, each with its cost, its month and the payments under it. Pure. */
import { uuidVersion5 } from "../../recognition/services/identity.ts";
import { imageIdOf, imageUrl } from "../../recognition/services/product.ts";
import type { Transaction } from "../../interface/services.ts";
import type { IncomeFacts, Item, ItemSource, ItemType } from "../budget.ts";
import { categoryById, nameOf } from "../../categories/tree.ts";
import type { BudgetSnapshot, PartTransaction } from "../engine/snapshot.ts";
import type { AnsweredCategory } from "../events.ts";
import { allocate, divideHalfUp, medianOf, monthlyOf } from "../monthly.ts";
import { divisorOf, monthsMax, sum, sumOfLast } from "../window.ts";
import { averageOf, byMonth, countedMinor, quarterMonths } from "./amounts.ts";
import type { InForce } from "./decisions.ts";
import { isObligation } from "./settle.ts";
import { everydayOf, monthsSeen, type CategorisedPart } from "./categorised-parts.ts";
import type { Language } from "../../texts/languages.ts";
import { firstOf, itemAt } from "../../present.ts";

/** Variable prices are told by the middle one of so many. */
const recentPayments = 6;

type Cost = Pick<Item, "paymentCostMinor" | "paymentFrequency" | "paymentCostMonthlyMinor">;

/**
 * One, or as many as an answer split it into. Empty: nothing is left of it, as where refunds outweigh what was paid.
 */
export function itemsOf(categorised: CategorisedPart, budgetId: string, snapshot: BudgetSnapshot): Item[] {
  const item = itemOf(categorised, budgetId, snapshot);
  if (item.paymentCostMonthlyMinor <= 0 && categorised.answer === null) return [];
  return isSplit(categorised.categories) ? split(item, categorised, budgetId, snapshot) : [item];
}

export function isSplit(categories: readonly AnsweredCategory[]): boolean {
  return categories.length > 1 && categories.every(({ amountMinor }) => amountMinor !== null);
}

function itemOf(categorised: CategorisedPart, budgetId: string, snapshot: BudgetSnapshot): Item {
  const { part, answer, subject, categories } = categorised;
  const typed = answer?.answer.type === "USER_PROVIDED";
  const shown = part.standing === "PAYEE" ? everydayOf(categorised, snapshot) : part.transactions;
  const transactions = shown.length > 0 ? shown : part.transactions.slice(-1);
  const observed = byMonth(part.transactions, part.side, snapshot);
  return {
    id: uuidVersion5(budgetId, `item:${part.key}`),
    key: part.key,
    subject,
    payeeKey: part.payeeKey,
    title: answer?.answer.title ?? part.title,
    imageUrl: part.imageUrl,
    source: sourceOf(categorised),
    type: typeOf(categorised),
    ...costOf(categorised, transactions, snapshot),
    averageLastThreeMonthsMinor: averageOf(observed, quarterMonths, snapshot),
    averageLastTwelveMonthsMinor: averageOf(observed, monthsMax, snapshot),
    service: part.service,
    categories: categories.map(({ id }) => id),
    transactions: typed ? [] : transactions.map(({ document }): Transaction => document),
    rule: answer === null ? part.rule : "USER",
    confidence: answer === null ? part.confidence : 1,
    candidates: part.candidates,
    monthsSeen: monthsSeen(part.transactions, snapshot),
    overdue:
      part.missing === null ? null : { since: part.missing.since, isArrears: isObligation(categories[0]?.id ?? null) },
    income: null,
    remainingPayments: part.remainingPayments,
  };
}

function sourceOf({ answer, part }: CategorisedPart): ItemSource {
  if (answer !== null) return "ACTION";
  return part.standing === "PAYEE" ? "DERIVED_FROM_TRANSACTIONS" : "ENGINE";
}

function typeOf({ answer, part, categories }: CategorisedPart): ItemType {
  if (part.service !== null && answer?.answer.type !== "USER_PROVIDED") return "SERVICE";
  if (answer !== null) return answer.answer.type === "SERVICE" ? "DERIVED_FROM_TRANSACTIONS" : answer.answer.type;
  return categories.length === 0 ? "RAW" : "DERIVED_FROM_TRANSACTIONS";
}

function costOf(
  categorised: CategorisedPart,
  transactions: readonly PartTransaction[],
  snapshot: BudgetSnapshot,
): Cost {
  const { part, answer } = categorised;
  const chosen = answer && chosenCost(answer, part.transactions);
  if (chosen) return chosen;
  if (part.standing !== "PAYEE" && part.paymentFrequency !== "UNKNOWN") {
    const cost = costAt(part.paymentCostMinor, part.paymentFrequency);
    return part.monthlyMinor === null ? cost : { ...cost, paymentCostMonthlyMinor: part.monthlyMinor };
  }
  const mean = divideHalfUp(
    sumOfLast(snapshot, byMonth(transactions, part.side, snapshot), monthsMax),
    divisorOf(snapshot, monthsMax),
  );
  if (part.standing !== "PAYEE")
    return { paymentCostMinor: part.paymentCostMinor, paymentFrequency: "UNKNOWN", paymentCostMonthlyMinor: mean };
  if (typeOf(categorised) !== "RAW") return costAt(mean, "MONTHLY");
  const recent = transactions.slice(-recentPayments).map((one) => countedMinor(one, part.side));
  return { paymentCostMinor: medianOf(recent), paymentFrequency: "UNKNOWN", paymentCostMonthlyMinor: mean };
}

/** Null: the answer leaves the cost to the engine. */
function chosenCost({ answer }: InForce, transactions: readonly PartTransaction[]): Cost | null {
  const frequency = answer.frequency === null || answer.frequency === "UNKNOWN" ? null : answer.frequency;
  if (frequency === null) return null;
  if (answer.type === "USER_PROVIDED") return costAt(answer.amountMinor ?? 0, frequency);
  const chosen = answer.type === "TRANSACTION" ? transactions.find(({ txid }) => txid === answer.txid) : undefined;
  const amountMinor = chosen?.minor ?? (answer.type === "TRANSACTION" ? answer.amountMinor : null);
  return amountMinor === null ? null : costAt(Math.abs(amountMinor), frequency);
}

function costAt(paymentCostMinor: number, frequency: Parameters<typeof monthlyOf>[1]): Cost {
  return {
    paymentCostMinor,
    paymentFrequency: frequency,
    paymentCostMonthlyMinor: monthlyOf(paymentCostMinor, frequency),
  };
}

/** In the proportion of the amounts that were given, to the last unit of every figure. */
function split(item: Item, { categories, part }: CategorisedPart, budgetId: string, snapshot: BudgetSnapshot): Item[] {
  const weights = categories.map(({ amountMinor }) => amountMinor ?? 0);
  const observed = byMonth(part.transactions, part.side, snapshot);
  const share = (amount: number): number[] => allocate(amount, weights);
  const [costs, monthly] = [share(item.paymentCostMinor), share(item.paymentCostMonthlyMinor)];
  const meansOver = (months: number): number[] =>
    share(sumOfLast(snapshot, observed, months)).map((amount) => divideHalfUp(amount, divisorOf(snapshot, months)));
  const [three, twelve] = [meansOver(quarterMonths), meansOver(monthsMax)];
  return categories.map(({ id }, at) => ({
    ...item,
    id: uuidVersion5(budgetId, `item:${part.key}:${id}`),
    key: `${part.key}:${id}`,
    categories: [id],
    paymentCostMinor: itemAt(costs, at),
    paymentCostMonthlyMinor: itemAt(monthly, at),
    averageLastThreeMonthsMinor: itemAt(three, at),
    averageLastTwelveMonthsMinor: itemAt(twelve, at),
  }));
}

/** What is bought at payees that are seldom visited, as one expense of its category. Null: refunds outweigh it. */
export function gatheredItem(
  categoryId: string,
  gathered: readonly CategorisedPart[],
  title: string,
  budgetId: string,
  snapshot: BudgetSnapshot,
): Item | null {
  const transactions = gathered
    .flatMap((one) => everydayOf(one, snapshot))
    .toSorted((a, b) => (a.document.transactionDate + a.txid < b.document.transactionDate + b.txid ? -1 : 1));
  const observed = byMonth(transactions, "EXPENSE", snapshot);
  const mean = averageOf(observed, monthsMax, snapshot);
  if (mean <= 0) return null;
  const key = `gathered:${categoryId}`;
  return {
    id: uuidVersion5(budgetId, `item:${key}`),
    key,
    subject: null,
    title,
    imageUrl: firstOf(gathered).part.imageUrl,
    source: "DERIVED_FROM_TRANSACTIONS",
    type: "DERIVED_FROM_TRANSACTIONS",
    ...costAt(mean, "MONTHLY"),
    averageLastThreeMonthsMinor: averageOf(observed, quarterMonths, snapshot),
    averageLastTwelveMonthsMinor: mean,
    service: null,
    categories: [categoryId],
    transactions: transactions.map(({ document }) => document),
    rule: firstOf(gathered).part.rule,
    confidence: Math.min(...gathered.map(({ part }) => part.confidence)),
    candidates: [],
    monthsSeen: monthsSeen(transactions, snapshot),
    ...plain,
  };
}

/** Of what is no payee's recurring payment. */
const plain = { payeeKey: null, overdue: null, income: null, remainingPayments: null } as const;

const givenIncome: IncomeFacts = {
  class: "GIVEN",
  since: null,
  monthsEmpty: 0,
  medianMonthMinor: 0,
  lowestThreeMonthsMinor: 0,
  trend: null,
  longestGapMonths: 0,
};

/** An amount that the user typed for something of which no payment is known. */
export function typedItems(
  { actionId, answer }: InForce,
  budgetId: string,
  imageBaseUrl: string,
  language: Language,
): Item[] {
  const carriers = isSplit(answer.categories)
    ? answer.categories.map(({ id }) => [id])
    : [answer.categories.map(({ id }) => id)];
  const weights = isSplit(answer.categories) ? answer.categories.map(({ amountMinor }) => amountMinor ?? 0) : [1];
  const total = isSplit(answer.categories) ? sum(weights) : (answer.amountMinor ?? 0);
  const frequency = answer.frequency === null || answer.frequency === "UNKNOWN" ? "MONTHLY" : answer.frequency;
  const costs = allocate(total, weights);
  return carriers.map((categories, at): Item => {
    const key = `typed:${actionId}:${firstOf(categories)}`;
    const title = answer.title ?? nameOf(categoryById(firstOf(categories)), language);
    return {
      id: uuidVersion5(budgetId, `item:${key}`),
      key,
      subject: null,
      title,
      imageUrl: imageUrl(imageBaseUrl, imageIdOf(title)),
      source: "ACTION",
      type: "USER_PROVIDED",
      ...costAt(itemAt(costs, at), frequency),
      averageLastThreeMonthsMinor: 0,
      averageLastTwelveMonthsMinor: 0,
      service: null,
      categories,
      transactions: [],
      rule: "USER",
      confidence: 1,
      candidates: [],
      monthsSeen: 0,
      ...plain,
      income: categoryById(firstOf(categories)).kind === "INCOME" ? givenIncome : null,
    };
  });
}
