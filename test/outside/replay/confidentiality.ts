/** Looks for a set's content where it must never be: in logs, receipts and files of the data folder. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { SetRecord } from "../labelled-set.ts";

/** Found strings by kind, for instance { description: 0, iban: 0 }. */
export type Leaks = Record<string, number>;

/** Shorter ones occur in any text. */
const lengthMin = 4;
/** In the data folder's binary files a short string occurs by chance. */
const lengthMinInBytes = 10;
/** Spread over the set: what leaks at all leaks for everyone. */
const samplesMax = 400;

/** @param documents JSON texts, such as lines of a log @returns how many distinct values of each kind occur in them */
export function findLeaks(records: readonly SetRecord[], documents: readonly string[]): Leaks {
  const texts = [...new Set(documents.flatMap(textsOf))].join("\n");
  const kinds = {
    ...namesOf(records),
    user: distinct(records.map((record) => record.uid)),
    txid: distinct(records.map((record) => record.tx.txid)),
  };
  const found = Object.entries(kinds).map(
    ([kind, values]) =>
      [kind, values.filter((value) => value.length >= lengthMin && texts.includes(value)).length] as const,
  );
  return { ...Object.fromEntries(found), amount: countAmounts(records, documents.join("\n")) };
}

const uuidOrTime = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z)$/;

/** Every text in a JSON document but ids and times, which are many and all different; the whole when it is no JSON. */
function textsOf(document: string): string[] {
  const texts: string[] = [];
  try {
    JSON.parse(document, (_key, value: unknown) => {
      if (typeof value === "string" && !uuidOrTime.test(value)) texts.push(value);
      return value;
    });
  } catch {
    return [document];
  }
  return texts;
}

function namesOf(records: readonly SetRecord[]) {
  return {
    description: distinct(records.map((record) => record.tx.description)),
    merchant: distinct(records.map((record) => record.tx.merchant?.name)),
    accountName: distinct(records.map((record) => record.account?.name)),
    iban: distinct(records.map((record) => record.account?.iban)),
  };
}

function sample(values: readonly string[]): string[] {
  const step = Math.ceil(values.length / samplesMax);
  return values.filter((_, index) => index % step === 0);
}

function distinct(values: readonly (string | undefined)[]): string[] {
  return [...new Set(values.filter((value) => value !== undefined))];
}

/**
 * Numbers that are times, sizes and counts by the name of their field; whatever else is a number could be an amount.
 */
const measured =
  /^(.*(Ms|Bytes|Seconds)|level|port|pid|status|attempt|attempts|count|users|services|markers|applied|line|index|filesDelivered|problemsTotal|bytesReceived|batches|batchesRefused|new|known|conflicting|refused|waiting|records.*)$/;

/** Amounts of the set among the numbers of JSON values that are no measure, and among the numbers in texts. */
function countAmounts(records: readonly SetRecord[], text: string): number {
  const amounts = new Set(
    records.map(({ tx }) => String(Math.abs(tx.amount))).filter((amount) => amount.length >= lengthMin),
  );
  const found = new Set<string>();
  for (const match of text.matchAll(/"(\w+)"\s*:\s*(-?\d+(?:\.\d+)?)(?=[,}\s])/g)) {
    const [, field = "", number = ""] = match;
    if (!measured.test(field) && amounts.has(number.replace("-", ""))) found.add(number);
  }
  for (const match of text.matchAll(/(?<![\w.:-])(\d+\.\d{1,2}|\d{4,})(?= [A-Z]{3}\b)/g))
    if (amounts.has(match[1] ?? "")) found.add(match[1] ?? "");
  return found.size;
}

/**
 * Descriptions, names and IBANs in any file below the folder but the database's own. @returns the files that hold one
 */
export async function findLeakingFiles(records: readonly SetRecord[], folder: string): Promise<string[]> {
  const values = Object.values(namesOf(records)).flatMap((all) =>
    sample(all.filter((value) => value.length >= lengthMinInBytes)),
  );
  const leaking: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.relative(folder, file).startsWith(`postgres${path.sep}`)) continue;
    const text = await readFile(file, "latin1");
    if (values.some((value) => text.includes(value))) leaking.push(path.relative(folder, file));
  }
  return leaking;
}
