/** The bank's own book: what it sent, what of it was acknowledged, and so what a ledger may hold and what it must. */
import type { SentRecord } from "./generated.ts";

/** What the counts of a delivery must say; one that must be refused whole has codes instead. */
export type Expectation = { records: number; markers: number; refused: number };
export type Acknowledged = {
  door: "https" | "sftp";
  /** reqId or file name. */ reference: string;
  expected: Expectation | { /** Codes that are right. */ refusedAs: readonly string[] };
};

export class Book {
  readonly #contents = new Map<string, string>();
  readonly #owed = new Set<string>();
  readonly acknowledged: Acknowledged[] = [];
  readonly users = new Set<string>();
  /** Users whose marker was acknowledged. */
  readonly completed = new Set<string>();

  /**
   * Notes that these are being sent: from now on they may be in the ledger. A txid keeps the content it was sent with
   * first.
   */
  offer(records: readonly SentRecord[]): void {
    for (const record of records) {
      this.users.add(record.uid);
      if (!this.#contents.has(keyOf(record))) this.#contents.set(keyOf(record), record.content);
    }
  }

  /** Notes an acknowledgement: from now on the records must be there. */
  owe(records: readonly SentRecord[], delivery: Acknowledged): void {
    this.offer(records);
    for (const record of records) this.#owed.add(keyOf(record));
    this.acknowledged.push(delivery);
  }

  contentOf(key: string): string | undefined {
    return this.#contents.get(key);
  }

  get owed(): ReadonlySet<string> {
    return this.#owed;
  }
}

export function keyOf({ uid, txid }: { uid: string; txid: string }): string {
  return `${uid}\0${txid}`;
}
