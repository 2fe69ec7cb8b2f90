/**
 * The statements that write transactions, their earlier versions and the traces of withdrawn ones; what they are for is
 * told by post.ts and withdraw.ts. The caller owns the transaction.
 */
import type { Transaction } from "../database/database.ts";
import { isSqlState } from "../database/sql-states.ts";
import { arrivedMax } from "../partners/changed-users.ts";
import { CopyPieces, copyRows, OpenCopy } from "./copy.ts";
import { columnCount, copyColumns } from "./row-block.ts";
import type { OwnedRows, Posting, Sameness } from "./posting.ts";
import { itemAt } from "../present.ts";

/** Where the first row of each txid of a chunk is to be found. */
export type ReferenceTable = "transactions" | "incoming";

/**
 * Most chunks are new altogether, and COPY straight into the table loads half as much again as the way through a
 * temporary one. @returns false, with nothing changed, when a row was there already.
 */
export async function copyDirectly(
  transaction: Transaction,
  { rows, firsts }: Posting,
  pieces: CopyPieces,
): Promise<boolean> {
  await transaction.query("savepoint direct");
  try {
    const gathered = pieces.gather(
      firsts.length,
      (n) => rows.bytesOf(firsts[n] as number),
      (n, piece, at) => rows.write(firsts[n] as number, piece, at),
    );
    await copyRows(transaction, `transactions (${copyColumns})`, gathered);
  } catch (error) {
    if (!isSqlState(error, "uniqueViolation")) throw error;
    await transaction.query("rollback to savepoint direct");
    return false;
  }
  await transaction.query("release savepoint direct");
  return true;
}

/** The firsts of chunks as they come, straight into the table, when all of them are expected to be new. */
export class DirectCopy {
  readonly #transaction: Transaction;
  readonly #copy: OpenCopy;

  private constructor(transaction: Transaction, pieces: CopyPieces) {
    this.#transaction = transaction;
    this.#copy = new OpenCopy(transaction, `transactions (${copyColumns})`, pieces);
  }

  /** Nothing else may be asked of the connection until it was ended or given up. */
  static async begin(transaction: Transaction, pieces: CopyPieces): Promise<DirectCopy> {
    await transaction.query("savepoint direct");
    return new DirectCopy(transaction, pieces);
  }

  /** @returns false, with nothing changed since the beginning, when a row was there already. Its rows are copied. */
  async add({ rows, firsts }: Posting): Promise<boolean> {
    return await this.#unlessKnown(() =>
      this.#copy.add(
        firsts.length,
        (n) => rows.bytesOf(firsts[n] as number),
        (n, piece, at) => rows.write(firsts[n] as number, piece, at),
      ),
    );
  }

  /** @returns false, with nothing changed since the beginning, when a row was there already */
  async end(): Promise<boolean> {
    if (!(await this.#unlessKnown(() => this.#copy.end()))) return false;
    await this.#transaction.query("release savepoint direct");
    return true;
  }

  /** The transaction has failed then. */
  async giveUp(): Promise<void> {
    await this.#copy.giveUp();
  }

  async #unlessKnown(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isSqlState(error, "uniqueViolation")) throw error;
      await this.#transaction.query("rollback to savepoint direct");
      return false;
    }
  }
}

/**
 * The firsts of several chunks in one COPY, when all of them are expected to be new. The caller owns the transaction.
 * @throws PostgreSQL's unique_violation when a row was there already
 */
export async function copyTogether(transaction: Transaction, postings: readonly Posting[]): Promise<void> {
  const all = postings.flatMap(({ rows, firsts }) => Array.from(firsts, (row) => ({ rows, row })));
  const gathered = new CopyPieces().gather(
    all.length,
    (n) => itemAt(all, n).rows.bytesOf(itemAt(all, n).row),
    (n, piece, at) => itemAt(all, n).rows.write(itemAt(all, n).row, piece, at),
  );
  await copyRows(transaction, `transactions (${copyColumns})`, gathered);
}

/** Before a row's columns: two more of them, the row's number and whether it is the first of its txid. */
const tagBytes = 15;
const tag = Buffer.from([0, columnCount + 2, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 1, 0]);
/** What the row's own number of columns takes. */
const countBytes = 2;

