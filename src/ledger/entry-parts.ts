/**
 * One entry of an account, told in two ways: a statement has a bundle of payments as one, and a notification has each
 * of them under an id of its own. Whichever is loaded first stays, and the other one is known.
 */
import type { Queryable, Transaction } from "../database/database.ts";

/** A payment and the entry that it is, or is a part of; its own id is the entry's where it is the whole of it. */
export type EntryPayment = { userId: number; txid: string; entryId: string };

/** Which of these users have entries in the ledger of which the payments are there one by one. */
export async function findUsersWithParts(database: Queryable, userIds: readonly number[]): Promise<Set<number>> {
  if (userIds.length === 0) return new Set();
  const { rows } = await database.query<{ userId: number }>(
    `select seen.user_id as "userId"
       from unnest($1::bigint[]) as seen (user_id)
      where exists (select 1 from entry_parts where entry_parts.user_id = seen.user_id)`,
    [userIds],
  );
  return new Set(rows.map(({ userId }) => userId));
}

/**
 * Which of them the ledger has in the other way, by their place in the list; those that come in both ways in the list
 * itself included.
 */
export async function findToldOtherwise(
  database: Queryable,
  payments: readonly EntryPayment[],
): Promise<ReadonlySet<number>> {
  if (payments.length === 0) return new Set();
  const wholes = payments.filter(isWhole);
  const parts = payments.filter((one) => !isWhole(one));
  const stored = new Set([
    ...(await findStored(database, "entry_parts", "entry_id", wholes)),
    ...(await findStored(database, "transactions", "txid", parts)),
  ]);
  // A statement without bundles, as most are: nothing in it can be told in two ways.
  if (stored.size === 0 && (wholes.length === 0 || parts.length === 0)) return new Set();
  const seen = new Map<string, boolean>();
  const otherwise = new Set<number>();
  for (const [place, payment] of payments.entries()) {
    const key = keyOf(payment);
    const isFirstWhole = seen.get(key) ?? isWhole(payment);
    seen.set(key, isFirstWhole);
    if (stored.has(key) || isFirstWhole !== isWhole(payment)) otherwise.add(place);
  }
  return otherwise;
}

export function isWhole({ txid, entryId }: EntryPayment): boolean {
  return txid === entryId;
}

function keyOf({ userId, entryId }: EntryPayment): string {
  return `${userId} ${entryId}`;
}

async function findStored(
  database: Queryable,
  table: "entry_parts" | "transactions",
  column: "entry_id" | "txid",
  payments: readonly EntryPayment[],
): Promise<string[]> {
  if (payments.length === 0) return [];
  const { rows } = await database.query<{ userId: number; entryId: string }>(
    `select distinct seen.user_id as "userId", seen.entry_id as "entryId"
       from unnest($1::bigint[], $2::text[]) as seen (user_id, entry_id)
      where exists (select 1 from ${table} t where t.user_id = seen.user_id and t.${column} = seen.entry_id)`,
    [payments.map(({ userId }) => userId), payments.map(({ entryId }) => entryId)],
  );
  return rows.map(({ userId, entryId }) => `${userId} ${entryId}`);
}

/** Before any row is locked: what findToldOtherwise answers stays so until the transaction ends. */
export async function lockEntries(transaction: Transaction, partnerId: string): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock(hashtextextended('entries ' || $1, 0))", [partnerId]);
}

/** Of those that are parts, the entries. */
export async function rememberParts(
  transaction: Transaction,
  deliveryPosition: number,
  payments: readonly EntryPayment[],
): Promise<void> {
  const parts = payments.filter((one) => !isWhole(one));
  if (parts.length === 0) return;
  await transaction.query(
    `insert into entry_parts (user_id, entry_id, delivery_position)
     select distinct seen.user_id, seen.entry_id, $3::bigint
       from unnest($1::bigint[], $2::text[]) as seen (user_id, entry_id)
      order by 1, 2
     on conflict do nothing`,
    [parts.map(({ userId }) => userId), parts.map(({ entryId }) => entryId), deliveryPosition],
  );
}

/** When a delivery is withdrawn. */
export async function forgetParts(transaction: Transaction, deliveryPosition: number): Promise<void> {
  await transaction.query("delete from entry_parts where delivery_position = $1", [deliveryPosition]);
}
