/** On which machine, in which process and thread a delivery was loaded. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Of its present or last run, in words. Null: it was loaded before this was noted, or not yet.
    alter table deliveries add column loaded_by text;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table deliveries drop column loaded_by");
}
