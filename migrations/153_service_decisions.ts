/** The newest decisions about services are found without reading all of them. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Of millions of services users decide about some.
    create index services_decided on services (hidden_decided_at desc) where hidden_decided_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop index services_decided");
}
