/** Handing a complete file over: the point from which a client's success means that the bytes are safe. */
import { createHash, type Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../errors.ts";
import type { SessionContext } from "./context.ts";
import { setStage, syncFolder } from "./stages.ts";

/** A file that is complete, closed to every writer, fsynced with its folder, and under its final name. */
export type FinishedFile = {
  partnerId: string;
  /** Below inbox/, with `/` between folders. */
  name: string;
  /** Absolute, on disk. The inode is never written again, so it may be hard-linked. */
  path: string;
  sizeBytes: number;
  /** Of all its bytes. */
  sha256: Buffer;
  correlationId: string;
};

/**
 * Resolves when the file is durable: fsynced, recorded and queued. Rejects when nothing may be acknowledged; the client
 * then fails, and may deliver the same file again.
 */
export type Deliver = (file: FinishedFile) => Promise<void>;

export type Sealed = { sizeBytes: number; sha256: Buffer };

/**
 * Makes a file unchangeable and durable. The stage goes to disk together with the bytes, before anyone is told of the file:
 * after a crash at any later point, the same name uploaded again gets an inode of its own.
 * @param hash SHA-256 so far of all its bytes; null where that is not known, and the file is read again
 */
export async function sealFile(file: FileHandle, hash: Hash | null): Promise<Sealed> {
  await setStage(file, "sealed");
  await file.sync();
  const { size } = await file.stat();
  return { sizeBytes: size, sha256: hash?.digest() ?? (await digestFile(file, size)) };
}

/** Delivers a sealed file that stands under its final name. @throws Fault INTERNAL when delivery failed */
export async function deliverSealed(context: SessionContext, file: FileHandle, finished: FinishedFile): Promise<void> {
  await syncFolder(path.dirname(finished.path));
  try {
    await context.deliver(finished);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Fault("INTERNAL", `A file could not be accepted (${why}).`, { cause });
  }
  await setStage(file, "delivered");
  context.room.usage.delivered(finished.path, finished.sizeBytes);
  context.tally.filesDelivered += 1;
  const { name, sizeBytes, correlationId } = finished;
  context.audit("sftp.file-delivered", { file: name, sizeBytes, sha256: finished.sha256.toString("hex"), correlationId });
}

const readSizeBytes = 1024 * 1024;

/** SHA-256 of what is on disk, for files that did not come in one sequence: resumed, or written out of order. */
export async function digestFile(file: FileHandle, sizeBytes: number): Promise<Buffer> {
  const digest = createHash("sha256");
  const buffer = Buffer.allocUnsafe(readSizeBytes);
  for (let offset = 0; offset < sizeBytes; ) {
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    if (bytesRead === 0) throw new Fault("INTERNAL", "A landed file shrank while it was read.");
    digest.update(buffer.subarray(0, bytesRead));
    offset += bytesRead;
  }
  return digest.digest();
}
