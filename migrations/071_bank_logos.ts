/** By what users know their bank among many. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table psd2_banks
      add column logo bytea,
      add column logo_type text,
      add constraint psd2_banks_logo check ((logo is null) = (logo_type is null)),
      add constraint psd2_banks_logo_type check (logo_type in ('image/png', 'image/jpeg'));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table psd2_banks drop column logo, drop column logo_type");
}
