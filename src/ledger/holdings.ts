/**
 * Accounts and cards: one row each, as the latest record describes it; and what is on accounts, as whoever knows it
 * observed it.
 */
import type { Queryable, Transaction } from "../database/database.ts";
import type { LedgerAccount, LedgerCard } from "./row.ts";

export type Owned<Thing> = { userId: number; thing: Thing };

/**
 * Inserts new accounts and corrects changed ones; unchanged ones are only read. An empty name or IBAN, which CSV
 * leaves where it has no such column, does not replace one that is known. A removed account comes back when the
 * delivery was accepted after the removal; a new one of an earlier delivery is removed from the start, unless the user
 * kept it. In one order, so that loaders never deadlock.
 */
export async function postAccounts(
  transaction: Transaction,
  deliveryPosition: number,
  accounts: readonly Owned<LedgerAccount>[],
): Promise<void> {
  if (accounts.length === 0) return;
  const ordered = accounts.toSorted(byOwnerAndId);
  await transaction.query(
    `insert into accounts (user_id, id, name, iban, removed_after)
     select seen.user_id, seen.id, seen.name, seen.iban,
            (select max(position) from account_reviews where user_id = seen.user_id and position >= $5 and seen.id <> all(kept))
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as seen (user_id, id, name, iban)
      where (select (seen.name in (a.name, '')) and (seen.iban in (a.iban, '')) and coalesce(a.removed_after >= $5, true)
               from accounts a
              where a.user_id = seen.user_id
                and a.id = seen.id) is not true
     on conflict (user_id, id) do update
        set name = coalesce(nullif(excluded.name, ''), accounts.name),
            iban = coalesce(nullif(excluded.iban, ''), accounts.iban),
            removed_after = case when accounts.removed_after >= $5 then accounts.removed_after end`,
    [
      ordered.map((one) => one.userId),
      ordered.map((one) => one.thing.id),
      ordered.map((one) => one.thing.name),
      ordered.map((one) => one.thing.iban),
      deliveryPosition,
    ],
  );
}

/** Removes a user's accounts but the kept ones, as of the user's last review. @returns how many. */
export async function removeAccounts(
  transaction: Transaction,
  userId: number,
  keptIds: readonly string[],
): Promise<number> {
  const { rowCount } = await transaction.query(
    `update accounts
        set removed_after = (select max(position) from account_reviews where user_id = $1)
      where user_id = $1
        and removed_after is null
        and id <> all($2::text[])`,
    [userId, keptIds],
  );
  return rowCount ?? 0;
}

/**
 * As postAccounts, for cards. Joined with those that are there, new ones would go in by their hash instead of in order.
 */
export async function postCards(transaction: Transaction, cards: readonly Owned<LedgerCard>[]): Promise<void> {
  if (cards.length === 0) return;
  const ordered = cards.toSorted(byOwnerAndId);
  await transaction.query(
    `insert into cards (user_id, id, pan4, card_type, payment_network)
     select seen.user_id, seen.id, seen.pan4, seen.card_type, seen.payment_network
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) as seen (user_id, id, pan4, card_type, payment_network)
      where (select seen.pan4 in (c.pan4, '')
                and coalesce(seen.card_type, c.card_type) is not distinct from c.card_type
                and coalesce(seen.payment_network, c.payment_network) is not distinct from c.payment_network
               from cards c
              where c.user_id = seen.user_id
                and c.id = seen.id) is not true
     on conflict (user_id, id)
     do update
        set pan4 = coalesce(nullif(excluded.pan4, ''), cards.pan4),
            card_type = coalesce(excluded.card_type, cards.card_type),
            payment_network = coalesce(excluded.payment_network, cards.payment_network)`,
    [
      ordered.map((one) => one.userId),
      ordered.map((one) => one.thing.id),
      ordered.map((one) => one.thing.pan4),
      ordered.map((one) => one.thing.cardType),
      ordered.map((one) => one.thing.paymentNetwork),
    ],
  );
}

export type BalanceObservation = {
  accountId: string;
  /** Null leaves the known name. */
  accountName: string | null;
  /** Decimal text, in the brand's currency. */
  balance: string;
  /** ISO 8601; without an offset it is in `timeZone`. */
  observedTime: string;
};

/**
 * Overwrites balances and given names, creates missing accounts under their id as name, and adds to the history of
 * balances. The latest observation is the present one, whatever order they come in. A removed account stays removed.
 * One statement, so that all are taken or none.
 * @param observations each account once @returns how many accounts are new or have another name now.
 */
