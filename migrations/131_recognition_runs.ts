/** Runs of recognition beside the one in force, and what each found: kept, so that two can be held against each other. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- asked_percent, visible_percent: null where each brand's own hold. as_of: null where each brand's business day does.
    create table recognition_runs (
      id bigint generated always as identity constraint recognition_runs_pk primary key,
      name text not null constraint recognition_runs_name unique,
      kind text not null constraint recognition_runs_kind check (kind in ('preview', 'stored')),
      partner_id text constraint recognition_runs_partner references partners on delete cascade,
      algorithm_version integer not null,
      as_of date,
      asked_percent smallint,
      visible_percent smallint,
      started_at timestamptz not null default now(),
      finished_at timestamptz,
      -- Users go by their ids: up to which one, and how many.
      last_user_id bigint not null default 0,
      users bigint not null default 0
    );
    alter table recognition_runs enable row level security;
    create policy of_nobody on recognition_runs using (false);

    create table recognition_run_services (
      run_id bigint not null constraint recognition_run_services_run references recognition_runs on delete cascade,
      user_id bigint not null constraint recognition_run_services_user references users on delete cascade,
      service_id uuid not null,
      title text not null,
      payment_frequency text not null,
      status text not null,
      visibility text not null,
      amount numeric not null,
      currency text not null,
      next_on date not null,
      confidence real not null,
      constraint recognition_run_services_pk primary key (run_id, user_id, service_id)
    );
    create index recognition_run_services_of_user on recognition_run_services (user_id);
    alter table recognition_run_services enable row level security;
    create policy of_tenant on recognition_run_services using (user_id = (select id from users where subject = tenant_subject()));

    -- From which confidence on services were asked about and shown when it was made, as its brand set it; null: the usual.
    alter table read_models add column thresholds text;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table read_models drop column thresholds;
    drop table recognition_run_services;
    drop table recognition_runs;
  `);
}
