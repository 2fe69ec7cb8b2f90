/**
 * Memory that is given back when it is done with, instead of when the garbage collector comes by: V8 counts what buffers
 * hold beside its own heap and collects after every few MiB of it, whole, however little there is to find.
 */

/**
 * Small buffers lie in one that all share, and which cannot be freed. Its size is Buffer.poolSize and a few bytes for
 * alignment.
 */
const sharedBytes = Buffer.allocUnsafe(1).buffer.byteLength;

/** Below, freeing costs more than it spares. */
const worthBytes = 4096;

/**
 * Frees what lies under the bytes. Nobody may look at them again, nor at any other part of that memory: it reads as
 * empty.
 */
export function free(bytes: Buffer): void {
  if (mayBeFreed(bytes)) (bytes.buffer as ArrayBuffer).transfer(0);
}

/** Whether they do not lie in what all share: then all that lies under them is theirs. */
export function mayBeFreed({ buffer }: Buffer): boolean {
  return buffer.byteLength >= worthBytes && buffer.byteLength !== sharedBytes;
}
