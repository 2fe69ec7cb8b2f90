/** Calling a load off: it stops at its next chunk; what was committed stays, and can be continued or withdrawn. */
import type { Transaction } from "../database/database.ts";
import { lockBetweenChunks } from "./progress.ts";

export type Cancelled = { deliveryId: string; recordsLoaded: number };

/** Waits for the chunk that is being committed. The caller's transaction holds no lock. Null: it is not open. */
export async function cancelLoad(transaction: Transaction, deliveryId: string): Promise<Cancelled | null> {
  await lockBetweenChunks(transaction, deliveryId);
  const { rows } = await transaction.query<Cancelled>(
    `update deliveries
        set state = 'refused',
            refusal_code = 'LOAD_CANCELLED',
            refusal_reason = 'Loading was called off after ' || records || ' records.',
            retry_at = null,
            finished_at = now(),
            receipt_state = null
      where id = $1
        and state in ('accepted', 'loading')
      returning id as "deliveryId", records as "recordsLoaded"`,
    [deliveryId],
  );
  return rows[0] ?? null;
}
