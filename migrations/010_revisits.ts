/** Why held records could not be read again. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deliveries
      -- Of the latest revisit, when the original could not be read any more: a code of the catalogue, and a sentence.
      add column revisit_refusal_code text,
      add column revisit_refusal_reason text,
      add constraint deliveries_revisit_refusal_has_reason check ((revisit_refusal_code is null) = (revisit_refusal_reason is null));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deliveries
      drop constraint deliveries_revisit_refusal_has_reason,
      drop column revisit_refusal_reason,
      drop column revisit_refusal_code;
  `);
}
