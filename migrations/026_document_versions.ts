/** Which version of a budget's documents is in force, so that who has it already needs no other. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Made by the database, so that nobody writes a document and forgets it. JSON texts end where they end: one digest tells both apart.
    alter table budget_documents
      add column digest text not null generated always as (md5(document::text || coalesce(details::text, ''))) stored;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table budget_documents drop column digest");
}
