/** Who may sign in to the operators' console, and who is signed in. Tokens and cookies are kept as digests alone. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table console_accounts (
      id uuid not null default gen_random_uuid() constraint console_accounts_pk primary key,
      -- What the audit trail calls whoever signs in with it.
      name text not null constraint console_accounts_name_once unique,
      role text not null constraint console_accounts_role check (role in ('viewer', 'operator', 'admin')),
      -- Of which partners it sees anything; null: of all.
      partner_ids text[],
      -- 256 random bits need no slow digest. Null: it signs in through the identity provider.
      token_sha256 bytea constraint console_accounts_token_once unique,
      created_at timestamptz not null default now(),
      used_at timestamptz,
      constraint console_accounts_name check (name ~ '^[A-Za-z0-9][A-Za-z0-9._@-]{0,99}$')
    );
    create table console_sessions (
      cookie_sha256 bytea not null constraint console_sessions_pk primary key,
      account_id uuid not null constraint console_sessions_account references console_accounts on delete cascade,
      created_at timestamptz not null default now(),
      seen_at timestamptz not null default now(),
      address text not null
    );
    create index console_sessions_by_account on console_sessions (account_id);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table console_sessions, console_accounts");
}
