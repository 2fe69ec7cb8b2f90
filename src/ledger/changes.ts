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
