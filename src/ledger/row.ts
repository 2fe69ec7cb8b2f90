/** What the ledger keeps of one record, and the canonical content by which repeats and conflicts are told apart. */
import { hash } from "node:crypto";
import type { Day } from "../calendar.ts";

/** A transaction as it is stored, but for its owner and its delivery. Amounts are decimal text, exactly as sent. */
export type LedgerRow = {
  txid: string;
  bookedOn: Day;
  /** The sender's time stamp as it came; only its date is reliable. */
  txTime: string;
  rawType: string;
  description: string;
  amount: string;
  currency: string;
  originalAmount: string | null;
  originalCurrency: string | null;
  merchantName: string | null;
  merchantCid: string | null;
  merchantAddress: string | null;
  merchantCity: string | null;
  merchantPostCode: string | null;
  merchantCountry: string | null;
  merchantMcc: number | null;
  accountId: string | null;
  cardId: string | null;
};

export type LedgerAccount = { id: string; name: string; iban: string };
export type LedgerCard = { id: string; pan4: string; cardType: string | null; paymentNetwork: string | null };

const digestCharacters = 32;

/**
 * 128 bits over a row's content, as 32 hexadecimal digits: equal for the same content through any door and in any
 * formatting. The time of day does not count (the interface: only the date part is reliable), nor do names of accounts
 * and cards, which customers change. The first half of SHA-256: nobody can make two contents of one digest on purpose.
 */
export function digestOf(row: LedgerRow): string {
  return hash("sha256", canonicalContent(row), "hex").slice(0, digestCharacters);
}

/** Fields behind each other; texts never contain NUL, so the marks between them cannot be imitated. */
function canonicalContent(row: LedgerRow): string {
  return (
    `${row.bookedOn}\0${row.rawType}\0${row.description}\0${row.amount}\0${row.currency}` +
    optional(row.originalAmount) +
    optional(row.originalCurrency) +
    optional(row.merchantName) +
    optional(row.merchantCid) +
    optional(row.merchantAddress) +
    optional(row.merchantCity) +
    optional(row.merchantPostCode) +
    optional(row.merchantCountry) +
    optional(row.merchantMcc) +
    optional(row.accountId) +
    optional(row.cardId)
  );
}

/** An empty field counts as absent: a table cannot tell the two apart. */
function optional(value: string | number | null): string {
  return value === null || value === "" ? "\0" : `\0=${value}`;
}