/** Puts rows into a temporary table, the firsts in the loaders' common order. */
export async function bringIn(
  transaction: Transaction,
  rows: OwnedRows,
  firsts: Int32Array,
  repeats: Int32Array,
  pieces: CopyPieces,
): Promise<void> {
  // Made once a connection and emptied at each commit: making it anew each time would bloat the catalogue.
  await transaction.query(
    `create temporary table if not exists incoming
         on commit delete rows
         as select 0 as tag, true as is_first, ${copyColumns} from transactions
       with no data`,
  );
  const rowAt = (n: number) => (n < firsts.length ? firsts[n] : repeats[n - firsts.length]) as number;
  const gathered = pieces.gather(
    firsts.length + repeats.length,
    (n) => rows.bytesOf(rowAt(n)) + tagBytes - countBytes,
    (n, piece, at) => {
      tag.copy(piece.bytes, at);
      piece.view.setInt32(at + 6, rowAt(n));
      piece.bytes[at + tagBytes - 1] = n < firsts.length ? 1 : 0;
      rows.write(rowAt(n), piece, at + tagBytes, countBytes);
    },
  );
  await copyRows(transaction, `incoming (tag, is_first, ${copyColumns})`, gathered);
}

/**
 * Adds of the firsts those that are not there yet. @param tags numbers of the rows to try
 * @returns the users who got rows, ascending, how many, and which unless they are many.
 */
export async function addNew(
  transaction: Transaction,
  tags: readonly number[],
): Promise<{ userId: number; rows: number; txids: string[] | null }[]> {
  // Read as it was written, that is in the loaders' common order; sorting here would follow the database's collation.
  const { rows } = await transaction.query<{ userId: number; rows: number; txids: string[] | null }>(
    `with added as (
       insert into transactions (${copyColumns})
       select ${copyColumns}
         from incoming
        where is_first
          and tag = any($1::integer[])
       on conflict (user_id, txid) do nothing
       returning user_id, txid
     )
     select user_id as "userId", count(*) as rows, case when count(*) <= ${arrivedMax} then json_agg(txid) end as txids
       from added
      group by user_id
      order by user_id`,
    [tags],
  );
  return rows;
}

/**
 * What makes two rows of one txid the same: everything but the time of day, of which only the date is reliable (the
 * interface), and names of accounts and cards, which customers change. An empty text counts as absent: CSV cannot
 * tell the two apart. Of entries that banks tell in several messages, each in its own words: day and amount.
 */
function contentOf(alias: string, sameness: Sameness): string {
  if (sameness === "booking") return `row (${alias}.booked_on, ${alias}.amount, ${alias}.currency)`;
  const plain = ["booked_on", "raw_type", "description", "amount", "currency", "original_amount", "merchant_mcc"].map(
    (column) => `${alias}.${column}`,
  );
  const optional = [
    "original_currency",
    "merchant_name",
    "merchant_cid",
    "merchant_address",
    "merchant_city",
    "merchant_post_code",
    "merchant_country",
    "account_id",
    "card_id",
  ];
  return `row (${[...plain, ...optional.map((column) => `coalesce(${alias}.${column}, '')`)].join(", ")})`;
}

const differs = (one: string, other: string, sameness: Sameness) =>
  `${contentOf(one, sameness)} is distinct from ${contentOf(other, sameness)}`;

/** An incoming row that is not stored with the same content: with another one, or not at all. */
export type UnlikeRow = { tag: number; isStored: boolean };

/**
 * One look at the ledger, before anything is tried: trying to insert a known row and comparing it then cost the server
 * 6.4 µs, COPY included, and the look alone 4.0 (200,000 rows, on a busy machine). The subquery keeps it to one index
 * probe a row, and `offset 0` to asking it once. @param tags numbers of the rows to look for; null: all
 */
export async function findUnlike(
  transaction: Transaction,
  sameness: Sameness,
  tags: readonly number[] | null,
): Promise<UnlikeRow[]> {
  const { rows } = await transaction.query<UnlikeRow>(
    `select tag, differs is not null as "isStored"
       from (select i.tag,
                    (select ${differs("t", "i", sameness)}
                       from transactions t
                      where t.user_id = i.user_id and t.txid = i.txid) as differs
               from incoming i
              ${tags === null ? "" : "where i.tag = any($1::integer[])"}
             offset 0) as compared
      where differs is distinct from false`,
    tags === null ? [] : [tags],
  );
  return rows;
}

type IncomingRow = { tag: number; userId: number; txid: string };

/** Keeps as versions the rows whose txid comes again in the chunk with other content. @returns them */
export async function keepEarlier(
  transaction: Transaction,
  referenceTable: ReferenceTable,
  sameness: Sameness,
): Promise<IncomingRow[]> {
  const { rows } = await transaction.query<IncomingRow>(
    `with earlier as (
       select i.*
         from incoming i
         join ${referenceTable} r using (user_id, txid)
        where not i.is_first
          ${referenceTable === "incoming" ? "and r.is_first" : ""}
          and ${differs("r", "i", sameness)}
     ),
     kept as (
       insert into transaction_versions (${copyColumns})
       select ${copyColumns} from earlier
     )
     select tag, user_id as "userId", txid from earlier`,
  );
  return rows;
}

