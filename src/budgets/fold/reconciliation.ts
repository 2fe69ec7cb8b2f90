/**
 * Every amount that moved is somewhere: the terms that the bank's rows of the covered months come to, and how what the
 * budget leaves differs from what the accounts kept. Observed amounts only; no term is a budgeted price. Pure.
 */
import type { Comparison, ExcludedReason, Reconciliation, ReconciliationTerm } from "../budget.ts";
import type { BudgetSnapshot, PartTransaction } from "../engine/snapshot.ts";
import { divideHalfUp } from "../monthly.ts";
import { divisorOf, isDayCovered, monthsMax, sum } from "../window.ts";
import type { CategorisedPart } from "./categorised-parts.ts";

/** @param oneOff what no item took, see notBudgeted */
export function reconcile(
  categorised: readonly CategorisedPart[],
  oneOff: readonly PartTransaction[],
  snapshot: BudgetSnapshot,
): Reconciliation {
  const isHere = ({ document }: PartTransaction): boolean => isDayCovered(snapshot, document.transactionDate);
  const once = new Set(oneOff);
  const recurring = (side: "EXPENSE" | "INCOME") =>
    categorised
      .filter(({ part }) => part.side === side)
      .flatMap(({ part }) => part.transactions)
      .filter((one) => isHere(one) && !once.has(one));
  const single = oneOff.filter(isHere);
  const excluded = (Object.keys(snapshot.excluded) as ExcludedReason[]).map((reason) => ({
    reason,
    ...termOf(snapshot.excluded[reason].filter(isHere), 1),
  }));
  return {
    income: termOf(recurring("INCOME"), 1),
    oneOffIncome: termOf(
      single.filter(({ minor }) => minor > 0),
      1,
    ),
    expenses: termOf(recurring("EXPENSE"), -1),
    oneOffExpenses: termOf(
      single.filter(({ minor }) => minor < 0),
      -1,
    ),
    excluded,
    excludedMinor: sum(excluded.map(({ minor }) => minor)),
    bankTotalMinor: snapshot.bankTotalMinor,
    months: snapshot.covered,
    balances: balanceChange(snapshot),
  };
}

function termOf(transactions: readonly PartTransaction[], sign: 1 | -1): ReconciliationTerm {
  return {
    minor: sign * sum(transactions.map(({ minor }) => minor)) || 0,
    transactions: transactions
      .toSorted((a, b) => (a.document.transactionDate + a.txid < b.document.transactionDate + b.txid ? -1 : 1))
      .map(({ document }) => document),
  };
}

/** Of the accounts whose balance is known at both ends of the covered months; null: of none. */
function balanceChange({ balances }: BudgetSnapshot): Reconciliation["balances"] {
  const known = balances.flatMap(({ monthEndsMinor, openingMinor }) => {
    const end = monthEndsMinor.at(-1);
    return end == null || openingMinor === null ? [] : [{ change: end - openingMinor }];
  });
  const checked = balances.flatMap(({ check }) => (check === null ? [] : [check.missingMinor]));
  if (known.length === 0 && checked.length === 0) return null;
  return {
    accounts: known.length,
    changeMinor: known.length === 0 ? null : sum(known.map(({ change }) => change)),
    missingMinor: checked.length === 0 ? null : sum(checked),
  };
}

/** Of the income: what is nearer to the accounts than this is as good as them. */
const agreeingShare = 0.02;

/**
 * A month's figures. What the budget leaves differs from what the accounts kept by three differences: of the income,
 * of the expenses, and by what came and went once.
 */
export function compare(
  budgeted: { incomeMinor: number; expensesMinor: number },
  { income, expenses, oneOffIncome, oneOffExpenses }: Reconciliation,
  snapshot: BudgetSnapshot,
): Comparison {
  const monthly = ({ minor }: ReconciliationTerm): number => divideHalfUp(minor, divisorOf(snapshot, monthsMax));
  const [earned, spent] = [monthly(income), monthly(expenses)];
  const once = monthly(oneOffIncome) - monthly(oneOffExpenses);
  const [budgetMinor, accountsMinor] = [budgeted.incomeMinor - budgeted.expensesMinor, earned - spent + once];
  const difference = budgetMinor - accountsMinor;
  const isNear = Math.abs(difference) <= agreeingShare * Math.max(budgeted.incomeMinor, earned, spent);
  return {
    verdict: snapshot.covered === 0 ? "UNKNOWN" : isNear ? "AGREES" : difference > 0 ? "BETTER" : "WORSE",
    budgetMinor,
    accountsMinor,
    incomeMinor: budgeted.incomeMinor - earned,
    expensesMinor: spent - budgeted.expensesMinor,
    oneOffMinor: 0 - once || 0,
  };
}
