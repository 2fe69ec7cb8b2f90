/** Rows for tests of categorising: a day, an amount and a text are enough. */
import type { BudgetHistory, BudgetTransaction } from "../../src/categories/budget-history.ts";
import { categorise } from "../../src/categories/categorised.ts";
import { parseAmount } from "../../src/money.ts";

export type Row = Partial<BudgetTransaction> & { text?: string; amount: string; day: string };

let rows = 0;

/** amount: decimal text with the bank's sign, in Danish kroner. */
export function row({ text = "", amount, ...fields }: Row): BudgetTransaction {
  const money = parseAmount(amount, fields.currency ?? "DKK");
  if (money === null) throw new RangeError(`${amount} is no amount`);
  return {
    txid: `row-${++rows}`,
    rawType: "CARD_PURCHASE",
    description: text,
    amountMinor: money.minor,
    currency: "DKK",
    originalAmountMinor: null,
    originalCurrency: null,
    merchantName: null,
    merchantCid: null,
    merchantCountry: null,
    mcc: null,
    accountId: "main",
    cardId: null,
    iban: null,
    ...fields,
  };
}

export function history(transactions: readonly BudgetTransaction[], more: Partial<BudgetHistory> = {}): BudgetHistory {
  return {
    transactions,
    series: [],
    ownAccounts: [{ id: "main", iban: null }],
    country: "DK",
    asOf: "2026-11-20",
    userRules: new Map(),
    ...more,
  };
}

/** What is made of a user's rows when nothing else is known of them. */
export const only = (...rows: readonly BudgetTransaction[]) => categorise(history(rows));

/** One recognised series of these rows, of no known product. */
export const series = (rows: readonly { txid: string }[], direction: "IN" | "OUT" = "IN") => [
  { direction, productId: null, paymentFrequency: "MONTHLY" as const, txids: rows.map(({ txid }) => txid) },
];
