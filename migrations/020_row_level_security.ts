/**
 * Row-level security: what callers' connections see is what belongs to the partner and the user of the call, whatever a
 * statement asks for. It holds for the role of src/database/caller-role.ts; the tables' owner, whose loader copies into
 * them, sees all (COPY FROM is not allowed under row-level security, so that it cannot hold for both).
 *
 * A table added later enables it and has a policy in its own migration; test/partners/row-level-security.test.ts asks
 * for it.
 */
import type { Knex } from "knex";

/** By the condition under which a row is seen and written. */
const conditions: Readonly<Record<string, readonly string[]>> = {
  "partner_id = tenant_partner()": [
    "brands",
    "login_keys",
    "sftp_keys",
    "allowed_networks",
    "client_certificates",
    "used_login_ids",
    "audit_events",
    "expected_files",
    "notification_receivers",
    // Two users of one partner may apply together: either's link names both budgets.
    "budget_coapplicants",
  ],
  // One statement takes in what several partners deliver at the same moment, and has to know each one's settings.
  "partner_id = any(tenant_partners())": ["deliveries", "requests"],
  "id = any(tenant_partners())": ["partners"],
  // The keys that sign tokens are nobody's.
  "partner_id is null or partner_id = tenant_partner()": ["service_keys"],
  // A login finds the user; from then on it is only this one.
  "partner_id = tenant_partner() and (tenant_subject() is null or subject = tenant_subject())": ["users"],
  "partner_id = tenant_partner() and user_id = (select id from users where subject = tenant_subject())": [
    "account_owners",
    "budgets",
    "budget_snapshots",
    "budget_events",
    "budget_documents",
    "budget_revisions",
    "budget_status_changes",
    "reports",
    "notifications",
    "psd2_logins",
    "psd2_consents",
  ],
  // Numbers of users are no two partners'.
  "user_id = (select id from users where subject = tenant_subject())": [
    "transactions",
    "transaction_versions",
    "withdrawn_transactions",
    "accounts",
    "cards",
    "account_reviews",
    "account_balances",
    "changed_users",
    "import_markers",
    "services",
    "read_models",
    "submissions",
    "membership_alerts",
    "cancellation_cases",
  ],
  "exists (select 1 from deliveries where deliveries.id = delivery_id)": ["delivery_problems", "held_records"],
};

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Null without a setting, and null sees nothing. A setting that ended with its transaction reads as empty.
    create function tenant_partner() returns text language sql stable parallel safe return nullif(current_setting('tideline.partner', true), '');
    create function tenant_partners() returns text[] language sql stable parallel safe return string_to_array(nullif(current_setting('tideline.partner', true), ''), ',');
    create function tenant_subject() returns uuid language sql stable parallel safe return nullif(current_setting('tideline.subject', true), '')::uuid;
  `);
  for (const [condition, tables] of Object.entries(conditions)) {
    for (const table of tables) {
      await knex.raw(
        `alter table ${table} enable row level security; create policy of_tenant on ${table} using (${condition})`,
      );
    }
  }
  await knex.raw(`
    -- A body is written by the statement that writes its delivery, which cannot be seen yet; no call ever reads one.
    alter table delivery_bodies enable row level security;
    create policy written_with_delivery on delivery_bodies for insert with check (true);

    -- Views would otherwise see with their owner's eyes.
    alter view visible_transactions set (security_invoker = true);
    alter view quarantined_deliveries set (security_invoker = true);

    -- What a call has to know of others' rows, and no more of it.

    -- How many deliveries of all partners wait or load, counted up to a limit.
    create function open_deliveries(limit_of_all bigint) returns bigint language sql stable security definer set search_path from current
      return (select count(*) from (select 1 from deliveries where state in ('accepted', 'loading') limit limit_of_all) as bounded);

    -- The live user of a partner's budget, be it another user's; another partner's only for the owner's own connections.
    create function applicant_of(of_partner text, of_budget uuid) returns bigint language sql stable security definer set search_path from current
      return (
        select budgets.user_id
          from budgets
          join users on users.id = budgets.user_id and users.deleted_at is null
         where budgets.id = of_budget
           and budgets.partner_id = of_partner
           and of_partner = coalesce(tenant_partner(), of_partner)
      );

    -- Whose a login at a bank is, for who holds the key of its page, or the state that the bank brings back: both as digests.
    create function psd2_login_of_key(login uuid, of_key bytea) returns table (partner_id text, subject uuid) language sql stable security definer set search_path from current
      begin atomic
        select psd2_logins.partner_id, users.subject from psd2_logins join users on users.id = psd2_logins.user_id where psd2_logins.id = login and psd2_logins.key_sha256 = of_key;
      end;
    create function psd2_login_of_state(of_state bytea) returns table (partner_id text, subject uuid) language sql stable security definer set search_path from current
      begin atomic
        select psd2_logins.partner_id, users.subject from psd2_logins join users on users.id = psd2_logins.user_id where psd2_logins.state_sha256 = of_state;
      end;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function psd2_login_of_state, psd2_login_of_key, applicant_of, open_deliveries;
    alter view quarantined_deliveries reset (security_invoker);
    alter view visible_transactions reset (security_invoker);
    drop policy written_with_delivery on delivery_bodies;
    alter table delivery_bodies disable row level security;
  `);
  for (const table of Object.values(conditions).flat())
    await knex.raw(`drop policy of_tenant on ${table}; alter table ${table} disable row level security`);
  await knex.raw("drop function tenant_subject, tenant_partners, tenant_partner");
}
