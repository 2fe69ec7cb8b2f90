/**
 * Deliveries as an operator looks at them: how many in which state, the latest ones, and one by what its sender calls
 * it.
 */
import type { Queryable } from "../database/database.ts";
import { type Delivery, deliveryColumns, type DeliveryState } from "./deliveries.ts";

export type StateCount = { state: DeliveryState; deliveries: number; records: number };

export async function countByState(database: Queryable, partnerId: string | null): Promise<StateCount[]> {
  const { rows } = await database.query<StateCount>(
    `select state, count(*) as deliveries, coalesce(sum(records), 0)::bigint as records
       from deliveries
      where $1::text is null or partner_id = $1
      group by state
      order by state`,
    [partnerId],
  );
  return rows;
}

/** usersHeld: until a version of recognition is put in force. */
export type Behind = { usersChanged: number; usersHeld: number; markersWaiting: number };

/** What still has to happen behind the deliveries. */
export async function countBehind(database: Queryable, partnerId: string | null): Promise<Behind> {
  const counted = "$1::text is null or exists (select 1 from users where users.id = user_id and users.partner_id = $1)";
  const { rows } = await database.query<Behind>(
    `select (select count(*) from changed_users where held_for is null and (${counted})) as "usersChanged",
            (select count(*) from changed_users where held_for is not null and (${counted})) as "usersHeld",
            (select count(*) from import_markers where applied_at is null and (${counted})) as "markersWaiting"`,
    [partnerId],
  );
  return rows[0] ?? { usersChanged: 0, usersHeld: 0, markersWaiting: 0 };
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * @param reference a delivery's id, a request's reqId, or a file's name. @returns the newest of each partner that has
 * one called so, by partner
 */
export async function findByReference(
  database: Queryable,
  reference: string,
  partnerId: string | null,
): Promise<Delivery[]> {
  const condition = uuidPattern.test(reference) ? "(id = $1::uuid or request_id = $1::uuid)" : "name = $1";
  const { rows } = await database.query<Delivery>(
    `select distinct on (partner_id) ${deliveryColumns}
       from deliveries
      where ${condition}
        and ($2::text is null or partner_id = $2)
      order by partner_id, position desc`,
    [reference, partnerId],
  );
  return rows;
}
