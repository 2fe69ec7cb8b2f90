/** The key that will be a partner's current one, announced before it is. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Senders see it in the key set, after the current one. What is encrypted to it is opened already.
    alter table service_keys add column is_next boolean not null default false;
    create unique index service_keys_next on service_keys (partner_id) where is_next;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table service_keys drop column is_next");
}
