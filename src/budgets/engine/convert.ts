/** One ledger row in the brand's currency, and as the interface tells it. */
import type { LedgerTransaction } from "../../ledger/history.ts";
import { renderTransactionId } from "../../ledger/transaction-id.ts";
import { toNumber } from "../../money.ts";
import type { Converted } from "../../rates/rates.ts";
import { merchantOf } from "../../payments/merchant.ts";
import { shownName } from "../../payments/shown-name.ts";
import type { Transaction } from "../../interface/services.ts";
import { typeOf } from "../../payments/transaction-type.ts";
import type { Counted } from "./counted.ts";
import type { PartTransaction } from "./snapshot.ts";

/** @param serviceId to which the payment belongs; null when to none. */
export function partTransaction(
  { row, minor, rateDate }: Pick<Counted, "row" | "minor" | "rateDate">,
  currency: string,
  serviceId: string | null,
): PartTransaction {
  const converted = { minor, currency, ...(rateDate === undefined ? {} : { rateDate }) };
  return { txid: row.txid, minor, oneOff: false, document: documentOf(row, converted, serviceId) };
}

function documentOf(
  row: LedgerTransaction,
  { minor, currency, rateDate }: Converted,
  serviceId: string | null,
): Transaction {
  const isForeign = row.originalAmountMinor !== null;
  const original = {
    minor: row.originalAmountMinor ?? row.amountMinor,
    currency: isForeign ? (row.originalCurrency ?? row.currency) : row.currency,
  };
  return {
    id: renderTransactionId(row.id),
    transactionDate: row.day,
    type: typeOf(row.rawType),
    amount: toNumber({ minor, currency }),
    currency,
    ...(rateDate === undefined ? {} : { rateDate }),
    originalAmount: toNumber(original),
    originalCurrency: original.currency,
    merchantName: shownName(row),
    ...(serviceId === null ? {} : { serviceId }),
    ...(row.accountId === null ? {} : { accountId: row.accountId }),
    ...(row.cardId === null ? {} : { cardId: row.cardId }),
  };
}

/** The payee as a person would write it. */
export function titleOf({ merchantName, description, rawType }: LedgerTransaction): string {
  return merchantOf(merchantName, description).title || (merchantName ?? description).trim() || rawType;
}
