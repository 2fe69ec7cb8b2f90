/** Writing and reading files together with their checksum; what is written is durable when its writer resolves. */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { PassThrough, type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { Fault } from "../errors.ts";
import type { StoredFile } from "./store.ts";

/** Level 1: at a disk's pace on one core, and to a third of its size (a database with a ledger of card purchases). */
const compression = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** Counts bytes and digests them on their way. */
function measure(): { through: Transform; sha256(): string; sizeBytes(): number } {
  const digest = createHash("sha256");
  let size = 0;
  const through = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      digest.update(chunk);
      size += chunk.length;
      done(null, chunk);
    },
  });
  let hex: string | undefined;
  return { through, sha256: () => (hex ??= digest.digest("hex")), sizeBytes: () => size };
}

/** Compresses a stream into a new file of a backup. @param onProgress bytes that came, before they are compressed */
export async function writeCompressed(
  folder: string,
  name: string,
  content: Readable,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<StoredFile> {
  const measured = measure();
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      try {
        onProgress(chunk.length);
        done(null, chunk);
      } catch (error) {
        done(error as Error);
      }
    },
  });
  const file = path.join(folder, name);
  const target = createWriteStream(file, { flags: "wx", mode: 0o600 });
  await pipeline(content, counted, createZstdCompress(compression), measured.through, target);
  await syncFile(file);
  return { name, sizeBytes: measured.sizeBytes(), sha256: measured.sha256() };
}

/** Copies a stream into a new file. */
export async function writeChecked(content: Readable, file: string, name: string): Promise<StoredFile> {
  const measured = measure();
  await pipeline(content, measured.through, createWriteStream(file, { flags: "w", mode: 0o600 }));
  await syncFile(file);
  return { name, sizeBytes: measured.sizeBytes(), sha256: measured.sha256() };
}

/**
 * Reads a compressed file of a backup, hands its content on and holds it against its checksum.
 * @throws Fault BACKUP_DAMAGED when it is not what was written, whatever its reader said before of it
 */
export async function readCompressed(
  folder: string,
  stored: StoredFile,
  read: (content: Readable) => Promise<void>,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<void> {
  const measured = measure();
  const content = new PassThrough();
  measured.through.on("data", (chunk: Buffer) => onProgress(chunk.length));
  const file = path.join(folder, stored.name);
  const reading = read(content).catch((error: unknown) => {
    content.destroy();
    throw error;
  });
  const results = await Promise.allSettled([
    pipeline(createReadStream(file), measured.through, createZstdDecompress(), content),
    reading,
  ]);
  const failure = results.find((one) => one.status === "rejected");
  if (failure !== undefined) {
    // The disk being full is the reader's failure, bytes that cannot be unpacked are the file's.
    if ((await digestOf(file)) !== stored.sha256) throw damaged(file);
    throw failure.reason;
  }
  if (measured.sha256() !== stored.sha256) throw damaged(file);
}

export function damaged(file: string): Fault {
  return new Fault("BACKUP_DAMAGED", `${file} is not what was written: its checksum differs.`);
}

/** SHA-256 of a file's content, in hexadecimal. */
export async function digestOf(file: string, onProgress: (bytes: number) => void = () => undefined): Promise<string> {
  const digest = createHash("sha256");
  for await (const chunk of createReadStream(file, { highWaterMark: 1 << 20 })) {
    digest.update(chunk as Buffer);
    onProgress((chunk as Buffer).length);
  }
  return digest.digest("hex");
}

export async function syncFile(file: string): Promise<void> {
  const handle = await open(file, "r");
  await handle.sync().finally(() => handle.close());
}
