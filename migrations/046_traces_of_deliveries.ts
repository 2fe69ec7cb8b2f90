/** The trace of the call that pushed a batch, which runs on to what its payments give to tell. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deliveries
      -- W3C Trace Context, as the call brought it; null: it brought none, or nobody's call did.
      add column traceparent text;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table deliveries drop column traceparent");
}
