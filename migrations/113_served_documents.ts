/**
 * What apps read most is kept compressed, as it goes over the wire, and one function judges the claims of several
 * callers and reads for each of them: a call's share of a statement that callers share costs a fifth of one of its own.
 */
import type { Knex } from "knex";

export async function up(knex: Knex): Promise<void> {
  const schema = (await knex.raw("select quote_ident(current_schema()) as name")).rows[0].name as string;
  await knex.raw(`
    -- Gzip of the documents beside them, and the version that it was made of: of another one it counts for nothing, so
    -- that a program of the version before may write the documents alone.
    alter table read_models
      add column packed_of text,
      add column services_visible_packed bytea,
      alter column services_visible_packed set storage external;
    alter table budget_documents
      add column packed_of text,
      add column document_packed bytea,
      add column details_packed bytea,
      alter column document_packed set storage external,
      alter column details_packed set storage external;

    create function refuse_claim() returns bigint language plpgsql volatile as
      $function$ begin raise exception 'the claim does not hold' using errcode = 'TD001'; end $function$;

    -- One row for each claim, which is judged as claimed_tenant() judges it (080): the document of that name of its user
    -- and of nobody else. user_id null: no live user of its partner. version null: no such document. Of a version that is
    -- in known neither packed nor document is given, else one of them.
    -- Each look is lateral with a limit, so that it stays one by an index whatever the tables held when it was planned.
    create function served_documents(claims text[], names text[], budgets uuid[], known text[])
      returns table (place bigint, user_id bigint, version text, packed bytea, document text, is_shown boolean)
      language plpgsql stable security definer set search_path = pg_catalog, pg_temp
      -- Planned for so few callers each time it would look cheaper, and planning costs ten times the reads.
      set plan_cache_mode = force_generic_plan as $function$
    begin
      return query
      select given.place,
             case when proven.partner is null then ${schema}.refuse_claim() else owner.id end,
             found.version,
             case when found.is_packed and strpos(given.known, found.version) = 0 then found.packed end,
             case when not found.is_packed and strpos(given.known, found.version) = 0 then found.document::text end,
             found.is_shown
        from unnest(claims, names, budgets, known) with ordinality as given (claim, name, budget, known, place)
        left join lateral (
          select substr(given.claim, 147) as partner, nullif(btrim(substr(given.claim, 111, 36)), '')::uuid as subject
            from ${schema}.tenant_keys as key
           where key.id = substr(given.claim, 65, 36)::uuid
             and key.expires_at > now()
             and length(given.claim) >= 147
             and substr(given.claim, 101, 10)::bigint > extract(epoch from now())
             and sha256(convert_to(left(given.claim, 64), 'UTF8'))
                 = sha256(convert_to(encode(sha256(key.outer_block || sha256(key.inner_block || convert_to(substr(given.claim, 65), 'UTF8'))), 'hex'), 'UTF8'))
           limit 1
        ) as proven on true
        left join lateral (
          select users.id, users.brand_id
            from ${schema}.users
           where users.subject = proven.subject
             and users.partner_id = proven.partner
             and users.deleted_at is null
           limit 1
        ) as owner on true
        left join lateral (
          select case when model.import_complete then model.digest end as version,
                 given.name = 'services' and model.packed_of is not distinct from model.digest as is_packed,
                 model.services_visible_packed as packed,
                 case when given.name = 'services' then model.services_visible else model.services_hidden end as document,
                 true as is_shown
            from ${schema}.read_models as model
           where given.name in ('services', 'services hidden') and model.user_id = owner.id
          union all
          select model.digest, false, null, model.upcoming, true
            from ${schema}.read_models as model
           where given.name = 'upcoming' and model.user_id = owner.id
          union all
          select income.digest, false, null, income.document, brand.shows_income
            from (select coalesce((brands.features ->> 'budgetIncome')::boolean, true) as shows_income
                    from ${schema}.brands
                   where brands.partner_id = proven.partner and brands.id = owner.brand_id) as brand
            left join ${schema}.read_models as model
              on model.user_id = owner.id and model.import_complete and brand.shows_income
            left join ${schema}.income_models as income on income.user_id = model.user_id
           where given.name = 'income'
          union all
          select case when shown.details is not null then shown.digest end,
                 shown.packed_of is not distinct from shown.digest,
                 case when given.name = 'budget' then shown.document_packed else shown.details_packed end,
                 case when given.name = 'budget' then shown.document else shown.details end,
                 true
            from ${schema}.budget_documents as shown
           where given.name in ('budget', 'budget details')
             and shown.budget_id = given.budget
             and shown.user_id = owner.id
             and shown.partner_id = proven.partner
           limit 1
        ) as found on true;
    end
    $function$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function served_documents, refuse_claim;
    alter table budget_documents drop column details_packed, drop column document_packed, drop column packed_of;
    alter table read_models drop column services_visible_packed, drop column packed_of;
  `);
}

/** Programs before it ask and write as they did. */
export const runsWith = "105_released_accounts";
