/** Handing a complete file over: sealed, made durable, delivered. */
import { createHash, type Hash } from "node:crypto";
import path from "node:path";
import { Fault } from "../../../errors.ts";
import type { DiskFile } from "../../../machine/opened-file.ts";
import { syncFolder } from "../../../machine/sync-folder.ts";
import type { SessionContext } from "./context.ts";
import type { FinishedFile } from "./finished-file.ts";
import { setStage } from "./stages.ts";

export type Sealed = { sizeBytes: number; sha256: Buffer };

/**
 * Makes a file unchangeable. Its bytes go to disk before its stage: what is found sealed after a crash is whole, unless
 * it is one of those whose bytes are recorded with it, of which a power cut may have left a part.
 * @param hash SHA-256 so far of all its bytes; null where that is not known, and the file is read again
 * @param isKeptWithRow its bytes are made durable by whoever records it
 */
export async function sealFile(file: DiskFile, hash: Hash | null, isKeptWithRow = false): Promise<Sealed> {
  if (!isKeptWithRow) await file.datasync();
  await setStage(file, "sealed");
  const { size } = await file.stat();
  return { sizeBytes: size, sha256: hash?.digest() ?? (await digestFile(file, size)) };
}

/**
 * Makes a sealed file's stage and its name durable. Both must be before anyone is told of the file: after a crash at
 * any later point, the same name uploaded again gets an inode of its own.
 */
export async function syncSealed(file: DiskFile, diskPath: string): Promise<void> {
  await Promise.all([file.sync(), syncFolder(path.dirname(diskPath))]);
}

/** Delivers a sealed file that stands under its final name. @throws Fault INTERNAL when delivery failed */
export async function deliverSealed(context: SessionContext, file: DiskFile, finished: FinishedFile): Promise<void> {
  try {
    await context.deliver(finished, () => syncSealed(file, finished.path));
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Fault("INTERNAL", `A file could not be accepted (${why}).`, { cause });
  }
  await setStage(file, "delivered");
  context.room.usage.delivered(finished.path, finished.sizeBytes);
  context.tally.filesDelivered += 1;
  const { name, sizeBytes, correlationId } = finished;
  context.audit("sftp.file-delivered", {
    file: name,
    sizeBytes,
    sha256: finished.sha256.toString("hex"),
    correlationId,
  });
}

/** All of a small file that is closed to every writer. */
export async function readWhole(file: DiskFile, sizeBytes: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(sizeBytes);
  const { bytesRead } = await file.read(buffer, 0, sizeBytes, 0);
  if (bytesRead !== sizeBytes) throw new Fault("INTERNAL", "A landed file shrank while it was read.");
  return buffer;
}

const readSizeBytes = 1024 * 1024;

/** SHA-256 of what is on disk, for files that did not come in one sequence: resumed, or written out of order. */
export async function digestFile(file: DiskFile, sizeBytes: number): Promise<Buffer> {
  const digest = createHash("sha256");
  const buffer = Buffer.allocUnsafe(readSizeBytes);
  for (let offset = 0; offset < sizeBytes;) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    if (bytesRead === 0) throw new Fault("INTERNAL", "A landed file shrank while it was read.");
    digest.update(buffer.subarray(0, bytesRead));
    offset += bytesRead;
  }
  return digest.digest();
}
