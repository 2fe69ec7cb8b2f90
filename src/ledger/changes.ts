/**
 * What a load means for its users: when they were last heard of, that their import is over, that figures are out of
 * date.
 */
import type { Transaction } from "../database/database.ts";

/** Ids in ascending order and each once, which every loader keeps to, so that they wait instead of deadlocking. */
export function ascending(userIds: Iterable<number>): number[] {
  return [...new Set(userIds)].sort((a, b) => a - b);
}

/** Keeps the markers of a delivery; they take effect elsewhere, when everything before them is loaded. */
export async function postMarkers(
  transaction: Transaction,
  delivery: { id: string; position: number },
  userIds: readonly number[],
): Promise<void> {
  if (userIds.length === 0) return;
  await transaction.query(
    `insert into import_markers (user_id, delivery_id, delivery_position)
     select user_id, $2, $3
       from unnest($1::bigint[]) as user_id
     on conflict do nothing`,
    [userIds, delivery.id, delivery.position],
  );
}

/**
 * Notes that records came for these users. Only an open import asks for it, within hours: other users' rows stay
 * untouched, and one minute's precision spares an update with every chunk.
 */
export async function touchUsers(transaction: Transaction, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await transaction.query(
    `with open as (
       select id
         from users
        where id = any($1::bigint[])
          and import_completed_at is null
          and (last_loaded_at is null or last_loaded_at < now() - interval '1 minute')
        order by id
          for no key update
     )
     update users
        set last_loaded_at = now()
       from open
      where users.id = open.id`,
    [userIds],
  );
}

/** Puts users on the list that recognition works through. */
export async function markChanged(transaction: Transaction, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await transaction.query(
    `insert into changed_users (user_id)
     select user_id
       from unnest($1::bigint[]) as user_id
     on conflict (user_id) do update set touched_at = now()`,
    [userIds],
  );
}
