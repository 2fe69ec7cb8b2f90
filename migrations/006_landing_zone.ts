/**
 * The landing zone as it is operated: what retention removed, which files were expected, and an audit trail to read.
 */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- When retention removed the landed bytes; vault_reference is null from then on.
    alter table deliveries add column bytes_removed_at timestamptz;
    -- Which of the file deliveries of its name it is: names the receipt, also after earlier rows are gone.
    alter table deliveries add column name_place integer;
    update deliveries
       set name_place = counted.place
      from (select id, row_number() over (partition by partner_id, name order by position) as place from deliveries where door = 'sftp') as counted
     where counted.id = deliveries.id;
    create index deliveries_bytes_kept on deliveries (finished_at) where bytes_removed_at is null and finished_at is not null;
    create index deliveries_finished on deliveries (finished_at) where finished_at is not null;
    create index deliveries_duplicates on deliveries (duplicate_of) where duplicate_of is not null;
    create index requests_by_delivery on requests (delivery_id);
    create index import_markers_by_delivery on import_markers (delivery_id);
    -- How much of a partner's quota is stored, read from the index alone.
    create index deliveries_stored on deliveries (partner_id) include (size_bytes) where vault_reference is not null;

    create index deliveries_by_arrival on deliveries (partner_id, accepted_at) where name is not null;

    create index audit_events_by_time on audit_events (at);

    -- One row for each time that a file was due, written once its cutoff and grace are over.
    create table expected_files (
      partner_id text not null constraint expected_files_partner references partners,
      name text not null,
      -- The day for which it is due, in the expectation's time zone.
      due_day date not null,
      -- Cutoff and grace.
      due_at timestamptz not null,
      state text not null constraint expected_files_state check (state in ('arrived', 'missing', 'late', 'dropped')),
      -- Which file it was. Kept when the delivery's row is removed.
      delivery_id uuid,
      arrived_at timestamptz,
      noticed_at timestamptz not null default now(),
      constraint expected_files_pk primary key (partner_id, name, due_day),
      constraint expected_files_delivery_counts_once unique (partner_id, name, delivery_id),
      constraint expected_files_arrival_is_known check ((state in ('arrived', 'late')) = (delivery_id is not null and arrived_at is not null))
    );
    create index expected_files_missing on expected_files (partner_id) where state = 'missing';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table expected_files;
    drop index audit_events_by_time, deliveries_by_arrival, deliveries_stored, import_markers_by_delivery, requests_by_delivery,
      deliveries_duplicates, deliveries_finished, deliveries_bytes_kept;
    alter table deliveries drop column bytes_removed_at, drop column name_place;
  `);
}
