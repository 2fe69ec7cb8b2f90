/** What the database knows of backups that were made of it: the table `backups`. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Queryable } from "../database/database.ts";

export async function recordStart(database: Queryable, startedAt: Date, location: string): Promise<string> {
  const id = randomUUID();
  await database.query("insert into backups (id, started_at, location) values ($1, $2, $3)", [id, startedAt, location]);
  return id;
}

export async function recordEnd(database: Queryable, id: string, finishedAt: Date, sizeBytes: number): Promise<void> {
  await database.query("update backups set finished_at = $2, size = $3 where id = $1", [id, finishedAt, sizeBytes]);
}

/** A restored database holds the row of the backup from which it came as it was while that was being made. */
export async function recordRestored(
  database: Queryable,
  backup: { location: string; startedAt: string; finishedAt: string; sizeBytes: number },
): Promise<void> {
  const { rowCount } = await database.query(
    "update backups set finished_at = $2, size = $3, location = $4 where started_at = $1",
    [backup.startedAt, backup.finishedAt, backup.sizeBytes, backup.location],
  );
  if (rowCount === 0) {
    await database.query(
      "insert into backups (id, started_at, finished_at, size, location) values ($1, $2, $3, $4, $5)",
      [randomUUID(), backup.startedAt, backup.finishedAt, backup.sizeBytes, backup.location],
    );
  }
}

/** @returns whether this database made that backup */
export async function recordVerified(database: Queryable, startedAt: string, at: Date): Promise<boolean> {
  const { rowCount } = await database.query(
    "update backups set verified_at = $2 where started_at = $1 and finished_at is not null",
    [startedAt, at],
  );
  return rowCount === 1;
}

/** Up to which moment the changes since a backup are kept. */
export async function recordKept(database: Queryable, location: string, at: Date): Promise<void> {
  await database.query("update backups set kept_until = $2 where location = $1 and finished_at is not null", [
    location,
    at,
  ]);
}

/** Rows of backups of a store that were broken off, or have gone since. @param kept locations */
export async function forgetOthers(
  database: Queryable,
  store: string,
  kept: readonly string[],
  running: string,
): Promise<void> {
  await database.query("delete from backups where id <> $3 and starts_with(location, $1) and location <> all($2)", [
    within(store),
    kept,
    running,
  ]);
}

/** sizeBytes and finishedAt null: it is being made, or was broken off. */
export type ListedBackup = {
  location: string;
  startedAt: Date;
  finishedAt: Date | null;
  sizeBytes: number | null;
  verifiedAt: Date | null;
  /** The latest moment to which it can be restored by the log; null: to its own end alone. */
  keptUntil: Date | null;
};

/** Newest first. */
export async function listBackups(database: Queryable, limit: number): Promise<ListedBackup[]> {
  const { rows } = await database.query<ListedBackup>(
    `select location, started_at as "startedAt", finished_at as "finishedAt", size as "sizeBytes",
            verified_at as "verifiedAt", kept_until as "keptUntil"
       from backups
      order by started_at desc
      limit $1`,
    [limit],
  );
  return rows;
}

/** When the newest one in a store began; null: there is none. */
export async function newestStart(database: Queryable, store: string): Promise<Date | null> {
  const { rows } = await database.query<{ startedAt: Date | null }>(
    `select max(started_at) as "startedAt" from backups where finished_at is not null and starts_with(location, $1)`,
    [within(store)],
  );
  return rows[0]?.startedAt ?? null;
}

function within(store: string): string {
  return `${path.resolve(store)}/`;
}
