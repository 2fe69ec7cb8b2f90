/** Refused deliveries that are loaded after all: given up or called off ones go on, those refused whole begin anew. */
import type { Queryable, Transaction } from "../database/database.ts";
import { forgetHeld } from "./held.ts";
import { forgetAllProblems } from "./problems.ts";

/**
 * Opens deliveries again whose loading was given up or called off: workers take them up, and loading goes on after the
 * records that were committed. What retention has removed cannot be loaded again. @param id null: all that were given
 * up; what was called off, or dropped since, is asked for by name. @returns the ids. Others are left as they are.
 */
export async function retryAbandoned(database: Queryable, id: string | null): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    `update deliveries
        set state = 'accepted',
            attempts = 0,
            breakdowns = 0,
            retry_at = null,
            refusal_code = null,
            refusal_reason = null,
            finished_at = null,
            -- What it is going to hold is kept again.
            quarantine_closed_at = null
      where state = 'refused'
        and refusal_code in ('LOAD_ABANDONED', 'LOAD_CANCELLED')
        and bytes_removed_at is null
        and (id = $1 or ($1::uuid is null and refusal_code = 'LOAD_ABANDONED' and quarantine_closed_at is null))
      returning id`,
    [id],
  );
  return rows.map((row) => row.id);
}

/**
 * A delivery that was refused whole begins anew, as if it had just been accepted at its old position. @returns whether
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
  await forgetAllProblems(transaction, deliveryId);
  await forgetHeld(transaction, deliveryId);
  return true;
}
