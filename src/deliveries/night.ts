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

/** `slot` counts from the night's beginning. */
export type CameInSlot = Came & { slot: number };

/** slotsText: what came in each slot, as slotsOf reads it. Equal texts tell of equal slots. */
export type CameOfPartner = Came & { slotsText: string };

/**
 * In the order of the partners' ids.
 * @param since the beginning of the first slot, each of `slotMinutes`
 */
export async function countCameBySlot(
  database: Queryable,
  partnerIds: readonly string[] | null,
  since: Date,
  slotMinutes: number,
): Promise<CameOfPartner[]> {
  // A row for each slot of two hundred partners took four times as long to read as to count.
  const { rows } = await database.query<CameOfPartner>(
    `select "partnerId",
            sum(deliveries)::bigint as deliveries,
            sum(loaded)::bigint as loaded,
            sum(partly)::bigint as partly,
            sum(refused)::bigint as refused,
            sum(open)::bigint as open,
            sum(records)::bigint as records,
            sum("sizeBytes")::bigint as "sizeBytes",
            string_agg(concat_ws(' ', slot, deliveries, loaded, partly, refused, open, records, "sizeBytes"), ',' order by slot) as "slotsText"
       from (select partner_id as "partnerId",
                    floor(extract(epoch from accepted_at - $2)::float8 / ($3::int * 60))::int as slot,
                    ${outcomes}
               from deliveries
              where accepted_at >= $2
                and ($1::text[] is null or partner_id = any($1))
              group by 1, 2) as counted
      group by "partnerId"
      order by "partnerId"`,
    [partnerIds, since, slotMinutes],
  );
  return rows;
}

export function slotsOf({ partnerId, slotsText }: CameOfPartner): CameInSlot[] {
  return slotsText.split(",").map((text) => slotOf(partnerId, text));
}

function slotOf(partnerId: string, text: string): CameInSlot {
  const [slot = 0, deliveries = 0, loaded = 0, partly = 0, refused = 0, open = 0, records = 0, sizeBytes = 0] = text
    .split(" ")
    .map(Number);
  return { partnerId, slot, deliveries, loaded, partly, refused, open, records, sizeBytes };
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