export async function putBalances(
  database: Queryable,
  userId: number,
  timeZone: string,
  observations: readonly BalanceObservation[],
): Promise<number> {
  const { rows } = await database.query<{ renamed: number }>(
    `with observed as (
       select account_id, account_name, balance,
              case when has_offset then observed_time::timestamptz else observed_time::timestamp at time zone $6 end as observed_at
         from unnest($2::text[], $3::text[], $4::numeric[], $5::text[], $7::boolean[])
              as given (account_id, account_name, balance, observed_time, has_offset)
     ),
     kept as (
       insert into account_balances (user_id, account_id, balance, observed_at)
       select $1, account_id, balance, observed_at from observed
     ),
     written as (
       insert into accounts (user_id, id, name, iban, balance, balance_observed_at)
       select $1, account_id, coalesce(account_name, account_id), '', balance, observed_at
         from observed
        order by account_id
       on conflict (user_id, id) do update
          set name = coalesce((select account_name from observed where account_id = accounts.id), accounts.name),
              balance = case when accounts.balance_observed_at > excluded.balance_observed_at then accounts.balance else excluded.balance end,
              balance_observed_at = greatest(accounts.balance_observed_at, excluded.balance_observed_at)
       returning id, name
     )
     -- Accounts are looked at as they were before this statement.
     select count(*) as renamed
       from written
       left join accounts before on before.user_id = $1 and before.id = written.id
      where before.name is distinct from written.name`,
    [
      userId,
      observations.map((one) => one.accountId),
      observations.map((one) => one.accountName),
      observations.map((one) => one.balance),
      observations.map((one) => one.observedTime),
      timeZone,
      observations.map((one) => hasOffset(one.observedTime)),
    ],
  );
  return rows[0]?.renamed ?? 0;
}

/** What a bank's statement says that an account held when a day ended. */
export type StatedAccountBalance = {
  userId: number;
  accountId: string;
  /** Decimal text. */
  balance: string;
  currency: string;
  day: string;
};

/**
 * Adds stated balances to the history of balances, and makes the latest the present one; of accounts that are there, and
 * in their brand's currency only. Idempotent.
 */
export async function postStatedBalances(
  transaction: Transaction,
  balances: readonly StatedAccountBalance[],
): Promise<void> {
  if (balances.length === 0) return;
  await transaction.query(
    `with stated as (
       select distinct on (a.user_id, a.id, observed_at) a.user_id, a.id, s.balance,
              (s.day + time '23:59:59') at time zone b.time_zone as observed_at
         from json_to_recordset($1) as s ("userId" bigint, "accountId" text, balance numeric, currency text, day date)
         join accounts a on a.user_id = s."userId" and a.id = s."accountId"
         join users u on u.id = a.user_id
         join brands b on b.partner_id = u.partner_id and b.id = u.brand_id
        where s.currency = b.currency
        order by a.user_id, a.id, observed_at
     ),
     kept as (
       insert into account_balances (user_id, account_id, balance, observed_at)
       select user_id, id, balance, observed_at
         from stated
        where not exists (select 1
                            from account_balances known
                           where known.user_id = stated.user_id
                             and known.account_id = stated.id
                             and known.observed_at = stated.observed_at
                             and known.balance = stated.balance)
     )
     update accounts
        set balance = latest.balance, balance_observed_at = latest.observed_at
       from (select distinct on (user_id, id) * from stated order by user_id, id, observed_at desc) as latest
      where accounts.user_id = latest.user_id
        and accounts.id = latest.id
        and (accounts.balance_observed_at is null or accounts.balance_observed_at <= latest.observed_at)`,
    [JSON.stringify(balances)],
  );
}

function hasOffset(time: string): boolean {
  return /(?:Z|[+-]\d{2}:?\d{2})$/i.test(time.slice(time.search(/[Tt ]/)));
}

/** Collects the last description of each account or card of each user. */
export class LatestOfEach<Thing extends { id: string }> {
  readonly #latest = new Map<string, Owned<Thing>>();
  /** Whether one was described in two ways. */
  differ = false;

  note(userId: number, thing: Thing): void {
    const key = `${userId} ${thing.id}`;
    const before = this.#latest.get(key)?.thing;
    if (before !== undefined) this.differ ||= !isLike(before, thing);
    this.#latest.set(key, { userId, thing });
  }

  list(): Owned<Thing>[] {
    return [...this.#latest.values()];
  }
}

function isLike(one: object, other: object): boolean {
  const [fields, others] = [Object.values(one), Object.values(other)];
  return fields.length === others.length && fields.every((value, at) => value === others[at]);
}

function byOwnerAndId(a: Owned<{ id: string }>, b: Owned<{ id: string }>): number {
  if (a.userId !== b.userId) return a.userId - b.userId;
  return a.thing.id < b.thing.id ? -1 : a.thing.id > b.thing.id ? 1 : 0;
}
