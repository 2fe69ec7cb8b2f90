/** The accounts of the console: a name for the audit trail, a role, and a token that is known as a digest alone. */
import { createHash, randomBytes } from "node:crypto";
import { type ConsoleRole, consoleRoles } from "../../../config/console-knobs.ts";
import type { Queryable } from "../../database/database.ts";

export { type ConsoleRole, consoleRoles };

export type Account = {
  id: string;
  name: string;
  role: ConsoleRole;
  /** Of which partners it sees anything; null: of all. */
  partnerIds: readonly string[] | null;
};

/** issuer: of the identity provider; null: by token. */
export type ListedAccount = Account & { issuer: string | null; createdAt: Date; usedAt: Date | null; sessions: number };

/** The mark by which people and scanners of secrets tell what it is. */
const tokenMark = "tlc_";
const tokenBytes = 32;
const tokenPattern = /^tlc_[A-Za-z0-9_-]{43}$/;
export const accountNamePattern = /^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$/;

export function makeToken(): string {
  return `${tokenMark}${randomBytes(tokenBytes).toString("base64url")}`;
}

/** Whether one role may do what another may. */
export function isAtLeast(role: ConsoleRole, needed: ConsoleRole): boolean {
  return consoleRoles.indexOf(role) >= consoleRoles.indexOf(needed);
}

/** @returns false: the name is taken. The caller owns the transaction. */
export async function addAccount(
  database: Queryable,
  account: Omit<Account, "id">,
  token: string | null,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into console_accounts (name, role, partner_ids, token_sha256)
     values ($1, $2, $3, $4)
     on conflict do nothing`,
    [account.name, account.role, account.partnerIds, token === null ? null : digest(token)],
  );
  return rowCount === 1;
}

/** The account that is there when nobody has one yet. @returns false: somebody has. Several consoles may start at once. */
export async function addFirstAccount(database: Queryable, token: string): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into console_accounts (name, role, token_sha256)
     select 'admin', 'admin', $1
      where not exists (select 1 from console_accounts)
     on conflict do nothing`,
    [digest(token)],
  );
  return rowCount === 1;
}

export async function hasAccounts(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ some: boolean }>("select exists (select 1 from console_accounts) as some");
  return rows[0]?.some === true;
}

/** Its sessions end with it. @returns whether there was one */
export async function removeAccount(database: Queryable, name: string): Promise<boolean> {
  return (await database.query("delete from console_accounts where name = $1", [name])).rowCount === 1;
}

export async function listAccounts(database: Queryable): Promise<ListedAccount[]> {
  const { rows } = await database.query<ListedAccount>(
    `select id, name, role, partner_ids as "partnerIds", oidc_issuer as issuer, created_at as "createdAt", used_at as "usedAt",
            (select count(*) from console_sessions where account_id = console_accounts.id) as sessions
       from console_accounts
      order by name`,
  );
  return rows;
}

/** Null: nobody's token. Found by its digest, so that nothing is told by how long it takes. */
export async function findByToken(database: Queryable, token: string): Promise<Account | null> {
  if (!tokenPattern.test(token)) return null;
  const { rows } = await database.query<Account>(
    'select id, name, role, partner_ids as "partnerIds" from console_accounts where token_sha256 = $1',
    [digest(token)],
  );
  return rows[0] ?? null;
}

/** Who somebody is at the identity provider, and what the account may be there. */
export type Identity = {
  issuer: string;
  subject: string;
  name: string;
  role: ConsoleRole;
  partnerIds: string[] | null;
};

/**
 * The account of somebody whom the provider vouches for: made at the first time, with what the provider says now ever
 * after. It keeps its first name: the trail has it. Null: another account has that name.
 */
export async function putIdentity(database: Queryable, identity: Identity): Promise<Account | null> {
  const { issuer, subject, name, role, partnerIds } = identity;
  const changed = await database.query<Account>(
    `update console_accounts
        set role = $3, partner_ids = $4
      where oidc_issuer = $1
        and oidc_subject = $2
      returning id, name, role, partner_ids as "partnerIds"`,
    [issuer, subject, role, partnerIds],
  );
  if (changed.rows[0]) return changed.rows[0];
  const made = await database.query<Account>(
    `insert into console_accounts (name, role, partner_ids, oidc_issuer, oidc_subject)
     values ($1, $2, $3, $4, $5)
     on conflict do nothing
     returning id, name, role, partner_ids as "partnerIds"`,
    [name, role, partnerIds, issuer, subject],
  );
  return made.rows[0] ?? null;
}

export async function noteUse(database: Queryable, accountId: string): Promise<void> {
  await database.query("update console_accounts set used_at = now() where id = $1", [accountId]);
}

export function digest(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
