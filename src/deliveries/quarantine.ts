/** Quarantine as an operator looks at it: deliveries of which something is not in the ledger and may still come. */
import type { Queryable } from "../database/database.ts";
import { dropQuarantined } from "./held.ts";

export type QuarantinedDelivery = {
  id: string;
  partnerId: string;
  name: string | null;
  requestId: string | null;
  state: string;
  refusalCode: string | null;
  acceptedAt: Date;
  batchesRefused: number;
  refused: number;
  waiting: number;
};

/** Newest first. A request's or a file's whole refusal is one line like any other. */
export async function listQuarantined(
  database: Queryable,
  partnerId: string | null,
  limit: number,
): Promise<QuarantinedDelivery[]> {
  const { rows } = await database.query<QuarantinedDelivery>(
    `select d.id, d.partner_id as "partnerId", d.name, d.request_id as "requestId", d.state, d.refusal_code as "refusalCode",
            d.accepted_at as "acceptedAt", d.batches_refused as "batchesRefused", d.records_refused as refused, d.records_waiting as waiting
       from quarantined_deliveries q
       join deliveries d on d.id = q.delivery_id
      where $1::text is null or d.partner_id = $1
      order by d.position desc
      limit $2`,
    [partnerId, limit],
  );
  return rows;
}

/**
 * Gives up what is held: retention may remove the original, and nothing of it can be released any more. @returns
 * whether anything was held.
 */
export async function closeQuarantine(database: Queryable, deliveryId: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `update deliveries
        set quarantine_closed_at = now()
      where id in (select delivery_id from quarantined_deliveries where delivery_id = $1)`,
    [deliveryId],
  );
  await dropQuarantined(database, deliveryId);
  return rowCount === 1;
}
