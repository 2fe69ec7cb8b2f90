/**
 * The outbox: messages are written in the transaction of what they tell, so none is lost and none is told of what did
 * not happen. A message is taken under a lease: whoever dies with it leaves it to the next one, hence at least once.
 */
import type { Queryable, Transaction } from "../database/database.ts";
import {
  brandSettingFor,
  type Message,
  type Notice,
  type NotificationType,
  type Origin,
} from "../interface/notification.ts";

/**
 * Writes what was not told before, for users whose partner receives notifications. The caller owns the transaction.
 * @param origin the call that gave all of them; null: of each, the delivery that brought its payment. @returns how
 * many.
 */
export async function writeNotices(
  transaction: Queryable,
  notices: readonly Notice[],
  origin: Origin | null = null,
): Promise<number> {
  if (notices.length === 0) return 0;
  const { rowCount } = await transaction.query(
    `insert into notifications (user_id, partner_id, type, subject, content, correlation_id, traceparent)
     select given.user_id, users.partner_id, given.type, given.subject, given.content, coalesce($7, deliveries.correlation_id),
            case when $7::text is null then deliveries.traceparent else $8 end
       from unnest($1::bigint[], $2::text[], $3::text[], $4::jsonb[], $5::text[], $6::text[]) with ordinality
              as given (user_id, type, subject, content, brand_setting, txid, ordinal)
       join users on users.id = given.user_id and users.deleted_at is null
       join notification_receivers receiver on receiver.partner_id = users.partner_id
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
       left join transactions on transactions.user_id = given.user_id and transactions.txid = given.txid
       left join deliveries on deliveries.position = transactions.delivery_position
      where given.brand_setting is null
         or brands.features -> given.brand_setting = 'true'
      order by given.ordinal
     on conflict on constraint notifications_once do nothing`,
    [
      notices.map((one) => one.userId),
      notices.map((one) => one.type),
      notices.map((one) => one.subject),
      notices.map((one) => JSON.stringify(one.content)),
      notices.map(brandSettingFor),
      notices.map((one) => one.txid ?? null),
      origin?.correlationId ?? null,
      origin?.traceparent ?? null,
    ],
  );
  return rowCount ?? 0;
}

/** A message to send, with what its body needs to know of its user. */
export type OutgoingNotification = Message & {
  id: string;
  partnerId: string;
  /** Of the call or delivery that gave it; null: of none. */
  correlationId: string | null;
  traceparent: string | null;
  /** The partner's own id of the user. */
  bankUserId: string;
  locale: string;
  country: string;
  /** The brand's template, null where there is none. */
  deepLink: string | null;
  createdAt: Date;
  firstAttemptAt: Date;
  /** This one included. */
  attempts: number;
};

/** Takes due messages of the partner, each user's oldest open one only, so that they arrive in order. */
export async function claimDue(
  database: Queryable,
  partnerId: string,
  limit: number,
  leaseMs: number,
): Promise<OutgoingNotification[]> {
  const { rows } = await database.query<OutgoingNotification>(
    `with due as (
       select n.id
         from notifications n
         join users on users.id = n.user_id and users.deleted_at is null
        where n.state = 'pending'
          and n.partner_id = $1
          and n.due_at <= now()
          and not exists (select 1
                            from notifications earlier
                           where earlier.user_id = n.user_id
                             and earlier.state = 'pending'
                             and earlier.position < n.position)
        order by n.due_at, n.position
        limit $2
          for update of n skip locked
     ),
     taken as (
       update notifications n
          set due_at = now() + make_interval(secs => $3),
              attempts = attempts + 1,
              first_attempt_at = coalesce(first_attempt_at, now())
         from due
        where n.id = due.id
       returning n.*
     )
     select taken.id, taken.partner_id as "partnerId", taken.type, taken.content, taken.correlation_id as "correlationId", taken.traceparent, users.bank_user_id as "bankUserId", users.locale,
            coalesce(brands.country, '') as country, brands.features ->> 'deepLink' as "deepLink", taken.created_at as "createdAt",
            taken.first_attempt_at as "firstAttemptAt", taken.attempts
       from taken
       join users on users.id = taken.user_id
       join brands on brands.partner_id = users.partner_id and brands.id = users.brand_id
      order by taken.position`,
    [partnerId, limit, leaseMs / 1000],
  );
  return rows;
}

