/**
 * Who is signed in: a random cookie, kept as its digest. A session ends when nothing was asked in it for a while, at the
 * latest some hours after its beginning, and at once when its account goes.
 */
import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Queryable } from "../../database/database.ts";
import { type Account, digest } from "./accounts.ts";

/** idleMinutes: nobody has sat there for so long. hours: in any case. */
export type SessionLife = { idleMinutes: number; hours: number };
/** How often a session's last sign of life is written. */
const seenEverySeconds = 60;

/** Nobody else's page can set or read it (RFC 6265bis, 4.1.3.2, on the prefix). */
export const cookieName = "__Host-tideline-console";
const cookieBytes = 32;
const cookiePattern = /^[A-Za-z0-9_-]{43}$/;

function isAlive({ idleMinutes, hours }: SessionLife): string {
  return `seen_at > now() - interval '${idleMinutes} minutes' and console_sessions.created_at > now() - interval '${hours} hours'`;
}

export function makeCookie(): string {
  return randomBytes(cookieBytes).toString("base64url");
}

/** Null: none that could have come from here. @param header the request's Cookie header */
export function cookieIn(header: string | undefined): string | null {
  const start = `${cookieName}=`;
  const pair = (header ?? "").split(";").find((one) => one.trim().startsWith(start));
  const value = pair?.trim().slice(start.length) ?? "";
  return cookiePattern.test(value) ? value : null;
}

/**
 * Lax: a link that a colleague sent brings it, a form on another's page does not. No age: it goes with the browser, and
 * on the server by its own time.
 */
export function setCookie(cookie: string): string {
  return `${cookieName}=${cookie}; Path=/; HttpOnly; Secure; SameSite=Lax`;
}

export const clearedCookie = `${cookieName}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`;

/** What every form of whoever has the cookie carries: no page of others knows it, and it tells nothing of the cookie. */
export function formToken(cookie: string): string {
  return createHash("sha256").update(`form of ${cookie}`).digest("base64url");
}

export function isFormToken(cookie: string, given: string): boolean {
  const [expected, shown] = [Buffer.from(formToken(cookie)), Buffer.from(given)];
  return expected.length === shown.length && timingSafeEqual(expected, shown);
}

/** Always under a new cookie: one that was there before, whoever had set it, is never signed in. */
export async function openSession(
  database: Queryable,
  accountId: string,
  { address, idToken = null }: { address: string; idToken?: string | null },
): Promise<string> {
  const cookie = makeCookie();
  await database.query(
    "insert into console_sessions (cookie_sha256, account_id, address, id_token) values ($1, $2, $3, $4)",
    [digest(cookie), accountId, address, idToken],
  );
  return cookie;
}

/** What the identity provider gave for this session; null: it began by token. */
export async function findIdToken(database: Queryable, cookie: string): Promise<string | null> {
  const { rows } = await database.query<{ idToken: string | null }>(
    'select id_token as "idToken" from console_sessions where cookie_sha256 = $1',
    [digest(cookie)],
  );
  return rows[0]?.idToken ?? null;
}

export type FoundSession = { account: Account; isSeenDue: boolean };

/** Null: over, ended, or never there. */
export async function findSession(
  database: Queryable,
  cookie: string,
  life: SessionLife,
): Promise<FoundSession | null> {
  const { rows } = await database.query<Account & { isSeenDue: boolean }>(
    `select account.id, account.name, account.role, account.partner_ids as "partnerIds",
            seen_at < now() - interval '${seenEverySeconds} seconds' as "isSeenDue"
       from console_sessions
       join console_accounts account on account.id = account_id
      where cookie_sha256 = $1
        and ${isAlive(life)}`,
    [digest(cookie)],
  );
  const [found] = rows;
  if (!found) return null;
  const { isSeenDue, ...account } = found;
  return { account, isSeenDue };
}

export async function noteSeen(database: Queryable, cookie: string, life: SessionLife): Promise<void> {
  await database.query(`update console_sessions set seen_at = now() where cookie_sha256 = $1 and ${isAlive(life)}`, [
    digest(cookie),
  ]);
}

export async function endSession(database: Queryable, cookie: string): Promise<void> {
  await database.query("delete from console_sessions where cookie_sha256 = $1", [digest(cookie)]);
}

/** In every browser. @returns how many ended */
export async function endSessionsOf(database: Queryable, accountId: string): Promise<number> {
  return (await database.query("delete from console_sessions where account_id = $1", [accountId])).rowCount ?? 0;
}

export type OwnSession = { createdAt: Date; seenAt: Date; address: string; isThis: boolean };

export async function listSessions(
  database: Queryable,
  accountId: string,
  cookie: string,
  life: SessionLife,
): Promise<OwnSession[]> {
  const { rows } = await database.query<OwnSession>(
    `select created_at as "createdAt", seen_at as "seenAt", address, cookie_sha256 = $2 as "isThis"
       from console_sessions
      where account_id = $1
        and ${isAlive(life)}
      order by seen_at desc`,
    [accountId, digest(cookie)],
  );
  return rows;
}

/** Rows of sessions that are over. */
export async function removeOldSessions(database: Queryable, life: SessionLife): Promise<number> {
  return (await database.query(`delete from console_sessions where not (${isAlive(life)})`)).rowCount ?? 0;
}
