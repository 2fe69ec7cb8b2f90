/**
 * What each of the service's database roles may do with each table. `tideline_api` serves callers: it owns nothing, and
 * row-level security holds for it. `tideline_loader` is what threads load and check with, `tideline_jobs` all other work;
 * both see every partner's rows, neither owns a table, and the loader is kept from what loading does not need: consents,
 * receivers, budgets. `tideline_migrator` owns all (src/database/service-roles.ts).
 */
import type { Queryable } from "./database.ts";
import { type ServiceRole, serviceRoles } from "./service-roles.ts";

const callerRole = serviceRoles.api;
const fullRight = "select, insert, update, delete";

/** By table; an empty text: none. */
type Rights = Readonly<Record<string, string>>;

/** Tables without row-level security that callers' connections need all the same: none is of a partner or a user. */
const sharedTables: Rights = {
  exchange_rates: "select",
  exchange_rate_loads: "select",
  payment_numbers: "select",
  psd2_banks: "select",
  sandbox_consents: fullRight,
};

/** Less than the full right, where calls need less. */
const narrower: Rights = {
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
  sftp_sessions: "",
  held_records: "",
  released_accounts: "",
  waiting_accounts: "",
  delivery_problems: "",
  transaction_versions: "",
  withdrawn_transactions: "",
  packed_pasts: "",
  recognition_runs: "",
  recognition_run_services: "",
  recognition_run_users: "",
  income_models: "select",
  delivery_statements: "",
  entry_parts: "",
  account_owners: "",
  loaded_pieces: "",
  piece_epochs: "",
  // That something changed is only added to; of who follows a call asks whether there is one.
  feed_changes: "insert",
  feed_followers: "select (partner_id)",
  import_markers: "select",
  // Who changed what is only added to; a body is never read again by a call.
  audit_events: "insert",
  delivery_bodies: "insert",
  deliveries: "select, insert",
  requests: "select, insert",
  // Whether a partner has one; what it is stays with who sends.
  notification_receivers: "select (partner_id)",
};

/** Where loading reads alone, and what else it writes; of no other table it knows. */
const loading: Rights = {
  partners: "select",
  brands: "select",
  login_keys: "select",
  service_keys: "select",
  departures: "select",
  exchange_rates: "select",
  exchange_rate_loads: "select",
  payment_numbers: "select",
  schema_migrations: "select",
  schema_compatibility: "select",
  visible_transactions: "select",
  users: "select, insert, update",
  deliveries: "select, insert, update",
  transactions: fullRight,
  transaction_versions: fullRight,
  withdrawn_transactions: fullRight,
  accounts: fullRight,
  cards: fullRight,
  account_owners: fullRight,
  account_reviews: fullRight,
  account_balances: fullRight,
  changed_users: fullRight,
  import_markers: fullRight,
  requests: fullRight,
  delivery_bodies: fullRight,
  delivery_problems: fullRight,
  held_records: fullRight,
  released_accounts: fullRight,
  waiting_accounts: fullRight,
  delivery_statements: fullRight,
  entry_parts: fullRight,
  loaded_pieces: fullRight,
  piece_epochs: fullRight,
  feed_changes: "insert",
  feed_followers: "select (partner_id)",
};

/** All of every table but these. */
const narrowerForJobs: Rights = {
  // What was migrated is the migrator's word.
  schema_migrations: "select",
  schema_compatibility: "select",
  // What was backed up is told, and recorded by whoever copies the server.
  backups: "select",
  schema_migrations_lock: "",
  // Keys are entered and forgotten; what they are is read by nobody.
  tenant_keys: "insert, delete, select (id), select (expires_at), update (expires_at)",
  // Only added to: what retention removes, it removes through remove_door_events.
  audit_events: "select, insert",
  audit_batches: "select, insert",
  audit_removals: "select, insert",
};

type Table = { name: string; secured: boolean; isView: boolean };

function rightsOf(role: ServiceRole, { name, secured, isView }: Table): string {
  if (role === "loader") return loading[name] ?? "";
  if (role === "jobs") return narrowerForJobs[name] ?? (isView ? "select" : fullRight);
  // Of the views, the one that calls read; what else has no row-level security is not theirs.
  if (isView) return name === "visible_transactions" ? "select" : "";
  return sharedTables[name] ?? narrower[name] ?? (secured ? fullRight : "");
}

