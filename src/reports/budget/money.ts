/** Where every amount went, in the terms that come to the bank's sum, and why the budget leaves another amount. */
import type { FoldedBudget, Reconciliation, ReconciliationTerm } from "../../budgets/budget.ts";
import { comparisonText } from "../../budgets/fold/risks.ts";
import type { Row } from "../document/blocks.ts";
import { type Blocks, figures, fill, row, type Writing } from "./writing.ts";

/** For the page of the summary; empty without a complete month. */
export function moneyBlocks({ reconciliation }: FoldedBudget, writing: Writing): Blocks {
  const { pages, formats } = writing;
  const { money } = pages;
  if (reconciliation === null || reconciliation.months === 0) return [];
  return [
    { kind: "heading", text: money.title },
    { kind: "paragraph", tone: "small", text: fill(money.intro, { count: formats.counted(reconciliation.months) }) },
    {
      kind: "table",
      summary: money.title,
      columns: [{ title: money.term, weight: 4 }, figures(money.count), figures(money.amount)],
      rows: termRows(reconciliation, writing),
    },
    { kind: "paragraph", tone: "small", text: `${balanceText(reconciliation, writing)} ${money.whole}` },
  ];
}

/** What the budget leaves beside what the accounts kept, in words that are true of the figures. */
export function comparisonBlocks({ comparison, income }: FoldedBudget, writing: Writing): Blocks {
  return income === null || comparison === null
    ? []
    : [{ kind: "paragraph", text: comparisonText(comparison, writing) }];
}

/** With the sign by which they add up; lines that nothing moved in are left out. */
function termRows(told: Reconciliation, { pages: { money }, amount, formats }: Writing): Row[] {
  const line = (label: string, { transactions }: ReconciliationTerm, minor: number): Row[] =>
    transactions.length === 0 ? [] : [row("data", label, formats.count(transactions.length), amount(minor))];
  return [
    ...line(money.INCOME, told.income, told.income.minor),
    ...line(money.ONE_OFF_INCOME, told.oneOffIncome, told.oneOffIncome.minor),
    ...line(money.EXPENSES, told.expenses, 0 - told.expenses.minor),
    ...line(money.ONE_OFF_EXPENSES, told.oneOffExpenses, 0 - told.oneOffExpenses.minor),
    ...told.excluded.flatMap((term) => line(money[term.reason], term, term.minor)),
    row("total", money.total, "", amount(told.bankTotalMinor)),
  ];
}

function balanceText({ balances }: Reconciliation, { pages: { money }, money: written, formats }: Writing): string {
  if (balances === null) return money.noBalances;
  const { accounts, changeMinor, missingMinor } = balances;
  return [
    changeMinor === null
      ? money.noBalances
      : fill(money.balanceChange, { accounts: formats.counted(accounts), change: written(changeMinor) }),
    ...(missingMinor === null
      ? []
      : [missingMinor === 0 ? money.balanceAgrees : fill(money.balanceMissing, { amount: written(missingMinor) })]),
  ].join(" ");
}
