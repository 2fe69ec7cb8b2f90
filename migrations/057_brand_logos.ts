/** A brand's logo, which its reports bear; none: they print its name. */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- Checked before it is written: src/partners/settings/brand-logo.ts says what a report can print.
    alter table brands
      add column logo bytea,
      add column logo_media_type text,
      add constraint brands_logo_is_bounded check (octet_length(logo) <= 262144),
      add constraint brands_logo_is_png_or_jpeg check (logo_media_type in ('image/png', 'image/jpeg')),
      add constraint brands_logo_has_its_type check ((logo is null) = (logo_media_type is null));
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("alter table brands drop column logo, drop column logo_media_type");
}
