/** The sweep: receipts that were not written for the present state of their delivery are. */
import type { Database } from "../database/database.ts";
import type { Events } from "../events.ts";
import type { Receipts } from "../landing/receipt.ts";

export type Sweeping = {
  database: Database;
  events: Events;
  receipts: Pick<Receipts, "write">;
  /** What changed so recently is left to whoever changed it. Default: nothing is. */
  settledMs?: number;
};

/** Of one partner a round. */
const receiptsMax = 200;

/**
 * Idempotent. A receipt that cannot be written holds up no other one, and a partner of whom none can, for instance in a
 * folder that somebody else made, no other partner's; the newest come first, since people wait for those.
 */
export async function sweepReceipts(sweeping: Sweeping): Promise<void> {
  const { rows } = await sweeping.database.query<{ id: string; partnerId: string; correlationId: string }>(
    `select id, partner_id as "partnerId", correlation_id as "correlationId"
       from (select id, partner_id, correlation_id, position, row_number() over (partition by partner_id order by position desc) as rank
               from deliveries
              where door = 'sftp'
                and receipt_state is distinct from state
                and greatest(accepted_at, started_at, finished_at, withdrawn_at) <= now() - make_interval(secs => $2)) as due
      where rank <= $1
      order by position desc`,
    [receiptsMax, (sweeping.settledMs ?? 0) / 1000],
  );
  for (const row of rows) {
    const ids = { deliveryId: row.id, partnerId: row.partnerId, correlationId: row.correlationId };
    await sweeping.receipts
      .write(row.id)
      .catch((error: unknown) => sweeping.events.emit("receipt.failed", { ...ids, error }));
  }
}
