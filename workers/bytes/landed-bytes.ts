/** Landed bytes that are only looked into: in a file, or all of them in memory where they are few. */
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { Readable } from "node:stream";

/** A file's absolute path, or all that is in it. */
export type LandedBytes = string | Buffer;

/** Parts of it, each from a place on and no longer than that; a negative place counts from the end. */
export async function readParts(
  landed: LandedBytes,
  parts: readonly { at: number; bytes: number }[],
): Promise<{ parts: Buffer[]; sizeBytes: number }> {
  if (typeof landed !== "string") {
    const part = ({ at, bytes }: { at: number; bytes: number }) => {
      const from = startOf(at, landed.length);
      return landed.subarray(from, from + bytes);
    };
    return { parts: parts.map(part), sizeBytes: landed.length };
  }
  const file = await open(landed);
  try {
    const { size } = await file.stat();
    const read: Buffer[] = [];
    for (const { at, bytes } of parts) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(bytes), 0, bytes, startOf(at, size));
      read.push(buffer.subarray(0, bytesRead));
    }
    return { parts: read, sizeBytes: size };
  } finally {
    await file.close();
  }
}

export function streamOf(landed: LandedBytes, highWaterMark: number): Readable {
  return typeof landed === "string"
    ? createReadStream(landed, { highWaterMark })
    : Readable.from([landed], { objectMode: false });
}

function startOf(at: number, sizeBytes: number): number {
  return at < 0 ? Math.max(0, sizeBytes + at) : at;
}
