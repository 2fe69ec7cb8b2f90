/** What came and went once: neither of a service or a regular income, nor of a category's everyday spending. Pure. */
import type { AverageSpending, Spending } from "../budget.ts";
import type { BudgetSnapshot, PartTransaction } from "../engine/snapshot.ts";
import { divideHalfUp } from "../monthly.ts";
import { divisorOf, monthsMax, monthIndexOf, sum } from "../window.ts";
import { quarterMonths } from "./amounts.ts";

export type Nonrecurring = {
  transactions: PartTransaction[];
  spending: Spending;
  income: Spending;
  expenses: Spending;
};

/** @param transactions those that no item took; what lies outside the window is left out. */
export function nonrecurringOf(transactions: readonly PartTransaction[], snapshot: BudgetSnapshot): Nonrecurring {
  const inWindow = transactions
    .filter(({ document }) => monthIndexOf(snapshot, document.transactionDate) >= 0)
    .toSorted((a, b) => (a.document.transactionDate + a.txid > b.document.transactionDate + b.txid ? -1 : 1));
  return {
    transactions: inWindow,
    spending: spendingOf(inWindow, snapshot, ({ minor }) => 0 - minor),
    income: spendingOf(
      inWindow.filter(({ minor }) => minor > 0),
      snapshot,
      ({ minor }) => minor,
    ),
    expenses: spendingOf(
      inWindow.filter(({ minor }) => minor < 0),
      snapshot,
      ({ minor }) => 0 - minor,
    ),
  };
}

type Months = readonly (number | null)[];

function spendingOf(
  transactions: readonly PartTransaction[],
  snapshot: BudgetSnapshot,
  amountOf: (one: PartTransaction) => number,
): Spending {
  const months = snapshot.months.map((_, monthIndex): number | null => {
    const there = transactions.filter(
      ({ document }) => monthIndexOf(snapshot, document.transactionDate) === monthIndex,
    );
    return there.length === 0 ? null : sum(there.map(amountOf));
  });
  return {
    averages: inWindows(months, snapshot, (totals, divisor) => divideHalfUp(sum(totals), divisor)),
    lows: inWindows(months, snapshot, (totals) => Math.min(...totals)),
    highs: inWindows(months, snapshot, (totals) => Math.max(...totals)),
  };
}

/** A window that the data do not reach back over says nothing. */
function inWindows(
  months: Months,
  snapshot: BudgetSnapshot,
  measure: (totals: readonly number[], divisor: number) => number,
): AverageSpending {
  const last = (count: number): number | null =>
    snapshot.covered < count
      ? null
      : measure(
          months.slice(-count).map((amount) => amount ?? 0),
          divisorOf(snapshot, count),
        );
  return {
    lastMonthMinor: months.at(-1) ?? 0,
    lastThreeMonthsMinor: last(quarterMonths),
    lastTwelveMonthsMinor: last(monthsMax),
    months: snapshot.months.map((month, at) => ({ month, amountMinor: months[at] ?? null })),
  };
}

/** For a budget of which nothing is known yet. */
export const nothing: Spending = (() => {
  const none: AverageSpending = {
    lastMonthMinor: 0,
    lastThreeMonthsMinor: null,
    lastTwelveMonthsMinor: null,
    months: [],
  };
  return { averages: none, lows: none, highs: none };
})();
