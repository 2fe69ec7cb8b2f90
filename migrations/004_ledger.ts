/** The ledger: transactions exactly once per user and txid, accounts, cards, and the users whose data changed. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create sequence transaction_ids as bigint cache 1000;

    -- One index only: it is the once-guarantee and at the same time the way to one user's rows. Alternatives, in processor
    -- time of the server for a row of COPY (text, 100,000 rows in chunks of 20,000 into an empty table, median of 4):
    --   this table 2.3 µs; in binary COPY 1.85; with a digest column of 128 bits 2.7; without any index 1.6 (not once)
    --   without id and its default 2.2; id as identity 2.3; columns of fixed width first 2.2; fillfactor 70 of the index 2.4
    --   BRIN on booked_on 2.3; a second index (user_id, booked_on) 3.2; 16 hash partitions by user 2.9
    create table transactions (
      user_id bigint not null,
      txid text not null,
      id bigint not null default nextval('transaction_ids'),
      booked_on date not null,
      tx_time text not null,
      raw_type text not null,
      description text not null,
      amount numeric not null,
      currency text not null,
      original_amount numeric,
      original_currency text,
      merchant_name text,
      merchant_cid text,
      merchant_address text,
      merchant_city text,
      merchant_post_code text,
      merchant_country text,
      merchant_mcc integer,
      account_id text,
      card_id text,
      delivery_position bigint not null,
      constraint transactions_once primary key (user_id, txid)
    );
    alter sequence transaction_ids owned by transactions.id;

    create table accounts (
      user_id bigint not null,
      id text not null,
      name text not null,
      iban text not null,
      first_seen_at timestamptz not null default now(),
      constraint accounts_pk primary key (user_id, id)
    );

    create table cards (
      user_id bigint not null,
      id text not null,
      pan4 text not null,
      card_type text,
      payment_network text,
      first_seen_at timestamptz not null default now(),
      constraint cards_pk primary key (user_id, id)
    );

    -- Users whose figures are out of date. Written with the rows that made them so, taken in bulk by recognition.
    create table changed_users (
      user_id bigint constraint changed_users_pk primary key,
      since timestamptz not null default now(),
      touched_at timestamptz not null default now()
    );
    create index changed_users_by_age on changed_users (touched_at);

    -- Units of each currency for one euro, one row a day (European Central Bank reference rates).
    create table exchange_rates (
      day date constraint exchange_rates_pk primary key,
      per_euro jsonb not null
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table exchange_rates, changed_users, cards, accounts, transactions");
}
