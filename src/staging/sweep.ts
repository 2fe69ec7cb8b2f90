/** The sweep: what was recorded and not finished goes back into the queue, and receipts that were not written are. */
import type { Database } from "../database.ts";
import type { Events } from "../events.ts";
import type { Receipts } from "../landing/receipt.ts";
import type { IngestQueue } from "./queue.ts";

export type Sweeping = { database: Database; events: Events; receipts: Pick<Receipts, "write">; queue: Pick<IngestQueue, "add" | "missing"> };

/** Looked at in one statement; a lost queue of any length is refilled in one round. */
const deliveriesPerPage = 1000;
const receiptsMax = 200;

/**
 * @param olderThanMs deliveries younger than this are still on their normal way into the queue.
 * Idempotent, and safe from several schedulers: a delivery that is queued already is left as it is.
 */
export async function sweep(sweeping: Sweeping, olderThanMs: number): Promise<void> {
  await requeueOpen(sweeping, olderThanMs);
  await writeMissingReceipts(sweeping);
}

async function requeueOpen(sweeping: Sweeping, olderThanMs: number): Promise<void> {
  let count = 0;
  let after = 0;
  for (let page = await findOpen(sweeping.database, olderThanMs, after); page.length > 0; page = await findOpen(sweeping.database, olderThanMs, after)) {
    const missing = await sweeping.queue.missing(page.map((row) => row.id));
    if (missing.length > 0) await sweeping.queue.add(missing);
    count += missing.length;
    after = page.at(-1)?.position ?? after;
  }
  if (count > 0) sweeping.events.emit("delivery.requeued", { count });
}

/** Oldest first. */
async function findOpen(database: Database, olderThanMs: number, afterPosition: number): Promise<{ id: string; position: number }[]> {
  const { rows } = await database.query<{ id: string; position: number }>(
    `select id, position
       from deliveries
      where ((state in ('accepted', 'loading') and accepted_at < now() - make_interval(secs => $1))
             or revisit_requested_at is not null)
        and position > $3
      order by position
      limit $2`,
    [olderThanMs / 1000, deliveriesPerPage, afterPosition],
  );
  return rows;
}

/** A receipt that cannot be written holds up no other one; the newest come first, since people wait for those. */
async function writeMissingReceipts(sweeping: Sweeping): Promise<void> {
  const { rows } = await sweeping.database.query<{ id: string; partner_id: string; correlation_id: string }>(
    `select id, partner_id, correlation_id
       from deliveries
      where door = 'sftp'
        and receipt_state is distinct from state
      order by position desc
      limit $1`,
    [receiptsMax],
  );
  for (const row of rows) {
    const ids = { deliveryId: row.id, partnerId: row.partner_id, correlationId: row.correlation_id };
    await sweeping.receipts.write(row.id).catch((error: unknown) => sweeping.events.emit("receipt.failed", { ...ids, error }));
  }
}
