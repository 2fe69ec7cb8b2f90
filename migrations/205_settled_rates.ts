/** Which loads of exchange rates changed days that figures had been converted at, and at which rates figures were made. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Whether the load changed a day up to the newest that was known before it. Of earlier loads, and those of an earlier
    -- release, nobody told: they may have.
    alter table exchange_rate_loads add column corrects boolean not null default true;
    -- With which version of the rates the figures were made; null: not told, as by an earlier release.
    alter table read_models add column rates_version bigint;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table read_models drop column rates_version;
    alter table exchange_rate_loads drop column corrects;
  `);
}
