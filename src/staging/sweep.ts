/** The sweep: what was recorded and not finished goes back into the queue, and receipts that were not written are. */
import type { Database } from "../database.ts";
import type { Events } from "../events.ts";
import type { Receipts } from "../landing/receipt.ts";
import type { IngestQueue } from "./queue.ts";

export type Sweeping = { database: Database; events: Events; receipts: Receipts; queue: Pick<IngestQueue, "add" | "missing"> };

/** Oldest first; the next round takes the next ones. */
const deliveriesMax = 1000;
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
  const { rows } = await sweeping.database.query<{ id: string }>(
    `select id
       from deliveries
      where state in ('accepted', 'loading')
        and accepted_at < now() - make_interval(secs => $1)
      order by position
      limit $2`,
    [olderThanMs / 1000, deliveriesMax],
  );
  const missing = await sweeping.queue.missing(rows.map((row) => row.id));
  if (missing.length === 0) return;
  await sweeping.queue.add(missing);
  sweeping.events.emit("delivery.requeued", { count: missing.length });
}

async function writeMissingReceipts(sweeping: Sweeping): Promise<void> {
  const { rows } = await sweeping.database.query<{ id: string }>(
    `select id
       from deliveries
      where door = 'sftp'
        and receipt_state is distinct from state
      order by position
      limit $1`,
    [receiptsMax],
  );
  for (const row of rows) await sweeping.receipts.write(row.id);
}
