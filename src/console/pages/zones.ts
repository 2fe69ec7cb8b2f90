/** The banks' zones: of a partner with brands in several, that of the first. */
import type { Queryable } from "../../database/database.ts";

export type Zones = { of(partnerId: string): string };

export async function readZones(database: Queryable, partnerIds: readonly string[] | null): Promise<Zones> {
  const { rows } = await database.query<{ partnerId: string; zone: string }>(
    `select distinct on (partner_id) partner_id as "partnerId", time_zone as zone
       from brands
      where $1::text[] is null or partner_id = any($1)
      order by partner_id, id`,
    [partnerIds],
  );
  const zones = new Map(rows.map(({ partnerId, zone }) => [partnerId, zone]));
  return { of: (partnerId) => zones.get(partnerId) ?? "UTC" };
}
