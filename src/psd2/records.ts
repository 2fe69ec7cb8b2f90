/** From a bank's accounts and payments to the records that every other door brings. Pure. */
import type { RawTransaction } from "../interface/record.ts";
import { accountIdOf } from "../ledger/account-id.ts";
import { parseAmount, toNumber } from "../money.ts";
import type { BankAccount, BankTransaction } from "./connector.ts";

/** ISO 20022 families and sub-families (bank transaction codes), by the word in which partners send types. */
const typesOfCodes: readonly [RegExp, string][] = [
  [/CWDL/, "CASH_WITHDRAWAL"],
  [/CDPT/, "CASH_DEPOSIT"],
  [/CCRD|MCRD/, "CARD_PURCHASE"],
  [/RDDT|IDDT|DDT/, "DIRECT_DEBIT"],
  [/RCDT|ICDT/, "ACCOUNT_TRANSFER"],
];

/** @returns null for an amount that cannot be counted */
export function recordOf(
  uid: string,
  bankId: string,
  account: BankAccount,
  one: BankTransaction,
): RawTransaction | null {
  const amount = parseAmount(one.amount, one.currency);
  if (amount === null) return null;
  const accountId = accountIdOf(bankId, account);
  const original =
    one.originalAmount === null || one.originalCurrency === null
      ? null
      : parseAmount(one.originalAmount, one.originalCurrency);
  return {
    uid,
    type: "TX",
    account: { id: accountId, name: account.name, iban: account.iban },
    tx: {
      txid: `${accountId}-${one.id}`,
      description: one.text === "" ? (one.counterparty ?? "-") : one.text,
      txTime: one.bookedOn,
      type: typeOf(one),
      amount: toNumber(amount),
      currency: one.currency,
      ...(original === null ? {} : { originalAmount: toNumber(original), originalCurrency: original.currency }),
      ...(one.counterparty === null && one.mcc === null
        ? {}
        : { merchant: { name: one.counterparty ?? one.text, ...(one.mcc === null ? {} : { mcc: one.mcc }) } }),
    },
  };
}

function typeOf({ code, mcc }: BankTransaction): string {
  const found = typesOfCodes.find(([pattern]) => pattern.test(code ?? ""));
  return found?.[1] ?? (mcc === null ? "OTHER" : "CARD_PURCHASE");
}
