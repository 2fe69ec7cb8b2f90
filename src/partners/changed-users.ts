/**
 * The list of users whose figures are out of date, which recognition works through. Whoever puts users on it or takes
 * them off does it here, so far below recognition because deleting a user and changing a brand do so, too.
 *
 * `touched_at` tells how long a user's data have been at rest, and so the order: who was touched within half a day has
 * new data and goes first; who is to be computed again for another reason is marked as if untouched for a day.
 *
 * `held_for` keeps a user on the list whose turn does not come: a version of recognition that is not put in force sees
 * it differently (recognition/preview/held-back.ts). New payments leave it so; whatever else changes of a user ends it.
 */
import type { Database, Queryable, Transaction } from "../database/database.ts";
import { feedsPosted, type PostedChange } from "./change-feed.ts";

/**
 * SQL that marks users whose data changed, for a statement that changes them: the mark comes first, so that a run that
 * has the user in hand is waited for. @param users the rest of a select of `userId`, in the caller's parameters
 */
export function marksChanged(userId: string, users: string): string {
  return `insert into changed_users (user_id)
       select ${userId}
         ${users}
       on conflict (user_id) do update set touched_at = now(), held_for = null`;
}

/** As marksChanged, and as if untouched for a while: nothing has to settle before the change is told. */
export function marksSettled(userId: string, users: string): string {
  return `insert into changed_users (user_id, touched_at)
       select ${userId}, now() - interval '1 minute'
         ${users}
       on conflict (user_id) do update set touched_at = excluded.touched_at, held_for = null`;
}

/**
 * SQL that marks users to be computed again once nobody with new data waits; who is on the list stays as it is. Nothing
 * came: what is remembered of them holds.
 */
export function marksOutdated(userId: string, users: string): string {
  return `insert into changed_users (user_id, touched_at, arrived, arrived_until)
       select ${userId}, now() - interval '1 day', '[]', now() - interval '1 day'
         ${users}
       on conflict (user_id) do nothing`;
}

/**
 * Puts users on the list whose data changed in any way: their histories are read whole.
 * @param userIds ascending, so that two loaders wait for each other
 */
export async function markChanged(transaction: Transaction, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await transaction.query(marksChanged("user_id", "from unnest($1::bigint[]) as user_id"), [userIds]);
}

/** As markChanged, for users of whom nothing more is on its way: nothing has to settle first. */
export async function markSettled(transaction: Transaction, userIds: readonly number[]): Promise<void> {
  if (userIds.length === 0) return;
  await transaction.query(marksSettled("user_id", "from unnest($1::bigint[]) as user_id"), [userIds]);
}

/**
 * What came of a user: ids of the rows that are new in the ledger; null: more than are worth telling, or something
 * else changed too.
 */
export type Arrival = { userId: number; txids: readonly string[] | null };

/** Beyond so many a history is read whole. */
export const arrivedMax = 100;
/** The same for what several loads bring, in characters: what is told is read and written anew with each. */
const arrivedCharactersMax = 3_500;

/**
 * Puts users on the list with what came new, and tells who follows. @param arrivals one a user, ascending.
 * @param posted null: nothing to tell
 */
export async function markArrived(
  transaction: Transaction,
  arrivals: readonly Arrival[],
  posted: PostedChange | null,
): Promise<void> {
  if (arrivals.length === 0) return;
  await transaction.query(
    `with ${feedsPosted}
     insert into changed_users (user_id, arrived, arrived_until)
     select user_id, arrived, now()
       from unnest($1::bigint[], string_to_array($2, e'\\n', '')) as came (user_id, arrived)
     on conflict (user_id) do update
        set touched_at = now(),
            arrived = case when changed_users.arrived_until = changed_users.touched_at
                            and length(changed_users.arrived) + length(excluded.arrived) <= ${arrivedCharactersMax}
                           then changed_users.arrived || e'\\n' || excluded.arrived end,
            arrived_until = now()`,
    [
      arrivals.map(({ userId }) => userId),
      // JSON has no line break of its own.
      arrivals
        .map(({ txids }) => (txids === null || txids.length > arrivedMax ? "" : JSON.stringify(txids)))
        .join("\n"),
      posted?.partnerId ?? null,
      posted?.deliveryPosition ?? null,
      posted?.rows ?? 0,
    ],
  );
}

