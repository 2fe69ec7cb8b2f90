/** Documents as they go over the wire to who takes them compressed, and lie in the database. */
import { promisify } from "node:util";
import { gzip, gzipSync, inflateRawSync } from "node:zlib";

const gzipInPool = promisify(gzip);

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
 * Every client unpacks gzip, and what is packed by each run of recognition is read only now and then.
 */
const level = 1;
/** RFC 1952, 2.3: a gzip member without a name begins with so many bytes, and ends with a checksum and its length. */
const headBytes = 10;
const tailBytes = 8;
const lengthBytes = 4;

/** Off the event loop. Null stays null. */
export async function pack(text: string): Promise<Buffer>;
export async function pack(text: string | null): Promise<Buffer | null>;
export async function pack(text: string | null): Promise<Buffer | null> {
  return text === null ? null : await gzipInPool(text, { level });
}

/**
 * The same in a thread, which has nothing else to do meanwhile. Lists of services fit into a small window, which takes a
 * quarter of the memory to set up: one of 12 kB costs 64 µs so, 95 with the usual window, and 154 beside the event loop.
 */
export function packHere(text: Buffer): Buffer {
  return gzipSync(text, text.length <= smallWindowBytes ? smallWindow : { level });
}

const smallWindow = { level, windowBits: 14, memLevel: 6 };
/** A window reaches back by its size less what is looked ahead (zlib's MIN_LOOKAHEAD). */
const smallWindowBytes = 2 ** smallWindow.windowBits - 262;

/**
 * Of what `pack` or `packHere` made: the length is known, so it takes one piece of memory. The checksum is not asked for: that took a
 * quarter of the time, and the database has its own. Where it is called, and not in the pool: of a first read of 300 kB
 * the event loop would have .52 ms instead of .63, and both processors .82 instead of .66; of one of 77 kB the loop .31
 * instead of .30, and both .44 instead of .32.
 */
export function unpack(packed: Buffer): Buffer {
  const length = packed.readUInt32LE(packed.length - lengthBytes);
  return inflateRawSync(packed.subarray(headBytes, -tailBytes), {
    chunkSize: Math.max(length + 1, 64),
    maxOutputLength: Math.max(length, 1),
  });
}
