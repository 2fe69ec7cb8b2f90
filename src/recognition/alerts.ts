/**
 * Alerts: what users call a subscription, with what a run made of it, and warnings of memberships; kept until a user
 * has seen them. SQL, one statement each.
 */
import type { Day } from "../time/calendar.ts";
import type { Queryable, Transaction } from "../database/database.ts";
import { marksChanged } from "../partners/changed-users.ts";
import { storedTransactionId } from "../ledger/transaction-id.ts";
import type { StoredWarning } from "./services/alert.ts";
import type { Verdict } from "./services/submission.ts";
import type { PaymentFrequency } from "../interface/payment-frequency.ts";

/**
 * The txid that a transaction's id names: either the sender's own, or ours as the list of transactions tells it. Null:
 * no transaction of the user up to `today`, nor one that a service of the user was once made of.
 */
export async function findTxid(
  database: Queryable,
  userId: number,
  transactionId: string,
  today: Day,
): Promise<string | null> {
  const { rows } = await database.query<{ txid: string }>(
    `(select txid from visible_transactions where user_id = $1 and txid = $2 and booked_on <= $4)
     union all
     (select txid from visible_transactions where user_id = $1 and id = $3 and booked_on <= $4)
     union all
     (select $2 from services where user_id = $1 and $2 = any(txids)
                               and not exists (select 1 from transactions where user_id = $1 and txid = $2))
     limit 1`,
    [userId, transactionId, await storedTransactionId(database, transactionId), today],
  );
  return rows[0]?.txid ?? null;
}

/**
 * Keeps the submission and marks the user's figures as out of date. Sent again it changes nothing; with another
 * frequency it changes that. The mark comes first: a run that has the user in hand is waited for before anything of it
 * is locked.
 * @returns whether there is something for a run to do.
 */
export async function submit(
  database: Queryable,
  userId: number,
  txid: string,
  paymentFrequency: PaymentFrequency | null,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `with marked as (
       ${marksChanged(
         "$1",
         `where not exists (select 1
                            from submissions
                           where user_id = $1
                             and txid = $2
                             and outcome is not null
                             and ($3::text is null or payment_frequency is not distinct from $3))`,
       )}
       returning user_id
     )
     insert into submissions (user_id, txid, payment_frequency)
     select user_id, $2, $3
       from marked
     on conflict (user_id, txid) do update set payment_frequency = coalesce(excluded.payment_frequency, submissions.payment_frequency)`,
    [userId, txid, paymentFrequency],
  );
  return rowCount === 1;
}

/** Ids that are unknown, another user's or seen already change nothing. @returns whether any was unseen. */
export async function markSeen(database: Queryable, userId: number, alertIds: readonly string[]): Promise<boolean> {
  const { rows } = await database.query<{ seen: number }>(
    `with unseen as (
       select id from submissions where user_id = $1 and id = any($2::uuid[]) and seen_at is null
       union all
       select id from membership_alerts where user_id = $1 and id = any($2::uuid[]) and seen_at is null
     ),
     marked as (
       ${marksChanged("$1", "where exists (select 1 from unseen)")}
       returning user_id
     ),
     submitted as (
       update submissions set seen_at = now() from marked where submissions.user_id = marked.user_id and id in (select id from unseen) returning id
     ),
     warned as (
       update membership_alerts set seen_at = now() from marked where membership_alerts.user_id = marked.user_id and id in (select id from unseen) returning id
     )
     select (select count(*) from submitted) + (select count(*) from warned) as seen`,
    [userId, alertIds],
  );
  return (rows[0]?.seen ?? 0) > 0;
}

/** What a run made of submissions that nobody had judged yet. */
export async function writeVerdicts(
  transaction: Transaction,
  verdicts: readonly (Verdict & { userId: number })[],
): Promise<void> {
  const judged = verdicts.filter(({ isNew }) => isNew);
  if (judged.length === 0) return;
  await transaction.query(
    `update submissions
        set outcome = judged.outcome,
            payee_key = judged.payee_key
       from unnest($1::uuid[], $2::text[], $3::text[], $4::bigint[]) as judged (id, outcome, payee_key, user_id)
      where submissions.id = judged.id
        and submissions.user_id = judged.user_id`,
    [
      judged.map(({ submission }) => submission.id),
      judged.map(({ outcome }) => outcome),
      judged.map(({ payeeKey }) => payeeKey),
      judged.map(({ userId }) => userId),
    ],
  );
}

/** Each payee once a user, whatever an earlier run or another one raised. */
export async function writeWarnings(
  transaction: Transaction,
  warnings: readonly (StoredWarning & { userId: number })[],
): Promise<void> {
  if (warnings.length === 0) return;
  await transaction.query(
    `insert into membership_alerts (id, user_id, payee_key, txid)
     select * from unnest($1::uuid[], $2::bigint[], $3::text[], $4::text[])
     on conflict do nothing`,
    [
      warnings.map(({ id }) => id),
      warnings.map(({ userId }) => userId),
      warnings.map(({ payeeKey }) => payeeKey),
      warnings.map(({ txid }) => txid),
    ],
  );
}
