/** The accounts and cards that records mention: one row each, as the latest record describes it. */
import type { Transaction } from "../database/database.ts";
import type { LedgerAccount, LedgerCard } from "./row.ts";

export type Owned<Thing> = { userId: number; thing: Thing };

/**
 * Inserts new accounts and corrects changed ones; unchanged ones are only read. An empty name or IBAN, which a table
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

/** As postAccounts, for cards. */
export async function postCards(transaction: Transaction, cards: readonly Owned<LedgerCard>[]): Promise<void> {
  if (cards.length === 0) return;
  const ordered = cards.toSorted(byOwnerAndId);
  await transaction.query(
    `insert into cards (user_id, id, pan4, card_type, payment_network)
     select seen.user_id, seen.id, seen.pan4, seen.card_type, seen.payment_network
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[]) as seen (user_id, id, pan4, card_type, payment_network)
      where not exists (
              select 1
                from cards c
               where c.user_id = seen.user_id
                 and c.id = seen.id
                 and seen.pan4 in (c.pan4, '')
                and coalesce(seen.card_type, c.card_type) is not distinct from c.card_type
                and coalesce(seen.payment_network, c.payment_network) is not distinct from c.payment_network
            )
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

/** Collects the last description of each account or card of each user. */
export class LatestOfEach<Thing extends { id: string }> {
  readonly #latest = new Map<string, Owned<Thing>>();

  note(userId: number, thing: Thing): void {
    this.#latest.set(`${userId} ${thing.id}`, { userId, thing });
  }

  list(): Owned<Thing>[] {
    return [...this.#latest.values()];
  }
}

function byOwnerAndId(a: Owned<{ id: string }>, b: Owned<{ id: string }>): number {
  if (a.userId !== b.userId) return a.userId - b.userId;
  return a.thing.id < b.thing.id ? -1 : a.thing.id > b.thing.id ? 1 : 0;
}
