/** Partners, their brands and what identifies them: login keys, SFTP keys, allowed networks; the service's own keys. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table partners (
      id text constraint partners_pk primary key
        constraint partners_id_is_url_safe check (id ~ '^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$'),
      name text not null,
      settings jsonb not null default '{}',
      suspended_at timestamptz,
      created_at timestamptz not null default now()
    );

    create table brands (
      partner_id text not null constraint brands_partner references partners,
      id text not null,
      country text not null constraint brands_country_is_iso check (country ~ '^[A-Z]{2}$'),
      currency text not null constraint brands_currency_is_iso check (currency ~ '^[A-Z]{3}$'),
      time_zone text not null,
      locale text not null,
      features jsonb not null default '{}',
      constraint brands_pk primary key (partner_id, id)
    );

    create table login_keys (
      id bigint generated always as identity constraint login_keys_pk primary key,
      partner_id text not null constraint login_keys_partner references partners,
      kid text,
      algorithm text not null,
      public_key_pem text not null,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      revoked_at timestamptz
    );
    create index login_keys_by_partner on login_keys (partner_id);

    create table sftp_keys (
      partner_id text not null constraint sftp_keys_partner references partners,
      fingerprint text not null,
      public_key text not null,
      comment text not null default '',
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      constraint sftp_keys_pk primary key (partner_id, fingerprint)
    );

    create table allowed_networks (
      partner_id text not null constraint allowed_networks_partner references partners,
      door text not null constraint allowed_networks_door check (door in ('https', 'sftp')),
      network cidr not null,
      constraint allowed_networks_pk primary key (partner_id, door, network)
    );

    -- Private parts are sealed with the key-encryption key, which is never in the database.
    create table service_keys (
      kid text constraint service_keys_pk primary key,
      purpose text not null constraint service_keys_purpose check (purpose in ('batch-encryption', 'token-signing')),
      partner_id text constraint service_keys_partner references partners,
      public_jwk jsonb not null,
      private_sealed bytea not null,
      created_at timestamptz not null default now(),
      retired_at timestamptz,
      constraint service_keys_owner check ((purpose = 'batch-encryption') = (partner_id is not null))
    );
    create index service_keys_by_owner on service_keys (purpose, partner_id);

    -- A login JWT's id is accepted once; rows are dropped after the JWT has expired anyway.
    create table used_login_ids (
      partner_id text not null constraint used_login_ids_partner references partners,
      jti text not null,
      expires_at timestamptz not null,
      constraint used_login_ids_pk primary key (partner_id, jti)
    );

    create table audit_events (
      id bigint generated always as identity constraint audit_events_pk primary key,
      at timestamptz not null default now(),
      partner_id text,
      actor text not null,
      event text not null,
      details jsonb not null default '{}'
    );
    create index audit_events_by_partner on audit_events (partner_id, id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    "drop table audit_events, used_login_ids, service_keys, allowed_networks, sftp_keys, login_keys, brands, partners",
  );
}
