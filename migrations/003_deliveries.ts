/** Deliveries: what landed through a door, how far it is loaded, and what was wrong with it. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table deliveries (
      id uuid constraint deliveries_pk primary key,
      -- The order of acceptance; IMPORT_COMPLETED waits for every earlier delivery of its partner.
      position bigint generated always as identity constraint deliveries_position_once unique,
      partner_id text not null constraint deliveries_partner references partners,
      door text not null constraint deliveries_door check (door in ('https', 'sftp', 'direct')),
      format text not null constraint deliveries_format check (format in ('request', 'jwe', 'jsonl', 'jsonl.gz', 'unknown')),
      -- The file's name below inbox/; null for a request.
      name text,
      request_id uuid,
      correlation_id text not null,
      size_bytes bigint not null,
      sha256 bytea not null,
      -- Where the landed bytes lie in the vault; null when they lie in delivery_bodies, or nothing was kept.
      vault_reference text,
      state text not null default 'accepted'
        constraint deliveries_state check (state in ('accepted', 'loading', 'loaded', 'refused')),
      duplicate_of uuid constraint deliveries_duplicate_of references deliveries,
      refusal_code text,
      refusal_reason text,
      attempts integer not null default 0,
      batches bigint not null default 0,
      batches_refused bigint not null default 0,
      -- Records consumed and committed so far: a restart of the load skips exactly these.
      records bigint not null default 0,
      records_new bigint not null default 0,
      records_known bigint not null default 0,
      records_conflicting bigint not null default 0,
      records_refused bigint not null default 0,
      records_waiting bigint not null default 0,
      markers bigint not null default 0,
      accepted_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz,
      -- The state for which a receipt file was last written; null until one was.
      receipt_state text,
      constraint deliveries_counts_add_up check (
        records = records_new + records_known + records_conflicting + records_refused + records_waiting + markers
      ),
      constraint deliveries_refusal_has_reason check ((state = 'refused') = (refusal_code is not null))
    );
    create index deliveries_open on deliveries (partner_id, position) where state in ('accepted', 'loading');
    create index deliveries_by_partner on deliveries (partner_id, position desc);
    create index deliveries_by_content on deliveries (partner_id, sha256);
    create index deliveries_by_name on deliveries (partner_id, name) where name is not null;
    create index deliveries_receipt_due on deliveries (position)
      where door = 'sftp' and receipt_state is distinct from state;

    -- The still encrypted bytes of a request, committed in one transaction with its delivery.
    create table delivery_bodies (
      delivery_id uuid constraint delivery_bodies_pk primary key
        constraint delivery_bodies_delivery references deliveries on delete cascade,
      body bytea not null
    );
    -- Ciphertext does not compress: keep Postgres from trying.
    alter table delivery_bodies alter column body set storage external;

    -- Positions and reasons only; never a value. line is 0 where the format has no lines, index -1 for a whole line.
    create table delivery_problems (
      delivery_id uuid not null constraint delivery_problems_delivery references deliveries on delete cascade,
      line bigint not null,
      index bigint not null,
      field text not null,
      reason text not null,
      constraint delivery_problems_pk primary key (delivery_id, line, index, field, reason)
    );

    -- A reqId means one content, whichever door it comes through.
    create table requests (
      partner_id text not null constraint requests_partner references partners,
      request_id uuid not null,
      content_sha256 bytea not null,
      delivery_id uuid not null constraint requests_delivery references deliveries,
      constraint requests_pk primary key (partner_id, request_id)
    );

    create table import_markers (
      user_id bigint not null constraint import_markers_user references users,
      delivery_id uuid not null constraint import_markers_delivery references deliveries,
      delivery_position bigint not null,
      applied_at timestamptz,
      constraint import_markers_pk primary key (user_id, delivery_id)
    );
    create index import_markers_open on import_markers (delivery_position) where applied_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table import_markers, requests, delivery_problems, delivery_bodies, deliveries");
}
