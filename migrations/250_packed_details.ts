/**
 * A budget's details are kept as they are served, as gzip, and no longer as JSON beside it: to take in, check, digest and
 * compress that JSON was four ninths of what a budget that is written anew cost the server.
 */
import { gunzipSync } from "node:zlib";
import type { Knex } from "knex";

/** A program that knows 113 reads details packed where they are packed, and what it writes gets its digest as before. */
export const runsWith = "113_served_documents";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    -- details: {} where they are kept packed alone; null still where there are none yet, which programs of before look at.
    alter table budget_documents
      -- Of both documents as text, one after the other: whoever packs the details tells it.
      alter column digest drop expression,
      -- Not looked at in rows that are there: each would be taken out of its compression, and none is {}.
      add constraint budget_documents_details
        check (details is null or details::text <> '{}' or (details_packed is not null and packed_of is not null and packed_of = digest)) not valid;

    -- Whoever writes the details as JSON cannot forget the digest; so do programs of before.
    create function digest_budget() returns trigger language plpgsql set search_path from current as
    $$
    begin
      new.digest := md5(new.document::text || coalesce(new.details::text, ''));
      return new;
    end
    $$;
    create trigger budget_documents_of_json before insert or update of document, details on budget_documents
      for each row when (new.details is null or new.details::text <> '{}') execute function digest_budget();
  `);
}

const together = 100;

/** The database cannot unpack, so this does. */
export async function down(knex: Knex): Promise<void> {
  for (;;) {
    const { rows } = (await knex.raw(
      "select budget_id as id, details_packed as packed from budget_documents where details::text = '{}' limit ?",
      [together],
    )) as { rows: { id: string; packed: Buffer }[] };
    if (rows.length === 0) break;
    await knex.raw(
      `update budget_documents set details = given.details::json
         from unnest(?::uuid[], ?::text[]) as given (id, details)
        where budget_id = given.id`,
      [rows.map(({ id }) => id), rows.map(({ packed }) => gunzipSync(packed).toString("utf8"))],
    );
  }
  await knex.raw(`
    drop trigger budget_documents_of_json on budget_documents;
    drop function digest_budget;
    alter table budget_documents drop constraint budget_documents_details, drop column digest;
    alter table budget_documents
      add column digest text not null generated always as (md5(document::text || coalesce(details::text, ''))) stored;
  `);
}
