/** What a delivery loaded is found without reading the whole ledger: to withdraw it, and to tell before what would go. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Rows lie in the order of loading, so that of sixteen blocks a few numbers tell which deliveries they are of. A row that
    -- fills a gap between older ones widens no range by much: several are kept of each.
    create index transactions_by_delivery on transactions
      using brin (delivery_position int8_minmax_multi_ops)
      with (pages_per_range = 16, autosummarize = on);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop index transactions_by_delivery");
}
