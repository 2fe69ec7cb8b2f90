/** One ledger row in the brand's currency, and as the interface tells it. */
import type { Day } from "../../time/calendar.ts";
import type { LedgerTransaction } from "../../ledger/history.ts";
import { renderTransactionId } from "../../ledger/transaction-id.ts";
import { type Money, toNumber } from "../../money.ts";
import { merchantOf } from "../../payments/merchant.ts";
import { shownName } from "../../payments/shown-name.ts";
import type { Transaction } from "../../interface/services.ts";
import { typeOf } from "../../payments/transaction-type.ts";
import type { PartTransaction } from "./snapshot.ts";

/** At the day's reference rate; null when none is known. */
export type Convert = (money: Money, currency: string, day: Day) => Money | null;

/**
 * Own currency first, then the day's rate, then what the purchase itself cost in that currency. Null: none of these.
 */
export function inCurrency(row: LedgerTransaction, currency: string, convert: Convert): number | null {
  if (row.currency === currency) return row.amountMinor;
  const converted = convert({ minor: row.amountMinor, currency: row.currency }, currency, row.day);
  if (converted !== null) return converted.minor;
  if (row.originalCurrency !== currency || row.originalAmountMinor === null) return null;
  return Math.sign(row.amountMinor) * Math.abs(row.originalAmountMinor);
}

/** @param serviceId to which the payment belongs; null when to none. */
export function partTransaction(
  row: LedgerTransaction,
  minor: number,
  currency: string,
  serviceId: string | null,
): PartTransaction {
  return { txid: row.txid, minor, oneOff: false, document: documentOf(row, minor, currency, serviceId) };
}

function documentOf(row: LedgerTransaction, minor: number, currency: string, serviceId: string | null): Transaction {
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
