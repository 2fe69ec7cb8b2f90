/** Part of a name is looked for in names that are in small letters already. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Of half a million names making the letters small took more than half of the look. The name itself stands there too,
    -- without which the planner reads the rows.
    create index deliveries_names_folded on deliveries (position desc, lower(name)) include (name) where name is not null;
    drop index deliveries_names;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create index deliveries_names on deliveries (position desc) include (name) where name is not null;
    drop index deliveries_names_folded;
  `);
}
