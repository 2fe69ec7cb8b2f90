/** What is wrong with the service just now, and the messages about it that are still to be sent. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- A row while it lasts: whoever sees it says so again and again, and it goes when nobody does any more.
    create table alerts (
      name text not null,
      -- Of several that have it at once, which; '' where there is only one.
      subject text not null,
      severity text not null constraint alerts_severity check (severity in ('page', 'ticket')),
      summary text not null,
      since timestamptz not null default now(),
      seen_at timestamptz not null default now(),
      -- When messages about it were last written; null: none yet.
      told_at timestamptz,
      tellings integer not null default 0,
      constraint alerts_pk primary key (name, subject)
    );

    create table alert_messages (
      id uuid not null default gen_random_uuid() constraint alert_messages_pk primary key,
      channel text not null constraint alert_messages_channel check (channel in ('webhook', 'mail')),
      kind text not null constraint alert_messages_kind check (kind in ('firing', 'reminder', 'recovered')),
      name text not null,
      subject text not null,
      severity text not null,
      summary text not null,
      since timestamptz not null,
      created_at timestamptz not null default now(),
      -- While someone tries, the end of the lease.
      due_at timestamptz not null default now(),
      attempts integer not null default 0
    );
    create index alert_messages_due on alert_messages (due_at);
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table alert_messages, alerts");
}
