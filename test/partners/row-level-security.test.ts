/**
 * What the database itself shows a caller's connection: statements without any condition of the code's, on every table
 * that the catalogue has. A table added later fails here until it is secured, or said to be nobody's.
 */
import test, { type ExecutionContext } from "ava";
import { openTenants, type Tenants } from "../api/tenants.ts";
import { openForCallers } from "../world.ts";
import type { Database } from "../../src/database/database.ts";
import { runFor, type Tenant } from "../../src/database/tenant.ts";

/** Tables of no partner and no user, and why. */
const nobodys: Readonly<Record<string, string>> = {
  console_accounts: "of operators; callers have no right to it at all",
  console_sessions: "of operators; callers have no right to it at all",
  console_sign_ins: "of operators; callers have no right to it at all",
  approvals: "of operators; callers have no right to it at all",
  guarded_actions: "of operators; callers have no right to it at all",
  backups: "of the whole database; callers have no right to it",
  alert_messages: "what is wrong with the service",
  alerts: "what is wrong with the service",
  exchange_rate_loads: "public",
  exchange_rates: "public",
  payment_numbers: "one key, which every read of payments needs",
  processes: "the service's own",
  flow_figures: "sums of the whole service; callers have no right to it",
  psd2_banks: "banks by operators",
  product_edits: "products, by operators; callers have no right to it",
  sandbox_consents: "of the sandbox bank's generated people",
  audit_batches: "digests of the trail, which no call reads",
  audit_removals: "digests of the trail, which no call reads",
  tenant_keys: "keys of API processes, which no role reads",
  schema_compatibility: "which programs work on which schema",
  schema_migrations: "which migrations ran",
  schema_migrations_lock: "which migrations ran",
};

/** Whose rows are seen where a table's columns do not say it. Everywhere else: user_id, or else partner_id. */
const owners: Readonly<Record<string, string>> = {
  partners: "id = $1",
  users: "partner_id = $1 and id = $2",
  service_keys: "partner_id is null or partner_id = $1",
  feed_followers: "partner_id is null or partner_id = $1",
  budget_coapplicants: "partner_id = $1",
  // Looked at before it is known which user a token names.
  token_revocations: "partner_id = $1",
  delivery_problems: "delivery_id in (select id from deliveries where partner_id = $1)",
  held_records: "delivery_id in (select id from deliveries where partner_id = $1)",
  released_accounts: "delivery_id in (select id from deliveries where partner_id = $1)",
  waiting_accounts: "delivery_id in (select id from deliveries where partner_id = $1)",
  delivery_statements: "delivery_id in (select id from deliveries where partner_id = $1)",
  delivery_bodies: "delivery_id in (select id from deliveries where partner_id = $1)",
};

type Table = { name: string; secured: boolean; condition: string };

async function tablesOf(database: Database): Promise<Table[]> {
  const { rows } = await database.query<{ name: string; secured: boolean; columns: string[] }>(
    `select c.relname as name, c.relrowsecurity and exists (select 1 from pg_policy where polrelid = c.oid) as secured,
            array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 and not attisdropped) as columns
       from pg_class c
      where c.relnamespace = 'public'::regnamespace
        and c.relkind in ('r', 'p')
      order by c.relname`,
  );
  return rows.map(({ name, secured, columns }) => ({
    name,
    secured,
    condition: owners[name] ?? (columns.includes("user_id") ? "user_id = $2" : "partner_id = $1"),
  }));
}

type Caller = { partnerId: string; subject: string; userId: number };
type Secured = { world: Tenants; asked: Database; tables: Table[]; victim: Caller; others: Caller[] };

/** Every secured table holds rows of the victim, so that each has something to hide. */
async function openSecured(t: ExecutionContext): Promise<Secured> {
  const world = await openTenants(t);
  const asked = openForCallers(t, world.url);
  await fillRest(world.database);
  const { rows } = await world.database.query<Caller & { name: string }>(
    'select bank_user_id as name, partner_id as "partnerId", subject, id as "userId" from users',
  );
  const caller = (name: string): Caller => ({ ...rows.find((row) => row.name === name)! });
  const tables = (await tablesOf(world.database)).filter(({ name }) => !(name in nobodys));
  return { world, asked, tables, victim: caller("anna"), others: [caller("bert"), caller("clara")] };
}

