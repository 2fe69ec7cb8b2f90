/** Observed amounts by month, and their means. Costs and incomes are positive. Pure. */
import type { BudgetSnapshot, Part, PartTransaction } from "../engine/snapshot.ts";
import { divideHalfUp } from "../monthly.ts";
import { divisorOf, monthsMax, monthIndexOf, sumOfLast } from "../window.ts";
import { itemAt } from "../../present.ts";

export const quarterMonths = 3;

/** As the budget counts: an expense is positive where money left, an income where it came. */
export function countedMinor({ minor }: PartTransaction, side: Part["side"]): number {
  return side === "EXPENSE" ? 0 - minor : minor;
}

/** Twelve sums in the window's order; what lies outside it is left out. */
export function byMonth(
  transactions: readonly PartTransaction[],
  side: Part["side"],
  snapshot: BudgetSnapshot,
): number[] {
  const sums = Array.from<number>({ length: monthsMax }).fill(0);
  for (const one of transactions) {
    const monthIndex = monthIndexOf(snapshot, one.document.transactionDate);
    if (monthIndex >= 0) sums[monthIndex] = itemAt(sums, monthIndex) + countedMinor(one, side);
  }
  return sums;
}

export function add(a: readonly number[], b: readonly number[]): number[] {
  return a.map((value, at) => value + itemAt(b, at));
}

/** Per covered month, half up. @param months 3 or 12 */
export function averageOf(sums: readonly number[], months: number, snapshot: BudgetSnapshot): number {
  return divideHalfUp(sumOfLast(snapshot, sums, months), divisorOf(snapshot, months));
}
