/** The row of a delivery that is withdrawn. */
import type { Transaction } from "../database/database.ts";

/** Locks a delivery that is open, loaded or given up. Null: there is none, or not in such a state. */
export async function lockWithdrawable(
  transaction: Transaction,
  deliveryId: string,
): Promise<{ position: number; partnerId: string } | null> {
  const { rows } = await transaction.query<{ position: number; partnerId: string }>(
    `select position, partner_id as "partnerId"
       from deliveries
      where id = $1
        and (state in ('accepted', 'loading', 'loaded') or (state = 'refused' and refusal_code in ('LOAD_ABANDONED', 'LOAD_CANCELLED')))
        for no key update`,
    [deliveryId],
  );
  return rows[0] ?? null;
}

/** Its counts stay: they say what had been loaded. @param transactions so many left the ledger with it */
export async function noteWithdrawn(transaction: Transaction, deliveryId: string, transactions: number): Promise<void> {
  await transaction.query(
    `update deliveries
        set state = 'withdrawn',
            refusal_code = null,
            refusal_reason = null,
            revisit_requested_at = null,
            receipt_state = null,
            withdrawn_at = now(),
            finished_at = coalesce(finished_at, now()),
            transactions_withdrawn = $2
      where id = $1`,
    [deliveryId, transactions],
  );
}
