/** The interface's read model of a transaction. Source: interface document, "Transaction (read model)". */
import type { Day } from "../time/calendar.ts";
import type { ListedTransaction } from "../ledger/listing.ts";
import { renderTransactionId } from "../ledger/transaction-id.ts";
import { type Money, parseAmount, toNumber } from "../money.ts";
import { shownName } from "../payments/shown-name.ts";
import type { Transaction } from "../interface/services.ts";
import { typeOf } from "../payments/transaction-type.ts";

/** Converts at the day's reference rate; null when none is known. */
export type Convert = (money: Money, currency: string, day: Day) => Money | null;

/** @param currency the brand's. */
export function toTransaction(row: ListedTransaction, currency: string, convert: Convert): Transaction {
  return {
    id: renderTransactionId(row.id),
    transactionDate: row.day,
    type: typeOf(row.rawType),
    ...amountIn(row, currency, convert),
    originalAmount: Number(row.originalAmount ?? row.amount),
    originalCurrency: row.originalAmount === null ? row.currency : (row.originalCurrency ?? row.currency),
    merchantName: shownName(row),
    ...(row.serviceId === null ? {} : { serviceId: row.serviceId }),
    ...(row.accountId === null ? {} : { accountId: row.accountId }),
    ...(row.cardId === null ? {} : { cardId: row.cardId }),
  };
}

/**
 * Own currency first, then the day's rate, then what the purchase itself cost in that currency, else left as it is.
 * Listed rows are all debited, while banks write original amounts with either sign.
 */
function amountIn(row: ListedTransaction, currency: string, convert: Convert): { amount: number; currency: string } {
  if (row.currency === currency) return { amount: Number(row.amount), currency };
  const money = parseAmount(row.amount, row.currency);
  const converted = money && convert(money, currency, row.day);
  if (converted) return { amount: toNumber(converted), currency };
  if (row.originalAmount !== null && row.originalCurrency === currency)
    return { amount: -Math.abs(Number(row.originalAmount)), currency };
  return { amount: Number(row.amount), currency: row.currency };
}
