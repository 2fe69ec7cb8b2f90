/** Every process that runs a role says that it is there, which it is, and what it has in hand. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table processes (
      id uuid constraint processes_pk primary key,
      role text[] not null constraint processes_role check (role <> '{}'),
      version text not null,
      -- The machine's own name, and the process's number on it.
      machine text not null,
      pid integer not null,
      started_at timestamptz not null,
      beat_at timestamptz not null default now(),
      -- In words; null: nothing just now.
      working_on text
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table processes");
}
