/** Recognised services, what users decided about them, and the documents that the API serves. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table services (
      id uuid constraint services_pk primary key,
      user_id bigint not null,
      -- What the id was derived from, and the payments by which a later run finds the same service again.
      key text not null,
      txids text[] not null,
      detected_at timestamptz not null default now(),
      first_detected_on date not null,
      hidden boolean,
      hidden_decided_at timestamptz,
      -- The interface's Service as last computed; null when the series is no longer found.
      document json
    );
    create index services_by_user on services (user_id);

    create table read_models (
      user_id bigint constraint read_models_pk primary key,
      services_visible json not null,
      services_hidden json not null,
      upcoming json not null,
      -- Whether the import was complete when this was computed; once true it stays true, and reads stop answering 202.
      import_complete boolean not null,
      computed_for date not null,
      algorithm_version integer not null,
      computed_at timestamptz not null default now()
    );
    create index read_models_by_day on read_models (computed_for, user_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table read_models, services");
}
