/** What users let us see: accounts whose access was removed, and balances as the partner observed them. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- removed_after: position of the last delivery that was accepted before access ended; null while there is access.
    -- A later delivery that names the account brings it back.
    alter table accounts
      add column removed_after bigint,
      add column balance numeric,
      add column balance_observed_at timestamptz,
      add constraint accounts_balance_has_time check ((balance is null) = (balance_observed_at is null));
    create index accounts_removed on accounts (user_id) where removed_after is not null;

    -- What each user kept and when: an account that a delivery from before brings only afterwards is judged by it.
    create table account_reviews (
      id bigint generated always as identity constraint account_reviews_pk primary key,
      user_id bigint not null,
      position bigint not null,
      kept text[] not null,
      reviewed_at timestamptz not null default now()
    );
    create index account_reviews_by_user on account_reviews (user_id);

    -- Only added to; the account's own row has the present one.
    create table account_balances (
      id bigint generated always as identity constraint account_balances_pk primary key,
      user_id bigint not null,
      account_id text not null,
      -- In the currency of the user's brand: the interface names none.
      balance numeric not null,
      observed_at timestamptz not null,
      recorded_at timestamptz not null default now()
    );
    create index account_balances_by_account on account_balances (user_id, account_id, observed_at);

    create view visible_transactions as
      select t.*
        from transactions t
       where not exists (
               select 1
                 from accounts a
                where a.user_id = t.user_id
                  and a.id = t.account_id
                  and a.removed_after is not null
             );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop view visible_transactions;
    drop table account_balances, account_reviews;
    drop index accounts_removed;
    alter table accounts drop column removed_after, drop column balance, drop column balance_observed_at;
  `);
}
