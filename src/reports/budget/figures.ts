/**
 * Arithmetic of the budget report: sums over the tree that the budget itself does not state. Whole minor units. Pure.
 */
import { addMonths, type Day } from "../../time/calendar.ts";
import type { CategoryNode, FoldedBudget, Item } from "../../budgets/budget.ts";
import { type CostTypeTotals, effectiveTotals, engineTotals } from "../../budgets/fold/cost-types.ts";

export type Standing = {
  incomeMinor: number;
  categorizedMinor: number;
  disposableMinor: number;
  availableMinor: number;
  byCostType: CostTypeTotals;
};

/** The budget by the program's own figures. */
export function engineStanding(budget: FoldedBudget): Standing {
  return standing(budget.totalMonthlyIncomeMinor, budget.amountCategorizedMinor, engineTotals(budget.categories));
}

/** The budget with the values that were given. */
export function effectiveStanding(budget: FoldedBudget): Standing {
  const income = budget.totalMonthlyIncomeUserProvidedMinor ?? budget.totalMonthlyIncomeMinor;
  return standing(
    income,
    budget.amountCategorizedUserProvidedMinor ?? budget.amountCategorizedMinor,
    effectiveTotals(budget.categories),
  );
}

function standing(incomeMinor: number, categorizedMinor: number, byCostType: CostTypeTotals): Standing {
  const availableMinor = incomeMinor - byCostType.FIXED - byCostType.FINANCIAL;
  return { incomeMinor, categorizedMinor, disposableMinor: incomeMinor - categorizedMinor, availableMinor, byCostType };
}

/**
 * What would be left if the household spent the reference on what it covers. Null without one of the whole household.
 */
export function referenceMargin({ reference }: FoldedBudget, { disposableMinor }: Standing): number | null {
  return reference === null || reference.isOfChildren
    ? null
    : disposableMinor + reference.budgetMinor - reference.referenceMinor;
}

/** Every item with a category, in tree order. */
export function itemsOf(nodes: readonly CategoryNode[]): { item: Item; leaf: CategoryNode }[] {
  return nodes.flatMap((node) => [...node.items.map((item) => ({ item, leaf: node })), ...itemsOf(node.children)]);
}

/** Standard deviation of the payments of the twelve months to the day by their mean; null for fewer than two. */
export function variationOf({ transactions }: Item, asOf: Day): number | null {
  const since = addMonths(asOf, -12);
  const amounts = transactions
    .filter(({ transactionDate }) => transactionDate > since)
    .map(({ amount }) => Math.abs(amount));
  if (amounts.length < 2) return null;
  const mean = sumOf(amounts) / amounts.length;
  return mean === 0 ? null : Math.sqrt(sumOf(amounts.map((amount) => (amount - mean) ** 2)) / amounts.length) / mean;
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

export { costTypes, effectiveTotals, engineTotals, hasSharedValue } from "../../budgets/fold/cost-types.ts";
export { effectiveOf } from "../../budgets/fold/nodes.ts";
