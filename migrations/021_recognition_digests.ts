/**
 * What a run of recognition finds unchanged, it sees by a digest instead of reading and writing the documents again.
 */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Made by the database, so that nobody writes a document and forgets it.
    alter table services
      add column digest text generated always as (md5(document::text)) stored;
    alter table read_models
      add column digest text generated always as (md5(services_visible::text || services_hidden::text || upcoming::text)) stored;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table services drop column digest;
    alter table read_models drop column digest;
  `);
}
