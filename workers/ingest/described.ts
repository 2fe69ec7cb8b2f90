/**
 * Accounts and cards that several deliveries describe, told to the database once: as if each delivery had described
 * them in its turn, where each would cost three statements, two of which find nothing to change.
 */
import type { Transaction } from "../../src/database/database.ts";
import { usersWithReviews, usersRegaining } from "../../src/ledger/account-access.ts";
import { type Owned, postAccounts, postCards } from "../../src/ledger/holdings.ts";
import { ascending } from "../../src/ledger/owners.ts";
import type { LedgerAccount, LedgerCard } from "../../src/ledger/row.ts";

/** What a delivery at that position describes, each thing once. */
export type Description = {
  position: number;
  accounts: readonly Owned<LedgerAccount>[];
  cards: readonly Owned<LedgerCard>[];
};

/** Every account and card is in one of them. */
export type Parted = { together: Description; oneByOne: readonly Description[] };

/**
 * Whether an account stays removed depends on which delivery describes it, so accounts of users who ever said which of
 * theirs may be seen go delivery by delivery. A review that comes after this look was made after all of the deliveries
 * were accepted, and is the same to each.
 * @param descriptions in the order of their positions, at least one
 */
export async function partDescriptions(client: Transaction, descriptions: readonly Description[]): Promise<Parted> {
  const userIds = descriptions.flatMap(({ accounts }) => accounts.map((one) => one.userId));
  const reviewed = await usersWithReviews(client, ascending(userIds));
  const isReviewed = ({ userId }: Owned<LedgerAccount>) => reviewed.has(userId);
  return {
    together: {
      position: Math.max(...descriptions.map(({ position }) => position)),
      accounts: joined(
        descriptions.flatMap(({ accounts }) => accounts.filter((one) => !isReviewed(one))),
        afterAccount,
      ),
      cards: joined(
        descriptions.flatMap(({ cards }) => cards),
        afterCard,
      ),
    },
    oneByOne: descriptions.flatMap(({ position, accounts }) => {
      const own = accounts.filter(isReviewed);
      return own.length === 0 ? [] : [{ position, accounts: own, cards: [] }];
    }),
  };
}

/** Users to whom they bring removed accounts back: of no others one was removed. */
export async function regainingOf(client: Transaction, { oneByOne }: Parted): Promise<number[]> {
  const regaining: number[] = [];
  for (const { accounts, position } of oneByOne) {
    const [owners, ids] = [accounts.map((one) => one.userId), accounts.map((one) => one.thing.id)];
    regaining.push(...(await usersRegaining(client, owners, ids, position)));
  }
  return regaining;
}

/** Once the users are marked. */
export async function postDescriptions(client: Transaction, { together, oneByOne }: Parted): Promise<void> {
  for (const { position, accounts } of [together, ...oneByOne]) await postAccounts(client, position, accounts);
  await postCards(client, together.cards);
}

/** @param after what stands once the one was described, and then the other */
function joined<Thing extends { id: string }>(
  described: readonly Owned<Thing>[],
  after: (one: Thing, other: Thing) => Thing,
): Owned<Thing>[] {
  const each = new Map<string, Owned<Thing>>();
  for (const { userId, thing } of described) {
    const key = `${userId} ${thing.id}`;
    const before = each.get(key)?.thing;
    each.set(key, { userId, thing: before === undefined ? thing : after(before, thing) });
  }
  return [...each.values()];
}

/** As `postAccounts`: what is empty replaces nothing. */
function afterAccount(one: LedgerAccount, other: LedgerAccount): LedgerAccount {
  return { id: one.id, name: other.name || one.name, iban: other.iban || one.iban };
}

/** As `postCards`. */
function afterCard(one: LedgerCard, other: LedgerCard): LedgerCard {
  return {
    id: one.id,
    pan4: other.pan4 || one.pan4,
    cardType: other.cardType ?? one.cardType,
    paymentNetwork: other.paymentNetwork ?? one.paymentNetwork,
  };
}