/** Rows of Anna's in the tables that her calls have not filled. */
async function fillRest(database: Database): Promise<void> {
  await database.query(`
    create temporary table anna as select id as user_id, partner_id from users where bank_user_id = 'anna';
    insert into sftp_keys (partner_id, fingerprint, public_key) select partner_id, 'SHA256:x', 'ssh-ed25519 x' from anna;
    insert into allowed_networks (partner_id, door, network) select partner_id, 'https', '0.0.0.0/0' from anna;
    insert into client_certificates (partner_id, fingerprint, kind, pem, subject, expires_at) select partner_id, 'ab', 'certificate', 'x', 'x', now() from anna;
    insert into used_login_ids (partner_id, jti, expires_at) select partner_id, 'x', now() from anna;
    insert into audit_events (partner_id, actor, event) select partner_id, 'test', 'test.done' from anna;
    insert into service_keys (kid, purpose, partner_id, public_jwk, private_sealed) select 'k', 'batch-encryption', partner_id, '{}', 'x' from anna;
    insert into notification_receivers (partner_id, url, authentication, secret_sealed, signing, signing_key_sealed) select partner_id, 'https://x.example', 'static', 'x', 'hmac', 'x' from anna;
    insert into deliveries (id, partner_id, door, format, correlation_id, size_bytes, sha256) select gen_random_uuid(), partner_id, 'https', 'request', 'x', 1, 'x' from anna;
    insert into requests (partner_id, request_id, content_sha256, delivery_id) select partner_id, id, 'x', id from deliveries limit 1;
    insert into delivery_bodies (delivery_id, body) select id, 'x' from deliveries limit 1;
    insert into delivery_problems (delivery_id, line, index, field, reason) select id, 1, 1, 'x', 'x' from deliveries limit 1;
    insert into held_records (delivery_id, batch, first_index, last_index, line, kind, field, reason, records) select id, 1, 1, 1, 1, 'refused', 'x', 'x', 1 from deliveries limit 1;
    insert into released_accounts (delivery_id, account_key) select id, gen_random_uuid() from deliveries limit 1;
    insert into waiting_accounts (delivery_id, account_key) select id, gen_random_uuid() from deliveries limit 1;
    insert into loaded_pieces (partner_id, digest, records, user_ids, delivery_position, accepted_at, epoch) select partner_id, 'x', 1, array[user_id], 1, now(), 0 from anna;
    insert into piece_epochs (partner_id) select partner_id from anna;
    insert into feed_followers (name, partner_id, xid, position) select 'x', partner_id, '1', 1 from anna;
    insert into feed_changes (partner_id, kind, user_ids, rows) select partner_id, 'whole', array[user_id], 1 from anna;
    insert into recognition_runs (name, kind, partner_id, algorithm_version) select 'x', 'preview', partner_id, 1 from anna;
    insert into recognition_run_users (run_id, user_id) select recognition_runs.id, user_id from anna, recognition_runs;
    insert into recognition_run_services (run_id, user_id, service_id, title, payment_frequency, status, visibility, amount, currency, next_on, confidence)
      select recognition_runs.id, user_id, gen_random_uuid(), 'x', 'MONTHLY', 'ACTIVE', 'VISIBLE', 1, 'DKK', '2026-06-15', 0.9 from anna, recognition_runs;
    insert into delivery_statements (delivery_id, place, line, kind, account_key, entries, not_booked, balances) select id, 0, 1, 'camt.053', gen_random_uuid(), 1, 0, 'agree' from deliveries limit 1;
    insert into entry_parts (user_id, entry_id, delivery_position) select user_id, 'x', 1 from anna;
    insert into sftp_sessions (id, door_id, machine, partner_id, address, since, bytes_received, bytes_sent, files_delivered, uploads)
      select gen_random_uuid(), gen_random_uuid(), 'x', partner_id, 'x', now(), 1, 1, 1, '[]' from anna;
    insert into expected_files (partner_id, name, due_day, due_at, state) select partner_id, 'x', '2026-06-15', now(), 'missing' from anna;
    insert into import_markers (user_id, delivery_id, delivery_position) select user_id, deliveries.id, 1 from anna, deliveries limit 1;
    insert into account_owners (partner_id, bank_id, account_number, user_id, delivery_position) select partner_id, 'x', 'x', user_id, 1 from anna;
    insert into accounts (user_id, id, name, iban) select user_id, 'x', 'x', 'x' from anna;
    insert into cards (user_id, id, pan4) select user_id, 'x', '1234' from anna;
    insert into account_reviews (user_id, position, kept) select user_id, 1, '{}' from anna;
    insert into account_balances (user_id, account_id, balance, observed_at) select user_id, 'x', 1, now() from anna;
    insert into transaction_versions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, delivery_position) select user_id, 'x', '2026-06-15', 'x', 'x', 'x', 1, 'DKK', 1 from anna;
    insert into withdrawn_transactions (user_id, txid, booked_on, tx_time, raw_type, description, amount, currency, delivery_position, delivery_id, actor)
      select user_id, 'x', '2026-06-15', 'x', 'x', 'x', 1, 'DKK', 1, deliveries.id, 'x' from anna, deliveries limit 1;
    insert into changed_users (user_id) select user_id from anna on conflict do nothing;
    insert into cancellation_cases (user_id, service_id, state, changed_on) select user_id, gen_random_uuid(), 'OPEN', '2026-06-15' from anna;
    insert into membership_alerts (id, user_id, payee_key, txid) select gen_random_uuid(), user_id, 'x', 'x' from anna;
    insert into notifications (user_id, partner_id, type, subject, content) select user_id, partner_id, 'X', 'x', '{}' from anna;
    insert into psd2_logins (id, user_id, partner_id, key_sha256, language, expires_at) select gen_random_uuid(), user_id, partner_id, 'x', 'en', now() from anna;
    insert into departures (partner_id, bank_user_id_sha256, departed_at) select partner_id, 'x', now() from anna;
    insert into token_revocations (partner_id, user_id, subject, revoked_at) select partner_id, id, subject, now() from users where id = (select user_id from anna);
    insert into psd2_consents (user_id, partner_id, bank_id, bank_name, reference, access_token_sealed, token_expires_at, valid_until)
      select user_id, partner_id, 'x', 'x', 'x', 'x', now(), '2026-06-15' from anna;
    insert into budget_revisions (budget_id, revision, partner_id, user_id, status, sequence, document) select id, 99, partner_id, user_id, 'DRAFT', 1, '{}' from budgets where user_id = (select user_id from anna);
    insert into budget_status_changes (partner_id, user_id, budget_id, status_before, status) select partner_id, user_id, id, 'DRAFT', 'READY' from budgets where user_id = (select user_id from anna);
    insert into budget_coapplicants (budget_id, other_budget_id, partner_id, user_id)
      select own.id, other.id, own.partner_id, own.user_id from budgets own, budgets other where own.user_id = (select user_id from anna) and other.user_id <> own.user_id limit 1;
    drop table anna;
  `);
}

