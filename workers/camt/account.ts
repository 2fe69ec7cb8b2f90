/** How an account of a statement is called in the accounts table: by its IBAN, a part of it, or the bank's own number. */
import { hash } from "node:crypto";
import type { IbanRules } from "../../src/partners/settings/iban-rules.ts";
import type { AccountName } from "../bytes/read-rows.ts";
import { type Element, find, textAt } from "./elements.ts";

export type StatedAccount = { owner: AccountName; iban: string; name: string; currency: string; digest: string };

/** What stands for the bank where an IBAN says everything. */
export const bankOfIbans = "IBAN";

const digestCharacters = 16;

/** @param account Acct; null where the statement has none: then its names are empty, which no record may have */
export function readAccount(account: Element | null, rules: IbanRules): StatedAccount {
  const iban = textAt(account, "Id", "IBAN").replaceAll(/\s/g, "").toUpperCase();
  const owner = iban === "" ? ownNumber(account) : byIban(iban, rules);
  return {
    owner,
    iban,
    name: textAt(account, "Nm"),
    currency: textAt(account, "Ccy"),
    // Names the account within a txid, which is shown where the number must not be.
    digest: hash("sha256", iban || `${owner.bankId}\0${owner.accountNumber}`, "hex").slice(0, digestCharacters),
  };
}

function byIban(iban: string, rules: IbanRules): AccountName {
  const rule = rules[iban.slice(0, 2)];
  if (rule === undefined) return { bankId: bankOfIbans, accountNumber: iban };
  const number = iban.slice(4);
  const cut = ([from, to]: readonly [number, number]) => number.slice(from - 1, to);
  return { bankId: cut(rule.bankId), accountNumber: cut(rule.accountNumber) };
}

function ownNumber(account: Element | null): AccountName {
  const bank = find(account, "Svcr", "FinInstnId");
  return {
    bankId:
      textAt(bank, "BICFI") ||
      textAt(bank, "BIC") ||
      textAt(bank, "ClrSysMmbId", "MmbId") ||
      textAt(bank, "Othr", "Id"),
    accountNumber: textAt(account, "Id", "Othr", "Id"),
  };
}
