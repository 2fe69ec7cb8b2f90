/**
 * Arithmetic of the budget report: sums over the tree that the budget itself does not state. Whole minor units. Pure.
 */
import { addMonths, type Day } from "../../time/calendar.ts";
import type { CategoryNode, FoldedBudget, Item } from "../../budgets/budget.ts";
import { type CostType, categoryById } from "../../categories/tree.ts";

export const costTypes = [
  "FIXED",
  "FINANCIAL",
  "VARIABLE",
  "DISCRETIONARY",
  "SAVINGS",
] as const satisfies readonly CostType[];
export type CostTypeTotals = Readonly<Record<CostType, number>>;

/** What counts: the value that was given, else the program's. */
export function effectiveOf({ totalMonthlyMinor, totalMonthlyUserProvidedMinor }: CategoryNode): number {
  return totalMonthlyUserProvidedMinor ?? totalMonthlyMinor;
}

/** The program's expenses by cost type; the types add up to the categorised amount. */
export function engineTotals(groups: readonly CategoryNode[]): CostTypeTotals {
  return totals(
    groups.flatMap((group) =>
      group.children.map((leaf): Part => ({ type: costTypeOf(leaf), minor: leaf.totalMonthlyMinor })),
    ),
  );
}

/** As engineTotals, with the values that were given. One given for a group is shared as its leaves are. */
export function effectiveTotals(groups: readonly CategoryNode[]): CostTypeTotals {
  return totals(groups.flatMap(partsOf));
}

/** Whether a value was given for a group as a whole, which no leaf knows of. */
export function hasSharedValue(groups: readonly CategoryNode[]): boolean {
  return groups.some((group) => effectiveOf(group) !== sumOf(group.children.map(effectiveOf)));
}

type Part = { type: CostType; minor: number };

function partsOf(group: CategoryNode): Part[] {
  const leaves = group.children.map((leaf) => ({ type: costTypeOf(leaf), minor: effectiveOf(leaf) }));
  const whole = effectiveOf(group);
  const parts = sumOf(leaves.map(({ minor }) => minor));
  if (whole === parts) return leaves;
  if (parts === 0) return [{ type: costTypeOf(group), minor: whole }];
  return shares(leaves, whole, parts);
}

/** Rounded at each running sum, so that the shares add up to the whole. */
function shares(leaves: readonly Part[], whole: number, parts: number): Part[] {
  let [seen, given] = [0, 0];
  return leaves.map(({ type, minor }) => {
    seen += minor;
    // Exact: the product of two amounts may leave the safe integers.
    const until = Number((BigInt(whole) * BigInt(seen) * 2n + BigInt(parts)) / (BigInt(parts) * 2n));
    const share = until - given;
    given = until;
    return { type, minor: share };
  });
}

function costTypeOf({ id }: CategoryNode): CostType {
  const { costType } = categoryById(id);
  if (costType === null) throw new RangeError(`the category ${id} is no expense`);
  return costType;
}

function totals(parts: readonly Part[]): CostTypeTotals {
  const sums = Object.fromEntries(costTypes.map((type) => [type, 0])) as Record<CostType, number>;
  for (const { type, minor } of parts) sums[type] += minor;
  return sums;
}

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
