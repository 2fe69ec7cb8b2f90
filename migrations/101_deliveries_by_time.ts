/** The last night's deliveries of all partners, and what was done to one, without reading those of the years before. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- BRIN: rows are added in the order of time, and a block's summary costs the hot path nothing.
    create index deliveries_by_time on deliveries using brin (accepted_at) with (pages_per_range = 32, autosummarize = on);
    -- What may need a person, oldest years included: few rows.
    create index deliveries_held on deliveries (position desc)
      where quarantine_closed_at is null
        and (state = 'refused' or (state = 'loaded' and (records_refused > 0 or batches_refused > 0 or records_waiting > 0)));
    create index audit_events_of_deliveries on audit_events ((details ->> 'deliveryId')) where (details -> 'deliveryId') is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop index audit_events_of_deliveries, deliveries_held, deliveries_by_time");
}