/** One for each user, ascending: what several have to tell of a user together. */
export function gatherArrivals(arrivals: readonly Arrival[]): Arrival[] {
  const byUser = new Map<number, readonly string[] | null>();
  for (const { userId, txids } of arrivals) {
    const known = byUser.get(userId);
    byUser.set(userId, txids === null || known === null ? null : [...(known ?? []), ...txids]);
  }
  return Array.from(byUser, ([userId, txids]) => ({ userId, txids })).sort((a, b) => a.userId - b.userId);
}

export type Marked = { users: number; at: Date };

/**
 * For an operator who wants figures made anew. @param bankUserId null: all users of the partner. @param partnerId null:
 * of every partner.
 */
export async function markForRecognition(
  database: Queryable,
  partnerId: string | null,
  bankUserId: string | null,
): Promise<Marked> {
  const { rows } = await database.query<Marked>(
    `with marked as (
       insert into changed_users (user_id, touched_at)
       -- As if untouched for long: nothing more is to be waited for.
       select id, now() - interval '1 day'
         from users
        where deleted_at is null
          and ($1::text is null or partner_id = $1)
          and ($2::text is null or bank_user_id = $2)
        order by id
       on conflict (user_id) do update set touched_at = excluded.touched_at, held_for = null
       returning user_id
     )
     select count(*) as users, now() as at from marked`,
    [partnerId, bankUserId],
  );
  const [marked] = rows;
  if (!marked) throw new Error("a count has no row");
  return marked;
}

/** How many users are still on the list since `at` or longer. */
export async function countMarked(database: Queryable, at: Date): Promise<number> {
  const { rows } = await database.query<{ waiting: number }>(
    "select count(*) as waiting from changed_users where since <= $1",
    [at],
  );
  return rows[0]?.waiting ?? 0;
}

/**
 * A user claimed from the list. `version`: the state of its entry, "" for none. `arrived`: txids of the rows that came
 * since the user was last taken off the list, perhaps more than once; null: not known.
 */
export type ClaimedEntry = { userId: number; version: string; arrived: readonly string[] | null };

/** Whether anybody is on the list, due or not; who is held is not waited for. */
export async function isAnyListed(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ listed: boolean }>(
    "select exists (select 1 from changed_users where held_for is null) as listed",
  );
  return rows[0]?.listed === true;
}

/** Entries looked at for each user wanted: some may be in the hands of other runs. */
const candidatesPerUser = 20;

/**
 * Chooses users of the list, longest untouched first, and keeps other runs away from them until the transaction ends.
 * The list itself stays free: whoever loads for one of them meanwhile neither waits nor is missed (leaveList). Users
 * with new data come before those who are computed again because a day or the algorithm changed.
 */
export async function claimDue(transaction: Transaction, usersMax: number, settledMs: number): Promise<ClaimedEntry[]> {
  const fresh = await claimTouched(transaction, usersMax, settledMs, "touched_at > now() - interval '12 hours'");
  // Those were marked as if untouched for a day.
  return fresh.length > 0
    ? fresh
    : await claimTouched(transaction, usersMax, settledMs, "touched_at <= now() - interval '12 hours'");
}

async function claimTouched(
  transaction: Transaction,
  usersMax: number,
  settledMs: number,
  age: string,
): Promise<ClaimedEntry[]> {
  const { rows } = await transaction.query<Entry>(
    `with due as materialized (
       select user_id, xmin::text as version, ${arrivedIfTold} as arrived
         from changed_users
        where (touched_at <= now() - make_interval(secs => $2)
           -- A user whose records never pause is still recognised now and then.
           or since <= now() - make_interval(secs => $2 * 30))
          and held_for is null
          and ${age}
        order by touched_at
        limit $1 * ${candidatesPerUser}
     )
     select user_id as "userId", version, arrived
       from due
      where pg_try_advisory_xact_lock(${lockOf("user_id")})
      limit $1`,
    [usersMax, settledMs / 1000],
  );
  return rows.map(claimedEntry);
}

/** As it lies on the list. */
type Entry = { userId: number; version: string; arrived: string | null };

const arrivedIfTold = "case when arrived_until = touched_at then arrived end";

function claimedEntry({ userId, version, arrived }: Entry): ClaimedEntry {
  return {
    userId,
    version,
    arrived: arrived === null ? null : arrived.split("\n").flatMap((list) => JSON.parse(list) as string[]),
  };
}

