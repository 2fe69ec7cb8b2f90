/** What is spent and what is earned: the items of each side, its tree, and what no item took. Pure. */
import type { CategoryNode, Item } from "../budget.ts";
import { categoryById, expenseRoots, incomeRoots, nameOf } from "../../categories/tree.ts";
import type { BudgetSnapshot, PartTransaction } from "../engine/snapshot.ts";
import { budgetTexts, fill } from "./wording.ts";
import { monthsMax, sum } from "../window.ts";
import { averageOf, quarterMonths } from "./amounts.ts";
import type { Decisions } from "./decisions.ts";
import type { BudgetFacts } from "./facts.ts";
import { incomeItems } from "./income.ts";
import { gatheredItem, itemsOf, typedItems } from "./items.ts";
import { costliestFirst, nodesOf, observedByCategory } from "./nodes.ts";
import { inSentence } from "./notes.ts";
import {
  type Budgeting,
  budgetingOf,
  everydayOf,
  isHabit,
  monthsSeen,
  type CategorisedPart,
} from "./categorised-parts.ts";
import { firstOf } from "../../present.ts";

/** One side of the budget. */
export type Side = {
  /** Those that stand in a category, costliest first. */
  items: readonly Item[];
  /** Without notes. */
  nodes: readonly CategoryNode[];
  /** Everything seen a month, what has no category included. */
  averages: { three: number; twelve: number };
  /** Whose payments are in an item. */
  budgeted: Set<CategorisedPart>;
};

export function sideOf(
  side: "EXPENSE" | "INCOME",
  categorised: readonly CategorisedPart[],
  decisions: Decisions,
  facts: BudgetFacts,
  snapshot: BudgetSnapshot | null,
): Side {
  const own = categorised.filter(({ part }) => part.side === side);
  const budgeted =
    snapshot === null
      ? { items: [], taken: new Set<CategorisedPart>() }
      : side === "INCOME"
        ? incomeItems(own, facts, snapshot)
        : budget(own, facts, snapshot);
  const typed = [...decisions.answers.values()].filter(
    ({ answer }) => answer.subject === null && categoryById(firstOf(answer.categories).id).kind === side,
  );
  const items = [
    ...budgeted.items,
    ...typed.flatMap((one) => typedItems(one, facts.id, facts.baseUrl, facts.language)),
  ].sort(costliestFirst);
  const observed = snapshot === null ? new Map<string, number[]>() : observedByCategory(own, side, snapshot);
  const nodes = nodesOf(side === "EXPENSE" ? expenseRoots : incomeRoots, {
    items,
    observed,
    decisions,
    language: facts.language,
    snapshot,
  });
  const average = (months: number): number => {
    const rest = snapshot === null ? 0 : averageOf(observed.get("") ?? [], months, snapshot);
    return (
      rest +
      sum(
        nodes.map((node) =>
          months === monthsMax ? node.averageLastTwelveMonthsMinor : node.averageLastThreeMonthsMinor,
        ),
      )
    );
  };
  return {
    items,
    nodes,
    averages: { three: average(quarterMonths), twelve: average(monthsMax) },
    budgeted: budgeted.taken,
  };
}

/** What is spent in a category, and whose payments it took. */
function budget(
  categorised: readonly CategorisedPart[],
  facts: BudgetFacts,
  snapshot: BudgetSnapshot,
): { items: Item[]; taken: Set<CategorisedPart> } {
  const by = Map.groupBy(categorised, (one): Budgeting => budgetingOf(one, snapshot));
  const taken = new Set<CategorisedPart>();
  const items = (by.get("OWN") ?? [])
    .filter(({ categories }) => categories.length > 0)
    .flatMap((one) => {
      const made = itemsOf(one, facts.id, snapshot);
      if (made.length > 0) taken.add(one);
      return made;
    });
  for (const [categoryId, gathered] of Map.groupBy(
    by.get("GATHERED") ?? [],
    ({ categories }) => firstOf(categories).id,
  )) {
    const title = fill(budgetTexts[facts.language].gathered, {
      category: inSentence(nameOf(categoryById(categoryId), facts.language)),
    });
    const item = gatheredItem(categoryId, gathered, title, facts.id, snapshot);
    if (item === null) continue;
    items.push(item);
    for (const one of gathered) taken.add(one);
  }
  return { items, taken };
}

/** A payee that is seldom seen is listed when it takes this part of the average expenses. */
const largeShare = 0.01;

/** Recurring or large payees that nobody has put anywhere, biggest first. */
export function uncategorizedOf(
  categorised: readonly CategorisedPart[],
  { averages }: Side,
  budgetId: string,
  snapshot: BudgetSnapshot,
): Item[] {
  const open = categorised.filter(
    ({ part, categories }) => part.side === "EXPENSE" && part.standing !== "ENDED" && categories.length === 0,
  );
  const items = open.flatMap((one) => {
    const [item] = itemsOf(one, budgetId, snapshot);
    const isListed =
      item &&
      (item.service !== null ||
        isHabit(monthsSeen(everydayOf(one, snapshot), snapshot), snapshot) ||
        item.paymentCostMonthlyMinor >= largeShare * averages.twelve);
    return item && isListed ? [item] : [];
  });
  return items.sort(costliestFirst);
}

/** What no item took. A service's and an ended one's payments recur, and so does what is everyday; one-offs do not. */
export function notBudgeted(
  categorised: readonly CategorisedPart[],
  { expenses, income }: Sides,
  snapshot: BudgetSnapshot,
): PartTransaction[] {
  return categorised
    .flatMap((one) => {
      if (one.part.standing !== "PAYEE") return [];
      const isBudgeted = expenses.budgeted.has(one) || income.budgeted.has(one);
      return isBudgeted
        ? one.part.transactions.filter(({ oneOff }) => oneOff && one.answer === null)
        : one.part.transactions;
    })
    .filter(({ document }) => document.transactionDate.slice(0, 7) >= firstOf(snapshot.months));
}

export type Sides = { expenses: Side; income: Side };