/** The columns that a correction replaces; id, user and txid stay, so that the transaction keeps its public id. */
const contentColumns = copyColumns.split(", ").filter((column) => column !== "user_id" && column !== "txid");

/**
 * Replaces stored rows by the incoming firsts of other content, unless the stored one was accepted later; whichever
 * goes is kept as a version. @returns how many were replaced, their users, and the numbers of those that were not, by
 * keyOf.
 */
export async function correctStored(
  transaction: Transaction,
  deliveryPosition: number,
  sameness: Sameness,
): Promise<{ outdated: Map<string, number>; corrected: number; userIds: number[] }> {
  const outdated = await transaction.query<IncomingRow>(
    `with outdated as (
       select t.id as stored_id, i.*
         from incoming i
         join transactions t using (user_id, txid)
        where i.is_first
          and t.delivery_position > $1
          and ${differs("t", "i", sameness)}
     ),
     kept as (
       insert into transaction_versions (id, ${copyColumns})
       select stored_id, ${copyColumns} from outdated
     )
     select tag, user_id as "userId", txid from outdated`,
    [deliveryPosition],
  );
  const { rows } = await transaction.query<{ userId: number }>(
    `with replaced as (
       select t.*
         from transactions t
         join incoming i using (user_id, txid)
        where i.is_first
          and t.delivery_position <= $1
          and ${differs("t", "i", sameness)}
     ),
     kept as (
       insert into transaction_versions (id, ${copyColumns})
       select id, ${copyColumns} from replaced
     )
     update transactions t
        set ${contentColumns.map((column) => `${column} = i.${column}`).join(", ")}
       from replaced o
       join incoming i using (user_id, txid)
      where i.is_first
        and t.user_id = o.user_id
        and t.txid = o.txid
     returning t.user_id as "userId"`,
    [deliveryPosition],
  );
  return {
    outdated: new Map(outdated.rows.map((row) => [keyOf(row), row.tag])),
    corrected: rows.length,
    userIds: rows.map((row) => row.userId),
  };
}

export function keyOf({ userId, txid }: IncomingRow): string {
  return `${userId} ${txid}`;
}

/**
 * Removes what a delivery loaded, and keeps a trace of it. Its rows are found by reading the whole table (2 million
 * in 0.2 s): withdrawing is rare, and even the smallest index on the delivery, BRIN, would cost every load 3 % (median of
 * eight COPYs of 200,000 rows: 346 against 356 thousand a second).
 */
export async function removeDelivered(
  transaction: Transaction,
  deliveryId: string,
  position: number,
  actor: string,
): Promise<{ transactions: number; userIds: number[] }> {
  const { rows } = await transaction.query<{ userId: number; transactions: number }>(
    `with gone as (
       delete from transactions
        where delivery_position = $2
       returning id, ${copyColumns}
     ),
     kept as (
       insert into withdrawn_transactions (delivery_id, actor, id, ${copyColumns})
       select $1, $3, id, ${copyColumns} from gone
     )
     select user_id as "userId", count(*) as transactions
       from gone
      group by user_id
      order by user_id`,
    [deliveryId, position, actor],
  );
  return {
    transactions: rows.reduce((sum, row) => sum + row.transactions, 0),
    userIds: rows.map((row) => row.userId),
  };
}

/**
 * A delivery's own versions are history no more; of what it had corrected, the content accepted last before it is the
 * present one again.
 */
export async function restoreVersions(
  transaction: Transaction,
  deliveryId: string,
  position: number,
  actor: string,
): Promise<number> {
  await transaction.query(
    `with gone as (
       delete from transaction_versions
        where delivery_position = $2
       returning id, ${copyColumns}
     )
     insert into withdrawn_transactions (delivery_id, actor, id, ${copyColumns})
     select $1, $3, id, ${copyColumns} from gone`,
    [deliveryId, position, actor],
  );
  const { rowCount } = await transaction.query(
    `with latest as (
       select distinct on (v.user_id, v.txid) v.version
         from withdrawn_transactions w
         join transaction_versions v on v.user_id = w.user_id and v.txid = w.txid
        where w.delivery_id = $1
          and not exists (select 1 from transactions t where t.user_id = w.user_id and t.txid = w.txid)
        order by v.user_id, v.txid, v.delivery_position desc, v.version desc
     ),
     taken as (
       delete from transaction_versions
        where version in (select version from latest)
       returning id, ${copyColumns}
     )
     insert into transactions (id, ${copyColumns})
     select coalesce(id, nextval('transaction_ids')), ${copyColumns} from taken`,
    [deliveryId],
  );
  return rowCount ?? 0;
}
