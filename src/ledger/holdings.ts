/** The accounts and cards that records mention: one row each, as the latest record describes it. */
import type { Transaction } from "../database.ts";
import type { LedgerAccount, LedgerCard } from "./row.ts";

type Owned<Thing> = Thing & { userId: number };

/** Inserts new accounts and corrects changed ones; unchanged ones are only read. In one order, so that loaders never deadlock. */
export async function postAccounts(transaction: Transaction, accounts: readonly Owned<LedgerAccount>[]): Promise<void> {
  if (accounts.length === 0) return;
  const ordered = accounts.toSorted(byOwnerAndId);
  await transaction.query(
    `insert into accounts (user_id, id, name, iban)
     select seen.user_id, seen.id, seen.name, seen.iban
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) as seen (user_id, id, name, iban)
      where (select (a.name, a.iban) = (seen.name, seen.iban) from accounts a where a.user_id = seen.user_id and a.id = seen.id) is not true
     on conflict (user_id, id) do update set name = excluded.name, iban = excluded.iban`,
    [ordered.map((one) => one.userId), ordered.map((one) => one.id), ordered.map((one) => one.name), ordered.map((one) => one.iban)],
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
                 and (c.pan4, c.card_type, c.payment_network) is not distinct from (seen.pan4, seen.card_type, seen.payment_network)
            )
     on conflict (user_id, id)
     do update set pan4 = excluded.pan4, card_type = excluded.card_type, payment_network = excluded.payment_network`,
    [
      ordered.map((one) => one.userId), ordered.map((one) => one.id), ordered.map((one) => one.pan4), ordered.map((one) => one.cardType),
      ordered.map((one) => one.paymentNetwork),
    ],
  );
}

/** The last description of each account or card of each user. */
export function latestOfEach<Thing extends { id: string }>(things: Iterable<Owned<Thing>>): Owned<Thing>[] {
  const latest = new Map<string, Owned<Thing>>();
  for (const thing of things) latest.set(`${thing.userId} ${thing.id}`, thing);
  return [...latest.values()];
}

function byOwnerAndId(a: Owned<{ id: string }>, b: Owned<{ id: string }>): number {
  if (a.userId !== b.userId) return a.userId - b.userId;
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
