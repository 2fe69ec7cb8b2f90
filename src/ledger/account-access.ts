/**
 * Which accounts a user lets us see, and what is on them. Access is only ever removed here; a delivery that is accepted
 * after the removal and names the account brings it back.
 */
import type { Queryable, Transaction } from "../database/database.ts";
import { markChanged } from "./changes.ts";

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
  const { rowCount } = await transaction.query(
    `update accounts
        set removed_after = (select max(position) from account_reviews where user_id = $1)
      where user_id = $1
        and removed_after is null
        and id <> all($2::text[])`,
    [user.id, keptIds],
  );
  return rowCount ?? 0;
}

/** Users to whom a delivery at this position brings removed accounts back, ascending: their figures change with it. */
export async function usersRegaining(
  transaction: Transaction,
  userIds: readonly number[],
  accountIds: readonly string[],
  position: number,
): Promise<number[]> {
  if (userIds.length === 0) return [];
  const { rows } = await transaction.query<{ user_id: number }>(
    `select distinct removed.user_id
       from unnest($1::bigint[], $2::text[]) as seen (user_id, id)
       join accounts removed on removed.user_id = seen.user_id and removed.id = seen.id
      where removed.removed_after < $3
      order by removed.user_id`,
    [userIds, accountIds, position],
  );
  return rows.map((row) => row.user_id);
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

export type BalanceObservation = {
  accountId: string;
  /** Null leaves the known name. */
  accountName: string | null;
  /** Decimal text, in the brand's currency. */
  balance: string;
  /** ISO 8601; without an offset it is in `timeZone`. */
  observedTime: string;
};

/**
 * Overwrites balances and given names, creates missing accounts under their id as name, and adds to the history of
 * balances. The latest observation is the present one, whatever order they come in. A removed account stays removed.
 * One statement, so that all are taken or none.
 * @param observations each account once
 */
export async function putBalances(
  database: Queryable,
  userId: number,
  timeZone: string,
  observations: readonly BalanceObservation[],
): Promise<void> {
  await database.query(
    `with observed as (
       select account_id, account_name, balance,
              case when has_offset then observed_time::timestamptz else observed_time::timestamp at time zone $6 end as observed_at
         from unnest($2::text[], $3::text[], $4::numeric[], $5::text[], $7::boolean[])
              as given (account_id, account_name, balance, observed_time, has_offset)
     ),
     kept as (
       insert into account_balances (user_id, account_id, balance, observed_at)
       select $1, account_id, balance, observed_at from observed
     )
     insert into accounts (user_id, id, name, iban, balance, balance_observed_at)
     select $1, account_id, coalesce(account_name, account_id), '', balance, observed_at
       from observed
      order by account_id
     on conflict (user_id, id) do update
        set name = coalesce((select account_name from observed where account_id = accounts.id), accounts.name),
            balance = case when accounts.balance_observed_at > excluded.balance_observed_at then accounts.balance else excluded.balance end,
            balance_observed_at = greatest(accounts.balance_observed_at, excluded.balance_observed_at)`,
    [
      userId,
      observations.map((one) => one.accountId),
      observations.map((one) => one.accountName),
      observations.map((one) => one.balance),
      observations.map((one) => one.observedTime),
      timeZone,
      observations.map((one) => hasOffset(one.observedTime)),
    ],
  );
}

function hasOffset(time: string): boolean {
  return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(time.slice(time.search(/[Tt ]/)));
}
