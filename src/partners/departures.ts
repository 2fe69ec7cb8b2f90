/**
 * When users were deleted: somebody made again under the same name is somebody else, to whom nothing belongs that was
 * accepted before. SQL.
 */
import type { Queryable, Transaction } from "../database/database.ts";

/** The caller owns the transaction, and has locked the user. */
export async function noteDeparture(transaction: Transaction, userId: number): Promise<void> {
  await transaction.query(
    // The clock's time and not the transaction's: what was accepted while this waited came before, too.
    `insert into departures (partner_id, bank_user_id_sha256, departed_at)
     select partner_id, sha256(convert_to(bank_user_id, 'UTF8')), clock_timestamp() from users where id = $1
     on conflict (partner_id, bank_user_id_sha256) do update set departed_at = excluded.departed_at`,
    [userId],
  );
}

/**
 * A condition for a query with `users` in it: whether the user was made again since.
 * @param acceptedAt the SQL of when it was accepted
 */
export function isMadeAgainSince(acceptedAt: string): string {
  return `exists (
       select 1
         from departures
        where departures.partner_id = users.partner_id
          and departures.bank_user_id_sha256 = sha256(convert_to(users.bank_user_id, 'UTF8'))
          and departures.departed_at >= ${acceptedAt}
     )`;
}

/** Forgets those from before the partner's oldest delivery, with which nothing could come back. */
export async function forgetDepartures(database: Queryable, now: Date): Promise<void> {
  await database.query(
    `delete from departures
      where departed_at < coalesce(
              (select accepted_at from deliveries where deliveries.partner_id = departures.partner_id order by position limit 1),
              $1::timestamptz
            )`,
    [now],
  );
}
