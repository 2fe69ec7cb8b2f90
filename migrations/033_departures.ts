/**
 * When users of a name were deleted last: what was accepted until then belongs to nobody who comes again under it. Kept
 * beyond the erasure of the user, as a digest, for as long as there are deliveries from before.
 */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table departures (
      partner_id text not null constraint departures_partner references partners,
      bank_user_id_sha256 bytea not null,
      departed_at timestamptz not null,
      constraint departures_pk primary key (partner_id, bank_user_id_sha256)
    );
    alter table departures enable row level security;
    create policy of_tenant on departures using (partner_id = tenant_partner());

    insert into departures (partner_id, bank_user_id_sha256, departed_at)
    select partner_id, sha256(convert_to(bank_user_id, 'UTF8')), max(deleted_at) from users where deleted_at is not null group by partner_id, bank_user_id;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop table departures");
}
