/** Renaming and removing: free as long as a file is not delivered; a rename to a final name delivers. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, rename, unlink } from "node:fs/promises";
import path from "node:path";
import { syncFolder } from "../../../machine/sync-folder.ts";
import type { SessionContext } from "./context.ts";
import { deliverSealed, sealFile } from "./delivery.ts";
import { type AreaLocation, isTemporary, locateChangeable, locateNew, statPlain } from "./paths.ts";
import { stageOf } from "./stages.ts";
import { absent, denied, failed } from "../wire/status.ts";

/**
 * Renames a file. From a temporary to a final name, it is delivered; so is a complete file whose delivery failed
 * before. `replace` takes the place of whatever file is there (posix-rename@openssh.com); without it only of a
 * delivered one, whose bytes are safe: it cannot be removed by the partner, and would otherwise block its name for a
 * day's next file.
 */
export async function renameFile(context: SessionContext, from: string, to: string, replace: boolean): Promise<void> {
  const source = await locateChangeable(context.partnerFolder, from);
  const target = await locateNew(context.partnerFolder, to);
  if (source.diskPath === target.diskPath) throw failed("Both names are the same.");
  const release = context.claims.take(source.diskPath, target.diskPath);
  if (!release) throw failed("The file is open for writing.");
  try {
    const complete = await assertRenamable(source);
    await assertReplaceable(target, replace);
    const wasUnderWay = isTemporary(source.diskPath, context.temporaryNames) || complete;
    const delivers = wasUnderWay && !isTemporary(target.diskPath, context.temporaryNames);
    await (delivers ? renameAndDeliver(context, source, target) : move(context, source, target));
    context.events.emit("sftp.file-renamed", {
      sessionId: context.sessionId,
      partnerId: context.partnerId,
      delivered: delivers,
    });
    context.audit("sftp.file-renamed", {
      from: source.names.join("/"),
      to: target.names.join("/"),
      delivered: delivers,
    });
  } finally {
    release();
  }
}

/** Whether the file is complete, that is sealed. @throws Refusal when it may not be renamed */
async function assertRenamable(source: AreaLocation): Promise<boolean> {
  const stats = await statPlain(source.diskPath);
  if (!stats) throw absent();
  if (stats.isDirectory()) throw denied("Folders cannot be renamed.");
  const stage = stageOf(stats);
  if (stage === "delivered") throw denied("The file was delivered; it cannot be renamed.");
  return stage === "sealed";
}

async function assertReplaceable(target: AreaLocation, replace: boolean): Promise<void> {
  const stats = await statPlain(target.diskPath);
  if (!stats) return;
  if (stats.isDirectory()) throw failed("The new name is a folder.");
  if (!replace && stageOf(stats) !== "delivered") throw failed("The new name exists already.");
}

async function renameAndDeliver(context: SessionContext, source: AreaLocation, target: AreaLocation): Promise<void> {
  const file = await open(source.diskPath, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    const stats = await file.stat({ bigint: true });
    const hash = context.hashes.take(source.diskPath, stats);
    const name = target.names.join("/");
    const isKeptWithRow = context.isKeptWithRow({ name, sizeBytes: Number(stats.size) });
    const sealed = await sealFile(file, hash, isKeptWithRow);
    await move(context, source, target, !isKeptWithRow);
    const { partnerId } = context;
    const finished = {
      partnerId,
      name,
      path: target.diskPath,
      correlationId: randomUUID(),
      ...sealed,
    };
    await deliverSealed(context, file, finished).catch(async (error: unknown) => {
      // The client is told that the rename failed, so it must find the file where it was and be able to try again.
      await move(context, target, source);
      throw error;
    });
  } finally {
    await file.close();
  }
}

async function move(
  context: SessionContext,
  source: AreaLocation,
  target: AreaLocation,
  isDurable = true,
): Promise<void> {
  const hash = context.hashes.take(source.diskPath, await lstat(source.diskPath, { bigint: true }));
  await rename(source.diskPath, target.diskPath);
  // A rename is a change of the inode.
  if (hash) context.hashes.remember(target.diskPath, await lstat(target.diskPath, { bigint: true }), hash);
  context.room.usage.renamed(source.diskPath, target.diskPath);
  if (!isDurable) return;
  for (const folder of new Set([path.dirname(source.diskPath), path.dirname(target.diskPath)]))
    await syncFolder(folder);
}

/** @throws Refusal for folders, delivered files and files that are being written */
export async function removeFile(context: SessionContext, clientPath: string): Promise<void> {
  const location = await locateChangeable(context.partnerFolder, clientPath);
  const release = context.claims.take(location.diskPath);
  if (!release) throw failed("The file is open for writing.");
  try {
    const stats = await statPlain(location.diskPath);
    if (!stats) throw absent();
    if (stats.isDirectory()) throw failed("The name is a folder.");
    if (stageOf(stats) === "delivered") throw denied("The file was delivered; retention removes it.");
    await unlink(location.diskPath);
    await syncFolder(path.dirname(location.diskPath));
    context.room.usage.forget(location.diskPath);
    context.hashes.forget(location.diskPath);
    context.events.emit("sftp.file-removed", { sessionId: context.sessionId, partnerId: context.partnerId });
    context.audit("sftp.file-removed", { file: location.names.join("/"), sizeBytes: stats.size });
  } finally {
    release();
  }
}
