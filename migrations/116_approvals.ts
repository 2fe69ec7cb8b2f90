/** What needs a second operator's word, and what was asked for, by whom, and what another said to it. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table guarded_actions (
      action text not null constraint guarded_actions_pk primary key
        constraint guarded_actions_known check (action in ('withdraw', 'release', 'rotate-keys', 'erase')),
      guarded_by text not null,
      guarded_at timestamptz not null default now()
    );
    create table approvals (
      id uuid not null default gen_random_uuid() constraint approvals_pk primary key,
      action text not null
        constraint approvals_action check (action in ('withdraw', 'release', 'rotate-keys', 'erase', 'unguard')),
      -- Null: about the whole service.
      partner_id text,
      -- What it is about: a delivery, our number of a user, a kind of key, an action.
      subject jsonb not null,
      reason text not null,
      requested_by text not null,
      requested_at timestamptz not null default now(),
      expires_at timestamptz not null,
      state text not null default 'open'
        constraint approvals_state check (state in ('open', 'confirmed', 'refused', 'recalled', 'expired', 'done', 'failed')),
      decided_by text,
      decided_at timestamptz,
      decided_because text,
      -- Four eyes: whoever asked can take it back, and nothing else.
      constraint approvals_by_another check (decided_by is null or decided_by <> requested_by or state = 'recalled')
    );
    create unique index approvals_open_once on approvals (action, subject) where state = 'open';
    create index approvals_by_time on approvals (requested_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table approvals, guarded_actions");
}
