/** The category trees with what stands in them: sums of the engine's and the user's figures, group by group. Pure. */
import type { CategoryNode, Item } from "../budget.ts";
import { type Category, childrenOf, nameOf } from "../../categories/tree.ts";
import type { BudgetSnapshot } from "../engine/snapshot.ts";
import { allocate, monthlyOf } from "../monthly.ts";
import { monthsMax, sum } from "../window.ts";
import { add, averageOf, byMonth, quarterMonths } from "./amounts.ts";
import type { Decisions } from "./decisions.ts";
import { extraByMonth, extraCategory } from "./income.ts";
import { isSplit } from "./items.ts";
import type { CategorisedPart } from "./categorised-parts.ts";
import type { Language } from "../../texts/languages.ts";
import { itemAt } from "../../present.ts";

/** Twelve sums by leaf; "" for what has no category. */
export type Observed = ReadonlyMap<string, readonly number[]>;

/**
 * Everything that was seen, one-offs and ended services included. A payment that covers several categories is its
 * carrier's.
 */
export function observedByCategory(
  categorised: readonly CategorisedPart[],
  side: "EXPENSE" | "INCOME",
  snapshot: BudgetSnapshot,
): Observed {
  const observed = new Map<string, number[]>();
  const put = (categoryId: string, sums: readonly number[]) => {
    const known = observed.get(categoryId);
    observed.set(categoryId, known ? add(known, sums) : [...sums]);
  };
  for (const { part, categories, answer } of categorised.filter((one) => one.part.side === side)) {
    const all = byMonth(part.transactions, side, snapshot);
    const beside = answer === null && part.extra !== null ? extraByMonth(part, snapshot) : null;
    const sums = beside === null ? all : all.map((minor, at) => minor - itemAt(beside, at));
    if (beside !== null) put(extraCategory, beside);
    if (isSplit(categories))
      for (const [at, { id }] of categories.entries())
        put(
          id,
          sums.map((total) =>
            itemAt(
              allocate(
                total,
                categories.map(({ amountMinor }) => amountMinor ?? 0),
              ),
              at,
            ),
          ),
        );
    else put(categories[0]?.id ?? "", sums);
  }
  return observed;
}

export type NodeContext = {
  items: readonly Item[];
  observed: Observed;
  decisions: Decisions;
  language: Language;
  snapshot: BudgetSnapshot | null;
};

/** One tree in its order; notes are added later, because they look at both trees. */
export function nodesOf(roots: readonly Category[], context: NodeContext): CategoryNode[] {
  return roots.map((root) =>
    groupNode(
      root,
      childrenOf(root.id).map((leaf) => leafNode(leaf, context)),
      context,
    ),
  );
}

function leafNode(category: Category, context: NodeContext): CategoryNode {
  const items = context.items.filter(({ categories }) => categories[0] === category.id).toSorted(costliestFirst);
  const total = sum(items.map(({ paymentCostMonthlyMinor }) => paymentCostMonthlyMinor));
  const hasTyped = items.some(({ type }) => type === "USER_PROVIDED");
  return {
    id: category.id,
    name: nameOf(category, context.language),
    totalMonthlyMinor: total,
    totalMonthlyUserProvidedMinor: adjustedMinor(category.id, context.decisions) ?? (hasTyped ? total : null),
    ...averages(context.observed.get(category.id), context.snapshot),
    items,
    children: [],
    notes: [],
  };
}

function groupNode(
  category: Category,
  children: readonly CategoryNode[],
  { decisions, language }: NodeContext,
): CategoryNode {
  return {
    id: category.id,
    name: nameOf(category, language),
    totalMonthlyMinor: sum(children.map((child) => child.totalMonthlyMinor)),
    totalMonthlyUserProvidedMinor: adjustedMinor(category.id, decisions) ?? userTotal(children),
    averageLastThreeMonthsMinor: sum(children.map((child) => child.averageLastThreeMonthsMinor)),
    averageLastTwelveMonthsMinor: sum(children.map((child) => child.averageLastTwelveMonthsMinor)),
    items: [],
    children,
    notes: [],
  };
}

/** What the nodes come to where the user's values replace the engine's; null where the user gave none. */
export function userTotal(nodes: readonly CategoryNode[]): number | null {
  return nodes.some((node) => node.totalMonthlyUserProvidedMinor !== null) ? sum(nodes.map(effectiveOf)) : null;
}

/** The user's value, else the engine's. */
export function effectiveOf(node: CategoryNode): number {
  return node.totalMonthlyUserProvidedMinor ?? node.totalMonthlyMinor;
}

function adjustedMinor(categoryId: string, { adjustments }: Decisions): number | null {
  const adjustment = adjustments.get(categoryId);
  return adjustment === undefined || adjustment.frequency === "UNKNOWN"
    ? null
    : monthlyOf(adjustment.amountMinor, adjustment.frequency);
}

function averages(
  sums: readonly number[] | undefined,
  snapshot: BudgetSnapshot | null,
): Pick<CategoryNode, "averageLastThreeMonthsMinor" | "averageLastTwelveMonthsMinor"> {
  if (sums === undefined || snapshot === null)
    return { averageLastThreeMonthsMinor: 0, averageLastTwelveMonthsMinor: 0 };
  return {
    averageLastThreeMonthsMinor: averageOf(sums, quarterMonths, snapshot),
    averageLastTwelveMonthsMinor: averageOf(sums, monthsMax, snapshot),
  };
}

export function costliestFirst(a: Item, b: Item): number {
  return b.paymentCostMonthlyMinor - a.paymentCostMonthlyMinor || (a.key < b.key ? -1 : 1);
}
