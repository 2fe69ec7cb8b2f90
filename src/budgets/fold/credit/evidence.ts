/** Rows that prove something: those of the window, and apart from them those of the running month. Pure. */
import type { Evidence } from "../../budget.ts";
import type { BudgetSnapshot, PartTransaction } from "../../engine/snapshot.ts";
import { firstDayOf, monthIndexOf, sum } from "../../window.ts";

export const noEvidence: Evidence = { count: 0, minor: 0, sinceCount: 0, sinceMinor: 0, transactions: [] };

/** Amounts without their sign. */
export function evidenceOf(transactions: readonly PartTransaction[], snapshot: BudgetSnapshot): Evidence {
  const from = firstDayOf(snapshot);
  const shown = transactions
    .filter(({ document }) => document.transactionDate >= from)
    .toSorted((a, b) => (a.document.transactionDate + a.txid < b.document.transactionDate + b.txid ? -1 : 1));
  const [inWindow, since] = [true, false].map((isIn) =>
    shown.filter(({ document }) => monthIndexOf(snapshot, document.transactionDate) >= 0 === isIn),
  ) as [PartTransaction[], PartTransaction[]];
  const total = (rows: readonly PartTransaction[]): number => sum(rows.map(({ minor }) => Math.abs(minor)));
  return {
    count: inWindow.length,
    minor: total(inWindow),
    sinceCount: since.length,
    sinceMinor: total(since),
    transactions: shown.map(({ document }) => document),
  };
}

export function isEmpty({ count, sinceCount }: Evidence): boolean {
  return count + sinceCount === 0;
}
