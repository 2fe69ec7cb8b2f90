/**
 * IMPORT_COMPLETED markers: kept with the delivery that brought them, until every delivery that its partner had
 * accepted up to that one is finished.
 */
import type { Transaction } from "../database/database.ts";

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

/** A user whose import is complete. */
export type DueUser = { userId: number; timeZone: string };

/** Applies the partner's markers that nothing older holds up any more. @returns their users, ascending */
export async function applyDueMarkers(transaction: Transaction, partnerId: string): Promise<DueUser[]> {
  const { rows } = await transaction.query<DueUser>(
    `with horizon as (
       select coalesce(min(position), 9223372036854775807) as first_open
         from deliveries
        where partner_id = $1
          and (state in ('accepted', 'loading') or revisit_requested_at is not null)
     ),
     due as (
       select marker.user_id, marker.delivery_id
         from import_markers as marker
         join users on users.id = marker.user_id and users.partner_id = $1
        where marker.applied_at is null
          and marker.delivery_position < (select first_open from horizon)
        order by marker.user_id
          for update of marker skip locked
     ),
     applied as (
       update import_markers as marker
          set applied_at = now()
         from due
        where marker.user_id = due.user_id
          and marker.delivery_id = due.delivery_id
     )
     select distinct due.user_id as "userId", brands.time_zone as "timeZone"
       from due
       join users on users.id = due.user_id
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
      order by due.user_id`,
    [partnerId],
  );
  return rows;
}

/** Of a withdrawn delivery; those that took effect stay. */
export async function forgetMarkers(transaction: Transaction, deliveryId: string): Promise<void> {
  await transaction.query("delete from import_markers where delivery_id = $1 and applied_at is null", [deliveryId]);
}
