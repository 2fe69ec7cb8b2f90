/**
 * What an operator does to a delivery, from the command line and from the console alike: each with its trace, in one
 * transaction. Workers see by themselves what they are to do next; callers may wake them.
 */
import { type Database, inTransaction, type Queryable, type Transaction } from "../database/database.ts";
import { cancelLoad, type Cancelled } from "../deliveries/cancel.ts";
import { type Delivery, findDeliveries, findDelivery } from "../deliveries/deliveries.ts";
import { markDue } from "../deliveries/held.ts";
import { lockDelivery } from "../deliveries/progress.ts";
import { closeQuarantine } from "../deliveries/quarantine.ts";
import { reopenRefused, retryAbandoned } from "../deliveries/reopen.ts";
import { requestRevisit } from "../deliveries/revisits.ts";
import { countKnownElsewhere, withdraw, type Withdrawal } from "../ledger/withdraw.ts";
import { recordAudit } from "../partners/audit.ts";
import { type Guarded, guarded, lacksApproval } from "./approvals.ts";

/** Nothing was done, and why: a sentence for whoever asked. */
export type Declined = { outcome: "declined"; why: string };

/** Calls the loading off; what was loaded stays. */
export async function cancelDelivery(
  database: Database,
  actor: string,
  delivery: Delivery,
): Promise<({ outcome: "cancelled" } & Cancelled) | Declined> {
  const cancelled = await inTransaction(database, async (transaction) => {
    const done = await cancelLoad(transaction, delivery.id);
    if (done) await trace(transaction, actor, delivery, "delivery.cancelled", { ...done });
    return done;
  });
  if (cancelled) return { outcome: "cancelled", ...cancelled };
  // As it is now: it may have come to its end while its turn was waited for.
  const now = (await findDelivery(database, delivery.id)) ?? delivery;
  return declined(`The delivery is ${stateOf(now)}: there is nothing to call off.`);
}

/** Why its loading cannot go on; null: it can. */
export function whyNotRetried(delivery: Delivery): string | null {
  if (delivery.refusalCode !== "LOAD_ABANDONED" && delivery.refusalCode !== "LOAD_CANCELLED")
    return `The delivery is ${stateOf(delivery)}: there is nothing to load again.`;
  return delivery.bytesRemovedAt === null ? null : "Retention has removed the original.";
}

/** Has loading go on after what was committed. @param id null: of all that were given up. @returns the ids */
export async function retryDeliveries(database: Database, actor: string, id: string | null): Promise<string[]> {
  return await inTransaction(database, async (transaction) => {
    const ids = await retryAbandoned(transaction, id);
    for (const one of await findDeliveries(transaction, ids))
      await trace(transaction, actor, one, "delivery.retried", { deliveryId: one.id, recordsLoaded: one.records });
    return ids;
  });
}

export type Released =
  /** `wakes`: something waits to be read again. */
  | { outcome: "released"; records: number; batches: number; wakes: boolean }
  /** It had been refused whole: it is loaded on after so many records. */
  | { outcome: "reopened"; from: number }
  | Declined
  | Guarded;

/** Why nothing of it can be released; null: it may be tried. */
export function whyNotReleased(delivery: Delivery, field: string | null): string | null {
  if (delivery.quarantineClosedAt !== null) return "What was held of the delivery was dropped.";
  if (delivery.bytesRemovedAt !== null) return "Retention has removed the original.";
  if (delivery.state === "withdrawn") return "The delivery is withdrawn: nothing of it is held.";
  if (delivery.state === "refused") {
    if (field !== null) return "The file was refused whole: --problem has no meaning.";
    if (delivery.vaultReference === null && delivery.door !== "https")
      return `The file was refused at the door with ${delivery.refusalCode ?? ""}: nothing of it was kept.`;
    return null;
  }
  return delivery.state === "loaded" ? null : `The delivery is ${delivery.state}: nothing can be released yet.`;
}

/** Has what is held read again; a file that was refused whole from its beginning. @param field null: every problem */
export async function releaseHeld(
  database: Database,
  actor: string,
  delivery: Delivery,
  field: string | null,
  approvalId: string | null = null,
): Promise<Released> {
  const why = whyNotReleased(delivery, field);
  if (why !== null) return declined(why);
  if (await lacksApproval(database, "release", releaseOf(delivery.id, field), approvalId)) return guarded;
  if (delivery.state === "refused") return await reopen(database, actor, delivery);
  const { records, batches } = await inTransaction(database, async (transaction) => {
    await lockDelivery(transaction, delivery.id);
    const marked = await markDue(transaction, delivery.id, field);
    if (marked.ranges > 0) await requestRevisit(transaction, delivery.id);
    const details = { deliveryId: delivery.id, field, records: marked.records };
    await trace(transaction, actor, delivery, "quarantine.released", details);
    return marked;
  });
  return { outcome: "released", records, batches, wakes: records > 0 || delivery.batchesRefused > 0 };
}

