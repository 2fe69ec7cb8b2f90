/** Where a process' doors listen, and what proves them: a console that runs apart hands it to banks. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- {"baseUrl", "authority", "sftpPort", "hostKeys"}, public all of it; null: it has none, or is an older program.
    alter table processes add column doors jsonb;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table processes drop column doors");
}
