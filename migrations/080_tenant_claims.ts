/**
 * A connection of the API proves for whom it asks. The setting by which row-level security judges was one that any
 * statement may set; now it carries a claim: partners, subject, an expiry, and an HMAC over them under a key that the
 * API's login role cannot read (src/database/tenant-claims.ts makes claims). A claim that does not hold is an error, and
 * no claim sees nothing.
 *
 * Policies ask once a statement, not once a row: each `(select …)` in them is an initial plan.
 */
import type { Knex } from "knex";

const subjectOf = "(select id from users where subject = tenant_subject())";
const present = { user: "(select tenant_user())", partner: "(select tenant_partner())" };

const ofUsers = "partner_id = tenant_partner() and (tenant_subject() is null or subject = tenant_subject())";

/** Every policy's condition with other words for partner, partners and user. */
async function reword(knex: Knex, words: (condition: string) => string): Promise<void> {
  for (const [condition, tables] of Object.entries(conditions))
    for (const table of tables) await knex.raw(`alter policy of_tenant on ${table} using (${words(condition)})`);
}

/** As migrations 020 to 070 wrote them. */
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
    "budget_coapplicants",
    "token_revocations",
    "departures",
  ],
  "partner_id = any(tenant_partners())": ["deliveries", "requests"],
  "id = any(tenant_partners())": ["partners"],
  "partner_id is null or partner_id = tenant_partner()": ["service_keys"],
  [ofUsers]: ["users"],
  [`partner_id = tenant_partner() and user_id = ${subjectOf}`]: [
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
  [`user_id = ${subjectOf}`]: [
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
    "packed_pasts",
    "income_models",
    "entry_parts",
  ],
};

/** One look at the claim finds the user of its partner: with the user goes the partner. */
function asInitialPlans(condition: string): string {
  // A login finds the user; from then on it is only this one. Of the two plans the second is made for logins alone.
  if (condition === ofUsers) return `id = ${present.user} or partner_id = (select tenant_of_logins())`;
  if (condition.endsWith(`user_id = ${subjectOf}`)) return `user_id = ${present.user}`;
  return condition
    .replaceAll("any(tenant_partners())", "any((select tenant_partners())::text[])")
    .replaceAll("tenant_partner()", present.partner);
}

