/** The rows of requests and small files that are loaded together: as progress.ts for one, a statement for all. */
import { thisThread } from "./progress.ts";
import { commitsQuickly, type Queryable, type Transaction } from "../database/database.ts";
import { findLoadableOf, type LoadableDelivery } from "./progress.ts";

/** Those among them of which nothing was begun, in the order of acceptance. */
export async function findLoadables(database: Queryable, ids: readonly string[]): Promise<LoadableDelivery[]> {
  const found = await findLoadableOf(database, ids);
  return found.filter(({ state, batches, records }) => state === "accepted" && batches + records === 0);
}

/** Bodies of pushed requests, by delivery. */
export async function findBodies(database: Queryable, ids: readonly string[]): Promise<Map<string, Buffer>> {
  const { rows } = await database.query<{ id: string; body: Buffer }>(
    "select delivery_id as id, body from delivery_bodies where delivery_id = any($1::uuid[])",
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.body]));
}

/** Notes that a run begins, as startLoad; in a transaction of its own. */
export async function startGroup(database: Queryable, ids: readonly string[]): Promise<void> {
  await database.query(
    `update deliveries
        set state = 'loading',
            breakdowns = breakdowns + 1,
            retry_at = null,
            started_at = coalesce(started_at, now()),
            run_started_at = now(),
            run_started_records = records,
            loaded_by = $2
      where id in (select id from deliveries where id = any($1::uuid[]) and state = 'accepted' order by id for no key update)
        and ${commitsQuickly}`,
    [ids, thisThread],
  );
}

/** Locks them for the group's transaction, in one order. @returns how many still are where the group found them. */
export async function lockGroup(transaction: Transaction, ids: readonly string[]): Promise<number> {
  const { rowCount } = await transaction.query(
    "select 1 from deliveries where id = any($1::uuid[]) and state = 'loading' and batches = 0 and records = 0 order by id for no key update",
    [ids],
  );
  return rowCount ?? 0;
}

export type GroupedCounts = { id: string; batches: number; records: number; recordsNew: number; markers: number };

/** Ends the loads of deliveries of which every record was new or a marker. The caller holds them. */
export async function finishGroup(transaction: Transaction, counts: readonly GroupedCounts[]): Promise<void> {
  await transaction.query(
    `update deliveries
        set state = 'loaded',
            finished_at = now(),
            batches = counted.batches,
            records = counted.records,
            records_new = counted.records_new,
            markers = counted.markers,
            bytes_loaded = size_bytes,
            attempts = 0,
            breakdowns = 0
       from unnest($1::uuid[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[]) as counted (id, batches, records, records_new, markers)
      where deliveries.id = counted.id`,
    [
      counts.map((one) => one.id),
      counts.map((one) => one.batches),
      counts.map((one) => one.records),
      counts.map((one) => one.recordsNew),
      counts.map((one) => one.markers),
    ],
  );
}
