/** Users: created by their partner, found by login or token, deleted once and for good. */
import { type Database, inTransaction, type Queryable, type Transaction } from "../database/database.ts";
import type { Day } from "../time/calendar.ts";
import { noteDeparture } from "./departures.ts";
import { feedDeparted } from "./change-feed.ts";
import { dropFromList } from "./changed-users.ts";

/** A live user, as a token names it. */
export type User = {
  id: number;
  brandId: string;
};

/** Whom a token names, dead or alive. */
export type Caller = {
  partnerId: string;
  /** users.subject */
  subject: string;
};

export type NewUser = {
  partnerId: string;
  brandId: string;
  bankUserId: string;
  locale: string;
  details: object;
};

/** False: a live user of the partner has this bankUserId, whatever its brand. After a deletion it is free again. */
export async function createUser(database: Queryable, user: NewUser): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into users (partner_id, brand_id, bank_user_id, locale, details)
     values ($1, $2, $3, $4, $5)
     on conflict (partner_id, bank_user_id) where deleted_at is null do nothing`,
    [user.partnerId, user.brandId, user.bankUserId, user.locale, JSON.stringify(user.details)],
  );
  return rowCount === 1;
}

/** The subject that tokens of a live user carry; null when the partner has no such user under this brand. */
export async function findUserForLogin(
  database: Queryable,
  partnerId: string,
  brandId: string,
  bankUserId: string,
): Promise<{ subject: string } | null> {
  const { rows } = await database.query<{ subject: string }>(
    `select subject
       from users
      where partner_id = $1
        and bank_user_id = $3
        and brand_id = $2
        and deleted_at is null`,
    [partnerId, brandId, bankUserId],
  );
  return rows[0] ?? null;
}

/** By the partner's id of it, whatever its brand. Null: the partner has no such live user. */
export async function findLiveUser(
  database: Queryable,
  partnerId: string,
  bankUserId: string,
): Promise<{ id: number; subject: string } | null> {
  const { rows } = await database.query<{ id: number; subject: string }>(
    "select id, subject from users where partner_id = $1 and bank_user_id = $2 and deleted_at is null",
    [partnerId, bankUserId],
  );
  return rows[0] ?? null;
}

/** Null: deleted since the token was made, or never the partner's. @param subject a UUID text. */
export async function findUserBySubject(database: Queryable, partnerId: string, subject: string): Promise<User | null> {
  const { rows } = await database.query<User>(
    `select id, brand_id as "brandId"
       from users
      where subject = $2
        and partner_id = $1
        and deleted_at is null`,
    [partnerId, subject],
  );
  return rows[0] ?? null;
}

/** A user's own language and country, such as da-DK. */
export async function readLocale(database: Queryable, userId: number): Promise<string> {
  const { rows } = await database.query<{ locale: string }>("select locale from users where id = $1", [userId]);
  return rows[0]?.locale ?? "";
}

/**
 * Notes that records came for these users. Only an open import asks for it, within hours: other users' rows stay
 * untouched, and one minute's precision spares an update with every chunk.
 */
export async function touchUsers(transaction: Transaction, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await transaction.query(
    `with open as (
       select id
         from users
        where id = any($1::bigint[])
          and import_completed_at is null
          and (last_loaded_at is null or last_loaded_at < now() - interval '1 minute')
        order by id
          for no key update
     )
     update users
        set last_loaded_at = now()
       from open
      where users.id = open.id`,
    [userIds],
  );
}

/**
 * Completes the import of users of whom everything is loaded that was announced; a day that stands already stays. In
 * order of id, as loaders do: two transactions that need the same users then wait instead of deadlocking.
 * @param days by user, the business day on which it was completed
 */
export async function completeImport(
  transaction: Transaction,
  userIds: readonly number[],
  days: readonly Day[],
): Promise<void> {
  await transaction.query("select 1 from users where id = any($1::bigint[]) order by id for no key update", [userIds]);
  await transaction.query(
    `update users
        set import_completed_at = coalesce(import_completed_at, now()),
            import_completed_on = coalesce(import_completed_on, due.day)
       from unnest($1::bigint[], $2::date[]) as due (user_id, day)
      where users.id = due.user_id`,
    [userIds, days],
  );
}

/** Whether nobody has deleted the user. */
export async function isLiveUser(database: Queryable, userId: number): Promise<boolean> {
  const { rowCount } = await database.query("select 1 from users where id = $1 and deleted_at is null", [userId]);
  return rowCount === 1;
}

export type ListedUser = {
  bankUserId: string;
  brandId: string;
  locale: string;
  createdAt: Date;
  importCompletedAt: Date | null;
  deletedAt: Date | null;
};

const listed = `bank_user_id as "bankUserId", brand_id as "brandId", locale, created_at as "createdAt",
  import_completed_at as "importCompletedAt", deleted_at as "deletedAt"`;

/** What the partner calls users, of whom only our numbers are known; those that are gone are left out. */
export async function nameUsers(
  database: Queryable,
  userIds: readonly number[],
): Promise<{ id: number; subject: string; bankUserId: string; isLive: boolean }[]> {
  if (userIds.length === 0) return [];
  const { rows } = await database.query<{ id: number; subject: string; bankUserId: string; isLive: boolean }>(
    `select id, subject, bank_user_id as "bankUserId", deleted_at is null as "isLive"
       from users
      where id = any($1::bigint[])
      order by id`,
    [userIds],
  );
  return rows;
}

/** Live users in the order of their ids' bytes. @param after the id before the first; "": from the first on */
export async function listUsers(
  database: Queryable,
  partnerId: string,
  { after, limit }: { after: string; limit: number },
): Promise<ListedUser[]> {
  const { rows } = await database.query<ListedUser>(
    `select ${listed}
       from users
      where partner_id = $1
        and deleted_at is null
        and bank_user_id collate "C" > $2
      order by bank_user_id collate "C"
      limit $3`,
    [partnerId, after, limit],
  );
  return rows;
}

/** Live and deleted, the oldest first. */
export async function listRegistrations(database: Queryable, userIds: readonly number[]): Promise<ListedUser[]> {
  const { rows } = await database.query<ListedUser>(
    `select ${listed} from users where id = any($1::bigint[]) order by id`,
    [userIds],
  );
  return rows;
}

/** The row stays until retention takes it; from the commit on nobody finds the user, and no figures are made for it. */
export async function deleteUser(database: Database, userId: number): Promise<void> {
  await inTransaction(database, async (transaction) => void (await deleteUserWithin(transaction, userId)));
}

/** The same in the caller's transaction. @returns false: it was deleted before, or never there */
export async function deleteUserWithin(transaction: Transaction, userId: number): Promise<boolean> {
  const { rowCount } = await transaction.query(
    "update users set deleted_at = now() where id = $1 and deleted_at is null",
    [userId],
  );
  if (rowCount === 1) {
    await noteDeparture(transaction, userId);
    await feedDeparted(transaction, userId);
  }
  await dropFromList(transaction, userId);
  return rowCount === 1;
}
