/**
 * Histories whose recurring payments are known: a labelled folder (tx.jsonl, truth.jsonl, each .gz too, and asof.json:
 * the last day by user that a detector may see), or households made on the way.
 */
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { generatePopulation, type PopulationOptions } from "../../fixtures/population.ts";
import type { KnownPurpose } from "../../fixtures/purpose.ts";
import type { Day } from "../time/calendar.ts";
import { historyTransaction, homeOf, readHistories } from "../payments/history-file.ts";
import { Fault } from "../errors.ts";
import type { HistoryTransaction } from "../recognition/recognise.ts";
import { readLines } from "../sender/source.ts";

/** One line of truth.jsonl, as far as it is looked at. Of the rest, what names a property is a slice of the score. */
export type Label = {
  gtId: string;
  uid: string;
  frequency: string;
  /** False: may be found, and counts neither way. */
  strict: boolean;
  /** Whether it goes on after the last known payment; absent where only its payments tell. */
  active?: boolean;
  payee?: string;
  txids: string[];
} & Partial<Record<Slice, string>>;

/** Properties of a series by which scores are split. */
export const slices = ["frequency", "amountModel", "timing", "names", "kind", "through", "life"] as const;
export type Slice = (typeof slices)[number];

export type LabelledUser = {
  uid: string;
  asOf: Day;
  country: string;
  currency: string;
  /** All of it; what lies after `asOf` is what predictions are held against. */
  history: HistoryTransaction[];
  labels: Label[];
  /** By txid, where they are known. */
  purposes?: ReadonlyMap<string, KnownPurpose>;
};

/** @throws Fault SOURCE_INVALID for a folder that is none of this kind. */
export async function* readLabelled(folder: string): AsyncGenerator<LabelledUser> {
  const { histories } = await readHistories(await oneOf(folder, "tx.jsonl"));
  const asOf = JSON.parse(await readFile(await oneOf(folder, "asof.json"), "utf8")) as Record<string, Day>;
  const labels = new Map<string, Label[]>();
  for await (const { value, location } of readLines(await oneOf(folder, "truth.jsonl"))) {
    const label = value as Label;
    if (typeof label.uid !== "string" || !Array.isArray(label.txids))
      throw new Fault("SOURCE_INVALID", `truth.jsonl, ${location} is no known series.`);
    const own = labels.get(label.uid);
    if (own) own.push(label);
    else labels.set(label.uid, [label]);
  }
  for (const [uid, history] of histories) {
    const day = asOf[uid];
    if (day !== undefined) yield { uid, asOf: day, history, labels: labels.get(uid) ?? [], ...homeOf(history) };
  }
}

export function* generateLabelled(options: PopulationOptions): Generator<LabelledUser> {
  for (const { user, country, transactions, truth, purposes, asOf } of generatePopulation(options)) {
    const history = transactions.flatMap((record) =>
      record.tx === undefined ? [] : (historyTransaction(record, record.tx) ?? []),
    );
    yield {
      uid: user.bankUserId,
      asOf,
      history,
      labels: truth,
      currency: homeOf(history).currency,
      country,
      purposes: new Map(purposes.map((one) => [one.txid, one])),
    };
  }
}

async function oneOf(folder: string, name: string): Promise<string> {
  for (const file of [path.join(folder, name), path.join(folder, `${name}.gz`)])
    if (await stat(file).catch(() => null)) return file;
  throw new Fault("SOURCE_INVALID", `There is no ${name} in ${folder}.`);
}
