/**
 * Accounts connected through banks' own interfaces: logins under way, consents, and the sandbox bank's side of them.
 */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Banks that users can choose, by operators. The sandbox bank is none of them.
    create table psd2_banks (
      id text constraint psd2_banks_pk primary key constraint psd2_banks_id check (id ~ '^[a-z0-9][a-z0-9-]{0,39}$' and id <> 'sandbox'),
      name text not null,
      country text not null,
      xs2a_url text not null,
      authorize_url text not null,
      token_url text not null,
      client_id text not null,
      authority_pem text,
      -- The certificate by which banks know a third party (QWAC).
      client_certificate_pem text,
      client_key_sealed bytea,
      allows_private_addresses boolean not null default false,
      constraint psd2_banks_certificate check ((client_certificate_pem is null) = (client_key_sealed is null))
    );

    create table psd2_logins (
      id uuid constraint psd2_logins_pk primary key,
      user_id bigint not null,
      partner_id text not null constraint psd2_logins_partner references partners,
      -- Of the key in the login's address, and of the state that the bank brings back.
      key_sha256 bytea not null,
      state_sha256 bytea,
      redirect_url text,
      language text not null,
      -- Once a bank was chosen.
      bank_id text,
      consent_reference text,
      verifier_sealed bytea,
      outcome text constraint psd2_logins_outcome check (outcome in ('SUCCESS', 'ABORTED', 'UNKNOWN')),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    );
    create unique index psd2_logins_by_state on psd2_logins (state_sha256) where state_sha256 is not null;
    create index psd2_logins_by_user on psd2_logins (user_id);

    create table psd2_consents (
      id uuid not null default gen_random_uuid() constraint psd2_consents_pk primary key,
      user_id bigint not null,
      partner_id text not null constraint psd2_consents_partner references partners,
      bank_id text not null,
      bank_name text not null,
      -- The bank's id of it.
      reference text not null,
      access_token_sealed bytea not null,
      refresh_token_sealed bytea,
      token_expires_at timestamptz not null,
      valid_until date not null,
      state text not null default 'active' constraint psd2_consents_state check (state in ('active', 'ended')),
      created_at timestamptz not null default now(),
      first_fetched_at timestamptz,
      next_fetch_at timestamptz not null default now(),
      -- Up to which day the user was told that it ends.
      told_until date,
      last_failure text,
      constraint psd2_consents_reference unique (bank_id, reference)
    );
    create index psd2_consents_by_user on psd2_consents (user_id);
    create index psd2_consents_due on psd2_consents (next_fetch_at) where state = 'active';

    create table sandbox_consents (
      id uuid constraint sandbox_consents_pk primary key,
      status text not null default 'received' constraint sandbox_consents_status check (status in ('received', 'valid', 'rejected', 'revokedByPsu', 'terminatedByTpp')),
      valid_until date not null,
      person text,
      account_ids text[] not null default '{}',
      redirect_uri text,
      challenge text,
      code_sha256 bytea,
      access_sha256 bytea,
      refresh_sha256 bytea,
      created_at timestamptz not null default now()
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table sandbox_consents, psd2_consents, psd2_logins, psd2_banks");
}
