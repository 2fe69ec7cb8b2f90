/** Notifications: where each partner receives them, and the outbox that is written with what they tell. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table notification_receivers (
      partner_id text constraint notification_receivers_pk primary key constraint notification_receivers_partner references partners,
      -- Without the trailing /notifications.
      url text not null,
      -- The published schema wraps texts in an array, its example does not.
      shape text not null default 'map' constraint notification_receivers_shape check (shape in ('map', 'array')),
      authentication text not null constraint notification_receivers_authentication
        check (authentication in ('static', 'client_secret_basic', 'private_key_jwt')),
      token_url text,
      client_id text,
      scope text,
      -- The static token, the client's secret or its private key.
      secret_sealed bytea not null,
      signing text not null constraint notification_receivers_signing check (signing in ('hmac', 'ed25519')),
      signing_key_sealed bytea not null,
      allows_private_addresses boolean not null default false,
      -- What the receiver's certificate must lead to; null: the public authorities.
      authority_pem text,
      client_certificate_pem text,
      client_key_sealed bytea,
      created_at timestamptz not null default now(),
      constraint notification_receivers_grant check ((authentication = 'static') = (token_url is null)),
      constraint notification_receivers_client check ((token_url is null) = (client_id is null)),
      constraint notification_receivers_certificate check ((client_certificate_pem is null) = (client_key_sealed is null))
    );

    create table notifications (
      id uuid not null default gen_random_uuid() constraint notifications_pk primary key,
      -- In this order each user's messages arrive.
      position bigint generated always as identity,
      user_id bigint not null,
      partner_id text not null constraint notifications_partner references partners,
      type text not null,
      -- What it is about: with user and type it is told once.
      subject text not null,
      -- What the body is made of when it is sent.
      content jsonb not null,
      state text not null default 'pending' constraint notifications_state check (state in ('pending', 'delivered', 'dead')),
      created_at timestamptz not null default now(),
      -- Not tried before; while someone tries, the end of the lease.
      due_at timestamptz not null default now(),
      attempts integer not null default 0,
      first_attempt_at timestamptz,
      delivered_at timestamptz,
      last_failure text,
      constraint notifications_once unique (user_id, type, subject),
      constraint notifications_delivery_has_time check ((state = 'delivered') = (delivered_at is not null))
    );
    create index notifications_due on notifications (partner_id, due_at) where state = 'pending';
    create index notifications_in_order on notifications (user_id, position) where state = 'pending';
    create index notifications_dead on notifications (partner_id, position) where state = 'dead';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table notifications, notification_receivers");
}
