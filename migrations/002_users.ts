/** Users: one row per customer and registration; a deleted user keeps its row and is never found again. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table users (
      id bigint generated always as identity constraint users_pk primary key,
      -- What tokens and service ids are derived from; never reused.
      subject uuid not null default gen_random_uuid() constraint users_subject_once unique,
      partner_id text not null,
      brand_id text not null,
      bank_user_id text not null constraint users_bank_user_id_length check (length(bank_user_id) between 1 and 200),
      locale text not null,
      details jsonb not null default '{}',
      created_at timestamptz not null default now(),
      deleted_at timestamptz,
      -- When the last record was loaded, and when (and on which business day) the import was complete.
      last_loaded_at timestamptz,
      import_completed_at timestamptz,
      import_completed_on date,
      constraint users_brand foreign key (partner_id, brand_id) references brands
    );
    create unique index users_live_once on users (partner_id, bank_user_id) where deleted_at is null;
    create index users_import_open on users (last_loaded_at)
      where deleted_at is null and import_completed_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table users");
}
