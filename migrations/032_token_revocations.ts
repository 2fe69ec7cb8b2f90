/** When an operator ended the tokens of a user, or of all of a partner's; kept for as long as such a token would live. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table token_revocations (
      partner_id text not null constraint token_revocations_partner references partners,
      -- Both null: all users of the partner.
      user_id bigint,
      subject uuid,
      revoked_at timestamptz not null,
      constraint token_revocations_of_one check ((user_id is null) = (subject is null)),
      constraint token_revocations_once unique nulls not distinct (partner_id, subject)
    );
    alter table token_revocations enable row level security;
    create policy of_tenant on token_revocations using (partner_id = tenant_partner());
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table token_revocations");
}
