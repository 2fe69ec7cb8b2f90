/** Files in the vault to which no delivery belongs: a crash came between keeping the bytes and recording them. */
import type { Stats } from "node:fs";
import { lstat, opendir, readdir, rmdir } from "node:fs/promises";
import path from "node:path";
import { addDays, isDay } from "../../time/calendar.ts";
import type { Queryable } from "../../database/database.ts";
import { originEnding } from "../origin.ts";
import { stageOf } from "../sftp/files/stages.ts";

export type Orphan = { reference: string; sizeBytes: number };

/** Names asked about in one query. */
const groupMax = 1000;

/**
 * Orphans that are older than a day: by the name of their folder, the day on which they were kept, since times of files
 * are the sender's to set. The client was never told that they were taken; what bears the mark that it was is the
 * database's to remember (forgotten/), and stays.
 */
export async function* findOrphans(database: Queryable, vaultDirectory: string, today: string): AsyncGenerator<Orphan> {
  const youngest = addDays(today, -2);
  for (const day of await readdir(vaultDirectory)) {
    if (!isDay(day) || day > youngest) continue;
    for await (const group of groupsOf(path.join(vaultDirectory, day))) {
      for (const { name, isRecorded } of await unneededAmong(database, group)) {
        const orphan = await orphanAt(vaultDirectory, path.join(day, name), isRecorded);
        if (orphan !== null) yield orphan;
      }
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

type Unneeded = { name: string; /** By a delivery that needs no bytes. */ isRecorded: boolean };

/** What lies beside a file goes with it, so that it is one only where the file itself is gone. */
async function unneededAmong(database: Queryable, names: readonly string[]): Promise<Unneeded[]> {
  const idOf = (name: string) => (name.endsWith(originEnding) ? name.slice(0, -originEnding.length) : name);
  const { rows } = await database.query<{ id: string; needed: boolean }>(
    "select id::text as id, vault_reference is not null as needed from deliveries where id::text = any($1)",
    [names.map(idOf)],
  );
  const known = new Map(rows.map(({ id, needed }) => [id, needed]));
  return names
    .filter((name) => known.get(idOf(name)) !== true)
    .map((name) => ({ name, isRecorded: known.has(idOf(name)) }));
}

async function orphanAt(vaultDirectory: string, reference: string, isRecorded: boolean): Promise<Orphan | null> {
  const file = path.join(vaultDirectory, reference);
  const stats = await lstat(file).catch(nullWhenGone);
  if (stats === null || (!isRecorded && stageOf(stats) === "delivered")) return null;
  if (
    reference.endsWith(originEnding) &&
    (await lstat(file.slice(0, -originEnding.length)).catch(nullWhenGone)) !== null
  )
    return null;
  return { reference, sizeBytes: stats.size };
}

function nullWhenGone(error: NodeJS.ErrnoException): Stats | null {
  if (error.code === "ENOENT") return null;
  throw error;
}
