/** Posting chunks for tests, and reading what is stored of them. */
import { type Database, inTransaction } from "../../src/database/database.ts";
import { post, type PostedRows, PostingHabit } from "../../src/ledger/post.ts";
import { preparePosting } from "../../src/ledger/posting.ts";
import { owned, ownedRows, type TestRow } from "./world.ts";

export type Rule = "keep" | "correct";

/** Posts rows of a delivery at this position as one chunk. */
export function send(
  database: Database,
  position: number,
  rows: readonly TestRow[],
  rule: Rule = "keep",
  habit = new PostingHabit(),
): Promise<PostedRows> {
  const posting = preparePosting(ownedRows(rows, position), position, rule);
  return inTransaction(database, (transaction) => post(transaction, posting, habit, rule));
}

/** As send, for a chunk that is expected to hold known rows, and so goes through the temporary table at once. */
export async function sendKnown(
  database: Database,
  position: number,
  rows: readonly TestRow[],
  rule: Rule = "keep",
): Promise<PostedRows> {
  const habit = new PostingHabit();
  habit.expectsNew = false;
  return await send(database, position, rows, rule, habit);
}

export async function storedOf(
  database: Database,
  table: "transactions" | "transaction_versions",
  ...userIds: number[]
): Promise<unknown[]> {
  const { rows } = await database.query<{ row: unknown[] }>(
    `select jsonb_build_array(user_id, txid, amount::text, delivery_position) as row from ${table} where user_id = any($1)
      order by user_id, txid collate "C", amount`,
    [userIds],
  );
  return rows.map(({ row }) => row);
}

/** The public numbers of a user's transactions or of their versions, by txid and amount. */
export async function idsOf(
  database: Database,
  table: "transactions" | "transaction_versions",
  userId: number,
): Promise<Record<string, number | null>> {
  const { rows } = await database.query<{ key: string; id: number | null }>(
    `select txid || ' ' || amount as key, id from ${table} where user_id = $1`,
    [userId],
  );
  return Object.fromEntries(rows.map(({ key, id }) => [key, id]));
}

/** Rows of a user by txid and amount. */
export const amounts = (userId: number, ...all: [txid: string, amount: string][]) =>
  all.map(([txid, amount]) => owned(userId, txid, { amount }));

/** What became of no rows. */
export const nothing: PostedRows = {
  recordsNew: 0,
  recordsKnown: 0,
  conflicting: [],
  recordsCorrected: 0,
  arrivals: [],
};
