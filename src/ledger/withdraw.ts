/**
 * Withdrawing a delivery: what it loaded leaves the ledger and with it every figure, and stays as a trace.
 *
 * What leaves is what this delivery loaded. A transaction that another delivery had brought before stays, since this
 * one loaded nothing of it; one that another delivery brought again leaves too, since it was loaded once and by this
 * one. Contents that it corrected come back as they were before. Accounts, cards and import markers that took effect
 * stay.
 */
import type { Queryable, Transaction } from "../database/database.ts";
import { restoreVersions, removeDelivered } from "./transactions.ts";
import { feedWithdrawn } from "../partners/change-feed.ts";
import { markChanged } from "../partners/changed-users.ts";
import { forgetMappings } from "./account-owners.ts";
import { forgetParts } from "./entry-parts.ts";
import { forgetHeld } from "../deliveries/held.ts";
import { forgetMarkers } from "../deliveries/import-markers.ts";
import { lockBetweenChunks } from "../deliveries/progress.ts";
import { forgetRequests } from "../deliveries/requests.ts";
import { lockWithdrawable, noteWithdrawn } from "../deliveries/withdrawal.ts";

export type Withdrawal = { transactions: number; restored: number; users: number };

/**
 * Idempotent: a second time nothing leaves. The caller owns the transaction and holds no lock. Null: not withdrawable
 * in its state.
 */
export async function withdraw(
  transaction: Transaction,
  deliveryId: string,
  actor: string,
): Promise<Withdrawal | null> {
  await lockBetweenChunks(transaction, deliveryId);
  const delivery = await lockWithdrawable(transaction, deliveryId);
  if (!delivery) return null;
  const left = await removeDelivered(transaction, deliveryId, delivery.position, actor);
  const restored = await restoreVersions(transaction, deliveryId, delivery.position, actor);
  await forgetTraces(transaction, deliveryId, delivery);
  await noteWithdrawn(transaction, deliveryId, left.transactions);
  await markChanged(transaction, left.userIds);
  await feedWithdrawn(transaction, { id: deliveryId, partnerId: delivery.partnerId }, left);
  return { transactions: left.transactions, restored, users: left.userIds.length };
}

/** So that its reqIds can be sent again, nothing of it waits, and no marker of it is still to come. */
async function forgetTraces(
  transaction: Transaction,
  deliveryId: string,
  { position, partnerId }: { position: number; partnerId: string },
): Promise<void> {
  await forgetRequests(transaction, partnerId, deliveryId);
  await forgetMarkers(transaction, deliveryId);
  await forgetHeld(transaction, deliveryId);
  await forgetMappings(transaction, partnerId, position);
  await forgetParts(transaction, position);
}

/**
 * Deliveries of the partner that brought records which were known, or are bringing them: what the withdrawn one loaded
 * may have been among them.
 */
export async function countKnownElsewhere(database: Queryable, deliveryId: string): Promise<number> {
  const { rows } = await database.query<{ deliveries: number }>(
    `select count(*) as deliveries
       from deliveries other
       join deliveries withdrawn on withdrawn.id = $1 and withdrawn.partner_id = other.partner_id
      where other.id <> withdrawn.id
        and other.state in ('loading', 'loaded')
        and other.records_known > 0
        and (other.finished_at is null or other.finished_at > withdrawn.started_at)`,
    [deliveryId],
  );
  return rows[0]?.deliveries ?? 0;
}
