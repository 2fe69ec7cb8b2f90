/**
 * Histories from a file of RawTransaction objects: JSON Lines or one JSON array, plain or gzip.
 */
import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { Fault } from "../errors.ts";
import { isDay } from "../time/calendar.ts";
import type { RawTransaction, RawTx } from "../interface/record.ts";
import { parseAmount } from "../money.ts";
import type { HistoryTransaction } from "./payment.ts";

/** Where a currency is at home, for files that name no brand. */
const countryOfCurrency: Readonly<Record<string, string>> = {
  DKK: "DK",
  NOK: "NO",
  SEK: "SE",
  ISK: "IS",
  GBP: "GB",
  PLN: "PL",
  CZK: "CZ",
  EUR: "DE",
};

const tableName = /\.csv(?:\.gz)?$/i;

/** Brand of a user for whom none is named. */
export function homeOf(
  history: readonly HistoryTransaction[],
  named: { country?: string; currency?: string } = {},
): { country: string; currency: string } {
  const currency = named.currency ?? mostFrequent(history.map((transaction) => transaction.currency));
  return { currency, country: named.country ?? countryOfCurrency[currency] ?? "" };
}

/** Of users whose records name it: where they live, by the record's additional key `country`. */
export type Countries = ReadonlyMap<string, string>;

/** Records that are no transaction: how many, and the first by its number in the file and what is wrong with it. */
export type LeftOut = { count: number; first: string | null };

/**
 * Records that are no transaction are left out and counted. @throws Fault SOURCE_INVALID for what is no file of records,
 * naming the line
 */
export async function readHistories(
  file: string,
): Promise<{ histories: Map<string, HistoryTransaction[]>; countries: Countries; leftOut: LeftOut }> {
  const histories = new Map<string, HistoryTransaction[]>();
  const countries = new Map<string, string>();
  const leftOut: LeftOut = { count: 0, first: null };
  let records = 0;
  for await (const record of recordsOf(file)) {
    records++;
    const country = countryOf(record);
    if (country !== null && !countries.has(record.uid)) countries.set(record.uid, country);
    if (record.type === "IMPORT_COMPLETED") continue;
    const transaction = record.tx == null ? null : historyTransaction(record, record.tx);
    if (transaction !== null) listOf(histories, record.uid).push(transaction);
    else if (++leftOut.count === 1) leftOut.first = `record ${records} ${problemOf(record.tx)}`;
  }
  if (records === 0) throw new Fault("SOURCE_INVALID", `${file}, line 1 holds no record: the file is empty.`);
  return { histories, countries, leftOut };
}

/** The interface has no such key; files that hold users of several countries with one currency do. */
function countryOf(record: object): string | null {
  return "country" in record && typeof record.country === "string" && /^[A-Z]{2}$/.test(record.country)
    ? record.country
    : null;
}

async function* recordsOf(file: string): AsyncGenerator<RawTransaction> {
  // First of all whether it can be read: a name alone says nothing of what is not there.
  const isOneArray = await isArray(file);
  if (tableName.test(file))
    throw new Fault(
      "SOURCE_INVALID",
      `${file}, line 1 is of a CSV file: what is read are RawTransaction objects, as JSON Lines or as one JSON array.`,
    );
  if (isOneArray) {
    const array = parseArray(await contentOf(file), file);
    for (const [at, value] of array.entries()) yield assertRecord(value, `${file}, element ${at}`);
    return;
  }
  let line = 0;
  for await (const text of linesOf(file)) {
    line++;
    if (text.trim() !== "") yield assertRecord(parseLine(text, `${file}, line ${line}`), `${file}, line ${line}`);
  }
}

function parseArray(text: string, file: string): unknown[] {
  try {
    return JSON.parse(text) as unknown[];
  } catch (cause) {
    const [, position] = /at position (\d+)/.exec(messageOf(cause)) ?? [];
    const line = text.slice(0, position === undefined ? text.length : Number(position)).split("\n").length;
    throw new Fault("SOURCE_INVALID", `${file}, line ${line} breaks the JSON array that begins the file.`, { cause });
  }
}

function parseLine(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Fault("SOURCE_INVALID", `${place} is not JSON.`, { cause });
  }
}

function assertRecord(value: unknown, place: string): RawTransaction {
  if (typeof value !== "object" || value === null || !("uid" in value) || typeof value.uid !== "string")
    throw new Fault("SOURCE_INVALID", `${place} is not a RawTransaction: it has no uid.`);
  return value as RawTransaction;
}

/** node:readline would not hand on an error of its input, such as a damaged gzip file. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of textOf(file)) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

async function contentOf(file: string): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of textOf(file)) chunks.push(chunk);
  return chunks.join("");
}

async function isArray(file: string): Promise<boolean> {
  for await (const chunk of textOf(file)) if (chunk.trim() !== "") return chunk.trimStart().startsWith("[");
  return false;
}

/** @throws Fault SOURCE_INVALID for what cannot be read or unpacked */
async function* textOf(file: string): AsyncGenerator<string> {
  const bytes = createReadStream(file);
  const stream: Readable = file.endsWith(".gz") ? bytes.pipe(createGunzip()) : bytes;
  if (stream !== bytes) bytes.once("error", (error) => stream.destroy(error));
  try {
    for await (const chunk of stream.setEncoding("utf8")) yield String(chunk);
  } catch (cause) {
    throw new Fault("SOURCE_INVALID", `${file} cannot be read (${messageOf(cause)}).`, { cause });
  } finally {
    bytes.destroy();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Without which a row cannot be. */
const neededTexts = ["txid", "description", "txTime", "type", "currency"] as const;

/** Whether all is there: files are written by anyone. */
function isWhole(tx: RawTx): boolean {
  return lackOf(tx) === null;
}

function lackOf(tx: RawTx): string | null {
  const lack = neededTexts.find((name) => typeof tx[name] !== "string");
  if (lack !== undefined) return `has no text tx.${lack}`;
  return typeof tx.amount === "number" ? null : "has no number tx.amount";
}

function problemOf(tx: RawTx | null | undefined): string {
  if (tx == null) return "has no tx";
  return (
    lackOf(tx) ?? (isDay(tx.txTime.slice(0, 10)) ? "has a tx.amount that is none" : "has a tx.txTime that is no day")
  );
}

/** Null when a field is missing, or the day or an amount cannot be read. */
export function historyTransaction(record: RawTransaction, tx: RawTx): HistoryTransaction | null {
  if (!isWhole(tx)) return null;
  const day = tx.txTime.slice(0, 10);
  const amount = parseAmount(tx.amount, tx.currency);
  if (!isDay(day) || amount === null) return null;
  const originalCurrency = tx.originalCurrency ?? null;
  const original =
    originalCurrency === null || tx.originalAmount == null ? null : parseAmount(tx.originalAmount, originalCurrency);
  return {
    txid: tx.txid,
    day,
    rawType: tx.type,
    description: tx.description,
    amountMinor: amount.minor,
    currency: tx.currency,
    originalAmountMinor: original?.minor ?? null,
    originalCurrency,
    merchantName: tx.merchant?.name ?? null,
    merchantCid: tx.merchant?.cid ?? null,
    merchantCountry: tx.merchant?.country ?? null,
    mcc: tx.merchant?.mcc ?? null,
    accountId: record.account?.id ?? null,
    cardId: record.card?.id ?? null,
    iban: record.account?.iban ?? null,
  };
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "";
}

function listOf(histories: Map<string, HistoryTransaction[]>, uid: string): HistoryTransaction[] {
  let list = histories.get(uid);
  if (list === undefined) histories.set(uid, (list = []));
  return list;
}
