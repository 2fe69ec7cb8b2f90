/**
 * What recognition needs of a user's past, packed beside the ledger, so that a night reads one row and what is new
 * instead of a whole history, whose rows lie on nearly as many pages as there are rows.
 */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row a user, of the run that wrote it: of no use once another run has written the read model (made_at is its
    -- computed_at), or in another version. base: the ledger's rows as they were last read whole; recent: those that came
    -- since. Half of a page is left free, so that a night's change of recent stays on it and no index has to know.
    create table packed_pasts (
      user_id bigint constraint packed_pasts_pk primary key,
      version integer not null,
      made_at timestamptz not null,
      base bytea not null,
      recent bytea not null
    ) with (fillfactor = 50);
    -- Compressed already; a base out of the row stays as it lies when recent changes.
    alter table packed_pasts
      alter column base set storage external,
      alter column recent set storage main;

    alter table packed_pasts enable row level security;
    create policy of_tenant on packed_pasts using (user_id = (select id from users where subject = tenant_subject()));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table packed_pasts");
}
