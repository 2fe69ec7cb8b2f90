/** Files in the vault to which no delivery belongs: a crash came between keeping the bytes and recording them. */
import { opendir, readdir, rmdir, stat } from "node:fs/promises";
import path from "node:path";
import { addDays, isDay } from "../../time/calendar.ts";
import type { Queryable } from "../../database/database.ts";

export type Orphan = { reference: string; sizeBytes: number };

/** Names asked about in one query. */
const groupMax = 1000;

/**
 * Orphans that are older than a day: by the name of their folder, the day on which they were kept, since times of files
 * are the sender's to set. The client was never told that they were taken.
 */
export async function* findOrphans(database: Queryable, vaultDirectory: string, today: string): AsyncGenerator<Orphan> {
  const youngest = addDays(today, -2);
  for (const day of await readdir(vaultDirectory)) {
    if (!isDay(day) || day > youngest) continue;
    for await (const group of groupsOf(path.join(vaultDirectory, day))) {
      for (const id of await unknownAmong(database, group)) yield await orphanAt(vaultDirectory, path.join(day, id));
    }
  }
}

/** Removes folders of past days that hold nothing any more. */
export async function removeEmptyDays(vaultDirectory: string, today: string): Promise<void> {
  for (const day of await readdir(vaultDirectory)) {
    if (!isDay(day) || day >= addDays(today, -1)) continue;
    await rmdir(path.join(vaultDirectory, day)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST" && error.code !== "ENOENT") throw error;
    });
  }
}

async function* groupsOf(folder: string): AsyncGenerator<string[]> {
  let group: string[] = [];
  for await (const entry of await opendir(folder)) {
    if (!entry.isFile()) continue;
    group.push(entry.name);
    if (group.length < groupMax) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

async function unknownAmong(database: Queryable, ids: readonly string[]): Promise<string[]> {
  const { rows } = await database.query<{ id: string }>(
    "select id::text as id from deliveries where id::text = any($1) and vault_reference is not null",
    [ids],
  );
  const known = new Set(rows.map((row) => row.id));
  return ids.filter((id) => !known.has(id));
}

async function orphanAt(vaultDirectory: string, reference: string): Promise<Orphan> {
  const { size } = await stat(path.join(vaultDirectory, reference));
  return { reference, sizeBytes: size };
}
