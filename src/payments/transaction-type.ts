/**
 * Banks' names of transaction types, in the interface's words. Source: interface document, "Transaction (read model)".
 */
import type { Transaction } from "../interface/services.ts";

export type TransactionType = Transaction["type"];

/** The interface's own names. */
const types: ReadonlySet<string> = new Set<TransactionType>([
  "CARD_PURCHASE",
  "CASH_WITHDRAWAL",
  "OTHER",
  "ACCOUNT_TRANSFER",
  "DIRECT_DEBIT",
  "INVOICE",
  "CASH_DEPOSIT",
  "UNKNOWN",
]);
/** What banks also call their transactions; anything else is UNKNOWN, so that a new name is noticed. */
const otherTypes: ReadonlySet<string> = new Set([
  "BANK_FEE",
  "CARD_PAYMENT",
  "CARD_REFUND",
  "CHEQUE",
  "CREDIT_TRANSFER",
  "CURRENCY_EXCHANGE",
  "DIVIDEND",
  "FEE",
  "INTEREST",
  "LOAN",
  "LOAN_PAYMENT",
  "MOBILE_PAYMENT",
  "PAYMENT",
  "PENALTY",
  "PENSION",
  "REFUND",
  "SALARY",
  "SECURITIES",
  "STANDING_ORDER",
  "TAX",
  "TRANSFER_IN",
  "TRANSFER_OUT",
]);

/** By name, whatever its case and separators. */
export function typeOf(rawType: string): TransactionType {
  const name = rawType
    .trim()
    .toUpperCase()
    .replace(/[\s-]+/g, "_");
  if (types.has(name)) return name as TransactionType;
  return otherTypes.has(name) ? "OTHER" : "UNKNOWN";
}
