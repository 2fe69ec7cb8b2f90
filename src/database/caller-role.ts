/**
 * The database role of connections that serve callers: it owns nothing, so row-level security holds for it, and it may
 * do with each table what the API does. Loader, recognition and jobs work as the tables' owner, who sees every
 * partner's rows.
 */
import type { Queryable } from "./database.ts";

const callerRole = "tideline_api";

/** Tables without row-level security that callers' connections need all the same: none is of a partner or a user. */
const sharedTables: Readonly<Record<string, string>> = {
  exchange_rates: "select",
  exchange_rate_loads: "select",
  payment_numbers: "select",
  psd2_banks: "select",
  sandbox_consents: "select, insert, update, delete",
};

/** Less than the full right, where calls need less. */
const narrower: Readonly<Record<string, string>> = {
  partners: "select",
  brands: "select",
  login_keys: "select",
  allowed_networks: "select",
  token_revocations: "select",
  departures: "select, insert, update",
  client_certificates: "select",
  transactions: "select",
  sftp_keys: "",
  expected_files: "",
  held_records: "",
  delivery_problems: "",
  transaction_versions: "",
  withdrawn_transactions: "",
  packed_pasts: "",
  income_models: "select",
  delivery_statements: "",
  entry_parts: "",
  account_owners: "",
  import_markers: "select",
  // Who changed what is only added to; a body is never read again by a call.
  audit_events: "insert",
  delivery_bodies: "insert",
  deliveries: "select, insert",
  requests: "select, insert",
  // Whether a partner has one; what it is stays with who sends.
  notification_receivers: "select (partner_id)",
};
const fullRight = "select, insert, update, delete";

/**
 * Makes the role where the connection's own may, and gives it its rights. Idempotent. The caller owns the connection,
 * and lets nobody else do the same meanwhile. Where it may not, whoever administers the server can: `create role
 * tideline_api nologin; grant tideline_api to <the user of DATABASE_URL>`.
 */
export async function arrangeCallerRole(database: Queryable): Promise<void> {
  if (!(await roleExists(database)) && !(await createRole(database))) return;
  await grantRights(database);
}

/**
 * The role that callers' connections take on; null: there is none, and only the code's own conditions keep partners
 * apart.
 */
export async function findCallerRole(database: Queryable): Promise<string | null> {
  if (!(await roleExists(database))) return null;
  const { rows } = await database.query<{ usable: boolean }>(
    `select pg_has_role(current_user, $1, case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)
            and has_table_privilege($1, 'partners', 'select') as usable`,
    [callerRole],
  );
  return rows[0]?.usable === true ? callerRole : null;
}

async function roleExists(database: Queryable): Promise<boolean> {
  const { rowCount } = await database.query(
    "select 1 from pg_roles where rolname = $1 and not rolsuper and not rolbypassrls",
    [callerRole],
  );
  return rowCount === 1;
}

/** Roles are the server's, not the database's: another database of it may make the same one at this moment. */
async function createRole(database: Queryable): Promise<boolean> {
  const { rows } = await database.query<{ may: boolean }>(
    "select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user",
  );
  if (rows[0]?.may !== true) return false;
  await database.query(
    `do $$
     begin
       create role ${callerRole} nologin;
     exception when duplicate_object or unique_violation then null;
     end $$`,
  );
  // Who made a role administers it, and from PostgreSQL 16 on has to say that it takes it on.
  await database.query(`grant ${callerRole} to current_user`);
  return true;
}

/** Statements of rights that are missing; none on most starts, so that no start waits for a table in use. */
async function grantRights(database: Queryable): Promise<void> {
  const schema = await database.query<{ identifier: string; usable: boolean }>(
    "select quote_ident(current_schema()) as identifier, has_schema_privilege($1, current_schema(), 'usage') as usable",
    [callerRole],
  );
  if (schema.rows[0]?.usable === false)
    await database.query(`grant usage on schema ${schema.rows[0].identifier} to ${callerRole}`);
  const { rows } = await database.query<{ name: string; identifier: string; secured: boolean }>(
    `select c.relname as name, quote_ident(c.relname) as identifier, c.relrowsecurity as secured
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace
        and c.relkind in ('r', 'p', 'v')
      order by c.relname`,
  );
  for (const { name, identifier, secured } of rows) {
    const rights = sharedTables[name] ?? narrower[name] ?? (secured ? fullRight : viewRight(name));
    if (rights === "") continue;
    if (!(await hasRights(database, name, rights)))
      await database.query(`grant ${rights} on ${identifier} to ${callerRole}`);
  }
}

/** Of the views, the one that calls read; what else has no row-level security is not theirs. */
function viewRight(name: string): string {
  return name === "visible_transactions" ? "select" : "";
}

async function hasRights(database: Queryable, table: string, rights: string): Promise<boolean> {
  const checks = rights.split(", ").map((right) => {
    const [, name = "", column = null] = /^(\w+)(?: \((\w+)\))?$/.exec(right) ?? [];
    return column === null
      ? `has_table_privilege('${callerRole}', $1, '${name}')`
      : `has_column_privilege('${callerRole}', $1, '${column}', '${name}')`;
  });
  const { rows } = await database.query<{ all: boolean }>(`select ${checks.join(" and ")} as all`, [table]);
  return rows[0]?.all === true;
}
