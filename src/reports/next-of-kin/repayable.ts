/** Income that ends with a life: pensions and benefits, by payer and kind. Pure. */
import { addMonths, type Day } from "../../calendar.ts";
import { categorise } from "../../budgets/categories/categorised.ts";
import { seriesOf } from "../../budgets/categories/budget-history.ts";
import { groupOf } from "../../budgets/categories/tree.ts";
import type { LedgerTransaction } from "../../ledger/history.ts";
import { type RecognisedService, recognise } from "../../recognition/recognise.ts";
import type { RepayableIncome } from "./estate.ts";

/** Groups of the category tree whose payers stop with a death. */
const repayableGroups: ReadonlySet<string | null> = new Set(["INCOME_PENSION", "INCOME_BENEFITS"]);
const months = 12;

export type IncomeContext = { asOf: Day; country: string; currency: string; accounts: readonly { id: string; iban: string }[] };

/** Largest in the last twelve months first. */
export function repayableIncome(history: readonly LedgerTransaction[], { asOf, country, currency, accounts }: IncomeContext): RepayableIncome[] {
  const recognition = recognise(history, { asOf, country, currency });
  const since = addMonths(asOf, -months);
  const categorised = categorise({
    transactions: history, series: seriesOf(recognition), country, asOf, userRules: new Map(),
    ownAccounts: accounts.map(({ id, iban }) => ({ id, iban: iban === "" ? null : iban })),
  });
  const rows = new Map(history.map((row) => [row.txid, row]));
  const received = categorised.flatMap(({ transactionId, categoryId, payeeKey }) => {
    const row = rows.get(transactionId);
    if (row === undefined || categoryId === null || row.amountMinor <= 0 || row.day <= since || row.day > asOf) return [];
    return repayableGroups.has(groupOf(categoryId)) ? [{ row, categoryId, payeeKey }] : [];
  });
  const grouped = Map.groupBy(received, ({ row, categoryId, payeeKey }) => `${payeeKey} ${categoryId} ${row.currency}`);
  return [...grouped.values()].map((group) => incomeOf(group, recognition.income)).sort((a, b) => b.total.minor - a.total.minor || (a.payer < b.payer ? -1 : 1));
}

type Received = { row: LedgerTransaction; categoryId: string };

function incomeOf(group: readonly Received[], series: readonly RecognisedService[]): RepayableIncome {
  const { row: latest, categoryId } = group.reduce((found, one) => (one.row.day > found.row.day ? one : found));
  const own = series.find(({ payments }) => payments.some(({ txid }) => txid === latest.txid));
  return {
    payer: latest.merchantName ?? latest.description,
    categoryId,
    frequency: own?.paymentFrequency ?? null,
    lastDay: latest.day,
    lastAmount: { minor: latest.amountMinor, currency: latest.currency },
    total: { minor: group.reduce((sum, { row }) => sum + row.amountMinor, 0), currency: latest.currency },
  };
}
