/** Reports that were asked for, and the documents made of them. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table reports (
      -- The interface's documentId.
      id uuid not null default gen_random_uuid() constraint reports_pk primary key,
      user_id bigint not null,
      partner_id text not null,
      type text not null constraint reports_type check (type in ('NEXT_OF_KIN')),
      effective_date date,
      state text not null default 'waiting' constraint reports_state check (state in ('waiting', 'making', 'ready', 'failed')),
      attempts integer not null default 0,
      requested_at timestamptz not null default now(),
      -- When it was last taken in hand; -infinity when it was given back at once, null when it never was.
      started_at timestamptz,
      finished_at timestamptz,
      document bytea,
      sha256 bytea,
      constraint reports_ready_has_document check ((state = 'ready') = (document is not null) and (document is null) = (sha256 is null)),
      constraint reports_finished check ((state in ('ready', 'failed')) = (finished_at is not null))
    );
    create index reports_by_user on reports (user_id);
    create index reports_open on reports (requested_at) where state in ('waiting', 'making');
    create index reports_finished_at on reports (finished_at) where finished_at is not null;
    -- Asking again for what nobody has begun to make is the same request.
    create unique index reports_waiting_once on reports (user_id, type, coalesce(effective_date, '-infinity')) where state = 'waiting' and started_at is null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table reports");
}
