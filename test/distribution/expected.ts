/** What of the schema and of the hot path would not be parted by user, and why. */

/** By which all that is about one user would lie on one server. */
export const key = "user_id";

/** Tables that each server would have a whole copy of: few rows, or read by other columns than a user. */
export const referenceTables: Readonly<Record<string, string>> = {
  partners: "a few",
  brands: "a few",
  users: "found by their partner's id of them and by their subject, which no column of the key can guard; written once",
  allowed_networks: "a few a partner",
  client_certificates: "a few a partner",
  login_keys: "a few a partner",
  sftp_keys: "a few a partner",
  service_keys: "a few a partner",
  notification_receivers: "one a partner",
  token_revocations: "read by partner and subject with each login; few, and gone after an hour",
  tenant_keys: "of processes",
  payment_numbers: "one row",
  product_edits: "products, by operators",
  exchange_rates: "one row a day",
  exchange_rate_loads: "one row a day",
};

/** Tables about no user, which would stay on the server that takes statements. */
export const keptOnOneServer: Readonly<Record<string, string>> = {
  deliveries: "files and requests",
  delivery_bodies: "bytes of requests and small files",
  delivery_problems: "of deliveries",
  held_records: "of deliveries",
  released_accounts: "of deliveries",
  waiting_accounts: "of deliveries",
  requests: "of deliveries",
  departures: "digests, until no delivery from before is left",
  audit_events: "who did what",
  audit_batches: "digests of the trail",
  feed_changes: "in the order of commits, which is one server's",
  feed_followers: "a few",
  used_login_ids: "gone within minutes",
  processes: "of the fleet",
  sftp_sessions: "of the fleet",
  flow_figures: "sums of the whole service",
  expected_files: "of partners",
};

/** Unique keys of tables about users that lack the key, and would be widened by it. What they guard against is said. */
export const keysToWiden: Readonly<Record<string, string>> = {
  account_balances_pk: "a number of our own",
  account_owners_pk: "an account of a bank belongs to one user: would need a table of its own, by account",
  account_reviews_pk: "a number of our own",
  budget_coapplicants_pk: "a budget's id, drawn at random",
  budget_documents_pk: "the same",
  budget_events_pk: "the same",
  budget_revisions_pk: "the same",
  budget_snapshots_pk: "a number of our own",
  budget_status_changes_pk: "a number of our own",
  budgets_pk: "drawn at random",
  cancellation_cases_pk: "drawn at random",
  membership_alerts_pk: "drawn at random",
  notifications_pk: "drawn at random",
  psd2_consents_pk: "drawn at random",
  psd2_consents_reference: "a bank's reference belongs to one user: would need a table of its own",
  psd2_logins_by_state: "drawn at random, found by its digest before a user is known",
  psd2_logins_pk: "drawn at random",
  reports_pk: "drawn at random",
  services_pk: "made of the user's subject",
  submissions_pk: "drawn at random",
  transaction_versions_pk: "a number of our own",
};

/**
 * Statements that take work off a list, look whether there is any, count it, or come round
 * by time: each by what it says and is about.
 */
export const listsOfWork: readonly { tables: readonly string[]; says: RegExp; why: string }[] = [
  {
    tables: ["changed_users"],
    says: /from changed_users(\s+where \(touched_at| where held_for is null\) as listed)/,
    why: "users whose rows changed, longest waiting first",
  },
  {
    tables: ["changed_users"],
    says: /update changed_users\s+set held_for = null\s+from \(select user_id from changed_users where held_for is not null and \(/,
    why: "users whom another version held, at a round's beginning",
  },
  { tables: ["budgets"], says: /b\.stale_since <= now\(\)/, why: "budgets out of date, longest waiting first" },
  {
    tables: ["import_markers"],
    says: /marker\.applied_at is null/,
    why: "markers that may take effect, of one partner",
  },
  {
    tables: ["reports"],
    says: /update reports\s+set state|select id\s+from reports/,
    why: "reports that wait to be made",
  },
  {
    tables: ["notifications"],
    says: /from notifications n\s+where n\.partner_id = receiver\.partner_id/,
    why: "partners with something to be told",
  },
  { tables: ["psd2_consents"], says: /c\.next_fetch_at <= now\(\)/, why: "consents due to be fetched" },
  { tables: ["import_markers"], says: /"importMarkersWaiting"/, why: "figures of the whole service that are watched" },
  { tables: ["budgets"], says: /pg_database_size/, why: "the same" },
  { tables: ["psd2_consents"], says: /update psd2_consents( c)?\s+set/, why: "consents that ran out, each minute" },
  {
    tables: ["read_models"],
    says: /model\.computed_for (<|<>) \(\$1::jsonb/,
    why: "users of whom a new day may tell otherwise",
  },
];

/** What an upsert is guarded by is a key of those that would be widened. */
export const guardsToWiden: readonly string[] = [
  "rows of budget_documents are guarded by (budget_id), without user_id",
];
