/**
 * A budget's details lie as zstd too, for callers who take them plain, and one function gives each caller the form that
 * it takes. Of 302 kB gzip takes .17 ms to unpack, zstd .11; of the smaller documents it would spare hardly anything: .054
 * and .040 of 75 kB of services, .041 and .038 of a budget's 58.
 */
import type { Knex } from "knex";

/** `documents_of_callers` and the columns that it reads stay, for programs of the version before. */
export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  const schema = (await knex.raw("select quote_ident(current_schema()) as name")).rows[0].name as string;
  // As in 236, but of bytes: of a text in UTF-8 the server counts the characters one by one, a tenth of such a statement.
  const isProven = `(select true
             from ${schema}.tenant_keys as key
            where key.id = convert_from(substr(claim, 65, 36), 'UTF8')::uuid
              and key.expires_at > now()
              and convert_from(substr(claim, 101, 10), 'UTF8')::bigint > extract(epoch from now())
              and substr(claim, 111, 8) = 'several '::bytea
              and sha256(substr(claim, 1, 64))
                  = sha256(convert_to(encode(sha256(key.outer_block || sha256(key.inner_block || substr(claim, 65))), 'hex'), 'UTF8')))`;
  // What is a claim of another kind holds no tenants, whose ids would be no ids: it comes to be refused.
  const documentsOf = (names: string, found: string) => `
      if names && array[${names}] then
        return query
        select given.place,
               case when ${isProven} then owner.id else ${schema}.refuse_claim() end,
               found.version,
               case when found.is_gzip and (given.takes_gzip or not found.is_zstd) and strpos(given.known, found.version) = 0 then found.gzip end,
               case when found.is_zstd and not given.takes_gzip and strpos(given.known, found.version) = 0 then found.zstd end,
               case when not found.is_gzip and (given.takes_gzip or not found.is_zstd) and strpos(given.known, found.version) = 0 then found.document::text end,
               found.is_shown
          from unnest(case when substr(claim, 111, 8) = 'several '::bytea then string_to_array(convert_from(substr(claim, 119), 'UTF8'), ' ') end, names, budgets, known, takes_gzip)
               with ordinality as given (tenant, name, budget, known, takes_gzip, place)
          left join lateral (
            select users.id, users.brand_id, users.partner_id
              from ${schema}.users
             where users.subject = left(given.tenant, 36)::uuid
               and users.partner_id = substr(given.tenant, 37)
               and users.deleted_at is null
             limit 1
          ) as owner on true
          left join lateral (
            ${found}
             limit 1
          ) as found on true
         where given.name in (${names});
      end if;`;
  await knex.raw(`
    -- Zstandard (RFC 8878) of the details, and the version that it was made of: of another one it counts for
    -- nothing, so that a program of the version before may write the rest alone.
    alter table budget_documents
      add column zstd_of text,
      add column details_zstd bytea,
      alter column details_zstd set storage external;

    -- The claim is one as 236 describes it, as bytes.
    -- One row for each tenant: the document of that name of its user and of nobody else. user_id null: no live user of its
    -- partner. version null: no such document. Of a version that is in known nothing else is given; else one of the three
    -- forms: gzip to who takes it, zstd to others where it was made, and where neither was, the text.
    -- Each look is lateral with a limit, so that it stays one by an index whatever the tables held when it was planned.
    create function documents_as_taken(claim bytea, names text[], budgets uuid[], known text[], takes_gzip boolean[])
      returns table (place bigint, user_id bigint, version text, gzip bytea, zstd bytea, document text, is_shown boolean)
      language plpgsql stable security definer set search_path = pg_catalog, pg_temp
      -- Planned for so few callers each time it would look cheaper, and planning costs ten times the reads.
      set plan_cache_mode = force_generic_plan as $function$
    begin
      -- What begins otherwise would fail as no id or number.
      if length(claim) < 119 then
        perform ${schema}.refuse_claim();
      end if;
      ${documentsOf(
        "'services', 'services hidden', 'upcoming'",
        `select case when given.name = 'upcoming' or model.import_complete then model.digest end as version,
                   given.name = 'services' and model.packed_of is not distinct from model.digest as is_gzip,
                   model.services_visible_packed as gzip,
                   false as is_zstd,
                   null::bytea as zstd,
                   case given.name when 'services' then model.services_visible when 'upcoming' then model.upcoming else model.services_hidden end as document,
                   true as is_shown
              from ${schema}.read_models as model
             where model.user_id = owner.id`,
      )}
      ${documentsOf(
        "'income'",
        `select income.digest as version, false as is_gzip, null::bytea as gzip, false as is_zstd, null::bytea as zstd, income.document, brand.shows_income as is_shown
              from (select coalesce((brands.features ->> 'budgetIncome')::boolean, true) as shows_income
                      from ${schema}.brands
                     where brands.partner_id = owner.partner_id and brands.id = owner.brand_id) as brand
              left join ${schema}.read_models as model
                on model.user_id = owner.id and model.import_complete and brand.shows_income
              left join ${schema}.income_models as income on income.user_id = model.user_id`,
      )}
      ${documentsOf(
        "'budget', 'budget details'",
        `select case when shown.details is not null then shown.digest end as version,
                   shown.packed_of is not distinct from shown.digest as is_gzip,
                   case when given.name = 'budget' then shown.document_packed else shown.details_packed end as gzip,
                   given.name = 'budget details' and shown.zstd_of is not distinct from shown.digest as is_zstd,
                   shown.details_zstd as zstd,
                   case when given.name = 'budget' then shown.document else shown.details end as document,
                   true as is_shown
              from ${schema}.budget_documents as shown
             where shown.budget_id = given.budget
               and shown.user_id = owner.id
               and shown.partner_id = owner.partner_id`,
      )}
    end
    $function$;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop function documents_as_taken;
    alter table budget_documents drop column details_zstd, drop column zstd_of;
  `);
}
