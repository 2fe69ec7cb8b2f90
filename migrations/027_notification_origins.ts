/** What gave a message: the call or delivery whose ids run on to the partner's receiver. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table notifications
      -- Null: nobody's call or delivery gave it, such as the end of a bank's consent.
      add column correlation_id text,
      -- W3C Trace Context, as the call brought it; null: it brought none.
      add column traceparent text,
      add constraint notifications_trace_of_origin check (traceparent is null or correlation_id is not null);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table notifications drop column correlation_id, drop column traceparent");
}
