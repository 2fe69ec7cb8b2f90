/**
 * The login roles of the service: each with its own password, none a superuser, none a member of another, so that
 * nothing that runs on a connection can leave the role it logged in with. The embedded server gets them at every start,
 * an existing data folder's too; for another server `tideline database roles --script` prints the same statements.
 */
import pg from "pg";
import { callersLogin } from "../../config/connections.ts";
import type { NamedAddress } from "./pooler.ts";

/** The migrator owns the schema; what each of the others may do, role-rights.ts says by table. */
export const serviceRoles = {
  migrator: "tideline_migrator",
  jobs: "tideline_jobs",
  loader: "tideline_loader",
  api: callersLogin,
} as const;

export type ServiceRole = keyof typeof serviceRoles;

/** Where each role's connections go; one address for all where a server was given just one. */
export type DatabaseUrls = Readonly<Record<ServiceRole, string>> & {
  /** Of jobs, past a pooler; undefined: theirs leads to the server itself. */
  readonly jobsDirect?: string | undefined;
};

/** Where jobs log in with connections of their own: to listen, and to be told something that lasts. */
export function sessionUrlOf({ jobs, jobsDirect }: Pick<DatabaseUrls, "jobs" | "jobsDirect">): string {
  return jobsDirect ?? jobs;
}

type Given = {
  databaseUrl: string | undefined;
  databaseUrlJobs: string | undefined;
  databaseUrlJobsDirect: string | undefined;
  databaseUrlLoader: string | undefined;
  databaseUrlApi: string | undefined;
  databaseUrlApiReplica: string | undefined;
};

/** The addresses that are given, by their settings. */
export function namedAddresses(given: Given): NamedAddress[] {
  const sessions = [
    ["DATABASE_URL", given.databaseUrl],
    ["DATABASE_URL_JOBS_DIRECT", given.databaseUrlJobsDirect],
  ] as const;
  const others = [
    ["DATABASE_URL_API", given.databaseUrlApi],
    ["DATABASE_URL_API_REPLICA", given.databaseUrlApiReplica],
    ["DATABASE_URL_JOBS", given.databaseUrlJobs],
    ["DATABASE_URL_LOADER", given.databaseUrlLoader],
  ] as const;
  const named =
    (needsSessions: boolean) =>
    ([setting, url]: readonly [string, string | undefined]) =>
      url === undefined ? [] : [{ setting, url, needsSessions }];
  return [...sessions.flatMap(named(true)), ...others.flatMap(named(false))];
}

/** Of a server of one's own: an address a role, or one for all that have none. */
export function urlsOf(given: Given): DatabaseUrls {
  const migrator = given.databaseUrl ?? "";
  const jobs = given.databaseUrlJobs ?? migrator;
  return {
    migrator,
    jobs,
    loader: given.databaseUrlLoader ?? jobs,
    api: given.databaseUrlApi ?? migrator,
    jobsDirect: given.databaseUrlJobsDirect,
  };
}

/** Loader and jobs serve all partners, and COPY FROM is not allowed under row-level security. */
const attributes: Readonly<Record<ServiceRole, string>> = {
  migrator: "nobypassrls",
  jobs: "bypassrls",
  loader: "bypassrls",
  api: "nobypassrls",
};

export type Arrangement = {
  databaseName: string;
  passwords: Readonly<Record<ServiceRole, string>>;
};

/**
 * Statements for an administrator of the server, connected to the database in question; idempotent. What Tideline's
 * earlier single user owns there becomes the migrator's.
 */
export function arrangementStatements({ databaseName, passwords }: Arrangement): string[] {
  const database = pg.escapeIdentifier(databaseName);
  const names = Object.keys(serviceRoles) as ServiceRole[];
  const served = [serviceRoles.jobs, serviceRoles.loader, serviceRoles.api];
  return [
    ...names.map(
      (role) =>
        `do $$ begin create role ${serviceRoles[role]}; exception when duplicate_object or unique_violation then null; end $$`,
    ),
    ...names.map(
      (role) =>
        `alter role ${serviceRoles[role]} login noinherit nosuperuser nocreatedb nocreaterole noreplication ${attributes[role]} password ${pg.escapeLiteral(passwords[role])}`,
    ),
    // A role that is a member of nothing has nothing to change into.
    `do $$
declare membership record;
begin
  for membership in
    select granted.rolname as granted, member.rolname as member
      from pg_auth_members
      join pg_roles granted on granted.oid = pg_auth_members.roleid
      join pg_roles member on member.oid = pg_auth_members.member
     where member.rolname in (${names.map((role) => `'${serviceRoles[role]}'`).join(", ")})
  loop
    execute format('revoke %I from %I', membership.granted, membership.member);
  end loop;
end $$`,
    `alter database ${database} owner to ${serviceRoles.migrator}`,
    // Without temporary tables nobody's statement can put one in the place of a table that a function names.
    `revoke all on database ${database} from public`,
    `grant connect on database ${database} to ${served.join(", ")}`,
    `grant temporary on database ${database} to ${serviceRoles.jobs}, ${serviceRoles.loader}`,
    "revoke create on schema public from public",
    `do $$
declare one record;
begin
  for one in
    select format('schema %I', nspname) as named from pg_namespace
     where nspname !~ '^pg_' and nspname <> 'information_schema' and nspowner <> '${serviceRoles.migrator}'::regrole
    union all
    select format('%s %I.%I', case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end, n.nspname, c.relname)
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and c.relowner <> '${serviceRoles.migrator}'::regrole
       and c.relkind in ('r', 'p', 'v', 'm', 'S')
       -- What belongs to a column or an extension goes with it.
       and not exists (select 1 from pg_depend d where d.objid = c.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i', 'e') and (d.refobjsubid > 0 or d.deptype = 'e'))
    union all
    select format('%s %s', case p.prokind when 'p' then 'procedure' when 'a' then 'aggregate' else 'function' end, p.oid::regprocedure)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and p.proowner <> '${serviceRoles.migrator}'::regrole
       and not exists (select 1 from pg_depend d where d.objid = p.oid and d.classid = 'pg_proc'::regclass and d.deptype = 'e')
    union all
    select format('type %I.%I', n.nspname, t.typname)
      from pg_type t join pg_namespace n on n.oid = t.typnamespace
     where n.nspname !~ '^pg_' and n.nspname <> 'information_schema' and t.typowner <> '${serviceRoles.migrator}'::regrole
       and t.typtype in ('e', 'd') 
       and not exists (select 1 from pg_depend d where d.objid = t.oid and d.classid = 'pg_type'::regclass and d.deptype = 'e')
  loop
    execute format('alter %s owner to ${serviceRoles.migrator}', one.named);
  end loop;
end $$`,
  ];
}
