/**
 * Whose account it is, as CSV files of accounts say. Loads that leave records waiting for an account and loads that bring
 * accounts hold a lock against each other, so that no record waits for what has come.
 */
import { hash } from "node:crypto";
import type { Queryable, Transaction } from "../database/database.ts";
import { findWaiting, release } from "../deliveries/held.ts";
import { isMadeAgainSince } from "../partners/departures.ts";
import { lockBetweenChunks } from "../deliveries/progress.ts";
import { requestRevisits } from "../deliveries/revisits.ts";

export type AccountName = { bankId: string; accountNumber: string };
export type AccountMapping = { owner: AccountName; userId: number };
export type MappingOutcome = "new" | "known" | "conflicting" | "corrected";

/** One text a name; parts never contain NUL. */
export function nameKey({ bankId, accountNumber }: AccountName): string {
  return `${bankId}\0${accountNumber}`;
}

const digestCharacters = 32;

/** Finds the records that wait for an account without keeping its number beside them: 128 bits, as for contents. */
export function accountKey(partnerId: string, owner: AccountName): string {
  return hash("sha256", `${partnerId}\0${nameKey(owner)}`, "hex").slice(0, digestCharacters);
}

/** The live users of named accounts, by nameKey; accounts that nobody mapped, or whose user was deleted, are absent. */
export async function findAccountOwners(
  database: Queryable,
  partnerId: string,
  names: readonly AccountName[],
): Promise<Map<string, number>> {
  const found = await readOwners(database, partnerId, names, null);
  return new Map([...found].filter(([, owner]) => owner.isLive).map(([key, owner]) => [key, owner.userId]));
}

/** The same for what was accepted at a moment. Null: the account's user was made again since, after a deletion. */
export async function findAccountOwnersSince(
  database: Queryable,
  partnerId: string,
  names: readonly AccountName[],
  acceptedAt: Date,
): Promise<Map<string, number | null>> {
  const found = await readOwners(database, partnerId, names, acceptedAt);
  return new Map(
    [...found]
      .filter(([, owner]) => owner.isLive)
      .map(([key, { userId, isMadeAgain }]) => [key, isMadeAgain ? null : userId]),
  );
}

/** For a load with waiting records, as the first thing in its transaction. */
export async function lockAccountsForReading(transaction: Transaction, partnerId: string): Promise<void> {
  await transaction.query("select pg_advisory_xact_lock_shared(hashtextextended('accounts ' || $1, 0))", [partnerId]);
}

/**
 * For a load that brings accounts, as the first thing in its transaction. It says that what waits for them is released here:
 * for programs that know nothing of it the database does it.
 */
export async function lockAccountsForWriting(transaction: Transaction, partnerId: string): Promise<void> {
  await transaction.query(
    "select pg_advisory_xact_lock(hashtextextended('accounts ' || $1, 0)), set_config('tideline.releases', 'itself', true)",
    [partnerId],
  );
}

/**
 * Posts mappings in their order. The first one of an account stays; with `corrects` a later delivery's replaces it.
 * What is loaded already stays with the user under whom it was loaded. Records that waited become due. The caller holds
 * the lock.
 * @returns what became of each.
 */
export async function postMappings(
  transaction: Transaction,
  delivery: { partnerId: string; position: number },
  mappings: readonly AccountMapping[],
  corrects: boolean,
): Promise<MappingOutcome[]> {
  if (mappings.length === 0) return [];
  const owners = await readOwners(
    transaction,
    delivery.partnerId,
    mappings.map((one) => one.owner),
    null,
  );
  const changed = new Map<string, AccountMapping>();
  const outcomes = mappings.map((mapping): MappingOutcome => {
    const key = nameKey(mapping.owner);
    const present = owners.get(key);
    if (present?.isLive && present.userId === mapping.userId) return "known";
    if (present?.isLive && !(corrects && present.position <= delivery.position)) return "conflicting";
    owners.set(key, { userId: mapping.userId, isLive: true, isMadeAgain: false, position: delivery.position });
    changed.set(key, mapping);
    return present?.isLive ? "corrected" : "new";
  });
  await writeOwners(transaction, delivery, [...changed.values()]);
  await awaken(transaction, delivery.partnerId, [...changed.values()]);
  return outcomes;
}