/** Partners with a receiver and something due, suspended ones left out. */
export async function findPartnersDue(database: Queryable): Promise<string[]> {
  const { rows } = await database.query<{ partnerId: string }>(
    `select receiver.partner_id as "partnerId"
       from notification_receivers receiver
       join partners on partners.id = receiver.partner_id and partners.suspended_at is null
      where exists (select 1
                      from notifications n
                     where n.partner_id = receiver.partner_id
                       and n.state = 'pending'
                       and n.due_at <= now())
      order by receiver.partner_id`,
  );
  return rows.map((row) => row.partnerId);
}

export async function markDelivered(database: Queryable, id: string): Promise<void> {
  await database.query(
    "update notifications set state = 'delivered', delivered_at = now(), last_failure = null where id = $1 and state = 'pending'",
    [id],
  );
}

/** @param failure a code or status, never a body */
export async function postpone(database: Queryable, id: string, failure: string, delayMs: number): Promise<void> {
  await database.query(
    "update notifications set due_at = now() + make_interval(secs => $3), last_failure = $2 where id = $1 and state = 'pending'",
    [id, failure, delayMs / 1000],
  );
}

export async function markDead(database: Queryable, id: string, failure: string): Promise<void> {
  await database.query(
    "update notifications set state = 'dead', last_failure = $2 where id = $1 and state = 'pending'",
    [id, failure],
  );
}

/**
 * Sends dead letters again, from the beginning of their back-off. @param ids null for all of the partner. @returns how
 * many
 */
export async function replay(
  transaction: Transaction,
  partnerId: string | null,
  ids: readonly string[] | null,
): Promise<number> {
  const { rowCount } = await transaction.query(
    `update notifications
        set state = 'pending',
            due_at = now(),
            attempts = 0,
            first_attempt_at = null
      where state = 'dead'
        and ($1::text is null or partner_id = $1)
        and ($2::uuid[] is null or id = any($2))`,
    [partnerId, ids],
  );
  return rowCount ?? 0;
}

export type ListedNotification = {
  id: string;
  partnerId: string;
  bankUserId: string;
  type: NotificationType;
  state: "pending" | "delivered" | "dead";
  attempts: number;
  createdAt: Date;
  dueAt: Date;
  deliveredAt: Date | null;
  lastFailure: string | null;
};

/** Newest first. */
export async function listNotifications(
  database: Queryable,
  filter: { partnerId: string | null; state: string | null },
  limit: number,
): Promise<ListedNotification[]> {
  const { rows } = await database.query<ListedNotification>(
    `select n.id, n.partner_id as "partnerId", users.bank_user_id as "bankUserId", n.type, n.state, n.attempts, n.created_at as "createdAt", n.due_at as "dueAt",
            n.delivered_at as "deliveredAt", n.last_failure as "lastFailure"
       from notifications n
       join users on users.id = n.user_id
      where ($1::text is null or n.partner_id = $1)
        and ($2::text is null or n.state = $2)
      order by n.position desc
      limit $3`,
    [filter.partnerId, filter.state, limit],
  );
  return rows;
}

/** How many wait and were given up: both have an index by partner. */
export async function countNotifications(
  database: Queryable,
  partnerId: string,
): Promise<{ pending: number; dead: number }> {
  const { rows } = await database.query<{ pending: number; dead: number }>(
    `select (select count(*) from notifications where partner_id = $1 and state = 'pending') as pending,
            (select count(*) from notifications where partner_id = $1 and state = 'dead') as dead`,
    [partnerId],
  );
  return rows[0] ?? { pending: 0, dead: 0 };
}
