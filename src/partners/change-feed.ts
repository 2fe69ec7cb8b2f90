/**
 * The change feed's outbox: which payments and services changed is written in the transaction that changes them, one row a
 * posted chunk or statement, and nothing while nobody follows. Whoever changes them says so here, so far below the ledger
 * because deleting a user does so, too. What is told of a change is how things are when it is read (exports/feed.ts).
 *
 * A row names users by our numbers and, beside each, what changed. There is no column user_id: a chunk has thousands of
 * users, and a row for each would cost a load 5 % where this costs less than 1. Erasure calls forgetChangesOf().
 */
import type { Queryable, Transaction } from "../database/database.ts";

/** A follower that is added waits for every statement that has asked this, until its transaction ends. */
const isFollowed = "exists (select 1 from feed_followers)";

/** Rows that a posted chunk brought. @param deliveryPosition null: of users of whom too many came, all are told */
export type PostedChange = { partnerId: string; deliveryPosition: number | null; rows: number };

/**
 * SQL for the statement that marks who got rows: $1 users, $2 a line each with the txids as JSON, empty for very many;
 * $3 to $5 a PostedChange.
 */
export const feedsPosted = `fed as (
       insert into feed_changes (partner_id, kind, delivery_position, user_ids, told, rows)
       select $3::text, 'posted', $4::bigint, $1::bigint[], string_to_array($2, e'\\n', ''), $5::bigint
        where $5::bigint > 0 and ${isFollowed}
     )`;

/** SQL that tells of services. @param changed a query's name in the statement, with `id` and `user_id` */
export function feedsServices(changed: string): string {
  return `insert into feed_changes (partner_id, kind, user_ids, told, rows)
       select users.partner_id, 'services', array_agg(changed.user_id), array_agg(changed.id::text), count(*)
         from ${changed} as changed
         join users on users.id = changed.user_id
        where ${isFollowed}
        group by users.partner_id`;
}

/** What a withdrawn delivery had loaded; the traces of it are there. */
export async function feedWithdrawn(
  transaction: Transaction,
  delivery: { id: string; partnerId: string },
  { userIds, transactions }: { userIds: readonly number[]; transactions: number },
): Promise<void> {
  if (userIds.length === 0) return;
  await transaction.query(
    `insert into feed_changes (partner_id, kind, delivery_id, user_ids, rows)
     select $1, 'withdrawn', $2, $3::bigint[], $4
      where ${isFollowed}`,
    [delivery.partnerId, delivery.id, userIds, transactions],
  );
}

/** All payments of a user, because others of them are seen now. */
export async function feedWhole(
  transaction: Transaction,
  { id, partnerId }: { id: number; partnerId: string },
): Promise<void> {
  await transaction.query(
    `insert into feed_changes (partner_id, kind, user_ids, rows)
     select $1, 'whole', array[$2::bigint], 1
      where ${isFollowed}`,
    [partnerId, id],
  );
}

export async function feedDeparted(transaction: Transaction, userId: number): Promise<void> {
  await transaction.query(
    `insert into feed_changes (partner_id, kind, user_ids, rows)
     select partner_id, 'departed', array[id], 1
       from users
      where id = $1
        and ${isFollowed}`,
    [userId],
  );
}

/** What identifies payments and services of these users leaves the outbox; that they departed stays to be told. */
export async function forgetChangesOf(transaction: Transaction, userIds: readonly number[]): Promise<void> {
  await transaction.query(
    `update feed_changes
        set told = array(
              select case when changed.user_id <> all($1::bigint[]) then changed.told end
                from unnest(user_ids, told) with ordinality as changed (user_id, told, place)
               order by changed.place
            )
      where user_ids && $1::bigint[]
        and told is not null`,
    [userIds],
  );
}

/**
 * Removes what is past its age. The last of it stays, without users, as a mark: whoever is not beyond it has missed
 * something.
 */
export async function removeOldChanges(database: Queryable, before: Date): Promise<void> {
  await database.query(
    `with last_old as (
       select xid, position from feed_changes where at < $1 order by xid desc, position desc limit 1
     ),
     marked as (
       update feed_changes
          set kind = 'removed', partner_id = null, delivery_position = null, delivery_id = null, user_ids = '{}', told = null, rows = 0
         from last_old
        where feed_changes.xid = last_old.xid
          and feed_changes.position = last_old.position
     )
     delete from feed_changes
      using last_old
      where (feed_changes.xid, feed_changes.position) < (last_old.xid, last_old.position)`,
    [before],
  );
}

/** Nobody follows any more: whoever comes begins with what comes then. */
export async function forgetUnfollowed(transaction: Transaction): Promise<void> {
  await transaction.query(`delete from feed_changes where not ${isFollowed}`);
}
