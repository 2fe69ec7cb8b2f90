/**
 * Memory of what was received, given back when all that lay in it was used: a packet's plaintext holds pieces of several
 * requests. Left to the garbage collector, each packet got memory that no cache of the processor had.
 */
import { free } from "../../../machine/free.ts";

/** Of each packet's plaintext, the bytes that somebody may still look at. Of what is not in here nothing is freed. */
const unused = new WeakMap<ArrayBufferLike, number>();

/** Below, counting costs more than is gained. */
const worthBytes = 16 * 1024;

/** To be called with plaintext that shares its memory with nothing else. */
export function lendReceived(plaintext: Buffer): void {
  if (plaintext.length >= worthBytes) unused.set(plaintext.buffer, Infinity);
}

/** These are all the bytes of that plaintext at which anybody looks; each is to be used once. */
export function countReceived({ buffer, length }: Buffer): void {
  if (unused.has(buffer)) unused.set(buffer, length);
}

/** Nobody looks at these bytes again. */
export function useReceived(bytes: Buffer): void {
  const before = unused.get(bytes.buffer);
  if (before === undefined) return;
  const left = before - bytes.length;
  if (left > 0) return void unused.set(bytes.buffer, left);
  unused.delete(bytes.buffer);
  free(bytes);
}

/** Somebody goes on looking at these bytes for as long as it pleases: the garbage collector finds them. */
export function keepReceived(bytes: Buffer): void {
  unused.delete(bytes.buffer);
}
