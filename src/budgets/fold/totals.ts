/** The figures at the head of a budget. Pure. */
import type { FoldedBudget, Item } from "../budget.ts";
import { partOf } from "../monthly.ts";
import { sum } from "../window.ts";
import type { BudgetFacts } from "./facts.ts";
import { userTotal } from "./nodes.ts";
import type { Sides } from "./sides.ts";

export type Totals = Pick<
  FoldedBudget,
  | "totalMonthlyMinor"
  | "totalMonthlyUserProvidedMinor"
  | "totalMonthlyIncomeMinor"
  | "totalMonthlyIncomeUserProvidedMinor"
  | "averageExpensesLastThreeMonthsMinor"
  | "averageExpensesLastTwelveMonthsMinor"
  | "averageIncomeLastThreeMonthsMinor"
  | "averageIncomeLastTwelveMonthsMinor"
  | "amountCategorizedMinor"
  | "amountCategorizedUserProvidedMinor"
  | "disposableIncomeMinor"
  | "disposableIncomeUserProvidedMinor"
  | "categorizationTargetMinor"
>;

export function totalsOf({ expenses, income }: Sides, uncategorized: readonly Item[], facts: BudgetFacts): Totals {
  const categories = expenses.nodes;
  const incomeNodes = income.nodes;
  const categorized = sum(categories.map(({ totalMonthlyMinor }) => totalMonthlyMinor));
  const categorizedUser = userTotal(categories);
  const rest = sum(uncategorized.map(({ paymentCostMonthlyMinor }) => paymentCostMonthlyMinor));
  const earned = sum(incomeNodes.map(({ totalMonthlyMinor }) => totalMonthlyMinor));
  const earnedUser = userTotal(incomeNodes);
  const hasUserValue = categorizedUser !== null || earnedUser !== null;
  return {
    totalMonthlyMinor: categorized + rest,
    totalMonthlyUserProvidedMinor: categorizedUser === null ? null : categorizedUser + rest,
    totalMonthlyIncomeMinor: earned,
    totalMonthlyIncomeUserProvidedMinor: earnedUser,
    averageExpensesLastThreeMonthsMinor: expenses.averages.three,
    averageExpensesLastTwelveMonthsMinor: expenses.averages.twelve,
    averageIncomeLastThreeMonthsMinor: income.averages.three,
    averageIncomeLastTwelveMonthsMinor: income.averages.twelve,
    amountCategorizedMinor: categorized,
    amountCategorizedUserProvidedMinor: categorizedUser,
    disposableIncomeMinor: facts.showsIncome ? earned - categorized : null,
    disposableIncomeUserProvidedMinor:
      facts.showsIncome && hasUserValue ? (earnedUser ?? earned) - (categorizedUser ?? categorized) : null,
    categorizationTargetMinor: partOf(expenses.averages.twelve, facts.targetPercent, 100),
  };
}
