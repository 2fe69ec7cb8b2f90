/** What categories have in common for a budget beyond the tree: loans, obligations, and what documents do not name. */
import { groupOf } from "../categories/tree.ts";

/** Money that was borrowed and is paid back by a plan. */
const loans: ReadonlySet<string> = new Set([
  "HOUSING_MORTGAGE",
  "TRANSPORT_VEHICLE_FINANCE",
  "DEBT_CONSUMER_LOAN",
  "DEBT_STUDENT_LOAN",
  "DEBT_PRIVATE",
]);

export function isLoan(categoryId: string): boolean {
  return loans.has(categoryId);
}

/**
 * For how many months an obligation that is due and not paid stays in a budget when nothing says that it ended. A home,
 * a loan, a tax and a maintenance payment are owed whether they are paid or not, so they stay for as long as the window
 * shows them; a supplier takes the power off after some months, and an insurer ends a policy sooner.
 */
const monthsOwed: readonly (readonly [matches: (categoryId: string) => boolean, months: number])[] = [
  [(categoryId) => groupOf(categoryId) === "HOUSING", 12],
  [isLoan, 12],
  [(categoryId) => categoryId === "FEES_TAX" || categoryId === "TRANSPORT_VEHICLE_TAX", 12],
  [(categoryId) => categoryId === "CHILDREN_MAINTENANCE_PAID", 12],
  [(categoryId) => groupOf(categoryId) === "UTILITIES", 6],
  [(categoryId) => groupOf(categoryId) === "INSURANCE", 3],
];

/** Null: not paying it is no sign of risk. Property tax is of housing. */
export function monthsOwedOf(categoryId: string): number | null {
  return monthsOwed.find(([matches]) => matches(categoryId))?.[1] ?? null;
}

/**
 * Health, union, faith and politics: they stand in sums, and no document names them or whom they were paid to. Source:
 * Directive (EU) 2023/2225, article 18.
 */
export function isSpecial(categoryId: string): boolean {
  return groupOf(categoryId) === "HEALTH" || categoryId === "WORK_UNION" || categoryId === "FEES_DONATIONS_MEMBERSHIPS";
}
