/** Which state of a delivery its receipt tells. */
import { commitsQuickly, type Queryable } from "../database/database.ts";
import type { Delivery } from "./deliveries.ts";

/**
 * Notes that these receipts were written, unless a delivery has moved on since it was read. What came to its end
 * meanwhile may have had its last receipt written before this older one, which then stands there now: that receipt is
 * due again.
 * @param isDurable false: a power cut may take the note
 */
export async function noteReceipts(database: Queryable, written: readonly Delivery[], isDurable = true): Promise<void> {
  if (written.length === 0) return;
  await database.query(
    `update deliveries
        set receipt_state = case when (deliveries.state, deliveries.records_new, deliveries.records_refused, deliveries.records_waiting)
                                      = (written.state, written.records_new, written.records_refused, written.records_waiting)
                                 then deliveries.state
                            end
       from unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as written (id, state, records_new, records_refused, records_waiting)
      where deliveries.id = written.id
        and ((deliveries.state, deliveries.records_new, deliveries.records_refused, deliveries.records_waiting)
             = (written.state, written.records_new, written.records_refused, written.records_waiting)
             or deliveries.state not in ('accepted', 'loading'))
        and case when $6 then true else ${commitsQuickly} end`,
    [
      written.map((one) => one.id),
      written.map((one) => one.state),
      written.map((one) => one.recordsNew),
      written.map((one) => one.recordsRefused),
      written.map((one) => one.recordsWaiting),
      isDurable,
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
