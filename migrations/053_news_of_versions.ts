/** What it takes to tell news of the user's data from what only a new version sees in them. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Recognition's version that made the services a snapshot was made of; null: not known.
    alter table budget_snapshots add column algorithm_version integer;
    -- Payments up to this day, which only a new version saw, wear no badge; null: it saw none.
    alter table services add column news_after date;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table services drop column news_after;
    alter table budget_snapshots drop column algorithm_version;
  `);
}
