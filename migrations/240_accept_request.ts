/**
 * A pushed request that is committed alone, in one call: of what its statement cost the server (1.1 ms with its flush, a
 * plain insert of such a body 0.3) a third was arrays of one element, their joins, and a claim that was judged for each
 * table anew. Several together go on as one statement over arrays.
 */
import type { Knex } from "knex";

/** Only added. */
export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  const schema = (await knex.raw("select quote_ident(current_schema()) as name")).rows[0].name as string;
  await knex.raw(`
    -- Null: accepted. Empty: the partner used the reqId before. Else the places, from 1, of those uids that are no users
    -- of the partner. All but the first change nothing.
    create function accept_request(
      of_partner text, new_id uuid, new_request_id uuid, new_correlation_id text, new_size_bytes bigint, new_sha256 bytea,
      new_content_sha256 bytea, new_traceparent text, new_body bytea, uids text[]
    ) returns integer[] language plpgsql volatile security definer set search_path = pg_catalog, pg_temp
      -- Planned anew for each of its first calls otherwise.
      set plan_cache_mode = force_generic_plan as $function$
    declare
      claimed text := (${schema}.claimed_tenant())[1];
      unknown integer[];
    begin
      -- As its owner it is above row-level security, and asks the same.
      if claimed is distinct from of_partner and (claimed is not null or session_user = 'tideline_api') then
        raise exception 'the request is of a partner that the claim does not cover' using errcode = '42501';
      end if;
      -- Not as an anti-join: of a table that was never analysed the planner would read all users for it.
      select array_agg(number)
        into unknown
        from unnest(uids) with ordinality as named (uid, number)
       where (
         select true from ${schema}.users where users.partner_id = of_partner and users.bank_user_id = named.uid and users.deleted_at is null limit 1
       ) is null;
      if unknown is not null then
        return unknown;
      end if;
      with claimed_id as (
        insert into ${schema}.requests (partner_id, request_id, content_sha256, delivery_id)
        values (of_partner, new_request_id, new_content_sha256, new_id)
        on conflict do nothing
        returning delivery_id
      ),
      delivered as (
        insert into ${schema}.deliveries (id, partner_id, door, format, request_id, correlation_id, traceparent, size_bytes, sha256, signing_required)
        select delivery_id, of_partner, 'https', 'request', new_request_id, new_correlation_id, new_traceparent, new_size_bytes, new_sha256,
               (select settings @> '{"signedBatches": "required"}' from ${schema}.partners where partners.id = of_partner)
          from claimed_id
      )
      insert into ${schema}.delivery_bodies (delivery_id, body)
      select delivery_id, new_body
        from claimed_id;
      return case when found then null else '{}'::integer[] end;
    end
    $function$;
    revoke all on function accept_request from public;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop function accept_request");
}