export async function up(knex: Knex): Promise<void> {
  const schema = (await knex.raw("select quote_ident(current_schema()) as name")).rows[0].name as string;
  await knex.raw(`
    -- The keys of API processes that run, as the two blocks that HMAC-SHA-256 begins its hashes with (RFC 2104). No role
    -- that serves reads them; the functions below do, as their owner.
    create table tenant_keys (
      id uuid constraint tenant_keys_pk primary key,
      inner_block bytea not null,
      outer_block bytea not null,
      expires_at timestamptz not null,
      constraint tenant_keys_are_blocks check (length(inner_block) = 64 and length(outer_block) = 64)
    );

    -- Partners and subject of the present transaction; null: of nobody. A claim is 64 hex digits of the HMAC, then what
    -- it covers: the key's id (36), seconds since 1970 (10), the subject (36, or spaces), the partners.
    create function claimed_tenant() returns text[] language plpgsql stable parallel safe security definer
      set search_path = pg_catalog, pg_temp as $function$
    declare
      claim text := current_setting('tideline.tenant', true);
      covered bytea;
      key ${schema}.tenant_keys;
    begin
      if claim is null or claim = '' then
        -- A process of the version before logs in as the owner, and could leave its role anyhow: it is let finish.
        if session_user = 'tideline_api' then return null; end if;
        return array[nullif(current_setting('tideline.partner', true), ''), nullif(current_setting('tideline.subject', true), '')];
      end if;
      -- By its length alone: a pattern costs more than all the rest (190 to 40 microseconds), and what is no id or number
      -- fails below.
      if length(claim) < 147 then
        raise exception 'the claim is none' using errcode = 'TD001';
      end if;
      covered := convert_to(substr(claim, 65), 'UTF8');
      select * into key from ${schema}.tenant_keys as known where known.id = substr(claim, 65, 36)::uuid and known.expires_at > now();
      -- Digests of digests are compared, so that the time that takes tells nothing of what would have been right.
      if key.id is null
         or substr(claim, 101, 10)::bigint <= extract(epoch from now())
         or sha256(convert_to(left(claim, 64), 'UTF8'))
            <> sha256(convert_to(encode(sha256(key.outer_block || sha256(key.inner_block || covered)), 'hex'), 'UTF8')) then
        raise exception 'the claim does not hold' using errcode = 'TD001';
      end if;
      return array[substr(claim, 147), nullif(btrim(substr(claim, 111, 36)), '')];
    end
    $function$;

    create or replace function tenant_partner() returns text language sql stable parallel safe return (claimed_tenant())[1];
    create or replace function tenant_partners() returns text[] language sql stable parallel safe return string_to_array((claimed_tenant())[1], ',');
    create or replace function tenant_subject() returns uuid language sql stable parallel safe return (claimed_tenant())[2]::uuid;

    create function tenant_user() returns bigint language plpgsql stable parallel safe security definer
      set search_path = pg_catalog, pg_temp as $function$
    declare
      claim text := current_setting('tideline.tenant', true);
      claimed text[];
      found_id bigint;
    begin
      -- The same judgement as above and the look for the user, in one statement: each expression more is prepared anew
      -- with every transaction.
      if length(claim) >= 147 then
        select users.id into found_id
          from ${schema}.tenant_keys as key
          join ${schema}.users on users.subject = nullif(btrim(substr(claim, 111, 36)), '')::uuid and users.partner_id = substr(claim, 147)
         where key.id = substr(claim, 65, 36)::uuid
           and key.expires_at > now()
           and substr(claim, 101, 10)::bigint > extract(epoch from now())
           and sha256(convert_to(left(claim, 64), 'UTF8'))
               = sha256(convert_to(encode(sha256(key.outer_block || sha256(key.inner_block || convert_to(substr(claim, 65), 'UTF8'))), 'hex'), 'UTF8'));
        if found_id is not null then return found_id; end if;
      end if;
      -- No such user, or a claim that does not hold, which is told as that.
      claimed := ${schema}.claimed_tenant();
      if claimed[2] is null then return null; end if;
      select users.id into found_id from ${schema}.users where users.subject = claimed[2]::uuid and users.partner_id = claimed[1];
      return found_id;
    end
    $function$;

    -- The partner, while the user is not known yet.
    create function tenant_of_logins() returns text language sql stable parallel safe
      return (select claimed[1] from (select claimed_tenant() as claimed) as asked where claimed[2] is null);

    -- Without a claim it answered the owner's connections of all partners; the API's own login has to have one.
    create or replace function applicant_of(of_partner text, of_budget uuid) returns bigint language sql stable security definer set search_path from current
      return (
        select budgets.user_id
          from budgets
          join users on users.id = budgets.user_id and users.deleted_at is null
         where budgets.id = of_budget
           and budgets.partner_id = of_partner
           and (of_partner = tenant_partner() or tenant_partner() is null and session_user <> 'tideline_api')
      );
  `);
  await reword(knex, asInitialPlans);
}

export async function down(knex: Knex): Promise<void> {
  await reword(knex, (condition) => condition);
  await knex.raw(`
    create or replace function applicant_of(of_partner text, of_budget uuid) returns bigint language sql stable security definer set search_path from current
      return (
        select budgets.user_id
          from budgets
          join users on users.id = budgets.user_id and users.deleted_at is null
         where budgets.id = of_budget
           and budgets.partner_id = of_partner
           and of_partner = coalesce(tenant_partner(), of_partner)
      );
    create or replace function tenant_partner() returns text language sql stable parallel safe return nullif(current_setting('tideline.partner', true), '');
    create or replace function tenant_partners() returns text[] language sql stable parallel safe return string_to_array(nullif(current_setting('tideline.partner', true), ''), ',');
    create or replace function tenant_subject() returns uuid language sql stable parallel safe return nullif(current_setting('tideline.subject', true), '')::uuid;
    drop function tenant_of_logins, tenant_user, claimed_tenant;
    drop table tenant_keys;
  `);
}
