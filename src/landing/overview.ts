/** Deliveries as an operator looks at them: how many in which state, the latest ones, and one by what its sender calls it. */
import type { Queryable } from "../database.ts";
import type { Delivery, DeliveryState } from "./deliveries.ts";

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

/** What still has to happen behind the deliveries. */
export async function countBehind(database: Queryable): Promise<{ usersChanged: number; markersWaiting: number }> {
  const { rows } = await database.query<{ usersChanged: number; markersWaiting: number }>(
    `select (select count(*) from changed_users) as "usersChanged",
            (select count(*) from import_markers where applied_at is null) as "markersWaiting"`,
  );
  return rows[0] ?? { usersChanged: 0, markersWaiting: 0 };
}

/** Newest first. */
export async function listLatest(database: Queryable, filter: { partnerId: string | null; state: string | null }, limit: number): Promise<Delivery[]> {
  const { rows } = await database.query<Delivery>(
    `select *
       from deliveries
      where ($1::text is null or partner_id = $1)
        and ($2::text is null or state = $2)
      order by position desc
      limit $3`,
    [filter.partnerId, filter.state, limit],
  );
  return rows;
}

const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** @param reference a delivery's id, a request's reqId, or a file's name; of several the newest. Null: nothing is called so. */
export async function findByReference(database: Queryable, reference: string, partnerId: string | null): Promise<Delivery | null> {
  const condition = uuidPattern.test(reference) ? "(id = $1::uuid or request_id = $1::uuid)" : "name = $1";
  const { rows } = await database.query<Delivery>(
    `select *
       from deliveries
      where ${condition}
        and ($2::text is null or partner_id = $2)
      order by position desc
      limit 1`,
    [reference, partnerId],
  );
  return rows[0] ?? null;
}

/**
 * Opens deliveries again whose loading was given up or called off: workers take them up, and loading goes on after the
 * records that were committed. @param id null: all that were given up; what was called off is asked for by name. @returns the ids. Others are left as they are.
 */
export async function retryAbandoned(database: Queryable, id: string | null): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `update deliveries
        set state = 'accepted',
            attempts = 0,
            breakdowns = 0,
            retry_at = null,
            refusal_code = null,
            refusal_reason = null,
            finished_at = null
      where state = 'refused'
        and refusal_code in ('LOAD_ABANDONED', 'LOAD_CANCELLED')
        and (id = $1 or ($1::uuid is null and refusal_code = 'LOAD_ABANDONED'))
      returning id`,
    [id],
  );
  return rows.map((row) => row.id);
}
