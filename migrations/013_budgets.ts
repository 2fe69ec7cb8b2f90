/** Budgets: what the engine found, what was done, and the documents that the API serves. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Of one user at one business day, shared by the user's budgets; a completed budget keeps its own for good.
    create table budget_snapshots (
      id bigint generated always as identity constraint budget_snapshots_pk primary key,
      partner_id text not null,
      user_id bigint not null,
      as_of date not null,
      document json not null,
      created_at timestamptz not null default now()
    );
    create index budget_snapshots_by_user on budget_snapshots (user_id);

    create table budgets (
      id uuid constraint budgets_pk primary key,
      partner_id text not null,
      user_id bigint not null,
      status text not null default 'DRAFT' constraint budgets_status check (status in ('DRAFT', 'READY', 'ACCEPTED', 'DENIED')),
      -- As documents tell it: brand's zone, no offset.
      created_time text not null,
      created_at timestamptz not null default now(),
      snapshot_id bigint constraint budgets_snapshot references budget_snapshots,
      -- Since when the ledger or the services know more than the snapshot; null when they do not.
      stale_since timestamptz default now(),
      -- Each completion, and each edit after it, starts another; of those before the first there is none.
      revision integer not null default 0,
      constraint budgets_completed_has_revision check ((status in ('ACCEPTED', 'DENIED')) = (revision > 0))
    );
    create index budgets_by_user on budgets (user_id);
    create index budgets_by_snapshot on budgets (snapshot_id);
    create index budgets_stale on budgets (stale_since) where stale_since is not null;

    -- Only ever added to; the budget is a fold over it.
    create table budget_events (
      budget_id uuid not null constraint budget_events_budget references budgets on delete cascade,
      sequence integer not null constraint budget_events_sequence check (sequence > 0),
      partner_id text not null,
      user_id bigint not null,
      type text not null,
      event jsonb not null,
      at timestamptz not null default now(),
      constraint budget_events_pk primary key (budget_id, sequence)
    );
    create function refuse_change() returns trigger language plpgsql as
      'begin raise exception ''% is only added to'', tg_table_name using errcode = ''restrict_violation''; end';
    create trigger budget_events_append_only before update on budget_events for each row execute function refuse_change();

    -- Rewritten by each event and each refresh, in the same transaction; null before the first snapshot.
    create table budget_documents (
      budget_id uuid constraint budget_documents_pk primary key constraint budget_documents_budget references budgets on delete cascade,
      partner_id text not null,
      user_id bigint not null,
      -- The interface's Budget and BudgetDetails.
      document json not null,
      details json,
      -- Expenses with their transactions, by id.
      expenses jsonb not null default '{}',
      -- BudgetActionResponse in the order in which they are asked, those that may be offered only.
      questions json not null default '[]'
    );

    -- What a completed budget was when it was completed, and after each edit since.
    create table budget_revisions (
      budget_id uuid not null constraint budget_revisions_budget references budgets on delete cascade,
      revision integer not null constraint budget_revisions_revision check (revision > 0),
      partner_id text not null,
      user_id bigint not null,
      status text not null,
      snapshot_id bigint constraint budget_revisions_snapshot references budget_snapshots,
      -- The last event that is in it.
      sequence integer not null,
      document json not null,
      details json,
      at timestamptz not null default now(),
      constraint budget_revisions_pk primary key (budget_id, revision)
    );
    create index budget_revisions_by_snapshot on budget_revisions (snapshot_id);
    create trigger budget_revisions_append_only before update on budget_revisions for each row execute function refuse_change();

    -- Two applicants with finances of their own: either way round, at most one link a budget.
    create table budget_coapplicants (
      budget_id uuid constraint budget_coapplicants_pk primary key constraint budget_coapplicants_budget references budgets on delete cascade,
      other_budget_id uuid not null constraint budget_coapplicants_other references budgets on delete cascade,
      partner_id text not null,
      -- Whose the budget is.
      user_id bigint not null,
      linked_at timestamptz not null default now(),
      constraint budget_coapplicants_not_itself check (budget_id <> other_budget_id)
    );
    create index budget_coapplicants_by_other on budget_coapplicants (other_budget_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table budget_coapplicants, budget_revisions, budget_documents, budget_events, budgets, budget_snapshots;
    drop function refuse_change();
  `);
}
