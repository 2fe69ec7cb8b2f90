/** Operators who sign in to the console through an identity provider, and sign-ins that are under way there. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table console_accounts
      -- Whom the provider means: names may change hands there, a subject never does (OpenID Connect Core, 2).
      add column oidc_issuer text,
      add column oidc_subject text,
      add constraint console_accounts_subject_once unique (oidc_issuer, oidc_subject),
      add constraint console_accounts_subject_of_issuer check ((oidc_issuer is null) = (oidc_subject is null));
    -- What the provider is shown when the operator signs out there too; it goes with the session.
    alter table console_sessions add column id_token text;
    create table console_sign_ins (
      state_sha256 bytea not null constraint console_sign_ins_pk primary key,
      -- Of the browser that began: no other one ends it.
      cookie_sha256 bytea not null,
      nonce text not null,
      code_verifier text not null,
      go_to text not null,
      created_at timestamptz not null default now()
    );
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop table console_sign_ins;
    alter table console_sessions drop column id_token;
    delete from console_accounts where oidc_issuer is not null;
    alter table console_accounts drop column oidc_subject, drop column oidc_issuer;
  `);
}
