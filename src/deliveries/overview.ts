/**
 * Deliveries as an operator looks at them: how many in which state, the latest ones, and one by what its sender calls
 * it.
 */
import type { Queryable } from "../database/database.ts";
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
export async function countBehind(
  database: Queryable,
  partnerId: string | null,
): Promise<{ usersChanged: number; markersWaiting: number }> {
  const counted = "$1::text is null or exists (select 1 from users where users.id = user_id and users.partner_id = $1)";
  const { rows } = await database.query<{ usersChanged: number; markersWaiting: number }>(
    `select (select count(*) from changed_users where ${counted}) as "usersChanged",
            (select count(*) from import_markers where applied_at is null and (${counted})) as "markersWaiting"`,
    [partnerId],
  );
  return rows[0] ?? { usersChanged: 0, markersWaiting: 0 };
}

/** Newest first. */
export async function listLatest(
  database: Queryable,
  filter: { partnerId: string | null; state: string | null },
  limit: number,
): Promise<Delivery[]> {
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
    `select distinct on (partner_id) *
       from deliveries
      where ${condition}
        and ($2::text is null or partner_id = $2)
      order by partner_id, position desc`,
    [reference, partnerId],
  );
  return rows;
}

/**
 * Opens deliveries again whose loading was given up or called off: workers take them up, and loading goes on after the
 * records that were committed. What retention has removed cannot be loaded again. @param id null: all that were given
 * up; what was called off, or dropped since, is asked for by name. @returns the ids. Others are left as they are.
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
            finished_at = null,
            -- What it is going to hold is kept again.
            quarantine_closed_at = null
      where state = 'refused'
        and refusal_code in ('LOAD_ABANDONED', 'LOAD_CANCELLED')
        and bytes_removed_at is null
        and (id = $1 or ($1::uuid is null and refusal_code = 'LOAD_ABANDONED' and quarantine_closed_at is null))
      returning id`,
    [id],
  );
  return rows.map((row) => row.id);
}
