/**
 * Histories from a file of RawTransaction objects: JSON Lines or one JSON array, plain or gzip.
 */
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createGunzip, gunzipSync } from "node:zlib";
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

/** Brand of a user for whom none is named. */
export function homeOf(
  history: readonly HistoryTransaction[],
  named: { country?: string; currency?: string } = {},
): { country: string; currency: string } {
  const currency = named.currency ?? mostFrequent(history.map((transaction) => transaction.currency));
  return { currency, country: named.country ?? countryOfCurrency[currency] ?? "" };
}

export async function readHistories(
  file: string,
): Promise<{ histories: Map<string, HistoryTransaction[]>; leftOut: number }> {
  const histories = new Map<string, HistoryTransaction[]>();
  let leftOut = 0;
  for await (const record of recordsOf(file)) {
    if (record.type === "IMPORT_COMPLETED") continue;
    const transaction = record.tx === undefined ? null : historyTransaction(record, record.tx);
    if (transaction === null) leftOut++;
    else listOf(histories, record.uid).push(transaction);
  }
  return { histories, leftOut };
}

async function* recordsOf(file: string): AsyncGenerator<RawTransaction> {
  if (await isArray(file)) {
    yield* JSON.parse((await contentOf(file)).toString("utf8")) as RawTransaction[];
    return;
  }
  const lines = createInterface({ input: streamOf(file), crlfDelay: Infinity });
  for await (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as RawTransaction;
}

function streamOf(file: string): Readable {
  const stream = createReadStream(file);
  return file.endsWith(".gz") ? stream.pipe(createGunzip()) : stream;
}

async function contentOf(file: string): Promise<Buffer> {
  const content = await readFile(file);
  return file.endsWith(".gz") ? gunzipSync(content) : content;
}

async function isArray(file: string): Promise<boolean> {
  for await (const chunk of streamOf(file)) return (chunk as Buffer).toString("utf8").trimStart().startsWith("[");
  return false;
}

/** Null when the day or an amount cannot be read. */
export function historyTransaction(record: RawTransaction, tx: RawTx): HistoryTransaction | null {
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
