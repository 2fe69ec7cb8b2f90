/**
 * Which accounts a user lets us see. Access is only ever removed here; a delivery that is accepted after the removal
 * and names the account brings it back.
 */
import type { Queryable, Transaction } from "../database/database.ts";
import { feedWhole } from "../partners/change-feed.ts";
import { markChanged } from "../partners/changed-users.ts";
import { removeAccounts } from "./holdings.ts";

/**
 * Removes access to every account but the kept ones; their transactions leave every read with the commit, and figures
 * with the next run. Accounts that accepted deliveries bring only later are judged the same. Idempotent. The caller
 * owns the transaction. @returns how many accounts were removed.
 */
export async function keepAccounts(
  transaction: Transaction,
  user: { id: number; partnerId: string },
  keptIds: readonly string[],
): Promise<number> {
  // Loaders mark a user before they touch its accounts: one that has the user in hand is waited for, a later one sees
  // the review.
  await markChanged(transaction, [user.id]);
  await transaction.query(
    `insert into account_reviews (user_id, position, kept)
     select $1, coalesce(max(position), 0), $3::text[]
       from deliveries
      where partner_id = $2`,
    [user.id, user.partnerId, keptIds],
  );
  await feedWhole(transaction, user);
  return await removeAccounts(transaction, user.id, keptIds);
}

/** Of these users, those who ever said which accounts we may see: of nobody else one was removed. */
export async function usersWithReviews(
  transaction: Transaction,
  userIds: readonly number[],
): Promise<ReadonlySet<number>> {
  if (userIds.length === 0) return new Set();
  const { rows } = await transaction.query<{ userId: number }>(
    `select distinct user_id as "userId" from account_reviews where user_id = any($1::bigint[])`,
    [userIds],
  );
  return new Set(rows.map((row) => row.userId));
}

/** Users to whom a delivery at this position brings removed accounts back, ascending: their figures change with it. */
export async function usersRegaining(
  transaction: Transaction,
  userIds: readonly number[],
  accountIds: readonly string[],
  position: number,
): Promise<number[]> {
  if (userIds.length === 0) return [];
  const { rows } = await transaction.query<{ userId: number }>(
    `select distinct removed.user_id as "userId"
       from unnest($1::bigint[], $2::text[]) as seen (user_id, id)
       join accounts removed on removed.user_id = seen.user_id and removed.id = seen.id
      where removed.removed_after < $3
      order by removed.user_id`,
    [userIds, accountIds, position],
  );
  return rows.map((row) => row.userId);
}

/** Of these accounts, known already or not, those that the user was said not to keep since that moment. */
export async function removedSince(
  database: Queryable,
  userId: number,
  accountIds: readonly string[],
  since: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await database.query<{ id: string }>(
    `select seen.id
       from unnest($2::text[]) as seen (id)
      where exists (select 1
                      from account_reviews review
                     where review.user_id = $1
                       and review.reviewed_at >= $3
                       and seen.id <> all(review.kept))`,
    [userId, accountIds, since],
  );
  return new Set(rows.map((row) => row.id));
}
