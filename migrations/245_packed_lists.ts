/**
 * The list of visible services is kept as it is served, as gzip, and no longer as JSON beside it: to take in, check,
 * digest and compress the JSON was six sevenths of what a changed read model cost the server.
 */
import { gunzipSync } from "node:zlib";
import type { Knex } from "knex";

/** A program that knows 113 reads the list packed where it is packed, and what it writes gets its digest as before. */
export const runsWith = "113_served_documents";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table read_models
      -- Of the three lists as text, one after the other: whoever packs the visible one tells it.
      alter column digest drop expression,
      alter column services_visible drop not null,
      -- Null: packed.
      add constraint read_models_visible
        check (services_visible is not null or (services_visible_packed is not null and packed_of is not null and packed_of is not distinct from digest));

    -- Whoever writes the list as JSON cannot forget the digest; so do programs of before.
    create function digest_lists() returns trigger language plpgsql set search_path from current as
    $$
    begin
      new.digest := md5(new.services_visible::text || new.services_hidden::text || new.upcoming::text);
      return new;
    end
    $$;
    create trigger read_models_of_json before insert or update of services_visible, services_hidden, upcoming on read_models
      for each row when (new.services_visible is not null) execute function digest_lists();
  `);
}

const together = 500;

/** The database cannot unpack, so this does. */
export async function down(knex: Knex): Promise<void> {
  for (;;) {
    const { rows } = (await knex.raw(
      "select user_id as id, services_visible_packed as packed from read_models where services_visible is null limit ?",
      [together],
    )) as { rows: { id: string; packed: Buffer }[] };
    if (rows.length === 0) break;
    await knex.raw(
      `update read_models set services_visible = given.list::json
         from unnest(?::bigint[], ?::text[]) as given (id, list)
        where user_id = given.id`,
      [rows.map(({ id }) => id), rows.map(({ packed }) => gunzipSync(packed).toString("utf8"))],
    );
  }
  await knex.raw(`
    drop trigger read_models_of_json on read_models;
    drop function digest_lists;
    alter table read_models drop constraint read_models_visible, alter column services_visible set not null, drop column digest;
    alter table read_models
      add column digest text generated always as (md5(services_visible::text || services_hidden::text || upcoming::text)) stored;
  `);
}
