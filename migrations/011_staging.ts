/** Staging as it is observed and shared out: what held at acceptance, why a load waits, how far it is. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deliveries
      -- Whether its partner had to sign its batches when it was accepted: a later change of the rule does not refuse it.
      add column signing_required boolean not null default false,
      -- Not before: set when a load failed, or its partner's rate is used up.
      add column retry_at timestamptz,
      -- Loads that began and of whose end nobody has heard: the process died. Progress sets it back.
      add column breakdowns integer not null default 0,
      -- Of the landed bytes, how many are behind the checkpoint.
      add column bytes_loaded bigint not null default 0,
      -- When the present or last run began, and with how many records: its rate follows from that.
      add column run_started_at timestamptz,
      add column run_started_records bigint not null default 0;
    -- Who called a load off stands in the audit trail; a cancelled one is refused with LOAD_CANCELLED.
    create index deliveries_under_way on deliveries (position) where state = 'loading';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index deliveries_under_way;
    alter table deliveries
      drop column signing_required,
      drop column retry_at,
      drop column breakdowns,
      drop column bytes_loaded,
      drop column run_started_at,
      drop column run_started_records;
  `);
}
