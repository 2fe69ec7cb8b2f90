/**
 * The budget: the engine's snapshot with everything that was done to it. Pure, so an undo is a fold without the undone
 * event, in whatever order things were done.
 */
import { toNumber } from "../../money.ts";
import type { BudgetMonth, BudgetStatus, CategoryNode, FoldedBudget, Item } from "../budget.ts";
import { type CategoryLanguage, categoryById, expenseRoots, incomeRoots, nameOf } from "../categories/tree.ts";
import type { BudgetSnapshot, PartTransaction } from "../engine/snapshot.ts";
import type { LoggedEvent } from "../events.ts";
import { divideHalfUp } from "../monthly.ts";
import { budgetTexts, fill } from "../texts/texts.ts";
import { isCovered, MONTHS_MAX, sum } from "../window.ts";
import { alertsOf } from "./alerts.ts";
import { averageOf, byMonth, QUARTER_MONTHS } from "./amounts.ts";
import { type Decisions, decide } from "./decisions.ts";
import { gatheredItem, itemsOf, typedItems } from "./items.ts";
import { costliestFirst, nodesOf, type Observed, observedByCategory, userTotal } from "./nodes.ts";
import { type Nonrecurring, nonrecurringOf, nothing } from "./nonrecurring.ts";
import { annotate, inSentence } from "./notes.ts";
import { type Budgeting, budgetingOf, everydayOf, isHabit, monthsSeen, type Placement, placeParts } from "./placement.ts";
import { questionsOf } from "./questions.ts";
import { checkReference, householdOf } from "./reference.ts";
import { riskIndicatorsOf } from "./risks.ts";

/** What does not come from the ledger. */
export type BudgetFacts = {
  id: string;
  createdTime: string;
  language: CategoryLanguage;
  country: string;
  currency: string;
  revision: number;
  showsIncome: boolean;
  showsRiskIndicators: boolean;
  /** Of the average expenses, which the categorised ones must reach. */
  targetPercent: number;
  /** Without trailing slash. */
  baseUrl: string;
};

/** @param snapshot null until the user's data are complete */
export function foldBudget(facts: BudgetFacts, snapshot: BudgetSnapshot | null, log: readonly LoggedEvent[]): FoldedBudget {
  const decisions = decide(log);
  const placements = snapshot === null ? [] : placeParts(snapshot, decisions);
  const sides = { expenses: sideOf("EXPENSE", placements, decisions, facts, snapshot), income: sideOf("INCOME", placements, decisions, facts, snapshot) };
  const noteContext = { budgetId: facts.id, language: facts.language, decisions, items: sides.expenses.items };
  const categories = annotate(sides.expenses.nodes, noteContext);
  const income = facts.showsIncome ? annotate(sides.income.nodes, noteContext) : null;
  const uncategorized = snapshot === null ? [] : uncategorizedOf(placements, sides.expenses, facts.id, snapshot);
  const totals = totalsOf(categories, sides.income.nodes, uncategorized, facts, sides.expenses, sides.income);
  const household = snapshot && householdOf(decisions.userData, decisions.coapplicant, snapshot.asOf);
  const reference = snapshot && household && checkReference(facts.country, facts.currency, snapshot.asOf, household, categories);
  const categorizedMinor = totals.amountCategorizedUserProvidedMinor ?? totals.amountCategorizedMinor;
  const isTargetMet = categorizedMinor >= totals.categorizationTargetMinor;
  const questions = snapshot === null ? [] : questionsOf({
    ...facts, budgetId: facts.id, decisions, uncategorized, expenses: sides.expenses.items, categories, income: income ?? [],
    averageExpensesMinor: totals.averageExpensesLastTwelveMonthsMinor, isTargetMet,
  });
  const nonrecurring = snapshot === null ? null : nonrecurringOf(untaken(placements, sides, snapshot), snapshot);
  return {
    id: facts.id, status: statusOf(decisions, snapshot, isTargetMet, questions.some(({ open, skipped }) => open && !skipped)),
    createdTime: facts.createdTime, language: facts.language, country: facts.country, currency: facts.currency,
    asOf: snapshot?.asOf ?? null, rulesVersion: snapshot?.rulesVersion ?? null, revision: facts.revision,
    months: snapshot === null ? [] : monthsOf(snapshot), coveredMonths: snapshot?.covered ?? 0,
    ...totals, categories, uncategorized, income, ...spendings(nonrecurring),
    alerts: snapshot === null ? [] : alertsOf({
      ...facts, snapshot, categories, items: sides.expenses.items, hasRegularIncome: sides.income.items.length > 0, categorizedMinor,
      targetMinor: totals.categorizationTargetMinor, totalMinor: totals.totalMonthlyMinor, totalUserProvidedMinor: totals.totalMonthlyUserProvidedMinor, reference,
    }),
    accounts: snapshot?.accounts ?? [], userData: decisions.userData, userDataAt: decisions.userDataAt,
    riskIndicators: !facts.showsRiskIndicators ? null : riskIndicatorsOf({
      ...facts, snapshot, placements, reference, incomeMinor: totals.totalMonthlyIncomeUserProvidedMinor ?? totals.totalMonthlyIncomeMinor,
      disposableMinor: (totals.totalMonthlyIncomeUserProvidedMinor ?? totals.totalMonthlyIncomeMinor) - categorizedMinor,
      surplusMinor: totals.averageIncomeLastTwelveMonthsMinor - totals.averageExpensesLastTwelveMonthsMinor,
    }),
    comment: decisions.comment, reference, coapplicant: decisions.coapplicant, questions,
    adjustments: adjustmentsOf(decisions, [...categories, ...sides.income.nodes]), log, unconvertedTransactions: snapshot?.unconvertedTransactions ?? 0,
  };
}