/**
 * Gives the roles their rights, those that the server has; makes the API's where the connection's own role may.
 * Idempotent. The caller owns the connection, and lets nobody else do the same meanwhile.
 */
export async function arrangeRights(database: Queryable): Promise<void> {
  if (!(await isConfined(database, callerRole))) await createCallerRole(database);
  for (const role of ["api", "loader", "jobs"] as const)
    if (await isConfined(database, serviceRoles[role])) await grantRights(database, role);
  for (const role of ["loader", "jobs"] as const)
    if (await isConfined(database, serviceRoles[role])) await grantSequences(database, role);
  for (const role of ["api", "loader", "jobs"] as const)
    if (await isConfined(database, serviceRoles[role])) await grantAnswers(database, serviceRoles[role]);
  if (await isConfined(database, serviceRoles.jobs)) await grantRemoval(database);
}

/**
 * The role that callers' connections take on; null: there is none, and only the code's own conditions keep partners
 * apart.
 */
export async function findCallerRole(database: Queryable): Promise<string | null> {
  if (!(await isConfined(database, callerRole))) return null;
  const { rows } = await database.query<{ usable: boolean }>(
    `select pg_has_role(current_user, $1, case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end)
            and has_table_privilege($1, 'partners', 'select') as usable`,
    [callerRole],
  );
  return rows[0]?.usable === true ? callerRole : null;
}

/** Whether there is such a role, and none that stands above all rights; of callers, above row-level security. */
async function isConfined(database: Queryable, role: string): Promise<boolean> {
  const { rowCount } = await database.query(
    "select 1 from pg_roles where rolname = $1 and not rolsuper and not (rolbypassrls and rolname = $2)",
    [role, callerRole],
  );
  return rowCount === 1;
}

/** Roles are the server's, not the database's: another database of it may make the same one at this moment. */
async function createCallerRole(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ may: boolean }>(
    "select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user",
  );
  if (rows[0]?.may !== true) return;
  await database.query(
    `do $$
     begin
       create role ${callerRole} nologin;
     exception when duplicate_object or unique_violation then null;
     end $$`,
  );
  // Who made a role administers it, and from PostgreSQL 16 on has to say that it takes it on.
  await database.query(`grant ${callerRole} to current_user`);
}

/** Statements of rights that are missing; none on most starts, so that no start waits for a table in use. */
async function grantRights(database: Queryable, role: Exclude<ServiceRole, "migrator">): Promise<void> {
  const grantee = serviceRoles[role];
  const schema = await database.query<{ identifier: string; usable: boolean }>(
    "select quote_ident(current_schema()) as identifier, has_schema_privilege($1, current_schema(), 'usage') as usable",
    [grantee],
  );
  if (schema.rows[0]?.usable === false)
    await database.query(`grant usage on schema ${schema.rows[0].identifier} to ${grantee}`);
  const { rows } = await database.query<Table & { identifier: string }>(
    `select c.relname as name, quote_ident(c.relname) as identifier, c.relrowsecurity as secured, c.relkind = 'v' as "isView"
       from pg_class c
      where c.relnamespace = current_schema()::regnamespace
        and c.relkind in ('r', 'p', 'v')
      order by c.relname`,
  );
  const wanted = rows.map((table) => ({ table: table.identifier, rights: rightsOf(role, table) }));
  const lacking = await findLacking(database, grantee, wanted);
  // In one go: each by itself were as many ways and commits as there are tables.
  if (lacking.length > 0)
    await database.query(lacking.map(({ table, rights }) => `grant ${rights} on ${table} to ${grantee}`).join(";\n"));
}

/**
 * Whoever adds rows takes their numbers from the sequence that a column's default names. Identities need no right. No call
 * adds to such a table.
 */
