/**
 * Posting: a chunk's rows into the ledger, each user's txid once. The one statement of who wins: the row that is stored
 * first stays, equal content is known, other content is conflicting. For a partner that corrects, the content that was
 * accepted last stays, whatever order it was loaded in, and each other one is kept as an earlier version.
 *
 * Rows are sorted by user and txid, in every loader by the same order: two loaders that bring the same rows then wait for
 * each other instead of deadlocking, and the index is filled in order.
 */
import type { Transaction } from "../database.ts";
import { copyColumns, copyRows, encodeRows, type OwnedRow } from "./copy.ts";

export type PostedRows<Row extends OwnedRow> = {
  recordsNew: number;
  recordsKnown: number;
  /** Rows whose txid is stored with other content, which stays. */
  conflicting: Row[];
  /** Rows with other content than the stored one, which they replaced. */
  recordsCorrected: number;
  /** Users who got new rows or other ones, ascending. */
  changedUserIds: number[];
};

/** Rows ready to post. `repeats` bear a user and txid that stand in `firsts`. */
export type Posting<Row extends OwnedRow> = { firsts: Row[]; repeats: Row[]; encoded: Buffer[]; deliveryPosition: number };

/** How rows last went in; a file that repeats what is known is not tried as new again with each chunk. */
export type PostingHabit = { expectsNew: boolean };

export type ConflictRule = "keep" | "correct";

/** Sorts and encodes; pure, so that it can run while the chunk before is still on its way. */
export function preparePosting<Row extends OwnedRow>(rows: readonly Row[], deliveryPosition: number, rule: ConflictRule = "keep"): Posting<Row> {
  const ordered = rows.toSorted(byOwnerAndId);
  const firsts: Row[] = [];
  const repeats: Row[] = [];
  for (const row of ordered) {
    const last = firsts.at(-1);
    if (last?.userId !== row.userId || last.row.txid !== row.row.txid) {
      firsts.push(row);
    } else if (rule === "keep") {
      repeats.push(row);
    } else {
      repeats.push(last);
      firsts[firsts.length - 1] = row;
    }
  }
  return { firsts, repeats, encoded: encodeRows(firsts, deliveryPosition), deliveryPosition };
}

/** Posts a chunk. Idempotent: a second time everything is known. The caller owns the transaction. */
export async function post<Row extends OwnedRow>(transaction: Transaction, posting: Posting<Row>, habit: PostingHabit, rule: ConflictRule = "keep"): Promise<PostedRows<Row>> {
  if (posting.firsts.length === 0) return nothingPosted;
  if (rule === "correct") return await postVersions(transaction, posting, habit);
  if (habit.expectsNew && (await copyDirectly(transaction, posting))) return judge(posting, posting.firsts.length, distinctUsers(posting.firsts), new Map());
  const changed = await merge(transaction, posting);
  const recordsNew = changed.reduce((sum, user) => sum + user.rows, 0);
  habit.expectsNew = recordsNew === posting.firsts.length;
  const stored = habit.expectsNew ? new Map<string, string>() : await findOtherContent(transaction);
  return judge(posting, recordsNew, changed.map((user) => user.user_id), stored);
}

const nothingPosted = { recordsNew: 0, recordsKnown: 0, conflicting: [], recordsCorrected: 0, changedUserIds: [] };

/** As post() for a partner that corrects; of several rows of a chunk with one txid the last stands in `firsts`. */
async function postVersions<Row extends OwnedRow>(transaction: Transaction, posting: Posting<Row>, habit: PostingHabit): Promise<PostedRows<Row>> {
  const { firsts, repeats, deliveryPosition } = posting;
  const posted = await post(transaction, { ...posting, repeats: [] }, habit);
  const { corrected, userIds } = await correctStored(transaction, posted.conflicting.length, deliveryPosition);
  const outdated = posted.conflicting.filter((row) => !corrected.has(keyOf(row.userId, row.row.txid)));
  const digests = new Map(firsts.map((row) => [keyOf(row.userId, row.row.txid), row.digest]));
  const earlier = repeats.filter((row) => row.digest !== digests.get(keyOf(row.userId, row.row.txid)));
  if (earlier.length > 0) await copyRows(transaction, "transaction_versions", encodeRows(earlier, deliveryPosition));
  const outdatedKeys = new Set(outdated.map((row) => keyOf(row.userId, row.row.txid)));
  const neverStored = earlier.filter((row) => outdatedKeys.has(keyOf(row.userId, row.row.txid)));
  return {
    recordsNew: posted.recordsNew,
    recordsKnown: posted.recordsKnown + repeats.length - earlier.length,
    conflicting: [...outdated, ...neverStored],
    recordsCorrected: corrected.size + earlier.length - neverStored.length,
    changedUserIds: [...new Set([...posted.changedUserIds, ...userIds])].sort((a, b) => a - b),
  };
}

/** PostgreSQL's unique_violation. */
const uniqueViolation = "23505";

/**
 * Most chunks are new altogether, and COPY straight into the table loads half as much again as the way through a
 * temporary one. @returns false, with nothing changed, when a row was there already.
 */
