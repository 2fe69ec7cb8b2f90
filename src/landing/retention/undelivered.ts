/**
 * What a partner uploaded and never delivered: broken off, or left under a temporary name. No delivery tells of it, so
 * that without this it would lie there for good, hold its users' data past every erasure, and count to the partner's
 * quota.
 */
import type { Dirent } from "node:fs";
import { lstat, opendir, rm } from "node:fs/promises";
import path from "node:path";
import { stageOf } from "../sftp/files/stages.ts";

export type Undelivered = { path: string; /** Below inbox/. */ name: string; sizeBytes: number };

/**
 * Those that nobody has touched since. What is sealed is complete, and is the next start's or its client's to deliver.
 */
export async function* findUndelivered(
  landingDirectory: string,
  partnerId: string,
  before: Date,
): AsyncGenerator<Undelivered> {
  const inbox = path.join(landingDirectory, partnerId, "inbox");
  for await (const entry of await filesBelow(inbox)) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const stats = await lstat(file).catch(ignoreAbsence);
    // Times of modification are the sender's to set, those of change are not.
    if (stats && stageOf(stats) === "landing" && stats.ctime < before)
      yield { path: file, name: path.relative(inbox, file).split(path.sep).join("/"), sizeBytes: stats.size };
  }
}

export async function removeUndelivered({ path: file }: Undelivered): Promise<void> {
  await rm(file, { force: true });
}

async function filesBelow(folder: string): Promise<AsyncIterable<Dirent> | Iterable<Dirent>> {
  return (await opendir(folder, { recursive: true }).catch(ignoreAbsence)) ?? [];
}

function ignoreAbsence(error: NodeJS.ErrnoException): undefined {
  if (error.code === "ENOENT") return undefined;
  throw error;
}
