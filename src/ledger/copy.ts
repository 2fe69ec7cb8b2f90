/** Ledger rows as COPY text: the fastest way into PostgreSQL from here; a binary encoder in JavaScript is slower. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import type { Transaction } from "../database.ts";
import type { LedgerRow } from "./row.ts";

/** A row with its owner and digest. */
export type OwnedRow = { userId: number; row: LedgerRow; digest: string };

/** The columns in the order in which `encodeRows` writes them; `id` fills itself. */
export const copyColumns = [
  "user_id", "txid", "booked_on", "tx_time", "raw_type", "description", "amount", "currency", "original_amount", "original_currency",
  "merchant_name", "merchant_cid", "merchant_address", "merchant_city", "merchant_post_code", "merchant_country", "merchant_mcc",
  "account_id", "card_id", "digest", "delivery_position",
].join(", ");

/** Rows turned into text at once: some 250 kB, so that the socket is fed early and no string grows large. */
const rowsPerPiece = 1000;

export function encodeRows(rows: readonly OwnedRow[], deliveryPosition: number): Buffer[] {
  const pieces: Buffer[] = [];
  for (let from = 0; from < rows.length; from += rowsPerPiece) {
    let text = "";
    for (const owned of rows.slice(from, from + rowsPerPiece)) text += encodeRow(owned, deliveryPosition);
    pieces.push(Buffer.from(text));
  }
  return pieces;
}

/** Sends encoded rows into a table whose columns are `copyColumns`. The caller owns the transaction. */
export async function copyRows(transaction: Transaction, table: string, pieces: readonly Buffer[]): Promise<void> {
  await pipeline(Readable.from(pieces, { objectMode: false }), transaction.query(copyFrom(`copy ${table} (${copyColumns}) from stdin`)));
}

function encodeRow({ userId, row, digest }: OwnedRow, deliveryPosition: number): string {
  return (
    `${userId}\t${text(row.txid)}\t${row.bookedOn}\t${text(row.txTime)}\t${text(row.rawType)}\t${text(row.description)}` +
    `\t${row.amount}\t${row.currency}\t${row.originalAmount ?? "\\N"}\t${row.originalCurrency ?? "\\N"}` +
    `\t${optional(row.merchantName)}\t${optional(row.merchantCid)}\t${optional(row.merchantAddress)}\t${optional(row.merchantCity)}` +
    `\t${optional(row.merchantPostCode)}\t${optional(row.merchantCountry)}\t${row.merchantMcc ?? "\\N"}` +
    `\t${optional(row.accountId)}\t${optional(row.cardId)}\t${digest}\t${deliveryPosition}\n`
  );
}

const special = /[\\\t\n\r]/;
const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function text(value: string): string {
  return special.test(value) ? value.replace(/[\\\t\n\r]/g, (character) => escapes[character] ?? character) : value;
}

function optional(value: string | null): string {
  return value === null ? "\\N" : text(value);
}
