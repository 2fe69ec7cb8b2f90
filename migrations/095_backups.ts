/** Backups that were made of this database, for whoever watches how old the newest is. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table backups (
      id uuid primary key,
      started_at timestamptz not null,
      -- Null: it is being made, or was broken off.
      finished_at timestamptz,
      -- The folder of the backup, as seen from the machine that made it.
      location text not null,
      -- Bytes that it takes by itself, the vault's files that it shares with others left out.
      size bigint,
      -- When it last came up in a scratch folder and was as it had been written.
      verified_at timestamptz,
      -- The log position up to which changes are kept since, and when that was: the moment to which it can be restored.
      kept_until timestamptz,
      constraint backups_finished_with_size check ((finished_at is null) = (size is null)),
      constraint backups_verified_when_finished check (verified_at is null or finished_at is not null)
    );
    create index backups_finished on backups (finished_at desc) where finished_at is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table backups");
}
