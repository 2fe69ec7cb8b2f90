/** For a while after a receiver's signing key was changed, messages are signed by the previous one as well. */
import type { Knex } from "knex";

export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table notification_receivers
      add column previous_signing text
        constraint notification_receivers_previous_signing check (previous_signing in ('hmac', 'ed25519')),
      add column previous_key_sealed bytea,
      add column previous_signs_until timestamptz,
      add constraint notification_receivers_previous
        check (num_nulls(previous_signing, previous_key_sealed, previous_signs_until) in (0, 3))
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table notification_receivers
      drop column previous_signing,
      drop column previous_key_sealed,
      drop column previous_signs_until
  `);
}
