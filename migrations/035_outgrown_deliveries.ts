/** Deliveries that are small as they landed and opened to more than the lane of small ones takes. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table deliveries
      -- Found out while it was loaded there; from then on it is loaded beside the large ones.
      add column outgrown boolean not null default false;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table deliveries drop column outgrown");
}
