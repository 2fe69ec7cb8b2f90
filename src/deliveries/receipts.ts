/** Which state of a delivery its receipt tells. */
import type { Queryable } from "../database/database.ts";
import type { Delivery } from "./deliveries.ts";

/**
 * Notes that these receipts were written, unless a delivery has moved on since it was read. What came to its end
 * meanwhile may have had its last receipt written before this older one, which then stands there now: that receipt is
 * due again.
 */
export async function noteReceipts(database: Queryable, written: readonly Delivery[]): Promise<void> {
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
             or deliveries.state not in ('accepted', 'loading'))`,
    [
      written.map((one) => one.id),
      written.map((one) => one.state),
      written.map((one) => one.recordsNew),
      written.map((one) => one.recordsRefused),
      written.map((one) => one.recordsWaiting),
    ],
  );
}