/** A completed budget stays what it was called. */
function statusOf(decisions: Decisions, snapshot: BudgetSnapshot | null, isTargetMet: boolean, hasOpenQuestion: boolean): BudgetStatus {
  if (decisions.completion !== null) return decisions.completion;
  return snapshot !== null && (isTargetMet || !hasOpenQuestion) ? "READY" : "DRAFT";
}

type Side = { items: readonly Item[]; nodes: readonly CategoryNode[]; observed: Observed; averages: { three: number; twelve: number }; taken: ReadonlySet<Placement> };

function sideOf(side: "EXPENSE" | "INCOME", placements: readonly Placement[], decisions: Decisions, facts: BudgetFacts, snapshot: BudgetSnapshot | null): Side {
  const own = placements.filter(({ part }) => part.side === side);
  const budgeted = snapshot === null ? { items: [], taken: new Set<Placement>() } : budget(own, facts, snapshot);
  const typed = [...decisions.answers.values()].filter(({ answer }) => answer.subject === null && categoryById(answer.categories[0]!.id).kind === side);
  const items = [...budgeted.items, ...typed.flatMap((one) => typedItems(one, facts.id, facts.baseUrl, facts.language))].sort(costliestFirst);
  const observed = snapshot === null ? new Map<string, number[]>() : observedByCategory(own, side, snapshot);
  const nodes = nodesOf(side === "EXPENSE" ? expenseRoots : incomeRoots, { items, observed, decisions, language: facts.language, snapshot });
  const average = (months: number): number => {
    const rest = snapshot === null ? 0 : averageOf(observed.get("") ?? [], months, snapshot);
    return rest + sum(nodes.map((node) => (months === MONTHS_MAX ? node.averageLastTwelveMonthsMinor : node.averageLastThreeMonthsMinor)));
  };
  return { items, nodes, observed, averages: { three: average(QUARTER_MONTHS), twelve: average(MONTHS_MAX) }, taken: budgeted.taken };
}

/** What stands in a category, and whose payments it took. */
function budget(placements: readonly Placement[], facts: BudgetFacts, snapshot: BudgetSnapshot): { items: Item[]; taken: Set<Placement> } {
  const by = Map.groupBy(placements, (one): Budgeting => budgetingOf(one, snapshot));
  const taken = new Set<Placement>();
  const items = (by.get("OWN") ?? []).filter(({ categories }) => categories.length > 0).flatMap((one) => {
    const made = itemsOf(one, facts.id, snapshot);
    if (made.length > 0) taken.add(one);
    return made;
  });
  for (const [categoryId, gathered] of Map.groupBy(by.get("GATHERED") ?? [], ({ categories }) => categories[0]!.id)) {
    const title = fill(budgetTexts[facts.language].gathered, { category: inSentence(nameOf(categoryById(categoryId), facts.language)) });
    const item = gatheredItem(categoryId, gathered, title, facts.id, snapshot);
    if (item === null) continue;
    items.push(item);
    for (const one of gathered) taken.add(one);
  }
  return { items, taken };
}

/** A payee that is seldom seen is listed when it takes this part of the average expenses. */
const LARGE_SHARE = 0.01;

/** Recurring or large payees that nobody has put anywhere, biggest first. */
function uncategorizedOf(placements: readonly Placement[], { averages }: Side, budgetId: string, snapshot: BudgetSnapshot): Item[] {
  const open = placements.filter(({ part, categories }) => part.side === "EXPENSE" && part.standing !== "ENDED" && categories.length === 0);
  const items = open.flatMap((one) => {
    const [item] = itemsOf(one, budgetId, snapshot);
    const isListed = item && (item.service !== null || isHabit(monthsSeen(everydayOf(one, snapshot), snapshot), snapshot) || item.paymentCostMonthlyMinor >= LARGE_SHARE * averages.twelve);
    return item && isListed ? [item] : [];
  });
  return items.sort(costliestFirst);
}

