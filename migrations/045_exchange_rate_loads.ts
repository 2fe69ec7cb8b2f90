/** Exchange rates by loads: each makes another version, and figures that lacked a rate know of which. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Loads of exchange rates that changed something; the newest one's id is the rates' version.
    create table exchange_rate_loads (
      id bigint generated always as identity constraint exchange_rate_loads_pk primary key,
      loaded_at timestamptz not null default now(),
      -- An address without its query, a file's name, or "shipped".
      source text not null,
      days integer not null constraint exchange_rate_loads_changed check (days > 0),
      newest date not null
    );
    alter table read_models
      -- At which version of the rates a figure lacked a fresh one; null: none did.
      add column rates_lacking_at bigint;
    create index read_models_lacking_rates on read_models (rates_lacking_at) where rates_lacking_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table read_models drop column rates_lacking_at;
    drop table exchange_rate_loads;
  `);
}
