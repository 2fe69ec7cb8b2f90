/** Any delivery of years is found without reading all of them: by door, rare state, part of a name, or an id that it came with. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- In the order of acceptance each new row comes last: a few microseconds.
    create index deliveries_by_door on deliveries (door, position desc);
    -- Read alone, without the rows, for part of a name.
    create index deliveries_names on deliveries (position desc) include (name) where name is not null;
    create index deliveries_ended_otherwise on deliveries (state, position desc) where state in ('refused', 'withdrawn');
    create index deliveries_in_part on deliveries (position desc)
      where state = 'loaded' and (records_refused > 0 or batches_refused > 0 or records_waiting > 0);
    -- Ids are random: a tree of them would be written all over for each delivery. Of thirty-two blocks one kilobyte tells
    -- whether an id may be there: 3 MB for a million deliveries, found in 20 ms.
    create index deliveries_by_ids on deliveries
      using brin (correlation_id text_bloom_ops (n_distinct_per_range = 700), request_id uuid_bloom_ops (n_distinct_per_range = 700))
      with (pages_per_range = 32, autosummarize = on);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(
    "drop index deliveries_by_ids, deliveries_in_part, deliveries_ended_otherwise, deliveries_names, deliveries_by_door",
  );
}
