/**
 * Files that were complete and sealed when the service died, before their delivery was confirmed. Their client was told
 * nothing; whether it comes again is not known. They are delivered at the next start, so that nobody has to act. And
 * uploads that were closed before their end, once their time is over.
 */
import { randomUUID } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, open, opendir } from "node:fs/promises";
import path from "node:path";
import type { Claims } from "./claims.ts";
import { digestFile, syncSealed } from "./delivery.ts";
import type { Deliver, FindWhatIsMissing, FinishedFile, IsKeptWithRow } from "./finished-file.ts";
import { isTemporary, type TemporaryNames } from "./paths.ts";
import { isIncomplete, markIncomplete, setStage, stageOf } from "./stages.ts";

/** A file whose delivery was not confirmed. `release` gives its name free again. */
export type Unconfirmed = {
  readonly partnerId: string;
  readonly name: string;
  readonly diskPath: string;
  readonly release: () => void;
};

/**
 * Finds them and claims their names, before any client can. Sealed files under a temporary name wait for their client's
 * rename.
 */
export async function claimUnconfirmed(
  landingDirectory: string,
  temporaryNames: TemporaryNames,
  claims: Claims,
): Promise<Unconfirmed[]> {
  return await claimFiles(landingDirectory, temporaryNames, claims, (stats) => stageOf(stats) === "sealed");
}

/**
 * Finds uploads that were closed before their end and that nobody has gone on with since, claims and seals them: what is
 * wrong with them is told by the receipt of their delivery.
 */
export async function claimLapsed(
  landingDirectory: string,
  temporaryNames: TemporaryNames,
  claims: Claims,
  before: Date,
): Promise<Unconfirmed[]> {
  // Times of modification are the sender's to set, those of change are not.
  const isLapsed = (stats: Stats) => isIncomplete(stats) && stats.ctime < before;
  const found = await claimFiles(landingDirectory, temporaryNames, claims, isLapsed);
  const sealed: Unconfirmed[] = [];
  for (const one of found) {
    // Between the look and the claim a client may have gone on with it, or removed it.
    const stats = await lstat(one.diskPath).catch(nullWhenGone);
    if (stats === null || !isLapsed(stats)) one.release();
    else {
      const file = await open(one.diskPath, constants.O_RDONLY | constants.O_NOFOLLOW);
      await setStage(file, "sealed").finally(() => file.close());
      sealed.push(one);
    }
  }
  return sealed;
}

async function claimFiles(
  landingDirectory: string,
  temporaryNames: TemporaryNames,
  claims: Claims,
  isWanted: (stats: Stats) => boolean,
): Promise<Unconfirmed[]> {
  const found: Unconfirmed[] = [];
  for (const partnerId of await foldersOf(landingDirectory)) {
    const inbox = path.join(landingDirectory, partnerId, "inbox");
    for (const diskPath of await filesOf(inbox, temporaryNames, isWanted)) {
      const release = claims.take(diskPath);
      if (release)
        found.push({ partnerId, name: path.relative(inbox, diskPath).split(path.sep).join("/"), diskPath, release });
    }
  }
  return found;
}

/**
 * Whether a delivery of this file was recorded: the service died after that and before the file was marked. The same
 * bytes under the same name from an earlier day count too, and do no harm: they would be a duplicate.
 */
export type IsRecorded = (file: FinishedFile) => Promise<boolean>;

export type Recovering = {
  isRecorded: IsRecorded;
  /** Whether it is only a part of what was sent, and no delivery. */
  isPart(file: FinishedFile): Promise<boolean>;
  deliver: Deliver;
};

/**
 * Delivers one that was found, unless that had happened. It is no upload: nobody waits for it. @returns null when it
 * has gone meanwhile, or is only a part of what was sent
 */
export async function deliverUnconfirmed(
  unconfirmed: Unconfirmed,
  { isRecorded, isPart, deliver }: Recovering,
): Promise<FinishedFile | null> {
  const { partnerId, name, diskPath } = unconfirmed;
  const file = await open(diskPath, constants.O_RDONLY | constants.O_NOFOLLOW).catch(nullWhenGone);
  if (!file) return null;
  try {
    const { size } = await file.stat();
    const finished = {
      partnerId,
      name,
      path: diskPath,
      sizeBytes: size,
      sha256: await digestFile(file, size),
      correlationId: randomUUID(),
    };
    if (!(await isRecorded(finished))) {
      if (await isPart(finished)) return await leaveIncomplete(file);
      await deliver(finished, () => syncSealed(file, diskPath));
    }
    await setStage(file, "delivered");
    return finished;
  } finally {
    await file.close();
  }
}

/**
 * Whether a file is what a power cut left of a small one, whose bytes are durable only once it is recorded. An empty one
 * may have been any.
 */
export async function isLeftOver(
  file: FinishedFile,
  isKeptWithRow: IsKeptWithRow,
  findWhatIsMissing: FindWhatIsMissing,
): Promise<boolean> {
  if (file.sizeBytes === 0) return true;
  return isKeptWithRow(file) && (await findWhatIsMissing(file)) !== null;
}

/** Its client was told nothing, and sends it again or goes on with it; if it does not, the file's receipt will tell. */
async function leaveIncomplete(file: FileHandle): Promise<null> {
  await markIncomplete(file);
  return null;
}

async function foldersOf(folder: string): Promise<string[]> {
  const names: string[] = [];
  const entries = await opendir(folder).catch(nullWhenGone);
  for await (const entry of entries ?? []) if (entry.isDirectory()) names.push(entry.name);
  return names;
}

async function filesOf(
  inbox: string,
  temporaryNames: TemporaryNames,
  isWanted: (stats: Stats) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  const entries = await opendir(inbox, { recursive: true }).catch(nullWhenGone);
  for await (const entry of entries ?? []) {
    if (!entry.isFile() || isTemporary(entry.name, temporaryNames)) continue;
    const diskPath = path.join(entry.parentPath, entry.name);
    const stats = await lstat(diskPath).catch(nullWhenGone);
    if (stats !== null && isWanted(stats)) found.push(diskPath);
  }
  return found;
}

function nullWhenGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT") return null;
  throw error;
}
