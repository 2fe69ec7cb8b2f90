/** A new version of recognition that is held back: for whom, and what it found of them beside what was in force. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- The version of the algorithm that sees the user's services differently and is not put in force: what came waits on
    -- the list until it is. Null: the user's turn comes.
    alter table changed_users add column held_for integer;
    create index changed_users_due on changed_users (touched_at) where held_for is null;
    create index changed_users_held on changed_users (held_for) where held_for is not null;

    -- lists_users: the run has the users of recognition_run_users, not all up to the last one it reached.
    alter table recognition_runs
      add column lists_users boolean not null default false,
      add column put_in_force_at timestamptz;
    create table recognition_run_users (
      run_id bigint not null constraint recognition_run_users_run references recognition_runs on delete cascade,
      user_id bigint not null constraint recognition_run_users_user references users on delete cascade,
      constraint recognition_run_users_pk primary key (run_id, user_id)
    );
    create index recognition_run_users_of_user on recognition_run_users (user_id);
    alter table recognition_run_users enable row level security;
    create policy of_tenant on recognition_run_users using (user_id = (select id from users where subject = tenant_subject()));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table recognition_run_users;
    alter table recognition_runs drop column put_in_force_at, drop column lists_users;
    drop index changed_users_held, changed_users_due;
    alter table changed_users drop column held_for;
  `);
}
