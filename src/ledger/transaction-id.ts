/**
 * The public id of a transaction: the number by which callers know it (payment-numbers.ts) inside a UUIDv8 (RFC 9562, 5.8), so that no index is needed to
 * find it.
 */

import type { Queryable } from "../database/database.ts";
import { paymentNumbersOf } from "./payment-numbers.ts";

/**
 * Marks our ids: the 60 free bits before the variant, fixed once for all time. A version 8 nibble stands in third
 * place.
 */
const prefix = "7d1f46c0-2b9a-8e35-8";
/** 60 bits remain after the prefix; numbers end at 2^53 − 1, beyond which JavaScript would round them. */
const digits = 15;

/** @param id a positive safe integer, as callers see it. */
export function renderTransactionId(id: number): string {
  const hex = id.toString(16).padStart(digits, "0");
  return `${prefix}${hex.slice(0, 3)}-${hex.slice(3)}`;
}

/** The ledger's own number of the transaction that the text names. Null: a text that `renderTransactionId` never made. */
export async function storedTransactionId(database: Queryable, text: string): Promise<number | null> {
  const told = parseTransactionId(text);
  return told === null ? null : (await paymentNumbersOf(database)).stored(told);
}

/** Null: a text that `renderTransactionId` never made. */
export function parseTransactionId(text: string): number | null {
  const lower = text.toLowerCase();
  if (!lower.startsWith(prefix)) return null;
  const hex = lower.slice(prefix.length).replace("-", "");
  if (!/^[0-9a-f]{15}$/.test(hex)) return null;
  const id = Number.parseInt(hex, 16);
  return Number.isSafeInteger(id) && id > 0 && renderTransactionId(id) === lower ? id : null;
}
