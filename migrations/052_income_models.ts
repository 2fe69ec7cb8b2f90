/** Recurring income as the API serves it, beside the read models of services. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- One row a user of whom a run has looked at income; none: no run has yet, and reads answer 202.
    create table income_models (
      user_id bigint constraint income_models_pk primary key,
      document json not null,
      -- Every series that was ever found, oldest first: {id, key, txids}, by which a later run finds it again.
      series json not null,
      -- Made by the database, so that nobody writes a document and forgets it.
      digest text generated always as (md5(document::text || series::text)) stored
    );
    alter table income_models enable row level security;
    create policy of_tenant on income_models using (user_id = (select id from users where subject = tenant_subject()));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table income_models");
}
