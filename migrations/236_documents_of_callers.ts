/**
 * The reads of several callers under one claim that covers them all, in place of one claim for each (113), and planned
 * by the documents that they are about: of what four callers' statement cost, the claims were two fifths and the looks
 * that it did not need a tenth.
 */
import type { Knex } from "knex";

/** `served_documents` stays, for programs of the version before. */
export const runsWith = "096_schema_compatibility";

export async function up(knex: Knex): Promise<void> {
  const schema = (await knex.raw("select quote_ident(current_schema()) as name")).rows[0].name as string;
  // Once a statement, as an initial plan. "several" stands where a claim of one tenant has its subject, so that neither
  // passes for the other.
  const isProven = `(select true
             from ${schema}.tenant_keys as key
            where key.id = substr(claim, 65, 36)::uuid
              and key.expires_at > now()
              and substr(claim, 101, 10)::bigint > extract(epoch from now())
              and substr(claim, 111, 8) = 'several '
              and sha256(convert_to(left(claim, 64), 'UTF8'))
                  = sha256(convert_to(encode(sha256(key.outer_block || sha256(key.inner_block || convert_to(substr(claim, 65), 'UTF8'))), 'hex'), 'UTF8')))`;
  const documentsOf = (names: string, found: string) => `
      if names && array[${names}] then
        return query
        select given.place,
               case when ${isProven} then owner.id else ${schema}.refuse_claim() end,
               found.version,
               case when found.is_packed and strpos(given.known, found.version) = 0 then found.packed end,
               case when not found.is_packed and strpos(given.known, found.version) = 0 then found.document::text end,
               found.is_shown
          from unnest(string_to_array(substr(claim, 119), ' '), names, budgets, known) with ordinality as given (tenant, name, budget, known, place)
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
    -- The claim is one of those that 080 describes, but that "several " and then each tenant, with a space between two,
    -- stand in place of the subject and the partners: a tenant is a subject (36) and a partner. The tenants' place in it
    -- is that of what they ask for in the other arguments.
    -- One row for each: the document of that name of its user and of nobody else. user_id null: no live user of its
    -- partner. version null: no such document. Of a version that is in known neither packed nor document is given, else
    -- one of them.
    -- Each look is lateral with a limit, so that it stays one by an index whatever the tables held when it was planned.
    create function documents_of_callers(claim text, names text[], budgets uuid[], known text[])
      returns table (place bigint, user_id bigint, version text, packed bytea, document text, is_shown boolean)
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
                   given.name = 'services' and model.packed_of is not distinct from model.digest as is_packed,
                   model.services_visible_packed as packed,
                   case given.name when 'services' then model.services_visible when 'upcoming' then model.upcoming else model.services_hidden end as document,
                   true as is_shown
              from ${schema}.read_models as model
             where model.user_id = owner.id`,
      )}
      ${documentsOf(
        "'income'",
        `select income.digest as version, false as is_packed, null::bytea as packed, income.document, brand.shows_income as is_shown
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
                   shown.packed_of is not distinct from shown.digest as is_packed,
                   case when given.name = 'budget' then shown.document_packed else shown.details_packed end as packed,
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
  await knex.raw("drop function documents_of_callers");
}
