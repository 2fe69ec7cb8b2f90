/** Balances of accounts as partners observed them. */
import type { Day } from "../time/calendar.ts";
import type { Queryable } from "../database/database.ts";

/** balance: a decimal text in the currency of the user's brand; day: in the brand's zone. */
export type ObservedBalanceRow = { userId: number; accountId: string; day: Day; balance: string };

/** Of each account the first and the last observation, in the order of time. */
export async function readBalances(database: Queryable, userIds: readonly number[]): Promise<ObservedBalanceRow[]> {
  const { rows } = await database.query<ObservedBalanceRow>(
    `select b.user_id as "userId", b.account_id as "accountId", b.balance::text as balance,
            to_char(b.observed_at at time zone brands.time_zone, 'YYYY-MM-DD') as day
       from (select user_id, account_id, balance, observed_at, id,
                    row_number() over (partition by user_id, account_id order by observed_at, id) as first,
                    row_number() over (partition by user_id, account_id order by observed_at desc, id desc) as last
               from account_balances
              where user_id = any($1::bigint[])) b
       join users on users.id = b.user_id
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
      where b.first = 1
         or b.last = 1
      order by b.user_id, b.account_id, b.observed_at, b.id`,
    [userIds],
  );
  return rows;
}
