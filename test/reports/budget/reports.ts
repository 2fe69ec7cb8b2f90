/** Reports of the household that was worked out by hand. */
import type { BudgetEvent, FoldedBudget } from "../../../src/budgets/budget.ts";
import { type BudgetFacts, foldBudget } from "../../../src/budgets/fold/fold.ts";
import type { BudgetReport } from "../../../src/reports/budget/writing.ts";
import { handChecked } from "../../budgets/hand-checked.ts";
import { facts, ledgerOf, logOf, type Paid, snapshotOf } from "../../budgets/household.ts";

export const handCheckedSnapshot = snapshotOf(handChecked);

export function folded(
  events: readonly BudgetEvent[] = [],
  given: Partial<BudgetFacts> = {},
): FoldedBudget & { asOf: string } {
  const budget = foldBudget({ ...facts, ...given }, handCheckedSnapshot, logOf(events));
  return { ...budget, asOf: handCheckedSnapshot.asOf };
}

/** Of other payments. */
export function foldedOf(
  paid: readonly Paid[],
  events: readonly BudgetEvent[] = [],
  given: Partial<BudgetFacts> = {},
): FoldedBudget & { asOf: string } {
  const snapshot = snapshotOf(ledgerOf(paid));
  return { ...foldBudget({ ...facts, ...given }, snapshot, logOf(events)), asOf: snapshot.asOf };
}

export function reportOf(budget: BudgetReport["budget"], given: Partial<BudgetReport> = {}): BudgetReport {
  return {
    budget,
    reportId: "REF-1",
    brand: "Nordbanken",
    logo: null,
    customer: "kunde-4711",
    customerName: null,
    irregularPercent: 80,
    timeZone: "Europe/Copenhagen",
    other: null,
    ...given,
  };
}
