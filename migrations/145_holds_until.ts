/** Until when a user's figures stay as they are while nothing comes, so that a new day need not make them again. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The first day on which a run may make something else of what is there; null: nobody told, so any day may.
    -- circumstances: a digest of what else it was made of that changes without a word, as the brand's country.
    alter table read_models add column holds_until date, add column circumstances text;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table read_models drop column holds_until, drop column circumstances");
}