/** Places of the rows that a statement without a condition finds; null: the connection may not ask at all. */
async function seenBy(asked: Database, tenant: Tenant, { name }: Table): Promise<string[] | null> {
  return await runFor({ ...tenant }, async () => {
    try {
      const { rows } = await asked.query<{ place: string }>(`select ctid::text as place from ${name} order by ctid`);
      return rows.map(({ place }) => place);
    } catch (error) {
      if (/permission denied/.test(String(error))) return null;
      throw error;
    }
  });
}

async function rowsOf(
  database: Database,
  { partnerId, userId }: Caller,
  { name, condition }: Table,
): Promise<string[]> {
  const { rows } = await database.query<{ place: string }>(
    `select ctid::text as place from ${name} where ($1::text is not null and $2::bigint is not null) and (${condition}) order by ctid`,
    [partnerId, userId],
  );
  return rows.map(({ place }) => place);
}

test.serial("every table is secured, or nobody's", async (t) => {
  const { world } = await openSecured(t);
  const tables = await tablesOf(world.database);
  t.deepEqual(
    tables.filter(({ name, secured }) => secured === name in nobodys).map(({ name }) => name),
    [],
    "give it a policy in its migration (see 020), or say here why it is nobody's",
  );
});

test.serial("a statement without any condition finds the caller's own rows only, in every table", async (t) => {
  const { world, asked, tables, victim, others } = await openSecured(t);
  for (const table of tables) {
    t.true(
      (await rowsOf(world.database, victim, table)).length > 0,
      `${table.name}: give it a row of the victim's in fillRest`,
    );
    for (const caller of [victim, ...others]) {
      const seen = await seenBy(asked, caller, table);
      if (seen !== null)
        t.deepEqual(
          seen,
          await rowsOf(world.database, caller, table),
          `${table.name} for ${caller.partnerId} ${caller.userId}`,
        );
    }
  }
});

