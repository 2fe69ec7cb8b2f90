/**
 * On which schemas an older Tideline goes on working: while machines are upgraded one by one, those that were not yet
 * meet migrations of which they know nothing.
 */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table schema_compatibility (
      -- Named before it is applied, so that nobody meets one without knowing.
      migration text primary key,
      -- A program that knows this migration works on a schema with the other one, which only added to it, or took away
      -- what such a program does not use.
      runs_with text not null
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table schema_compatibility");
}

/** Programs from this migration on read the table that it makes. */
export const runsWith = "096_schema_compatibility";