/** What an approval of a release is about. */
export function releaseOf(deliveryId: string, field: string | null): { deliveryId: string; field?: string } {
  return field === null ? { deliveryId } : { deliveryId, field };
}

async function reopen(database: Database, actor: string, delivery: Delivery): Promise<Released> {
  const from = await inTransaction(database, async (transaction) => {
    const reopened =
      (await reopenRefused(transaction, delivery.id)) || (await retryAbandoned(transaction, delivery.id)).length > 0;
    if (!reopened) return null;
    await trace(transaction, actor, delivery, "quarantine.released", { deliveryId: delivery.id });
    return (await findDelivery(transaction, delivery.id))?.records ?? 0;
  });
  return from === null ? declined("The delivery is not refused any more.") : { outcome: "reopened", from };
}

/** Gives up what is held, so that retention may remove the original. @returns whether anything was held */
export async function dropHeld(database: Database, actor: string, delivery: Delivery): Promise<boolean> {
  return await inTransaction(database, async (transaction) => {
    await lockDelivery(transaction, delivery.id);
    const done = await closeQuarantine(transaction, delivery.id);
    if (done) await trace(transaction, actor, delivery, "quarantine.dropped", { deliveryId: delivery.id });
    return done;
  });
}

export type Withdrawn =
  /** `knownElsewhere`: later deliveries that brought records which were known. */
  | ({ outcome: "withdrawn"; knownElsewhere: number } & Withdrawal)
  /** It had been withdrawn before. */
  | { outcome: "repeated" }
  | Declined
  | Guarded;

/** Takes every transaction that it loaded out of the ledger. */
export async function withdrawDelivery(
  database: Database,
  actor: string,
  delivery: Delivery,
  approvalId: string | null = null,
): Promise<Withdrawn> {
  if (await lacksApproval(database, "withdraw", { deliveryId: delivery.id }, approvalId)) return guarded;
  const withdrawal = await inTransaction(database, async (transaction) => {
    const done = await withdraw(transaction, delivery.id, actor);
    if (done) await trace(transaction, actor, delivery, "delivery.withdrawn", { deliveryId: delivery.id, ...done });
    return done;
  });
  if (withdrawal)
    return {
      outcome: "withdrawn",
      ...withdrawal,
      knownElsewhere: await countKnownElsewhere(database, delivery.id),
    };
  // As it is now: it may have come to its end while its turn was waited for.
  return (await findDelivery(database, delivery.id))?.state === "refused"
    ? declined("The delivery was refused: nothing of it is in the ledger.")
    : { outcome: "repeated" };
}

/** What withdrawing would take away now. Days are the payments' own; null: nothing of it is in the ledger. */
export type WithdrawalPreview = {
  transactions: number;
  users: number;
  firstDay: string | null;
  lastDay: string | null;
  /** Contents that it corrected, which would come back as they were. */
  restored: number;
  knownElsewhere: number;
};

/** Changes nothing. Between this and the withdrawal more may be loaded: its own figures are what counts. */
export async function previewWithdrawal(database: Queryable, delivery: Delivery): Promise<WithdrawalPreview> {
  const { rows } = await database.query<Omit<WithdrawalPreview, "knownElsewhere">>(
    `select count(*) as transactions,
            count(distinct user_id) as users,
            min(booked_on)::text as "firstDay",
            max(booked_on)::text as "lastDay",
            (select count(distinct (v.user_id, v.txid))
               from transactions t
               join transaction_versions v on v.user_id = t.user_id and v.txid = t.txid
              where t.delivery_position = $1) as restored
       from transactions
      where delivery_position = $1`,
    [delivery.position],
  );
  const none = { transactions: 0, users: 0, firstDay: null, lastDay: null, restored: 0 };
  return { ...(rows[0] ?? none), knownElsewhere: await countKnownElsewhere(database, delivery.id) };
}

function stateOf({ state, refusalCode }: Delivery): string {
  return `${state}${refusalCode === null ? "" : ` with ${refusalCode}`}`;
}

function declined(why: string): Declined {
  return { outcome: "declined", why };
}

async function trace(
  transaction: Transaction,
  actor: string,
  { partnerId }: Delivery,
  event: string,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  await recordAudit(transaction, actor, { partnerId, event, details });
}
