/** Who follows the change feed: names, each with how far it is, and the key by which its messages are signed. */
import { type Database, inTransaction, type Queryable } from "../database/database.ts";
import { isSqlState } from "../database/sql-states.ts";
import { Fault } from "../errors.ts";
import { forgetUnfollowed } from "../partners/change-feed.ts";
import { decryptSecret, encryptSecret } from "../partners/keys/secrets-at-rest.ts";

/** Up to where changes are told: a transaction of the database and one of its changes. */
export type FeedPlace = { xid: string; position: number };

export type Follower = FeedPlace & { name: string; /** Null: of every partner. */ partnerId: string | null };

/** Letters, digits and marks that a file's name and a header can have. */
const namePattern = /^[a-z0-9][a-z0-9._-]{0,62}$/;

export function isFollowerName(name: string): boolean {
  return namePattern.test(name);
}

export function placeText({ xid, position }: FeedPlace): string {
  return `${xid}-${position}`;
}

/** Null: that is none. */
export function readPlace(text: string): FeedPlace | null {
  const [, xid, position] = /^(\d{1,19})-(\d{1,15})$/.exec(text) ?? [];
  return xid === undefined || position === undefined ? null : { xid, position: Number(position) };
}

const columns = 'name, partner_id as "partnerId", xid::text, position';

/** Null: nobody follows under this name. */
export async function findFollower(database: Queryable, name: string): Promise<Follower | null> {
  const { rows } = await database.query<Follower>(`select ${columns} from feed_followers where name = $1`, [name]);
  return rows[0] ?? null;
}

/** Whoever loads waits as long while this waits for the open loads. */
const lockTimeout = "2s";

/**
 * Has changes written from now on. Every transaction that asked whether somebody follows, and was told that nobody does,
 * has ended when this returns: what it changed is there for an export that begins afterwards, and all else is told.
 * @returns null: a transaction did not end meanwhile; ask again
 */
export async function addFollower(
  database: Database,
  { name, partnerId }: Pick<Follower, "name" | "partnerId">,
): Promise<Follower | null> {
  return await inTransaction(database, async (transaction) => {
    await transaction.query(`set local lock_timeout = '${lockTimeout}'`);
    await transaction.query("lock table feed_followers in access exclusive mode");
    const { rows } = await transaction.query<Follower>(
      `insert into feed_followers (name, partner_id, xid, position)
       values ($1, $2, pg_snapshot_xmin(pg_current_snapshot()), 0)
       returning ${columns}`,
      [name, partnerId],
    );
    return rows[0] ?? null;
  }).catch((error: unknown) => {
    if (isSqlState(error, "lockNotAvailable")) return null;
    throw error;
  });
}

/** What it has not been told is told to nobody. @returns false: there was none */
export async function removeFollower(database: Database, name: string): Promise<boolean> {
  return await inTransaction(database, async (transaction) => {
    const { rowCount } = await transaction.query("delete from feed_followers where name = $1", [name]);
    await forgetUnfollowed(transaction);
    return rowCount === 1;
  });
}

/** All up to here was taken. */
export async function moveFollower(database: Queryable, name: string, to: FeedPlace): Promise<void> {
  await database.query("update feed_followers set xid = $2::xid8, position = $3, taken_at = now() where name = $1", [
    name,
    to.xid,
    to.position,
  ]);
}

export type ListedFollower = Follower & {
  followedAt: Date;
  takenAt: Date | null;
  /** What waits for it: changes, and since when. */
  changes: number;
  waitingSince: Date | null;
};

export async function listFollowers(database: Queryable): Promise<ListedFollower[]> {
  const { rows } = await database.query<ListedFollower>(
    `select ${columns}, followed_at as "followedAt", taken_at as "takenAt", waiting.changes, waiting.since as "waitingSince"
       from feed_followers follower
      cross join lateral (
        select coalesce(sum(rows), 0)::bigint as changes, min(at) as since
          from feed_changes change
         where (change.xid, change.position) > (follower.xid, follower.position)
           and (follower.partner_id is null or change.partner_id = follower.partner_id)
      ) waiting
      order by name`,
  );
  return rows;
}

const contextOf = (name: string) => `feed-signing:${name}`;

export type SigningKey = { signing: "hmac" | "ed25519"; key: string };

/** Null: it has none. */
export async function readSigningKey(database: Queryable, ring: Buffer, name: string): Promise<SigningKey | null> {
  const { rows } = await database.query<{ signing: SigningKey["signing"]; sealed: Buffer }>(
    "select signing, signing_key_sealed as sealed from feed_followers where name = $1 and signing is not null",
    [name],
  );
  const [row] = rows;
  return row === undefined ? null : { signing: row.signing, key: decryptSecret(ring, contextOf(name), row.sealed) };
}

export async function putSigningKey(
  database: Queryable,
  ring: Buffer,
  name: string,
  { signing, key }: SigningKey,
): Promise<void> {
  await database.query("update feed_followers set signing = $2, signing_key_sealed = $3 where name = $1", [
    name,
    signing,
    encryptSecret(ring, contextOf(name), key),
  ]);
}

/** One process for each follower, for as long as its connection lasts. @throws Fault COMMAND_USAGE */
export async function claimFollower(connection: Queryable, name: string): Promise<void> {
  const { rows } = await connection.query<{ claimed: boolean }>(
    "select pg_try_advisory_lock(hashtextextended('feed ' || $1, 0)) as claimed",
    [name],
  );
  if (rows[0]?.claimed !== true) throw new Fault("COMMAND_USAGE", `Another process follows as ${name} already.`);
}