/** What no item took. A service's and an ended one's payments recur, and so does what is everyday; one-offs do not. */
function untaken(placements: readonly Placement[], { expenses, income }: { expenses: Side; income: Side }, snapshot: BudgetSnapshot): PartTransaction[] {
  return placements.flatMap((one) => {
    if (one.part.standing !== "PAYEE") return [];
    const isTaken = expenses.taken.has(one) || income.taken.has(one);
    return isTaken ? one.part.transactions.filter(({ oneOff }) => oneOff && one.answer === null) : one.part.transactions;
  }).filter(({ document }) => document.transactionDate.slice(0, 7) >= snapshot.months[0]!);
}

type Totals = Pick<
  FoldedBudget,
  | "totalMonthlyMinor" | "totalMonthlyUserProvidedMinor" | "totalMonthlyIncomeMinor" | "totalMonthlyIncomeUserProvidedMinor" | "averageExpensesLastThreeMonthsMinor"
  | "averageExpensesLastTwelveMonthsMinor" | "averageIncomeLastThreeMonthsMinor" | "averageIncomeLastTwelveMonthsMinor" | "amountCategorizedMinor"
  | "amountCategorizedUserProvidedMinor" | "disposableIncomeMinor" | "disposableIncomeUserProvidedMinor" | "categorizationTargetMinor"
>;

function totalsOf(categories: readonly CategoryNode[], incomeNodes: readonly CategoryNode[], uncategorized: readonly Item[], facts: BudgetFacts, expenses: Side, income: Side): Totals {
  const categorized = sum(categories.map(({ totalMonthlyMinor }) => totalMonthlyMinor));
  const categorizedUser = userTotal(categories);
  const rest = sum(uncategorized.map(({ paymentCostMonthlyMinor }) => paymentCostMonthlyMinor));
  const earned = sum(incomeNodes.map(({ totalMonthlyMinor }) => totalMonthlyMinor));
  const earnedUser = userTotal(incomeNodes);
  const hasUserValue = categorizedUser !== null || earnedUser !== null;
  return {
    totalMonthlyMinor: categorized + rest, totalMonthlyUserProvidedMinor: categorizedUser === null ? null : categorizedUser + rest,
    totalMonthlyIncomeMinor: earned, totalMonthlyIncomeUserProvidedMinor: earnedUser,
    averageExpensesLastThreeMonthsMinor: expenses.averages.three, averageExpensesLastTwelveMonthsMinor: expenses.averages.twelve,
    averageIncomeLastThreeMonthsMinor: income.averages.three, averageIncomeLastTwelveMonthsMinor: income.averages.twelve,
    amountCategorizedMinor: categorized, amountCategorizedUserProvidedMinor: categorizedUser,
    disposableIncomeMinor: facts.showsIncome ? earned - categorized : null,
    disposableIncomeUserProvidedMinor: facts.showsIncome && hasUserValue ? (earnedUser ?? earned) - (categorizedUser ?? categorized) : null,
    categorizationTargetMinor: divideHalfUp(expenses.averages.twelve * facts.targetPercent, 100),
  };
}

function monthsOf(snapshot: BudgetSnapshot): BudgetMonth[] {
  const of = (side: "EXPENSE" | "INCOME") => byMonth(snapshot.parts.filter((part) => part.side === side).flatMap(({ transactions }) => transactions), side, snapshot);
  const [expenses, income] = [of("EXPENSE"), of("INCOME")];
  return snapshot.months.map((month, at) => ({ month, covered: isCovered(snapshot, at), expensesMinor: expenses[at]!, incomeMinor: income[at]! }));
}

function spendings(nonrecurring: Nonrecurring | null): Pick<FoldedBudget, "nonrecurringTransactions" | "nonrecurringSpending" | "nonrecurringIncome" | "nonrecurringExpenses"> {
  return {
    nonrecurringTransactions: nonrecurring?.transactions.map(({ document }) => document) ?? [], nonrecurringSpending: nonrecurring?.spending ?? nothing,
    nonrecurringIncome: nonrecurring?.income ?? nothing, nonrecurringExpenses: nonrecurring?.expenses ?? nothing,
  };
}

function adjustmentsOf({ adjustments }: Decisions, roots: readonly CategoryNode[]): FoldedBudget["adjustments"] {
  return roots.flatMap((root) => [root, ...root.children]).flatMap((node) => {
    const given = adjustments.get(node.id);
    return given === undefined ? [] : [{ categoryId: node.id, monthlyMinor: node.totalMonthlyUserProvidedMinor ?? 0, ...given }];
  });
}

/** For messages and reports. */
export function amountNumber(minor: number, currency: string): number {
  return toNumber({ minor, currency });
}
