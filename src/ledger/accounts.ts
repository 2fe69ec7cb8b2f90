/** The accounts of users, those whose access was removed included. */
import type { Queryable } from "../database/database.ts";

export type LedgerAccountState = { id: string; name: string; iban: string | null; isRemoved: boolean };

/** By user; users without accounts are absent. */
export async function readAccounts(
  database: Queryable,
  userIds: readonly number[],
): Promise<Map<number, LedgerAccountState[]>> {
  const { rows } = await database.query<LedgerAccountState & { userId: number }>(
    `select user_id as "userId", id, name, nullif(iban, '') as iban, removed_after is not null as "isRemoved"
       from accounts
      where user_id = any($1::bigint[])
      order by user_id, id`,
    [userIds],
  );
  const byUser = new Map<number, LedgerAccountState[]>();
  for (const { userId, ...account } of rows) byUser.set(userId, [...(byUser.get(userId) ?? []), account]);
  return byUser;
}
