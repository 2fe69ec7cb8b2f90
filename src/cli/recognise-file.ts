/**
 * Recognition over a file of RawTransaction objects, without a database: JSON Lines or one JSON array, plain or gzip.
 * Writes one service a line.
 */
import { createReadStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { createGunzip, gunzipSync } from "node:zlib";
import { type Day, isDay } from "../calendar.ts";
import type { RawTransaction, RawTx } from "../landing/record.ts";
import { parseAmount, toNumber } from "../money.ts";
import { type HistoryTransaction, type RecognisedService, recognise } from "../recognition/recognise.ts";

export type RecogniseFileOptions = {
  file: string;
  /** A day for all users, or the path of a JSON object uid → day; default: each user's last transaction day. */
  asOf?: string;
  /** Brand of the users; default: the currency of most of a user's transactions, and that currency's country. */
  country?: string;
  currency?: string;
  out: NodeJS.WritableStream;
  /** Called with one line of progress or result. */
  progress: (line: string) => void;
};

/** Where a currency is at home, for files that name no brand. */
const COUNTRY_OF_CURRENCY: Readonly<Record<string, string>> = {
  DKK: "DK", NOK: "NO", SEK: "SE", ISK: "IS", GBP: "GB", PLN: "PL", CZK: "CZ", EUR: "DE",
};
const PROGRESS_EVERY_USERS = 500;

/** Throws when the file cannot be read or a line is not JSON; records that are no transaction are left out and counted. */
export async function recogniseFile(options: RecogniseFileOptions): Promise<{ users: number; services: number }> {
  const asOf = await asOfDays(options.asOf);
  const { histories, leftOut } = await readHistories(options.file);
  let services = 0;
  let users = 0;
  for (const [uid, history] of histories) {
    const found = recogniseUser(uid, history, asOf, options);
    services += found.length;
    for (const service of found) await write(options.out, `${JSON.stringify(lineOf(uid, service))}\n`);
    if (++users % PROGRESS_EVERY_USERS === 0) options.progress(`${users} of ${histories.size} users`);
  }
  options.progress(`${users} users, ${services} services${leftOut > 0 ? `, ${leftOut} records left out` : ""}`);
  return { users, services };
}

type AsOf = (uid: string) => Day | undefined;

async function asOfDays(asOf: string | undefined): Promise<AsOf> {
  if (asOf === undefined) return () => undefined;
  if (isDay(asOf)) return () => asOf;
  const days = JSON.parse(await readFile(asOf, "utf8")) as Record<string, string>;
  return (uid) => days[uid];
}

function recogniseUser(
  uid: string,
  history: readonly HistoryTransaction[],
  asOf: AsOf,
  options: RecogniseFileOptions,
): RecognisedService[] {
  const currency = options.currency ?? mostFrequent(history.map((transaction) => transaction.currency));
  const country = options.country ?? COUNTRY_OF_CURRENCY[currency] ?? "";
  const lastDay = history.reduce((last, { day }) => (day > last ? day : last), "");
  const { services, income } = recognise(history, { asOf: asOf(uid) ?? lastDay, country, currency });
  return [...services, ...income];
}

/** The shape in which detections are measured: currency units, bank's sign. */
function lineOf(uid: string, service: RecognisedService): object {
  const sign = service.direction === "OUT" ? -1 : 1;
  return {
    uid,
    id: service.key,
    title: service.title,
    status: service.status,
    visibility: service.visibility,
    paymentFrequency: service.paymentFrequency,
    nextExpectedTransactionDate: service.nextExpectedDay,
    nextExpectedAmount: sign * toNumber({ minor: service.expectedAmountMinor, currency: service.currency }),
    currency: service.currency,
    confidence: service.confidence,
    payments: service.payments.map(({ txid, day, amountMinor, currency }) => ({
      sourceTransactionId: txid,
      date: day,
      amount: toNumber({ minor: amountMinor, currency }),
    })),
  };
}

async function readHistories(file: string): Promise<{ histories: Map<string, HistoryTransaction[]>; leftOut: number }> {
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
function historyTransaction(record: RawTransaction, tx: RawTx): HistoryTransaction | null {
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

async function write(out: NodeJS.WritableStream, text: string): Promise<void> {
  if (!out.write(text)) await new Promise<void>((resolve) => out.once("drain", () => resolve()));
}