async function grantSequences(database: Queryable, role: "loader" | "jobs"): Promise<void> {
  const grantee = serviceRoles[role];
  const { rows } = await database.query<{ identifier: string }>(
    `select distinct quote_ident(sequence.relname) as identifier
       from pg_class sequence
       join pg_depend of_default on of_default.refobjid = sequence.oid and of_default.classid = 'pg_attrdef'::regclass
       join pg_attrdef filled on filled.oid = of_default.objid
      where sequence.relnamespace = current_schema()::regnamespace
        and has_table_privilege($1, filled.adrelid, 'insert')
        -- In this order: what is no sequence must not be asked for a sequence's rights.
        and case when sequence.relkind = 'S' then not has_sequence_privilege($1, sequence.oid, 'usage') else false end`,
    [grantee],
  );
  for (const { identifier } of rows) await database.query(`grant usage on sequence ${identifier} to ${grantee}`);
}

/**
 * The queue's tables are for jobs, which own none of them: no thread and no caller touches the queue. Whoever makes them
 * calls this, so that they can be made anew. The caller owns the connection, and lets nobody else do the same meanwhile.
 */
export async function arrangeQueueRights(database: Queryable, schema: string): Promise<void> {
  const grantee = serviceRoles.jobs;
  if (!(await isConfined(database, grantee))) return;
  const { rows } = await database.query<{ missing: boolean }>(
    `select not has_schema_privilege($1, $2, 'usage')
            or exists (
              select 1
                from pg_class c
               where c.relnamespace = $2::regnamespace
                 and case when c.relkind = 'S' then not has_sequence_privilege($1, c.oid, 'usage')
                          when c.relkind in ('r', 'p') then not has_table_privilege($1, c.oid, 'insert')
                          else false end
            ) as missing`,
    [grantee, schema],
  );
  if (rows[0]?.missing !== true) return;
  await database.query(`grant usage on schema ${schema} to ${grantee}`);
  await database.query(`grant ${fullRight} on all tables in schema ${schema} to ${grantee}`);
  await database.query(`grant usage on all sequences in schema ${schema} to ${grantee}`);
}

/** Functions that do as their owner what a call has to know or keep: of everybody's logins only these may call them. */
const answers = [
  "open_deliveries(bigint)",
  "accept_request(text, uuid, uuid, text, bigint, bytea, bytea, text, bytea, text[])",
  "applicant_of(text, uuid)",
  "psd2_login_of_key(uuid, bytea)",
  "psd2_login_of_state(bytea)",
];

async function grantAnswers(database: Queryable, grantee: string): Promise<void> {
  for (const signature of answers) {
    const { rows } = await database.query<{ missing: boolean }>(
      "select not has_function_privilege($1, $2, 'execute') as missing",
      [grantee, signature],
    );
    if (rows[0]?.missing === true) await database.query(`grant execute on function ${signature} to ${grantee}`);
  }
}

async function grantRemoval(database: Queryable): Promise<void> {
  const { rows } = await database.query<{ missing: boolean }>(
    "select not has_function_privilege($1, 'remove_door_events(timestamptz)', 'execute') as missing",
    [serviceRoles.jobs],
  );
  if (rows[0]?.missing === true)
    await database.query(`grant execute on function remove_door_events(timestamptz) to ${serviceRoles.jobs}`);
}

type Wanted = { table: string; rights: string };

/** Those of which the grantee lacks some right. @param wanted table: as an identifier; rights: an empty text asks for none */
async function findLacking(database: Queryable, grantee: string, wanted: readonly Wanted[]): Promise<Wanted[]> {
  const asked = wanted.flatMap(({ table, rights }) =>
    (rights === "" ? [] : rights.split(", ")).map((right) => {
      const [, name = "", column = null] = /^(\w+)(?: \((\w+)\))?$/.exec(right) ?? [];
      return { table, name, column };
    }),
  );
  const { rows } = await database.query<{ table: string }>(
    `select distinct asked.table
       from unnest($2::text[], $3::text[], $4::text[]) as asked ("table", name, "column")
      where not case when asked.column is null then has_table_privilege($1, asked.table, asked.name)
                     else has_column_privilege($1, asked.table, asked.column, asked.name) end`,
    [grantee, asked.map(({ table }) => table), asked.map(({ name }) => name), asked.map(({ column }) => column)],
  );
  const lacking = new Set(rows.map(({ table }) => table));
  return wanted.filter(({ table }) => lacking.has(table));
}
