/** What is told, remembered and asked about services: cancellation cases, what users submitted, membership alerts. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- As last computed, so that a run can say what it changed without opening documents; null while the series is not found.
    alter table services
      add column status text,
      add column payment_frequency text;

    -- Of several cases of a service the latest counts.
    create table cancellation_cases (
      id bigint generated always as identity constraint cancellation_cases_pk primary key,
      user_id bigint not null,
      service_id uuid not null,
      state text not null constraint cancellation_cases_state check (state in ('OPEN', 'CONFIRMED', 'ABORTED')),
      needs_more_information boolean not null default false,
      equipment_back boolean,
      money_back boolean,
      confirmation_content text,
      free_text_message text,
      end_date date,
      abort_reason text,
      opened_at timestamptz not null default now(),
      changed_at timestamptz not null default now(),
      -- The business day of the latest change of state.
      changed_on date not null,
      constraint cancellation_cases_end check (state <> 'CONFIRMED' or end_date is not null),
      constraint cancellation_cases_reason check ((state = 'ABORTED') = (abort_reason is not null)),
      constraint cancellation_cases_question check (state = 'OPEN' or not needs_more_information)
    );
    create index cancellation_cases_by_user on cancellation_cases (user_id);
    create index cancellation_cases_open on cancellation_cases (opened_at) where state = 'OPEN';

    -- Transactions that users called subscriptions. The id is the alert's too.
    create table submissions (
      id uuid not null default gen_random_uuid() constraint submissions_pk primary key,
      user_id bigint not null,
      txid text not null,
      payment_frequency text,
      outcome text constraint submissions_outcome check (outcome in ('SUCCESS', 'NOT_SUBSCRIPTION', 'TECHNICAL_LIMITATION')),
      -- For the operator's list; null where the payee may be a person, or has no name.
      payee_key text,
      submitted_at timestamptz not null default now(),
      seen_at timestamptz,
      constraint submissions_once unique (user_id, txid)
    );

    create table membership_alerts (
      id uuid constraint membership_alerts_pk primary key,
      user_id bigint not null,
      payee_key text not null,
      txid text not null,
      raised_at timestamptz not null default now(),
      seen_at timestamptz,
      constraint membership_alerts_once unique (user_id, payee_key)
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table membership_alerts, submissions, cancellation_cases;
    alter table services drop column payment_frequency, drop column status;
  `);
}
