/** Records that wait for an account become due with one row for the account, and reading them again says how far it is. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Accounts that were named after records of a delivery had begun to wait for them: all of those are due.
    create table released_accounts (
      delivery_id uuid not null constraint released_accounts_delivery references deliveries on delete cascade,
      account_key uuid not null,
      -- Order of coming, so that whoever reads them again forgets only what had come when it began.
      place bigint not null generated always as identity,
      constraint released_accounts_pk primary key (delivery_id, account_key)
    );
    alter table released_accounts enable row level security;
    create policy of_tenant on released_accounts using (exists (select 1 from deliveries where deliveries.id = delivery_id));

    -- An account's deliveries are found by going from one to the next, whatever waits for it.
    drop index held_records_waiting;
    create index held_records_waiting on held_records (account_key, delivery_id) where kind = 'waiting';
    -- Large files fill it and empty it again between two looks of the server.
    alter table held_records set (
      autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_vacuum_insert_scale_factor = 0.02,
      autovacuum_analyze_scale_factor = 0.01
    );

    -- Of the present or last revisit, for whoever watches.
    alter table deliveries
      add column revisit_started_at timestamptz,
      add column revisit_records bigint not null default 0,
      add column revisit_bytes bigint not null default 0;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deliveries
      drop column revisit_bytes,
      drop column revisit_records,
      drop column revisit_started_at;
    -- What was released and not read yet is due as before.
    update held_records as held
       set due = true
      from released_accounts as released
     where held.delivery_id = released.delivery_id
       and held.account_key = released.account_key;
    alter table held_records reset (
      autovacuum_vacuum_scale_factor, autovacuum_vacuum_insert_scale_factor, autovacuum_analyze_scale_factor
    );
    drop index held_records_waiting;
    create index held_records_waiting on held_records (account_key) where kind = 'waiting';
    drop table released_accounts;
  `);
}
