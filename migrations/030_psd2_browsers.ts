/**
 * A login at a bank is bound to the browser that claimed it, tells for which customer it is, opens a bounded number of
 * consents, and ends with its partner's suspension; a consent may wait until its user's own app has confirmed it.
 */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table psd2_logins
      -- Of the cookie of the browser whose form came first; null until one did.
      add column browser_sha256 bytea,
      -- The partner's own words for its customer, shown on the page.
      add column customer_hint text,
      add column requires_confirmation boolean not null default false,
      -- How often a bank was asked for a consent.
      add column consents_begun integer not null default 0;

    alter table psd2_consents
      drop constraint psd2_consents_state,
      add constraint psd2_consents_state check (state in ('unconfirmed', 'active', 'ended')),
      add column login_id uuid,
      -- Of the code that the redirect brought, while it has not been used.
      add column confirmation_sha256 bytea,
      add column confirmed_until timestamptz,
      add constraint psd2_consents_confirmation check ((state = 'unconfirmed') = (confirmation_sha256 is not null));
    create index psd2_consents_unconfirmed on psd2_consents (confirmed_until) where state = 'unconfirmed';

    create or replace function psd2_login_of_key(login uuid, of_key bytea) returns table (partner_id text, subject uuid) language sql stable security definer set search_path from current
      begin atomic
        select psd2_logins.partner_id, users.subject
          from psd2_logins
          join users on users.id = psd2_logins.user_id
          join partners on partners.id = psd2_logins.partner_id and partners.suspended_at is null
         where psd2_logins.id = login
           and psd2_logins.key_sha256 = of_key;
      end;
    create or replace function psd2_login_of_state(of_state bytea) returns table (partner_id text, subject uuid) language sql stable security definer set search_path from current
      begin atomic
        select psd2_logins.partner_id, users.subject
          from psd2_logins
          join users on users.id = psd2_logins.user_id
          join partners on partners.id = psd2_logins.partner_id and partners.suspended_at is null
         where psd2_logins.state_sha256 = of_state;
      end;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    create or replace function psd2_login_of_key(login uuid, of_key bytea) returns table (partner_id text, subject uuid) language sql stable security definer set search_path from current
      begin atomic
        select psd2_logins.partner_id, users.subject from psd2_logins join users on users.id = psd2_logins.user_id where psd2_logins.id = login and psd2_logins.key_sha256 = of_key;
      end;
    create or replace function psd2_login_of_state(of_state bytea) returns table (partner_id text, subject uuid) language sql stable security definer set search_path from current
      begin atomic
        select psd2_logins.partner_id, users.subject from psd2_logins join users on users.id = psd2_logins.user_id where psd2_logins.state_sha256 = of_state;
      end;

    -- What nobody confirmed takes no effect.
    update psd2_consents set state = 'ended', told_until = 'infinity', next_fetch_at = now(), confirmation_sha256 = null where state = 'unconfirmed';
    alter table psd2_consents
      drop constraint psd2_consents_confirmation,
      drop constraint psd2_consents_state,
      drop column confirmed_until,
      drop column confirmation_sha256,
      drop column login_id,
      add constraint psd2_consents_state check (state in ('active', 'ended'));
    alter table psd2_logins
      drop column consents_begun,
      drop column requires_confirmation,
      drop column customer_hint,
      drop column browser_sha256;
  `);
}