/** One user, whether on the list or not. Waits for a run that has it. */
export async function claimEntry(transaction: Transaction, userId: number): Promise<ClaimedEntry> {
  await transaction.query(`select pg_advisory_xact_lock(${lockOf("$1::bigint")})`, [userId]);
  const { rows } = await transaction.query<Entry>(
    `select user_id as "userId", xmin::text as version, ${arrivedIfTold} as arrived from changed_users where user_id = $1`,
    [userId],
  );
  const [entry] = rows;
  return entry === undefined ? { userId, version: "", arrived: null } : claimedEntry(entry);
}

/** Two runs over one user would both write its services. */
function lockOf(userId: string): string {
  return `hashtextextended('recognise ' || ${userId}, 0)`;
}

/**
 * Takes off the list what nobody touched since it was taken; a user with data that came meanwhile stays for the next
 * run. To be called when everything is computed and before anything else is written: every other writer locks the list
 * first, too.
 * @returns who was taken off: of them nothing came meanwhile, and what comes from here on waits for the transaction.
 */
export async function leaveList(
  transaction: Transaction,
  { entries }: { entries: readonly ClaimedEntry[] },
): Promise<ReadonlySet<number>> {
  const { rows } = await transaction.query<{ userId: number }>(
    `delete from changed_users
      using unnest($1::bigint[], $2::text[]) as claimed (user_id, version)
      where changed_users.user_id = claimed.user_id
        and changed_users.xmin::text = claimed.version
     returning changed_users.user_id as "userId"`,
    [entries.map(({ userId }) => userId), entries.map(({ version }) => version)],
  );
  return new Set(rows.map(({ userId }) => userId));
}

/** The users whom a run that failed had claimed, or nearly so: longest untouched first. */
export async function findOldest(database: Database, usersMax: number): Promise<number[]> {
  const { rows } = await database.query<{ userId: number }>(
    `select user_id as "userId"
       from changed_users
      where touched_at <= now()
        and held_for is null
      order by touched_at
      limit $1`,
    [usersMax],
  );
  return rows.map((row) => row.userId);
}

/** Has the next runs leave a user alone; new data bring it back at once. */
export async function putOff(database: Database, userId: number, minutes: number): Promise<void> {
  await database.query(
    `update changed_users
        set touched_at = now() + make_interval(mins => $2),
            since = now() + make_interval(mins => $2)
      where user_id = $1`,
    [userId, minutes],
  );
}

/**
 * Keeps users on the list, with what came and comes, until they are let go. To be called with leaveList, for the same
 * reason. @param userIds ascending
 */
export async function holdBack(transaction: Transaction, userIds: readonly number[], version: number): Promise<void> {
  if (userIds.length === 0) return;
  await transaction.query(
    `insert into changed_users (user_id, touched_at, arrived, arrived_until, held_for)
     select user_id, now() - interval '1 day', '[]', now() - interval '1 day', $2
       from unnest($1::bigint[]) as user_id
     on conflict (user_id) do update set held_for = excluded.held_for`,
    [userIds, version],
  );
}

/** SQL that lets users go who are held, for a statement. @param users a condition on `users` */
export function letsGo(users: string): string {
  return letsGoThose(`held_for is not null and user_id in (select id from users where ${users})`);
}

/**
 * Lets go whom another version held, so that this one looks, and whoever was touched by a process that knows of no
 * holding and did not say what came.
 */
export async function endOldHolds(database: Queryable, version: number): Promise<void> {
  await database.query(
    letsGoThose("held_for is not null and (held_for <> $1 or arrived_until is distinct from touched_at)"),
    [version],
  );
}

/** Locked as loaders touch them, so that two who need the same users wait instead of deadlocking. */
function letsGoThose(condition: string): string {
  return `update changed_users
          set held_for = null
         from (select user_id from changed_users where ${condition} order by user_id for no key update) as held
        where held.user_id = changed_users.user_id`;
}

/** How many users are held. @param partnerId null: of every partner */
export async function countHeld(database: Queryable, partnerId: string | null): Promise<number> {
  const { rows } = await database.query<{ users: number }>(
    `select count(*) as users
       from changed_users
      where held_for is not null
        and ($1::text is null or user_id in (select id from users where partner_id = $1))`,
    [partnerId],
  );
  return rows[0]?.users ?? 0;
}

/** A user who was deleted: no figures are made any more. */
export async function dropFromList(transaction: Transaction, userId: number): Promise<void> {
  await transaction.query("delete from changed_users where user_id = $1", [userId]);
}
