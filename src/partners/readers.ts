/**
 * Logins of the database server that read the views of the schema `analytics`, each of the partners named for it. The
 * login is the server's: who may make roles there makes it, by the statements below.
 */
import pg from "pg";
import type { Queryable } from "../database/database.ts";

/** What an unquoted identifier is in every client, and short enough for one (63 bytes). */
export const readerNames = /^[a-z][a-z0-9_]{0,47}$/;

/** Views that a reader may select from. */
export const analyticsViews = ["users", "services", "transactions", "budgets"] as const;

/** A dashboard's, not a service's. */
const connectionsMax = 5;
const statementMinutes = 10;

/**
 * Statements for an administrator of the server, connected to Tideline's database. A name that the server knows already
 * is refused by it: a reader never becomes somebody else.
 */
export function readerStatements(login: string, databaseName: string, password: string): string[] {
  const role = pg.escapeIdentifier(login);
  return [
    `create role ${role} login noinherit nosuperuser nocreatedb nocreaterole noreplication nobypassrls connection limit ${connectionsMax} password ${pg.escapeLiteral(password)}`,
    `alter role ${role} set default_transaction_read_only = on`,
    `alter role ${role} set statement_timeout = '${statementMinutes}min'`,
    `alter role ${role} set search_path = analytics`,
    `grant connect on database ${pg.escapeIdentifier(databaseName)} to ${role}`,
    `grant usage on schema analytics to ${role}`,
    `grant select on ${analyticsViews.map((view) => `analytics.${view}`).join(", ")} to ${role}`,
  ];
}

/** Statements that end a login; what it has open is ended first. */
export function removalStatements(login: string, databaseName: string): string[] {
  const role = pg.escapeIdentifier(login);
  return [
    `alter role ${role} nologin`,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = ${pg.escapeLiteral(login)}`,
    `revoke select on ${analyticsViews.map((view) => `analytics.${view}`).join(", ")} from ${role}`,
    `revoke usage on schema analytics from ${role}`,
    `revoke connect on database ${pg.escapeIdentifier(databaseName)} from ${role}`,
    `drop role ${role}`,
  ];
}

/** Idempotent. */
export async function allowReader(database: Queryable, login: string, partnerIds: readonly string[]): Promise<void> {
  await database.query(
    `insert into analytics.logins (login, partner_id)
     select $1, partner_id from unnest($2::text[]) as partner_id
     on conflict do nothing`,
    [login, partnerIds],
  );
}

/** From then on the login sees nothing, whatever becomes of it. @returns the partners that it saw */
export async function forbidReader(database: Queryable, login: string): Promise<string[]> {
  const { rows } = await database.query<{ partnerId: string }>(
    'delete from analytics.logins where login = $1 returning partner_id as "partnerId"',
    [login],
  );
  return rows.map(({ partnerId }) => partnerId).toSorted();
}

export type ReaderRow = { login: string; partnerIds: string[]; addedAt: Date; canLogIn: boolean };

/** By name. canLogIn: whether the server has the login. */
export async function listReaders(database: Queryable): Promise<ReaderRow[]> {
  const { rows } = await database.query<ReaderRow>(
    `select login, array_agg(partner_id order by partner_id) as "partnerIds", min(added_at) as "addedAt",
            exists (select 1 from pg_roles where rolname = login and rolcanlogin) as "canLogIn"
       from analytics.logins
      group by login
      order by login`,
  );
  return rows;
}
