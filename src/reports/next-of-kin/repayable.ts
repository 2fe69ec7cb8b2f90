/** Income that ends with a life: pensions and benefits, by payer and kind. Pure. */
import { addMonths, type Day } from "../../time/calendar.ts";
import type { Categorised } from "../../categories/categorised.ts";
import { groupOf } from "../../categories/tree.ts";
import type { LedgerTransaction } from "../../ledger/history.ts";
import type { RecognisedService } from "../../recognition/recognise.ts";
import type { RepayableIncome } from "./estate.ts";
import { firstOf } from "../../present.ts";

/** Groups of the category tree whose payers stop with a death. */
const repayableGroups: ReadonlySet<string | null> = new Set(["INCOME_PENSION", "INCOME_BENEFITS"]);
const months = 12;

/** What is known of the income in a history. */
export type KnownIncome = {
  categorised: readonly Pick<Categorised, "transactionId" | "categoryId" | "payeeKey">[];
  series: readonly Pick<RecognisedService, "payments" | "paymentFrequency">[];
};

/** Of the twelve months to the day, the largest first. */
export function repayableIncome(
  history: readonly LedgerTransaction[],
  { categorised, series }: KnownIncome,
  asOf: Day,
): RepayableIncome[] {
  const since = addMonths(asOf, -months);
  const rows = new Map(history.map((row) => [row.txid, row]));
  const received = categorised.flatMap(({ transactionId, categoryId, payeeKey }) => {
    const row = rows.get(transactionId);
    if (row === undefined || categoryId === null || row.amountMinor <= 0 || row.day <= since || row.day > asOf)
      return [];
    return repayableGroups.has(groupOf(categoryId)) ? [{ row, categoryId, payeeKey }] : [];
  });
  const grouped = Map.groupBy(received, ({ row, categoryId, payeeKey }) => `${payeeKey} ${categoryId} ${row.currency}`);
  return [...grouped.values()]
    .map((group) => incomeOf(group, series))
    .sort((a, b) => b.total.minor - a.total.minor || (a.payer < b.payer ? -1 : 1));
}

type Received = { row: LedgerTransaction; categoryId: string };

function incomeOf(group: readonly Received[], series: KnownIncome["series"]): RepayableIncome {
  const { row: latest, categoryId } = group.reduce(
    (found, one) => (one.row.day > found.row.day ? one : found),
    firstOf(group),
  );
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
