/** Which state of a delivery its receipt tells. */
import { commitsQuickly, type Queryable } from "../database/database.ts";
import type { Delivery } from "./deliveries.ts";

/** A delivery whose receipt was written, as it was when that was read; which of its name was the newest then. */
export type WrittenReceipt = { delivery: Delivery; newestPosition: number };

/**
 * Notes that these receipts were written, unless a delivery has moved on since it was read. What came to its end
 * meanwhile may have had its last receipt written before this older one, which then stands there now: that receipt is
 * due again. So are both where another file of the name was recorded meanwhile, whose receipt may have been at the path
 * that was written.
 * @param isDurable false: a power cut may take the note
 */
export async function noteReceipts(
  database: Queryable,
  written: readonly WrittenReceipt[],
  isDurable = true,
): Promise<void> {
  if (written.length === 0) return;
  const deliveries = written.map((one) => one.delivery);
  await database.query(
    `with written as (
       select *
         from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $7::bigint[], $8::text[], $9::text[])
           as written (id, state, records_new, records_refused, records_waiting, newest_position, partner_id, name)
     ),
     overtaken as (
       select written.id, newer.id as newer_id
         from written
        -- By the name, of which there are few: not by door and position, of which there may be all, nor by going through all
        -- that there is, as the server does with a table that it has not counted yet.
        cross join lateral (select id, door, position
                              from deliveries
                             where deliveries.partner_id = written.partner_id
                               and deliveries.name = written.name
                            offset 0) as newer
        where newer.door = 'sftp'
          and newer.position > written.newest_position
     ),
     due as (
       select id from overtaken
       union
       select newer_id from overtaken
       union
       select id from written group by id having count(distinct (state, records_new, records_refused, records_waiting)) > 1
     ),
     told as (
       select distinct on (id) id, state, records_new, records_refused, records_waiting from written
       union all
       select id, null, null, null, null from due where id not in (select id from written)
     )
     update deliveries
        set receipt_state = case when deliveries.id not in (select id from due)
                                  and (deliveries.state, deliveries.records_new, deliveries.records_refused, deliveries.records_waiting)
                                      = (told.state, told.records_new, told.records_refused, told.records_waiting)
                                 then deliveries.state
                            end
       from told
      where deliveries.id = told.id
        -- One by one, however few the server takes all of them to be.
        and deliveries.id = any(array(select id from told))
        and ((deliveries.state, deliveries.records_new, deliveries.records_refused, deliveries.records_waiting)
             = (told.state, told.records_new, told.records_refused, told.records_waiting)
             or deliveries.state not in ('accepted', 'loading'))
        and case when $6 then true else ${commitsQuickly} end`,
    [
      deliveries.map((one) => one.id),
      deliveries.map((one) => one.state),
      deliveries.map((one) => one.recordsNew),
      deliveries.map((one) => one.recordsRefused),
      deliveries.map((one) => one.recordsWaiting),
      isDurable,
      written.map((one) => one.newestPosition),
      deliveries.map((one) => one.partnerId),
      deliveries.map((one) => one.name),
    ],
  );
}

/**
 * Receipts that an unclean stop may have spoiled: those of files that came, were loaded or were withdrawn within the
 * hour before the last of that happened, newest first. A receipt whose last change was another one (a record released
 * later) is not found by a time; it was durable before the database noted it. What is being loaded gets its receipt
 * anyway, and so does what is not noted as written.
 */
export async function findLastReceipts(database: Queryable, countMax: number): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `with changed as (
       (select id, accepted_at as at from deliveries where door = 'sftp' order by position desc limit $1)
       union all
       (select id, finished_at from deliveries where door = 'sftp' and finished_at is not null order by finished_at desc limit $1)
       union all
       (select id, withdrawn_at from deliveries where door = 'sftp' and withdrawn_at is not null order by withdrawn_at desc limit $1)
     )
     select id
       from deliveries
      where id in (select id from changed where at >= (select max(at) from changed) - interval '1 hour')
        and state <> 'loading'
        and receipt_state = state
      order by position desc
      limit $1`,
    [countMax],
  );
  return rows.map(({ id }) => id);
}
