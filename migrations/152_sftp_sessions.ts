/** Who is logged in at the SFTP doors just now, as each door writes it down, and whose connection an operator ends. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table sftp_sessions (
      id uuid not null constraint sftp_sessions_pk primary key,
      -- Whose row it is: every start of a door is another.
      door_id uuid not null,
      machine text not null,
      partner_id text not null constraint sftp_sessions_partner references partners on delete cascade,
      address text not null,
      since timestamptz not null,
      -- Its door wrote it then; one that has gone writes no more.
      seen_at timestamptz not null default now(),
      bytes_received bigint not null,
      bytes_sent bigint not null,
      files_delivered bigint not null,
      -- What is being uploaded: [{"name", "bytes"}].
      uploads jsonb not null,
      ended_by text
    );
    create index sftp_sessions_of_partner on sftp_sessions (partner_id);
    create index sftp_sessions_of_door on sftp_sessions (door_id);
    alter table sftp_sessions enable row level security;
    create policy of_nobody on sftp_sessions using (false);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table sftp_sessions");
}
