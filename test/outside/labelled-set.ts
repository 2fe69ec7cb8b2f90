/**
 * A labelled set: `tx.jsonl[.gz]`, one RawTransaction a line, and `asof.json`, the last day that may be seen by user.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { RawTransaction, RawTx } from "../../src/interface/record.ts";
import type { Brand } from "./partner.ts";

/** A transaction and its text as it stands in the set: what is sent is what was read. */
export type SetRecord = { uid: string; tx: RawTx; account: RawTransaction["account"]; line: string };

export type LabelledSet = {
  file: string;
  records: SetRecord[];
  users: string[];
  /** The latest day of asof.json, or of the transactions without one. */
  asOf: string;
  /** Where most accounts and amounts are at home. */
  brand: Brand;
};

/** Null when there is no such set. */
export async function readSet(directory: string): Promise<LabelledSet | null> {
  const found = await readFirst([path.join(directory, "tx.jsonl.gz"), path.join(directory, "tx.jsonl")]);
  if (!found) return null;
  const records = found.text.split("\n").filter(Boolean).flatMap(readRecord);
  return {
    file: found.file,
    records,
    users: [...new Set(records.map((record) => record.uid))],
    asOf: (await readAsOf(directory)) ?? latest(records.map((record) => record.tx.txTime.slice(0, 10))),
    brand: guessBrand(records),
  };
}

async function readFirst(files: readonly string[]): Promise<{ file: string; text: string } | null> {
  for (const file of files) {
    const bytes = await readFile(file).catch(() => null);
    if (bytes) return { file, text: (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8") };
  }
  return null;
}

function readRecord(line: string): SetRecord[] {
  const { uid, tx, account } = JSON.parse(line) as RawTransaction;
  return tx ? [{ uid, tx, account, line }] : [];
}

async function readAsOf(directory: string): Promise<string | null> {
  const text = await readFile(path.join(directory, "asof.json"), "utf8").catch(() => null);
  return text === null ? null : latest(Object.values(JSON.parse(text) as Record<string, string>));
}

function guessBrand(records: readonly SetRecord[]): Brand {
  const country = mostFrequent(records.flatMap((record) => record.account?.iban.slice(0, 2) ?? [])) ?? "DE";
  return { ...brandIn(country), currency: mostFrequent(records.map((record) => record.tx.currency)) ?? "EUR" };
}

/** @param country ISO 3166-1 alpha-2 */
export function brandIn(country: string): Omit<Brand, "currency"> {
  const region = new Intl.Locale(`und-${country}`);
  return {
    id: "outside",
    country,
    timeZone: region.getTimeZones()?.[0] ?? "UTC",
    locale: `${region.maximize().language}-${country}`,
  };
}

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

function latest(days: readonly string[]): string {
  return days.reduce((last, day) => (day > last ? day : last), "");
}

export function arrayOf(records: readonly SetRecord[]): string {
  return `[${records.map((record) => record.line).join(",")}]`;
}

export function* inBatches(records: readonly SetRecord[], sizeMax: number): Generator<SetRecord[]> {
  for (let start = 0; start < records.length; start += sizeMax) yield records.slice(start, start + sizeMax);
}

/** A uuid that follows from the content, so that a repeat is one. */
export function requestIdFor(content: string): string {
  const hex = createHash("sha256").update(content).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
