/** The interface's read model of a transaction. Source: interface document, "Transaction (read model)". */
import type { ListedTransaction } from "../ledger/listing.ts";
import { renderTransactionId } from "../ledger/transaction-id.ts";
import { parseAmount, toNumber } from "../money.ts";
import { inCurrency } from "../payments/converted.ts";
import { shownName } from "../payments/shown-name.ts";
import type { Convert } from "../rates/rates.ts";
import type { Transaction } from "../interface/services.ts";
import { typeOf } from "../payments/transaction-type.ts";

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

/** Left as it is where nothing converts it. */
function amountIn(
  row: ListedTransaction,
  currency: string,
  convert: Convert,
): Pick<Transaction, "amount" | "currency" | "rateDate"> {
  const own = parseAmount(row.amount, row.currency);
  const original =
    row.originalAmount === null || row.originalCurrency === null
      ? null
      : parseAmount(row.originalAmount, row.originalCurrency);
  const converted =
    own &&
    inCurrency(
      {
        amountMinor: own.minor,
        currency: row.currency,
        originalAmountMinor: original?.minor ?? null,
        originalCurrency: original?.currency ?? null,
        day: row.day,
      },
      currency,
      convert,
    );
  if (row.currency === currency || converted === null) return { amount: Number(row.amount), currency: row.currency };
  const { rateDate } = converted;
  return { amount: toNumber(converted), currency, ...(rateDate === undefined ? {} : { rateDate }) };
}
