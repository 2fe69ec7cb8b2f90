/**
 * Documents as they lie in the database: as gzip, which goes over the wire to who takes it so; the largest as zstd too,
 * which is unpacked for who takes none.
 */
import { promisify } from "node:util";
import { isMainThread } from "node:worker_threads";
import {
  constants,
  gzip,
  gzipSync,
  inflateRawSync,
  zstdCompress,
  zstdCompressSync,
  zstdDecompressSync,
  type ZstdOptions,
} from "node:zlib";

/** A document in one of the two forms. */
export type Packed = { readonly form: "gzip" | "zstd"; readonly bytes: Buffer };

const [gzipInPool, zstdInPool] = [promisify(gzip), promisify(zstdCompress)];

/**
 * Of a budget's details of 337 kB, milliseconds and bytes, machine of two cores:
 *
 * | | pack | unpack | bytes |
 * | --- | --- | --- | --- |
 * | gzip 1 | 1.1 | .24 | 47,000 |
 * | gzip 6 | 2.5 | .24 | 41,000 |
 * | brotli 4 | 1.8 | .43 | 37,000 |
 * | zstd 3 | .7 | .16 | 37,000 |
 *
 * Every client unpacks gzip, and what is packed by each run of recognition is read only now and then. Zstd 1 packs 302 kB
 * of details in .55 ms where 3 takes .71, to 36,000 bytes either way.
 */
const level = 1;
const zstdParams = { [constants.ZSTD_c_compressionLevel]: 1 };
/** RFC 1952, 2.3: a gzip member without a name begins with so many bytes, and ends with a checksum and its length. */
const headBytes = 10;
const tailBytes = 8;
const lengthBytes = 4;

/** Off the event loop of a process that answers callers; a thread does nothing else meanwhile. */
export async function pack(form: Packed["form"], text: Buffer): Promise<Buffer> {
  if (isMainThread) return form === "gzip" ? await gzipInPool(text, { level }) : await zstdInPool(text, ofSize(text));
  return form === "gzip" ? packHere(text) : zstdCompressSync(text, ofSize(text));
}

/**
 * As gzip, in a thread, which has nothing else to do meanwhile. Lists of services fit into a small window, which takes a
 * quarter of the memory to set up: one of 12 kB costs 64 µs so, 95 with the usual window, and 154 beside the event loop.
 */
export function packHere(text: Buffer): Buffer {
  return gzipSync(text, text.length <= smallWindowBytes ? smallWindow : { level });
}

const smallWindow = { level, windowBits: 14, memLevel: 6 };
/** A window reaches back by its size less what is looked ahead (zlib's MIN_LOOKAHEAD). */
const smallWindowBytes = 2 ** smallWindow.windowBits - 262;

/**
 * Of what was made above: the length is known, so it takes one piece of memory. Gzip's checksum is not asked for: that
 * took a quarter of the time, and the database has its own.
 */
export function unpack({ form, bytes }: Packed): Buffer {
  if (form === "zstd") return zstdDecompressSync(bytes, ofLength(zstdLength(bytes)));
  return inflateRawSync(
    bytes.subarray(headBytes, -tailBytes),
    ofLength(bytes.readUInt32LE(bytes.length - lengthBytes)),
  );
}

/** A frame tells its content's size where that is known beforehand. */
function ofSize({ length }: Buffer): ZstdOptions {
  return { params: zstdParams, pledgedSrcSize: length };
}

function ofLength(length: number): { chunkSize: number; maxOutputLength: number } {
  return { chunkSize: Math.max(length + 1, 64), maxOutputLength: Math.max(length, 1) };
}

/** RFC 8878, 3.1.1.1: where a frame without a dictionary tells its content's size. */
function zstdLength(frame: Buffer): number {
  const descriptor = frame.readUInt8(4);
  const isSingleSegment = (descriptor & 0x20) !== 0;
  const at = isSingleSegment ? 5 : 6;
  switch (descriptor >> 6) {
    case 0:
      if (!isSingleSegment) throw new Error("a zstd frame that does not tell its content's size");
      return frame.readUInt8(at);
    case 1:
      return frame.readUInt16LE(at) + 256;
    case 2:
      return frame.readUInt32LE(at);
    default:
      return Number(frame.readBigUInt64LE(at));
  }
}