type StoredOwner = { userId: number; isLive: boolean; isMadeAgain: boolean; position: number };

/** @param acceptedAt null: nothing is asked of who was made again */
async function readOwners(
  database: Queryable,
  partnerId: string,
  names: readonly AccountName[],
  acceptedAt: Date | null,
): Promise<Map<string, StoredOwner>> {
  if (names.length === 0) return new Map();
  const distinct = [...new Map(names.map((name) => [nameKey(name), name])).values()];
  const { rows } = await database.query<AccountName & StoredOwner>(
    `select owner.bank_id as "bankId", owner.account_number as "accountNumber", owner.user_id as "userId",
            users.deleted_at is null as "isLive", coalesce(${isMadeAgainSince("$4::timestamptz")}, false) as "isMadeAgain", owner.delivery_position as position
       from unnest($2::text[], $3::text[]) as name (bank_id, account_number)
       join account_owners owner on owner.partner_id = $1 and owner.bank_id = name.bank_id and owner.account_number = name.account_number
       join users on users.id = owner.user_id`,
    [partnerId, distinct.map((name) => name.bankId), distinct.map((name) => name.accountNumber), acceptedAt],
  );
  return new Map(
    rows.map(({ userId, isLive, isMadeAgain, position, ...name }) => [
      nameKey(name),
      { userId, isLive, isMadeAgain, position },
    ]),
  );
}

async function writeOwners(
  transaction: Transaction,
  delivery: { partnerId: string; position: number },
  mappings: readonly AccountMapping[],
): Promise<void> {
  if (mappings.length === 0) return;
  await transaction.query(
    `insert into account_owners (partner_id, bank_id, account_number, user_id, delivery_position)
     select $1, bank_id, account_number, user_id, $2
       from unnest($3::text[], $4::text[], $5::bigint[]) as mapping (bank_id, account_number, user_id)
     on conflict (partner_id, bank_id, account_number)
     do update set user_id = excluded.user_id, delivery_position = excluded.delivery_position`,
    [
      delivery.partnerId,
      delivery.position,
      mappings.map((one) => one.owner.bankId),
      mappings.map((one) => one.owner.accountNumber),
      mappings.map((one) => one.userId),
    ],
  );
}

/** What a withdrawn delivery said of accounts counts no more. @param position the delivery's */
export async function forgetMappings(transaction: Transaction, partnerId: string, position: number): Promise<void> {
  await transaction.query("delete from account_owners where partner_id = $1 and delivery_position = $2", [
    partnerId,
    position,
  ]);
}

/**
 * Has records read again that wait for these accounts. A delivery that is still loading looks for itself when it ends.
 */
async function awaken(transaction: Transaction, partnerId: string, mappings: readonly AccountMapping[]): Promise<void> {
  if (mappings.length === 0) return;
  const keys = mappings.map((one) => accountKey(partnerId, one.owner));
  const waiting = await findWaiting(transaction, keys);
  if (waiting.length === 0) return;
  const deliveryIds = [...new Set(waiting.map((one) => one.deliveryId))];
  await lockAll(transaction, deliveryIds);
  await release(transaction, waiting);
  await requestRevisits(transaction, deliveryIds);
}

/**
 * Waits for a load that is about to end, which either sees what is due or is seen here as loaded. Deliveries before
 * their held records, as whoever reads those again or withdraws them does; the turn only of those that take it again
 * and again.
 */
async function lockAll(transaction: Transaction, deliveryIds: readonly string[]): Promise<void> {
  const { rows } = await transaction.query<{ id: string }>(
    "select id from deliveries where id = any($1::uuid[]) and state = 'loading' order by id",
    [deliveryIds],
  );
  for (const { id } of rows) await lockBetweenChunks(transaction, id);
  await transaction.query("select 1 from deliveries where id = any($1::uuid[]) order by id for no key update", [
    deliveryIds,
  ]);
}
