/**
 * Rows read from one group of records, with what else its records say: whose each one is, and the accounts and cards as
 * they are described. Neighbouring records mostly have one owner, account and card, so these are made only when they
 * change.
 */
import type { LedgerAccount, LedgerCard } from "../../src/ledger/row.ts";
import { blockRowsMax, RowBlock } from "../../src/ledger/row-block.ts";

/** A bank's name of an account. */
export type AccountName = { bankId: string; accountNumber: string };

/** The partner's id of the user, or a CSV file's name of the account. */
export type RowOwner = string | AccountName;

/** An account or card of the owner with that number. */
export type Owned<Thing> = { owner: number; thing: Thing };

export class ReadRows {
  readonly block = new RowBlock();
  /** Row by row a number in `owners`. */
  readonly ownerOf = new Int32Array(blockRowsMax);
  owners: RowOwner[] = [];
  accounts: Owned<LedgerAccount>[] = [];
  cards: Owned<LedgerCard>[] = [];
  /** Row by row its line; of no meaning where the format has no line a record. */
  readonly lines = new Float64Array(blockRowsMax);

  get count(): number {
    return this.block.rows;
  }

  clear(): void {
    this.block.clear();
    this.owners = [];
    this.accounts = [];
    this.cards = [];
  }
}

/** More than two chunks have, so that a load makes its blocks once. */
const sparesMax = 1024;
const spares: ReadRows[] = [];

/** Empty rows, for one owner in this thread until they are given back. */
export function acquireRows(): ReadRows {
  const rows = spares.pop() ?? new ReadRows();
  rows.clear();
  return rows;
}

/** For rows that nobody reads any more; those of a load that failed are left to the garbage collector. */
export function releaseRows(used: Iterable<ReadRows>): void {
  for (const rows of used) if (spares.length < sparesMax) spares.push(rows);
}
