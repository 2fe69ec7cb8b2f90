/** What came of a user since it was last recognised, so that a night need not look for it. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- arrived: JSON lists, one a line, of the txids that came new since the user was last taken off the list; null: not
    -- known, the history is to be read whole. It holds only while arrived_until is touched_at: whoever touches a user and
    -- does not say what came, be it an older process, has not kept the list.
    alter table changed_users
      add column arrived text,
      add column arrived_until timestamptz;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table changed_users drop column arrived, drop column arrived_until");
}
