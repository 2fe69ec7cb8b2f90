/** The state of deliveries whose held records are read again. */
import { type Queryable, transact, type Transaction } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { forgetReleased, hasDue, leavesHeld } from "./held.ts";
import { yieldToWaiting } from "./progress.ts";

/** A revisit that fails this often is given up; what it held stays held, and can be released again. */
export const revisitAttemptsMax = 5;

/** Has what is marked as due read again. */
export async function requestRevisit(database: Queryable, deliveryId: string): Promise<void> {
  await database.query(
    "update deliveries set revisit_requested_at = now(), revisit_attempts = 0 where id = $1 and state = 'loaded'",
    [deliveryId],
  );
}

/**
 * The same for several of which it may have been asked already, where anything is due: what came first counts for their age.
 */
export async function requestRevisits(transaction: Transaction, deliveryIds: readonly string[]): Promise<void> {
  await transaction.query(
    `update deliveries
        set revisit_requested_at = coalesce(revisit_requested_at, now()),
            revisit_attempts = 0
      where id = any($1::uuid[])
        and state = 'loaded'
        and exists (select 1 from held_records where delivery_id = deliveries.id and due)`,
    [deliveryIds],
  );
}

/**
 * Counts an attempt, durably and before anything else. One that goes on where another was killed passes over what that one
 * took, so that how far it is stays.
 */
export async function startRevisit(database: Queryable, deliveryId: string): Promise<void> {
  await database.query(
    `update deliveries
        set revisit_attempts = revisit_attempts + 1,
            revisit_started_at = now(),
            revisit_records = 0,
            revisit_bytes = case when revisit_started_at >= revisit_requested_at then revisit_bytes else 0 end,
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
    `with ${leavesHeld}
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
export async function lockLoaded(transaction: Transaction, deliveryId: string): Promise<void> {
  await yieldToWaiting(transaction, deliveryId);
  const { rowCount } = await transaction.query(
    "update deliveries set receipt_state = null where id = $1 and state = 'loaded'",
    [deliveryId],
  );
  if (rowCount !== 1) throw new Fault("LOAD_OVERTAKEN");
}

/** How far a revisit is, for whoever watches. @param bytes of the landed file, that were read */
export async function noteRevisited(
  transaction: Transaction,
  deliveryId: string,
  { records, bytes }: { records: number; bytes: number },
): Promise<void> {
  await transaction.query(
    "update deliveries set revisit_records = revisit_records + $2, revisit_bytes = greatest(revisit_bytes, least(size_bytes, $3)) where id = $1",
    [deliveryId, records, bytes],
  );
}

/**
 * Ends a revisit, unless more became due meanwhile: whoever names an account holds the delivery while it does, and is waited
 * for here before it is asked what is due.
 */
export async function finishRevisit(client: Transaction, deliveryId: string): Promise<void> {
  await transact(client, async () => {
    await client.query("select 1 from deliveries where id = $1 for no key update", [deliveryId]);
    const { rowCount } = await client.query(
      `update deliveries
          set revisit_requested_at = null,
              receipt_state = null
        where id = $1
          and not ${hasDue}`,
      [deliveryId],
    );
    if (rowCount === 1) await forgetReleased(client, deliveryId);
    // What became due meanwhile may stand anywhere.
    else await client.query("update deliveries set revisit_bytes = 0 where id = $1", [deliveryId]);
  });
}
