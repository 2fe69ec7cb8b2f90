/** Who did something to a budget for the customer, such as an adviser. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- As the partner's login calls them; null: the customer.
    alter table budget_events add column actor text;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table budget_events drop column actor");
}
