/**
 * The ledger, the receipts and the accounts of a round against the bank's book. What must be there follows from what
 * was sent and acknowledged; the tables are only asked what is there.
 */
import type { Receipt } from "../../src/landing/receipt.ts";
import { type Acknowledged, type Book, keyOf } from "./book.ts";

/** A ledger row as it is found; `content` as contentOf() writes it. */
export type FoundRow = { uid: string; txid: string; content: string };

/** What the deliveries table says of a request. */
export type FoundRequest = { requestId: string; state: string; refusalCode: string | null; counts: Receipt["counts"] };

export type FoundReceipt = { file: string; state: string; refusalCode: string | null; counts: Receipt["counts"] };

export type Verdict = {
  /** Acknowledged, and not there or there with other content. */
  lost: number;
  /** There more than once. */
  doubled: number;
  /** There, and never sent to be loaded. */
  foreign: number;
  /** Receipts and counts of deliveries that are absent or say something else than was sent. */
  receiptsWrong: number;
  /** Some of each, for whoever looks for the cause. */
  examples: string[];
};

const examplesMax = 12;

export function judge(
  book: Book,
  rows: readonly FoundRow[],
  requests: readonly FoundRequest[],
  receipts: readonly FoundReceipt[],
): Verdict {
  const ledger = judgeRows(book, rows);
  const wrong = [
    ...judgeDeliveries(
      book.acknowledged.filter((one) => one.door === "https"),
      Map.groupBy(requests, (one) => one.requestId),
    ),
    ...judgeDeliveries(
      book.acknowledged.filter((one) => one.door === "sftp"),
      Map.groupBy(receipts, (one) => one.file),
    ),
  ];
  return { ...ledger, receiptsWrong: wrong.length, examples: [...ledger.examples, ...wrong].slice(0, examplesMax) };
}

function judgeRows(book: Book, rows: readonly FoundRow[]): Omit<Verdict, "receiptsWrong"> {
  const seen = new Set<string>();
  const right = new Set<string>();
  const examples: string[] = [];
  let [doubled, foreign] = [0, 0];
  for (const row of rows) {
    const key = keyOf(row);
    const sent = book.contentOf(key);
    if (seen.has(key)) doubled += 1;
    else if (sent === undefined) foreign += 1;
    else if (sent === row.content) right.add(key);
    if (seen.has(key) || sent === undefined)
      examples.push(`${seen.has(key) ? "doubled" : "foreign"}: ${row.uid} ${row.txid}`);
    seen.add(key);
  }
  const lost = [...book.owed].filter((key) => !right.has(key));
  examples.push(
    ...lost
      .slice(0, examplesMax)
      .map((key) => `lost: ${key.replace("\0", " ")}${seen.has(key) ? " (other content)" : ""}`),
  );
  return { lost: lost.length, doubled, foreign, examples };
}

type Told = { state: string; refusalCode: string | null; counts: Receipt["counts"] };

function judgeDeliveries(acknowledged: readonly Acknowledged[], told: ReadonlyMap<string, readonly Told[]>): string[] {
  const references = Map.groupBy(acknowledged, (one) => one.reference);
  return [...references].flatMap(([reference, deliveries]) =>
    problemOf(reference, deliveries, told.get(reference) ?? []),
  );
}

/**
 * Each acknowledged delivery of a name has one that says what it should; every further one must be a repeat of the same
 * bytes.
 */
function problemOf(reference: string, deliveries: readonly Acknowledged[], told: readonly Told[]): string[] {
  if (told.some((one) => !addsUp(one.counts))) return [`${reference}: counts do not add up`];
  const counted = told.filter((one) => one.refusalCode !== "FILE_DUPLICATE");
  if (counted.length !== deliveries.length)
    return [`${reference}: ${counted.length} deliveries count, ${deliveries.length} were acknowledged`];
  const left = [...counted];
  for (const { expected } of deliveries) {
    const at = left.findIndex((one) => says(one, expected));
    if (at < 0) return [`${reference}: ${left.map(describe).join("; ")}, should be ${JSON.stringify(expected)}`];
    left.splice(at, 1);
  }
  return [];
}

function says({ state, refusalCode, counts }: Told, expected: Acknowledged["expected"]): boolean {
  if ("refusedAs" in expected)
    return state === "refused" && expected.refusedAs.includes(refusalCode ?? "") && counts.new === 0;
  const good = expected.records - expected.markers - expected.refused;
  return (
    state === "loaded" &&
    counts.records === expected.records &&
    counts.markers === expected.markers &&
    counts.refused === expected.refused &&
    counts.new + counts.known === good
  );
}

function describe({ state, refusalCode, counts }: Told): string {
  return `${state} ${refusalCode ?? JSON.stringify(counts)}`;
}

function addsUp(counts: Receipt["counts"]): boolean {
  return (
    counts.records === counts.new + counts.known + counts.conflicting + counts.refused + counts.waiting + counts.markers
  );
}