async function copyDirectly<Row extends OwnedRow>(transaction: Transaction, posting: Posting<Row>): Promise<boolean> {
  await transaction.query("savepoint direct");
  try {
    await copyRows(transaction, "transactions", posting.encoded);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === uniqueViolation)) throw error;
    await transaction.query("rollback to savepoint direct");
    return false;
  }
  await transaction.query("release savepoint direct");
  return true;
}

/** Adds what is not there yet. @returns the users who got rows, ascending, and how many. */
async function merge<Row extends OwnedRow>(transaction: Transaction, posting: Posting<Row>): Promise<{ user_id: number; rows: number }[]> {
  // Made once a connection and emptied at each commit: making it anew each time would bloat the catalogue.
  await transaction.query(
    `create temporary table if not exists incoming
         on commit delete rows
         as select ${copyColumns} from transactions
       with no data`,
  );
  await copyRows(transaction, "incoming", posting.encoded);
  // Read as it was written, that is in the loaders' common order; sorting here would follow the database's collation.
  const { rows } = await transaction.query<{ user_id: number; rows: number }>(
    `with added as (
       insert into transactions (${copyColumns})
       select ${copyColumns}
         from incoming
       on conflict (user_id, txid) do nothing
       returning user_id
     )
     select user_id, count(*) as rows
       from added
      group by user_id
      order by user_id`,
  );
  return rows;
}

/** The stored digests of incoming rows that differ from theirs. The subquery keeps it to one index probe a row. */
async function findOtherContent(transaction: Transaction): Promise<Map<string, string>> {
  const { rows } = await transaction.query<{ user_id: number; txid: string; digest: string }>(
    `select user_id, txid, replace(stored::text, '-', '') as digest
       from (
         select i.user_id, i.txid, i.digest,
                (select t.digest from transactions t where t.user_id = i.user_id and t.txid = i.txid) as stored
           from incoming i
         offset 0
       ) as compared
      where stored <> digest`,
  );
  return new Map(rows.map((row) => [keyOf(row.user_id, row.txid), row.digest]));
}

/** The columns that a correction replaces; id, user and txid stay, so that the transaction keeps its public id. */
const contentColumns = copyColumns.split(", ").filter((column) => column !== "user_id" && column !== "txid");

/**
 * Replaces stored rows by the incoming ones of other content, unless the stored one was accepted later; whichever goes is
 * kept as a version. @returns the replaced ones by keyOf, and their users.
 */
async function correctStored(transaction: Transaction, conflicts: number, deliveryPosition: number): Promise<{ corrected: Set<string>; userIds: number[] }> {
  if (conflicts === 0) return { corrected: new Set(), userIds: [] };
  await transaction.query(
    `insert into transaction_versions (id, ${copyColumns})
     select t.id, ${copyColumns.split(", ").map((column) => `i.${column}`).join(", ")}
       from incoming i
       join transactions t using (user_id, txid)
      where t.digest <> i.digest
        and t.delivery_position > $1`,
    [deliveryPosition],
  );
  const { rows } = await transaction.query<{ user_id: number; txid: string }>(
    `with outdated as (
       select t.*
         from transactions t
         join incoming i using (user_id, txid)
        where t.digest <> i.digest
          and t.delivery_position <= $1
     ),
     kept as (
       insert into transaction_versions (id, ${copyColumns})
       select id, ${copyColumns} from outdated
     )
     update transactions t
        set ${contentColumns.map((column) => `${column} = i.${column}`).join(", ")}
       from outdated o
       join incoming i using (user_id, txid)
      where t.user_id = o.user_id
        and t.txid = o.txid
     returning t.user_id, t.txid`,
    [deliveryPosition],
  );
  return { corrected: new Set(rows.map((row) => keyOf(row.user_id, row.txid))), userIds: rows.map((row) => row.user_id) };
}

/** Every row against the content that is stored now; `stored` holds the digests that differ from the first row's. */
function judge<Row extends OwnedRow>(posting: Posting<Row>, recordsNew: number, changedUserIds: number[], stored: ReadonlyMap<string, string>): PostedRows<Row> {
  const total = posting.firsts.length + posting.repeats.length;
  const conflicting = stored.size === 0 ? [] : posting.firsts.filter((row) => stored.has(keyOf(row.userId, row.row.txid)));
  if (posting.repeats.length > 0) {
    const firsts = new Map(posting.firsts.map((row) => [keyOf(row.userId, row.row.txid), row.digest]));
    const storedDigest = (row: Row) => stored.get(keyOf(row.userId, row.row.txid)) ?? firsts.get(keyOf(row.userId, row.row.txid));
    conflicting.push(...posting.repeats.filter((row) => row.digest !== storedDigest(row)));
  }
  return { recordsNew, recordsKnown: total - recordsNew - conflicting.length, conflicting, recordsCorrected: 0, changedUserIds };
}

function byOwnerAndId(a: OwnedRow, b: OwnedRow): number {
  if (a.userId !== b.userId) return a.userId - b.userId;
  return a.row.txid < b.row.txid ? -1 : a.row.txid > b.row.txid ? 1 : 0;
}

/** Of rows in order. */
function distinctUsers(rows: readonly OwnedRow[]): number[] {
  return rows.map((row) => row.userId).filter((userId, index, all) => userId !== all[index - 1]);
}

function keyOf(userId: number, txid: string): string {
  return `${userId} ${txid}`;
}
