/** No table about users is missing from the list that erasure and export go through. */
import test from "ava";
import { findSubjectTables } from "../../src/data-subjects/tables.ts";
import { createTestDatabase } from "../world.ts";

/** Tables without data of users, each for its reason. A new table is either here or has a column user_id. */
const withoutUsers: Readonly<Record<string, string>> = {
  partners: "operators' settings",
  brands: "operators' settings",
  login_keys: "partners' keys",
  sftp_keys: "partners' keys",
  allowed_networks: "partners' networks",
  client_certificates: "of partners' backends",
  notification_receivers: "partners' receivers",
  psd2_banks: "banks by operators",
  product_edits: "products, by operators",
  sandbox_consents: "generated people",
  service_keys: "our keys",
  console_accounts: "of operators",
  console_sessions: "of operators",
  console_sign_ins: "of operators, gone within minutes",
  guarded_actions: "what operators may not do alone",
  approvals: "who asked for what; names our number of a user at most",
  used_login_ids: "random ids, gone within minutes",
  audit_events: "who did what; names our number of a user at most",
  users: "the user itself",
  deliveries: "names and sizes of files",
  delivery_bodies: "encrypted, of many users; goes by its own age",
  delivery_problems: "positions and reasons, never a value",
  feed_changes: "our numbers of users; what identifies their payments goes with an erasure",
  feed_followers: "who follows the feed",
  requests: "ids of batches",
  loaded_pieces: "digests of many users' records, with our numbers of them; void with a deletion, gone with an erasure",
  piece_epochs: "numbers",
  held_records: "positions and digests",
  recognition_runs: "names and settings of runs",
  released_accounts: "digests",
  waiting_accounts: "digests",
  delivery_statements: "numbers of entries, and digests of accounts",
  tenant_keys: "keys of API processes",
  audit_batches: "digests of the trail",
  audit_removals: "digests of the trail",
  sftp_sessions: "connections of partners; names of files being uploaded",
  expected_files: "names of files",
  alert_messages: "what is wrong with the service",
  alerts: "what is wrong with the service",
  processes: "the service's own",
  flow_figures: "sums of the whole service; names partners at most",
  exchange_rate_loads: "public",
  exchange_rates: "public",
  departures: "digests of names, until no delivery from before is left",
  payment_numbers: "one key of the whole ledger",
  backups: "where backups are",
  schema_compatibility: "which programs a migration lets work",
  schema_migrations: "which migrations ran",
  schema_migrations_lock: "which migrations ran",
};

test("every table has a column user_id or holds nothing about users", async (t) => {
  const { database } = await createTestDatabase(t);
  const subjects = (await findSubjectTables(database)).map(({ name }) => name);
  const { rows } = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = current_schema()",
  );
  t.deepEqual(
    rows.map(({ name }) => name).filter((name) => !subjects.includes(name) && !(name in withoutUsers)),
    [],
  );
  for (const name of ["transactions", "services", "account_balances", "withdrawn_transactions"])
    t.true(subjects.includes(name), name);
});
