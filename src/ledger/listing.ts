/** A user's debited transactions as the interface lists them, and on request what came back of them. */
import type { Day } from "../time/calendar.ts";
import type { Queryable } from "../database/database.ts";
import { paymentNumbersOf } from "./payment-numbers.ts";

/** One ledger row; amounts are decimal texts exactly as the sender wrote them, money leaving is negative. */
export type ListedTransaction = {
  /** As callers see it (payment-numbers.ts). */
  id: number;
  day: Day;
  rawType: string;
  description: string;
  amount: string;
  currency: string;
  originalAmount: string | null;
  originalCurrency: string | null;
  merchantName: string | null;
  accountId: string | null;
  cardId: string | null;
  /** The recognised service to which the payment belongs. */
  serviceId: string | null;
};

export type ListingRange = {
  /** Both inclusive. */
  from: Day;
  to: Day;
  limit: number;
  /** Whether what came back of services' payments is listed, too. */
  withRefunds?: boolean;
};

/** Newest first; within a day the latest loaded first. One range of the primary key, whatever the table's size. */
export async function listDebited(
  database: Queryable,
  userId: number,
  range: ListingRange,
): Promise<ListedTransaction[]> {
  const { rows } = await database.query<ListedTransaction>(
    `with payments as (
       select distinct on (txid) txid, id as service_id
         from services, unnest(txids) as txid
        where user_id = $1
          and document is not null
        order by txid, id
     ),
     refunds as (
       select distinct on (txid) refund ->> 'sourceTransactionId' as txid, id as service_id
         from services, json_array_elements(document -> 'refunds') as refund
        where user_id = $1
          and $5
        order by txid, id
     )
     select t.id,
            t.booked_on as day,
            t.raw_type as "rawType",
            t.description,
            t.amount::text,
            t.currency,
            t.original_amount::text as "originalAmount",
            t.original_currency as "originalCurrency",
            t.merchant_name as "merchantName",
            t.account_id as "accountId",
            t.card_id as "cardId",
            coalesce(p.service_id, r.service_id) as "serviceId"
       from visible_transactions t
       left join payments p using (txid)
       left join refunds r using (txid)
      where t.user_id = $1
        and (t.amount < 0 or r.service_id is not null)
        and t.booked_on between $2 and $3
      order by t.booked_on desc, t.id desc
      limit $4`,
    [userId, range.from, range.to, range.limit, range.withRefunds ?? false],
  );
  const told = (await paymentNumbersOf(database)).told(rows.map(({ id }) => id));
  return rows.map((row, at) => ({ ...row, id: told[at] ?? row.id }));
}
