/** Deliveries whose row the database forgot, recorded anew: an older copy of it serves now, and their bytes were kept. */
import type { Queryable } from "../database/database.ts";

export type TakenUp = {
  /** As it was acknowledged. */
  id: string;
  partnerId: string;
  door: "sftp" | "direct";
  format: string;
  name: string;
  correlationId: string;
  sizeBytes: number;
  sha256: Buffer;
  vaultReference: string;
  acceptedAt: Date;
};

/** Whether it is recorded by this call; false: it was before, or its bytes came again. Once, whoever else tries. */
export async function takeUp(database: Queryable, delivery: TakenUp): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into deliveries (
       id, partner_id, door, format, name, correlation_id, size_bytes, sha256, vault_reference, accepted_at, name_place,
       signing_required
     )
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10,
            case when $3 = 'sftp'
                 then (select coalesce(max(name_place), 0) + 1 from deliveries where partner_id = $2 and name = $5) end,
            (select settings @> '{"signedBatches": "required"}' from partners where id = $2)
      where not exists (select 1
                          from deliveries
                         where partner_id = $2
                           and sha256 = $8
                           and state not in ('refused', 'withdrawn'))
     on conflict (id) do nothing`,
    [
      delivery.id,
      delivery.partnerId,
      delivery.door,
      delivery.format,
      delivery.name,
      delivery.correlationId,
      delivery.sizeBytes,
      delivery.sha256,
      delivery.vaultReference,
      delivery.acceptedAt,
    ],
  );
  return rowCount === 1;
}

/** Those of the ids that no delivery has. */
export async function findUnrecorded(database: Queryable, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await database.query<{ id: string }>("select id from deliveries where id = any($1::uuid[])", [ids]);
  const known = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => !known.has(id)));
}

export type NamedFile = { partnerId: string; name: string; sizeBytes: number };

/** Those of the files of which no delivery by the SFTP door has partner, name and size. */
export async function findUnheardOf<File extends NamedFile>(
  database: Queryable,
  files: readonly File[],
): Promise<File[]> {
  const { rows } = await database.query<{ at: number }>(
    `select at::int
       from unnest($1::text[], $2::text[], $3::bigint[]) with ordinality as given (partner_id, name, size_bytes, at)
      where not exists (select 1
                          from deliveries
                         where deliveries.partner_id = given.partner_id
                           and deliveries.name = given.name
                           and deliveries.size_bytes = given.size_bytes
                           and door = 'sftp')
      order by at`,
    [files.map(({ partnerId }) => partnerId), files.map(({ name }) => name), files.map(({ sizeBytes }) => sizeBytes)],
  );
  return rows.flatMap(({ at }) => files[at - 1] ?? []);
}