test.serial(
  "of a partner without a user only what is the partner's is found, and without a partner nothing",
  async (t) => {
    const { asked, tables } = await openSecured(t);
    for (const table of tables) {
      const [ofNobody, ofPartner] = [
        await seenBy(asked, { partnerId: null, subject: null }, table),
        await seenBy(asked, { partnerId: "north", subject: null }, table),
      ];
      // The keys that sign tokens are read before anybody is known by one.
      if (table.name === "service_keys") t.is(ofNobody?.length, 1);
      else t.deepEqual(ofNobody ?? [], [], table.name);
      if (table.condition === "user_id = $2") t.deepEqual(ofPartner ?? [], [], table.name);
    }
  },
);

test.serial("what several partners deliver at once sees their deliveries and nothing else of either", async (t) => {
  const { asked, tables } = await openSecured(t);
  for (const table of tables) {
    const seen = (await seenBy(asked, { partnerId: "north,south", subject: null }, table)) ?? [];
    if (table.name === "service_keys") t.is(seen.length, 1);
    else t.is(seen.length > 0, ["deliveries", "requests", "partners"].includes(table.name), table.name);
  }
});

test.serial("nothing of another's can be changed or removed, whatever a statement says", async (t) => {
  const { world, asked, tables, victim, others } = await openSecured(t);
  const before = new Map<string, string[]>();
  for (const table of tables) before.set(table.name, await rowsOf(world.database, victim, table));
  for (const { name } of tables.filter((table) => table.condition !== "partner_id = $1" && !(table.name in owners))) {
    for (const caller of others) {
      const removed = runFor({ ...caller }, () => asked.query(`delete from ${name} where user_id = ${victim.userId}`));
      t.is(
        await removed.then(
          ({ rowCount }) => rowCount,
          (error: Error) => (error.message.includes("permission denied") ? 0 : error.message),
        ),
        0,
        name,
      );
    }
  }
  for (const table of tables)
    t.deepEqual(await rowsOf(world.database, victim, table), before.get(table.name), table.name);
  await t.throwsAsync(
    runFor({ ...others[0]! }, () =>
      asked.query("insert into submissions (user_id, txid) values ($1, 'x')", [victim.userId]),
    ),
    { message: /row-level security/ },
  );
  await t.throwsAsync(
    runFor({ ...others[1]! }, () =>
      asked.query(
        "insert into users (partner_id, brand_id, bank_user_id, locale) values ('north', 'north-dk', 'mallory', 'da-DK')",
      ),
    ),
    { message: /row-level security/ },
  );
  await t.throwsAsync(
    runFor({ ...others[1]! }, () =>
      asked.query("insert into audit_events (partner_id, actor, event) values ('north', 'mallory', 'x')"),
    ),
    { message: /row-level security/ },
  );
});

test.serial("what is nobody's to change is not changed: settings, keys, the ledger, the trail", async (t) => {
  const { asked, victim } = await openSecured(t);
  for (const statement of [
    "update partners set name = 'x'",
    "delete from login_keys",
    "delete from transactions",
    "update audit_events set actor = 'x'",
    "select body from delivery_bodies",
    "select secret_sealed from notification_receivers",
    "create table mine (id int)",
    "alter table users disable row level security",
  ]) {
    await t.throwsAsync(
      runFor({ ...victim }, () => asked.query(statement)),
      { message: /permission denied|must be owner/ },
      statement,
    );
  }
});
