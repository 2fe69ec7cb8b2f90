/** A budget's expenses by cost type, with the values that were given shared among leaves. Whole minor units. Pure. */
import type { CategoryNode } from "../budget.ts";
import { type CostType, categoryById } from "../../categories/tree.ts";
import { sum } from "../window.ts";
import { effectiveOf } from "./nodes.ts";

export const costTypes = [
  "FIXED",
  "FINANCIAL",
  "VARIABLE",
  "DISCRETIONARY",
  "SAVINGS",
] as const satisfies readonly CostType[];
export type CostTypeTotals = Readonly<Record<CostType, number>>;

/** id: of the leaf; of the group where a value was given for one in which nothing was seen. */
export type CostPart = { id: string; type: CostType; minor: number };

/** The program's expenses by cost type; the types add up to the categorised amount. */
export function engineTotals(groups: readonly CategoryNode[]): CostTypeTotals {
  return totals(
    groups.flatMap((group) => group.children.map((leaf): CostPart => costPart(leaf, leaf.totalMonthlyMinor))),
  );
}

/** As engineTotals, with the values that were given. */
export function effectiveTotals(groups: readonly CategoryNode[]): CostTypeTotals {
  return totals(effectiveParts(groups));
}

/** What counts, leaf by leaf: they add up to the groups. A value given for a group is shared as its leaves are. */
export function effectiveParts(groups: readonly CategoryNode[]): CostPart[] {
  return groups.flatMap(partsOf);
}

/** Whether a value was given for a group as a whole, which no leaf knows of. */
export function hasSharedValue(groups: readonly CategoryNode[]): boolean {
  return groups.some((group) => effectiveOf(group) !== sum(group.children.map(effectiveOf)));
}

function partsOf(group: CategoryNode): CostPart[] {
  const leaves = group.children.map((leaf) => costPart(leaf, effectiveOf(leaf)));
  const whole = effectiveOf(group);
  const parts = sum(leaves.map(({ minor }) => minor));
  if (whole === parts) return leaves;
  if (parts === 0) return [costPart(group, whole)];
  return shares(leaves, whole, parts);
}

/** Rounded at each running sum, so that the shares add up to the whole. */
function shares(leaves: readonly CostPart[], whole: number, parts: number): CostPart[] {
  let [seen, given] = [0, 0];
  return leaves.map((leaf) => {
    seen += leaf.minor;
    // Exact: the product of two amounts may leave the safe integers.
    const until = Number((BigInt(whole) * BigInt(seen) * 2n + BigInt(parts)) / (BigInt(parts) * 2n));
    const share = until - given;
    given = until;
    return { ...leaf, minor: share };
  });
}

function costPart({ id }: CategoryNode, minor: number): CostPart {
  const { costType } = categoryById(id);
  if (costType === null) throw new RangeError(`the category ${id} is no expense`);
  return { id, type: costType, minor };
}

function totals(parts: readonly CostPart[]): CostTypeTotals {
  const sums = Object.fromEntries(costTypes.map((type) => [type, 0])) as Record<CostType, number>;
  for (const { type, minor } of parts) sums[type] += minor;
  return sums;
}
