/** SQL of the expected_files table: one row for each time that a file was due. */
import type { Queryable } from "../../database/database.ts";

export type ExpectedFileState = "arrived" | "missing" | "late" | "dropped";

export type MissingFile = { partnerId: string; name: string; dueDay: string; dueAt: Date };

/** When the last recorded occurrence of an expectation was due; null before its first. */
export async function findLastDue(database: Queryable, partnerId: string, name: string): Promise<Date | null> {
  const { rows } = await database.query<{ dueAt: Date }>(
    'select due_at as "dueAt" from expected_files where partner_id = $1 and name = $2 order by due_at desc limit 1',
    [partnerId, name],
  );
  return rows[0]?.dueAt ?? null;
}

export type Arrival = { deliveryId: string; acceptedAt: Date };

export type Search = { partnerId: string; name: string; pattern: RegExp; from: Date; until: Date };

/**
 * The first file accepted in (from, until] whose name fits and that no occurrence of the expectation has counted yet.
 */
export async function findArrival(
  database: Queryable,
  { partnerId, name, pattern, from, until }: Search,
): Promise<Arrival | null> {
  const { rows } = await database.query<Arrival>(
    `select id as "deliveryId", accepted_at as "acceptedAt"
       from deliveries
      where partner_id = $1
        and deliveries.name is not null
        and deliveries.name ~ $5
        and state <> 'refused'
        and accepted_at > $3
        and accepted_at <= $4
        and not exists (select 1 from expected_files as counted
                         where counted.partner_id = $1 and counted.name = $2 and counted.delivery_id = deliveries.id)
      order by accepted_at
      limit 1`,
    [partnerId, name, from, until, pattern.source],
  );
  return rows[0] ?? null;
}

/**
 * @param occurrence `without`: what it is when no file came. @returns whether it is new: several schedulers may see the
 * same occurrence, and one of them tells of it.
 */
export async function recordOccurrence(
  database: Queryable,
  occurrence: { partnerId: string; name: string; dueDay: string; dueAt: Date; without: "missing" | "dropped" },
  arrival: Arrival | null,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into expected_files (partner_id, name, due_day, due_at, state, delivery_id, arrived_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict do nothing`,
    [
      occurrence.partnerId,
      occurrence.name,
      occurrence.dueDay,
      occurrence.dueAt,
      arrival ? "arrived" : occurrence.without,
      arrival?.deliveryId ?? null,
      arrival?.acceptedAt ?? null,
    ],
  );
  return rowCount === 1;
}

/** Oldest first. @param partnerId null for all */
export async function listMissing(database: Queryable, partnerId: string | null): Promise<MissingFile[]> {
  const { rows } = await database.query<MissingFile>(
    `select partner_id as "partnerId", name, due_day as "dueDay", due_at as "dueAt"
       from expected_files
      where state = 'missing'
        and ($1::text is null or partner_id = $1)
      order by due_at, partner_id, name`,
    [partnerId],
  );
  return rows;
}

/** @returns whether this call closed it. */
export async function closeMissing(
  database: Queryable,
  missing: MissingFile,
  arrival: Arrival | null,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update expected_files
        set state = $4,
            delivery_id = $5,
            arrived_at = $6
      where partner_id = $1
        and name = $2
        and due_day = $3
        and state = 'missing'`,
    [
      missing.partnerId,
      missing.name,
      missing.dueDay,
      arrival ? "late" : "dropped",
      arrival?.deliveryId ?? null,
      arrival?.acceptedAt ?? null,
    ],
  );
  return rowCount === 1;
}
