/** Accepting small files: their rows and their bytes in one statement, several files at once. */
import type { Queryable } from "../database/database.ts";
import type { NewDelivery } from "./deliveries.ts";
import { byteaArray, keepGivenBodies } from "./requests.ts";

export type NewFile = {
  /** Not refused yet: whether the bytes came before is found out with the insert. */
  delivery: NewDelivery & { name: string; vaultReference: string; refusal: null };
  body: Buffer;
};

/** An earlier delivery of the same bytes. */
export type SameBytes = { id: string; name: string | null };

/** Of the delivery that is refused because the same bytes came before. */
export function duplicateReason({ name }: Pick<SameBytes, "name">): string {
  return `The same bytes were delivered before as ${name ?? "a request"}.`;
}

/**
 * A plan that is kept was made for the table as it was then: one for a table that was empty reads all of a partner's rows
 * for each file of a first day, until the server has counted them by itself. So it is made anew as rows come.
 */
const planAnewFrom = 256;
const planAnewUntil = 32_768;
let inserted = 0;

function planNumber(files: number): number {
  inserted += files;
  return Math.floor(Math.log2(Math.min(Math.max(inserted, planAnewFrom), planAnewUntil)));
}

// The arrays are selected so that the planner does not see their lengths, as for requests.
const givenFiles = `materialized (
       select *
         from unnest(
                (select $1::uuid[]), (select $2::text[]), (select $3::text[]), (select $4::text[]), (select $5::text[]),
                (select $6::text[]), (select $7::bigint[]), (select $8::bytea[]), (select $9::text[]), (select $10::text[])
              )
              with ordinality
              as given (id, partner_id, door, format, name, correlation_id, size_bytes, sha256, vault_reference, traceparent, ordinal)
     )`;
const givenBodies = "unnest((select $1::uuid[]), (select $11::bytea[]))";

/** A client that sends one file after the other: a fifth of the statement's time is arrays and their joins. */
const givenFile = `(
       select $1::uuid as id, $2::text as partner_id, $3::text as door, $4::text as format, $5::text as name,
              $6::text as correlation_id, $7::bigint as size_bytes, $8::bytea as sha256, $9::text as vault_reference,
              $10::text as traceparent, 1 as ordinal
     )`;
const givenBody = "(select $1::uuid, $11::bytea)";

const insertGiven = (given: string, givenBytes: string) => `with given as ${given},
     repeated as materialized (
       select given.id, first.id as first_id, first.name as first_name
         from given
        -- Found by their bytes, and not by going through all that the partner has delivered in that order.
        cross join lateral (select id, name
                              from (select id, name, position
                                      from deliveries
                                     where partner_id = given.partner_id
                                       and sha256 = given.sha256
                                       and state not in ('refused', 'withdrawn')
                                    offset 0) as same
                             order by position
                             limit 1) as first
     ),
     delivered as (
       insert into deliveries (
         id, partner_id, door, format, name, correlation_id, size_bytes, sha256, traceparent, vault_reference,
         state, refusal_code, refusal_reason, duplicate_of, finished_at, name_place, signing_required
       )
       select given.id, partner_id, door, format, given.name, correlation_id, size_bytes, sha256, traceparent,
              case when first_id is null then vault_reference end,
              case when first_id is null then 'accepted' else 'refused' end,
              case when first_id is not null then 'FILE_DUPLICATE' end,
              case when first_id is not null
                   then 'The same bytes were delivered before as ' || coalesce(first_name, 'a request') || '.' end,
              first_id,
              case when first_id is not null then now() end,
              case when door = 'sftp'
                   then (select coalesce(max(name_place), 0) + 1
                           from deliveries
                          where deliveries.partner_id = given.partner_id
                            and deliveries.name = given.name) end,
              (select settings @> '{"signedBatches": "required"}' from partners where partners.id = given.partner_id)
         from given
         left join repeated on repeated.id = given.id
        order by ordinal
     ),
     bodies as (
       select id, body
         from ${givenBytes} as bodies (id, body)
        where id not in (select id from repeated)
     ),
     kept as (
       ${keepGivenBodies}
     )
     select id, first_id as "firstId", first_name as "firstName" from repeated`;

const insertFile = insertGiven(givenFile, givenBody);
const insertSeveral = insertGiven(givenFiles, givenBodies);

/**
 * Accepts files of which no two are of one partner and alike in name or bytes; positions follow their order. One whose
 * bytes its partner delivered before, neither refused nor withdrawn, is refused and its bytes are not kept.
 * @returns that earlier delivery, by the id of the refused one
 */
export async function insertFiles(database: Queryable, files: readonly NewFile[]): Promise<Map<string, SameBytes>> {
  const plan = planNumber(files.length);
  const [file] = files;
  const { rows } = await database.query<{ id: string; firstId: string; firstName: string | null }>(
    file !== undefined && files.length === 1
      ? { name: `insert-file-${plan}`, text: insertFile, values: valuesOf(file) }
      : { name: `insert-files-${plan}`, text: insertSeveral, values: valuesOfSeveral(files) },
  );
  return new Map(rows.map(({ id, firstId, firstName }) => [id, { id: firstId, name: firstName }]));
}

function valuesOf({ delivery, body }: NewFile): unknown[] {
  return [
    delivery.id,
    delivery.partnerId,
    delivery.door,
    delivery.format,
    delivery.name,
    delivery.correlationId,
    delivery.sizeBytes,
    delivery.sha256,
    delivery.vaultReference,
    delivery.traceparent ?? null,
    body,
  ];
}

function valuesOfSeveral(files: readonly NewFile[]): unknown[] {
  const deliveries = files.map(({ delivery }) => delivery);
  return [
    deliveries.map(({ id }) => id),
    deliveries.map(({ partnerId }) => partnerId),
    deliveries.map(({ door }) => door),
    deliveries.map(({ format }) => format),
    deliveries.map(({ name }) => name),
    deliveries.map(({ correlationId }) => correlationId),
    deliveries.map(({ sizeBytes }) => sizeBytes),
    byteaArray(deliveries.map(({ sha256 }) => sha256)),
    deliveries.map(({ vaultReference }) => vaultReference),
    deliveries.map(({ traceparent }) => traceparent ?? null),
    byteaArray(files.map(({ body }) => body)),
  ];
}
