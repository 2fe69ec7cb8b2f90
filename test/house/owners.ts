/**
 * Who writes which table: one module each, which others call by what they mean to do. A statement that writes several
 * tables at once stands with one of their owners and has the other's part as SQL text from there.
 */

/** The one file that writes a table. */
export const owners: Readonly<Record<string, string>> = {
  allowed_networks: "src/partners/provisioning.ts",
  audit_events: "src/partners/audit.ts",
  brands: "src/partners/provisioning.ts",
  changed_users: "src/partners/changed-users.ts",
  console_accounts: "src/console/access/accounts.ts",
  console_sessions: "src/console/access/sessions.ts",
  console_sign_ins: "src/console/access/sign-ins.ts",
  approvals: "src/operations/approvals.ts",
  guarded_actions: "src/operations/approvals.ts",
  client_certificates: "src/partners/keys/client-certificates.ts",
  login_keys: "src/partners/keys/login-keys.ts",
  partners: "src/partners/provisioning.ts",
  service_keys: "src/partners/keys/service-keys.ts",
  sftp_keys: "src/partners/keys/sftp-keys.ts",
  used_login_ids: "src/partners/login.ts",
  departures: "src/partners/departures.ts",
  feed_changes: "src/partners/change-feed.ts",
  feed_followers: "src/exports/followers.ts",
  loaded_pieces: "src/partners/loaded-pieces.ts",
  piece_epochs: "src/partners/loaded-pieces.ts",
  token_revocations: "src/partners/revocations.ts",
  users: "src/partners/users.ts",
  "analytics.logins": "src/partners/readers.ts",
  audit_batches: "src/partners/audit-chain.ts",
  audit_removals: "src/partners/audit-chain.ts",
  tenant_keys: "src/database/tenant-claims.ts",

  delivery_bodies: "src/deliveries/requests.ts",
  delivery_problems: "src/deliveries/problems.ts",
  delivery_statements: "src/deliveries/statements.ts",
  held_records: "src/deliveries/held.ts",
  waiting_accounts: "src/deliveries/held.ts",
  import_markers: "src/deliveries/import-markers.ts",
  requests: "src/deliveries/requests.ts",
  sftp_sessions: "src/landing/sftp/open-sessions.ts",
  expected_files: "src/landing/expected/expected-files.ts",

  account_balances: "src/ledger/holdings.ts",
  account_owners: "src/ledger/account-owners.ts",
  account_reviews: "src/ledger/account-access.ts",
  accounts: "src/ledger/holdings.ts",
  cards: "src/ledger/holdings.ts",
  entry_parts: "src/ledger/entry-parts.ts",
  exchange_rate_loads: "src/rates/table.ts",
  exchange_rates: "src/rates/table.ts",
  transaction_versions: "src/ledger/transactions.ts",
  transactions: "src/ledger/transactions.ts",
  withdrawn_transactions: "src/ledger/transactions.ts",

  cancellation_cases: "src/recognition/cancellation.ts",
  income_models: "src/recognition/income/store.ts",
  membership_alerts: "src/recognition/alerts.ts",
  packed_pasts: "src/recognition/past/past.ts",
  product_edits: "src/recognition/product-editing.ts",
  read_models: "src/recognition/store.ts",
  recognition_run_services: "src/recognition/preview/runs.ts",
  recognition_run_users: "src/recognition/preview/runs.ts",
  recognition_runs: "src/recognition/preview/runs.ts",
  services: "src/recognition/store.ts",
  submissions: "src/recognition/alerts.ts",

  budget_coapplicants: "src/budgets/coapplicants.ts",
  budget_documents: "src/budgets/store.ts",
  budget_events: "src/budgets/store.ts",
  budget_revisions: "src/budgets/store.ts",
  budget_snapshots: "src/budgets/store.ts",
  budget_status_changes: "src/budgets/status-change.ts",
  budgets: "src/budgets/store.ts",

  notification_receivers: "src/notifications/receiver.ts",
  notifications: "src/notifications/outbox.ts",
  alert_messages: "src/observation/alerts/table.ts",
  alerts: "src/observation/alerts/table.ts",
  processes: "src/observation/processes.ts",
  flow_figures: "src/observation/flow/table.ts",
  psd2_banks: "src/psd2/banks.ts",
  psd2_consents: "src/psd2/consents.ts",
  psd2_logins: "src/psd2/logins.ts",
  reports: "src/reports/store.ts",
  backups: "src/backup/records.ts",
  schema_compatibility: "src/database/schema-compatibility.ts",
  sandbox_consents: "src/demo/sandbox-bank/consents.ts",
};

/** A table that nobody writes: its migration filled it, or programs before this release wrote it; and why it is there. */
export const writtenOnce: Readonly<Record<string, string>> = {
  released_accounts: "programs of the release before look there while a fleet is renewed; to go with them",
  payment_numbers: "its key makes ids that partners keep: another one would change all of them",
};

/** A table that a whole room keeps: each of its files with what it does to a row. */
export const roomOwners: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  deliveries: {
    "src/deliveries/deliveries.ts": "accepting a file, or refusing it at the door",
    "src/deliveries/landed-files.ts": "accepting small files with their bytes, several in one statement",
    "src/deliveries/taken-up.ts": "recording anew what an older copy of the database has forgotten",
    "src/deliveries/requests.ts": "accepting pushed requests with their reqIds and bodies, in one statement",
    "src/deliveries/progress.ts": "loading: its beginning, its checkpoint, its end, its refusal",
    "src/deliveries/grouped.ts": "the same for requests that are loaded together, a statement for all",
    "src/deliveries/failures.ts": "breaking off: another try, rest, or the end",
    "src/deliveries/cancel.ts": "calling off",
    "src/deliveries/reopen.ts": "opening again what was refused",
    "src/deliveries/revisits.ts": "reading held records again",
    "src/deliveries/quarantine.ts": "dropping what is held",
    "src/deliveries/withdrawal.ts": "withdrawing",
    "src/deliveries/receipts.ts": "which state the receipt tells",
  },
};

/** Who may write what others own, and why. */
export type Exception = {
  file: string;
  /** "computed": tables that the statement's text does not name. */
  tables: readonly string[] | "computed";
  reason: string;
};

export const exceptions: readonly Exception[] = [
  {
    file: "src/data-subjects/erase.ts",
    tables: "computed",
    reason: "erasure takes a user out of every table that has a user_id, in one statement",
  },
  { file: "src/data-subjects/erase.ts", tables: ["users"], reason: "the same statement ends with the user" },
  {
    file: "src/data-subjects/partner.ts",
    tables: "computed",
    reason: "a partner goes with every row that bears its id, and all that points to its deliveries",
  },
  {
    file: "src/data-subjects/partner.ts",
    tables: ["deliveries", "partners"],
    reason: "the same removal ends with these",
  },
  {
    file: "src/landing/retention/landed-bytes.ts",
    tables: ["deliveries", "delivery_bodies"],
    reason: "retention removes landed bytes past their age",
  },
  {
    file: "src/landing/retention/rows.ts",
    tables: ["deliveries", "import_markers", "requests"],
    reason: "retention removes rows past their age",
  },
  {
    file: "src/partners/keys/encrypted-secrets.ts",
    tables: "computed",
    reason: "seals each secret anew under another key, wherever it lies; none says anything else afterwards",
  },
  {
    file: "src/ledger/copy.ts",
    tables: "computed",
    reason: "carries rows for whoever calls copyRows, whose table is counted there",
  },
];
