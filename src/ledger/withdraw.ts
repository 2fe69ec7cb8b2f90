/**
 * Withdrawing a delivery: what it loaded leaves the ledger and with it every figure, and stays as a trace.
 *
 * What leaves is what this delivery loaded. A transaction that another delivery had brought before stays, since this
 * one loaded nothing of it; one that another delivery brought again leaves too, since it was loaded once and by this
 * one. Contents that it corrected come back as they were before. Accounts, cards and import markers that took effect
 * stay.
 */
import type { Queryable, Transaction } from "../database/database.ts";
import { copyColumns } from "./row-block.ts";
import { markChanged } from "./changes.ts";
import { takeTurn } from "../deliveries/progress.ts";

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
  await takeTurn(transaction, deliveryId);
  const { rows } = await transaction.query<{ position: number; partnerId: string }>(
    `select position, partner_id as "partnerId"
       from deliveries
      where id = $1
        and (state in ('accepted', 'loading', 'loaded') or (state = 'refused' and refusal_code in ('LOAD_ABANDONED', 'LOAD_CANCELLED')))
        for no key update`,
    [deliveryId],
  );
  const delivery = rows[0];
  if (!delivery) return null;
  const left = await takeOut(transaction, deliveryId, delivery.position, actor);
  const restored = await restoreVersions(transaction, deliveryId, delivery.position, actor);
  await forgetTraces(transaction, deliveryId, delivery);
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
    [deliveryId, left.transactions],
  );
  await markChanged(transaction, left.userIds);
  return { transactions: left.transactions, restored, users: left.userIds.length };
}

/**
 * Finds its rows by reading the whole table (2 million in 0.2 s): withdrawing is rare, and even the smallest index on
 * the delivery, BRIN, would cost every load 3 % (median of eight COPYs of 200,000 rows: 346 against 356 thousand a
 * second).
 */
async function takeOut(
  transaction: Transaction,
  deliveryId: string,
  position: number,
  actor: string,
): Promise<{ transactions: number; userIds: number[] }> {
  const { rows } = await transaction.query<{ user_id: number; transactions: number }>(
    `with gone as (
       delete from transactions
        where delivery_position = $2
       returning id, ${copyColumns}
     ),
     kept as (
       insert into withdrawn_transactions (delivery_id, actor, id, ${copyColumns})
       select $1, $3, id, ${copyColumns} from gone
     )
     select user_id, count(*) as transactions
       from gone
      group by user_id
      order by user_id`,
    [deliveryId, position, actor],
  );
  return {
    transactions: rows.reduce((sum, row) => sum + row.transactions, 0),
    userIds: rows.map((row) => row.user_id),
  };
}

/**
 * Its own versions are history no more; of what it had corrected, the content accepted last before it is the present
 * one again.
 */
async function restoreVersions(
  transaction: Transaction,
  deliveryId: string,
  position: number,
  actor: string,
): Promise<number> {
  await transaction.query(
    `with gone as (
       delete from transaction_versions
        where delivery_position = $2
       returning id, ${copyColumns}
     )
     insert into withdrawn_transactions (delivery_id, actor, id, ${copyColumns})
     select $1, $3, id, ${copyColumns} from gone`,
    [deliveryId, position, actor],
  );
  const { rowCount } = await transaction.query(
    `with latest as (
       select distinct on (v.user_id, v.txid) v.version
         from withdrawn_transactions w
         join transaction_versions v on v.user_id = w.user_id and v.txid = w.txid
        where w.delivery_id = $1
          and not exists (select 1 from transactions t where t.user_id = w.user_id and t.txid = w.txid)
        order by v.user_id, v.txid, v.delivery_position desc, v.version desc
     ),
     taken as (
       delete from transaction_versions
        where version in (select version from latest)
       returning id, ${copyColumns}
     )
     insert into transactions (id, ${copyColumns})
     select coalesce(id, nextval('transaction_ids')), ${copyColumns} from taken`,
    [deliveryId],
  );
  return rowCount ?? 0;
}

/** So that its reqIds can be sent again, nothing of it waits, and no marker of it is still to come. */
async function forgetTraces(
  transaction: Transaction,
  deliveryId: string,
  { position, partnerId }: { position: number; partnerId: string },
): Promise<void> {
  await transaction.query("delete from requests where partner_id = $1 and delivery_id = $2", [partnerId, deliveryId]);
  await transaction.query("delete from import_markers where delivery_id = $1 and applied_at is null", [deliveryId]);
  await transaction.query("delete from held_records where delivery_id = $1", [deliveryId]);
  await transaction.query("delete from account_owners where partner_id = $1 and delivery_position = $2", [
    partnerId,
    position,
  ]);
}

/**
 * Deliveries of the partner that brought records which were known: what the withdrawn one loaded may have been among
 * them.
 */
export async function countKnownElsewhere(database: Queryable, deliveryId: string): Promise<number> {
  const { rows } = await database.query<{ deliveries: number }>(
    `select count(*) as deliveries
       from deliveries other
       join deliveries withdrawn on withdrawn.id = $1 and withdrawn.partner_id = other.partner_id
      where other.id <> withdrawn.id
        and other.state = 'loaded'
        and other.records_known > 0
        and other.finished_at > withdrawn.started_at`,
    [deliveryId],
  );
  return rows[0]?.deliveries ?? 0;
}
