/** Changes of a budget's status, for whoever is to be told of them. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Written with the change itself. A new budget's DRAFT is none.
    create table budget_status_changes (
      id bigint generated always as identity constraint budget_status_changes_pk primary key,
      partner_id text not null,
      user_id bigint not null,
      budget_id uuid not null constraint budget_status_changes_budget references budgets on delete cascade,
      status_before text not null,
      status text not null constraint budget_status_changes_differ check (status <> status_before),
      at timestamptz not null default now()
    );
    create index budget_status_changes_by_budget on budget_status_changes (budget_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table budget_status_changes");
}
