/** What came in a stretch of time, partner by partner and hour by hour, and what is still open. */
import type { Queryable } from "../database/database.ts";

export type Came = {
  partnerId: string;
  deliveries: number;
  /** Whole; in part; not at all; still waiting or being loaded. */
  loaded: number;
  partly: number;
  refused: number;
  open: number;
  records: number;
  sizeBytes: number;
};

const outcomes = `count(*) as deliveries,
            count(*) filter (where state = 'loaded' and records_refused = 0 and batches_refused = 0 and records_waiting = 0) as loaded,
            count(*) filter (where state = 'loaded' and (records_refused > 0 or batches_refused > 0 or records_waiting > 0)) as partly,
            count(*) filter (where state = 'refused') as refused,
            count(*) filter (where state in ('accepted', 'loading')) as open,
            sum(records)::bigint as records,
            sum(size_bytes)::bigint as "sizeBytes"`;

/** `slot` counts from `since`, each of `slotMinutes`. */
export type CameInSlot = Came & { slot: number };

export async function countCameBySlot(
  database: Queryable,
  partnerIds: readonly string[] | null,
  since: Date,
  slotMinutes: number,
): Promise<CameInSlot[]> {
  const { rows } = await database.query<CameInSlot>(
    `select partner_id as "partnerId",
            floor(extract(epoch from accepted_at - $2) / ($3 * 60))::int as slot,
            ${outcomes}
       from deliveries
      where accepted_at >= $2
        and ($1::text[] is null or partner_id = any($1))
      group by 1, 2
      order by 1, 2`,
    [partnerIds, since, slotMinutes],
  );
  return rows;
}

export type Backlog = { partnerId: string; deliveries: number; oldestAt: Date; sizeBytes: number };

/** What waits or is being loaded, of whatever age. */
export async function readBacklog(database: Queryable, partnerIds: readonly string[] | null): Promise<Backlog[]> {
  const { rows } = await database.query<Backlog>(
    `select partner_id as "partnerId", count(*) as deliveries, min(accepted_at) as "oldestAt", sum(size_bytes)::bigint as "sizeBytes"
       from deliveries
      where state in ('accepted', 'loading')
        and ($1::text[] is null or partner_id = any($1))
      group by partner_id
      order by min(position)`,
    [partnerIds],
  );
  return rows;
}
