/** The change feed: which payments and services changed, written with the change itself, and who follows it how far. */
import type { Knex } from "knex";

export const runsWith = "131_recognition_runs";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table feed_followers (
      name text not null constraint feed_followers_pk primary key,
      -- Null: of every partner.
      partner_id text constraint feed_followers_partner references partners on delete cascade,
      followed_at timestamptz not null default now(),
      -- All up to here was taken.
      xid xid8 not null,
      position bigint not null,
      taken_at timestamptz,
      -- Of who is told by HTTP alone.
      signing text constraint feed_followers_signing check (signing in ('hmac', 'ed25519')),
      signing_key_sealed bytea,
      constraint feed_followers_key check ((signing is null) = (signing_key_sealed is null))
    );
    alter table feed_followers enable row level security;
    create policy of_tenant on feed_followers using (partner_id is null or partner_id = tenant_partner());

    create table feed_changes (
      -- Of the transaction that changed something: what is below every transaction still open is all there.
      xid xid8 not null default pg_current_xact_id(),
      position bigint not null generated always as identity,
      at timestamptz not null default now(),
      -- Null where kind is 'removed': up to here changes are kept no more.
      partner_id text,
      kind text not null
        constraint feed_changes_kind check (kind in ('posted', 'withdrawn', 'whole', 'services', 'departed', 'removed')),
      delivery_position bigint,
      delivery_id uuid,
      -- Our numbers, which point to nobody after an erasure; beside each what changed, which an erasure takes away.
      user_ids bigint[] not null,
      told text[],
      rows bigint not null,
      constraint feed_changes_pk primary key (xid, position)
    );
    -- Identifiers by the thousand hardly shrink, and pressing them costs who loads.
    alter table feed_changes alter column user_ids set storage external, alter column told set storage external;
    alter table feed_changes enable row level security;
    create policy of_tenant on feed_changes using (partner_id = tenant_partner());
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table feed_changes, feed_followers");
}
