/** The state of deliveries whose held records are read again, and of refused ones that are let in after all. */
import type { Queryable, Transaction } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { giveWay } from "./progress.ts";

/** A revisit that fails this often is given up; what it held stays held, and can be released again. */
export const revisitAttemptsMax = 5;

/** Has what is marked as due read again. */
export async function requestRevisit(database: Queryable, deliveryId: string): Promise<void> {
  await database.query(
    "update deliveries set revisit_requested_at = now(), revisit_attempts = 0 where id = $1 and state = 'loaded'",
    [deliveryId],
  );
}

/** Counts an attempt, durably and before anything else. */
export async function startRevisit(database: Queryable, deliveryId: string): Promise<void> {
  await database.query(
    `update deliveries
        set revisit_attempts = revisit_attempts + 1,
            revisit_refusal_code = null,
            revisit_refusal_reason = null
      where id = $1`,
    [deliveryId],
  );
}

/** After a failure that does not speak against the delivery. */
export async function forgiveAttempt(database: Queryable, deliveryId: string): Promise<void> {
  await database.query("update deliveries set revisit_attempts = greatest(revisit_attempts - 1, 0) where id = $1", [
    deliveryId,
  ]);
}

/** After a failure that speaks against the delivery. */
export async function giveUpWhenTried(database: Queryable, deliveryId: string): Promise<void> {
  const { rowCount } = await database.query("select 1 from deliveries where id = $1 and revisit_attempts >= $2", [
    deliveryId,
    revisitAttemptsMax,
  ]);
  if (rowCount === 1)
    await giveUpRevisit(database, deliveryId, {
      code: "LOAD_ABANDONED",
      reason: `Reading it again failed ${revisitAttemptsMax} times.`,
    });
}

/** Nothing of it is due any more, and what it held stays held. */
export async function giveUpRevisit(
  database: Queryable,
  deliveryId: string,
  why: { code: string; reason: string },
): Promise<void> {
  await database.query(
    `with undone as (
       update held_records set due = false where delivery_id = $1 and due
     )
     update deliveries
        set revisit_requested_at = null,
            revisit_refusal_code = $2,
            revisit_refusal_reason = $3,
            receipt_state = null
      where id = $1`,
    [deliveryId, why.code, why.reason],
  );
}

/**
 * Locks a loaded delivery for a transaction that moves its counts, after whoever waits for its turn; its receipt is due
 * again.
 * @throws Fault LOAD_OVERTAKEN when it is loaded no more.
 */
export async function holdLoaded(transaction: Transaction, deliveryId: string): Promise<void> {
  await giveWay(transaction, deliveryId);
  const { rowCount } = await transaction.query(
    "update deliveries set receipt_state = null where id = $1 and state = 'loaded'",
    [deliveryId],
  );
  if (rowCount !== 1) throw new Fault("LOAD_OVERTAKEN");
}

/** Ends a revisit, unless more became due meanwhile. */
export async function finishRevisit(database: Queryable, deliveryId: string): Promise<void> {
  await database.query(
    `update deliveries
        set revisit_requested_at = null,
            receipt_state = null
      where id = $1
        and not exists (select 1 from held_records where delivery_id = $1 and due)`,
    [deliveryId],
  );
}

/**
 * A delivery that was refused whole begins anew, as if it had just been accepted at its old place. @returns whether
 * there was such a one.
 */
export async function reopenRefused(transaction: Transaction, deliveryId: string): Promise<boolean> {
  const { rowCount } = await transaction.query(
    `update deliveries
        set state = 'accepted',
            refusal_code = null,
            refusal_reason = null,
            finished_at = null,
            attempts = 0,
            breakdowns = 0,
            retry_at = null,
            bytes_loaded = 0,
            batches = 0,
            batches_refused = 0,
            records = 0,
            records_refused = 0
      where id = $1
        and state = 'refused'
        and refusal_code not in ('LOAD_ABANDONED', 'LOAD_CANCELLED')
        and records = records_refused`,
    [deliveryId],
  );
  if (rowCount !== 1) return false;
  await transaction.query("delete from delivery_problems where delivery_id = $1", [deliveryId]);
  await transaction.query("delete from held_records where delivery_id = $1", [deliveryId]);
  return true;
}
