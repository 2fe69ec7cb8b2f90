/**
 * After an unclean stop: receipts that it may have spoiled are compared with the database, and those that differ are
 * written anew. The sweep does not find them: the database has noted them as written.
 */
import type { Database } from "../database/database.ts";
import { findDeliveries } from "../deliveries/deliveries.ts";
import { findLastReceipts } from "../deliveries/receipts.ts";
import type { Events } from "../events.ts";
import type { Receipts } from "../landing/receipt.ts";

export type Mending = {
  database: Database;
  events: Events;
  receipts: Pick<Receipts, "mendAll">;
  /** How many are compared between two reports. */
  groupSize?: number;
};

/** More than a power cut takes with it: what is older has reached the disk by itself. */
const receiptsMax = 20_000;
const groupSizeDefault = 500;

/** Idempotent. @returns whether all were compared: false when it was stopped before */
export async function mendReceipts(mending: Mending, isStopping: () => boolean): Promise<boolean> {
  const { database, events, receipts, groupSize = groupSizeDefault } = mending;
  const due = await findLastReceipts(database, receiptsMax);
  const progress = { compared: 0, mended: 0, total: due.length };
  while (progress.compared < progress.total) {
    if (isStopping()) return false;
    const group = due.slice(progress.compared, progress.compared + groupSize);
    const { mended, failures } = await receipts.mendAll(group);
    // What fails all of them, a database that is away, is no comparison.
    if (failures.size === group.length) throw [...failures.values()][0];
    progress.compared += group.length;
    progress.mended += mended.length;
    await tellFailures(mending, failures);
    events.emit("receipts.compared", { ...progress });
  }
  if (progress.total === 0) events.emit("receipts.compared", { ...progress });
  return true;
}

async function tellFailures({ database, events }: Mending, failures: ReadonlyMap<string, unknown>): Promise<void> {
  for (const delivery of await findDeliveries(database, [...failures.keys()]))
    events.emit("receipt.failed", {
      deliveryId: delivery.id,
      partnerId: delivery.partnerId,
      correlationId: delivery.correlationId,
      error: failures.get(delivery.id),
    });
}
