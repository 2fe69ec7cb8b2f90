/**
 * Buffers lie outside V8's heap. By default V8 collects the whole heap whenever some 64 MiB of them came and went,
 * which for a file that streams through is dozens of times a gigabyte, whatever the heap holds. Counted into the limit
 * of the heap instead, they are collected when memory is really used. CPU of the SFTP door for 1 GiB, heap of 10 MB (a
 * larger one gains more): up 2.93 → 2.26 s, down 1.76 → 1.24 s; its peak of memory stays at 200 MiB.
 */
import v8 from "node:v8";

/**
 * To be called once, before the first stage opens. V8 reads this setting at each collection; a V8 without it says so
 * and goes on.
 */
export function countBuffersWithHeap(): void {
  v8.setFlagsFromString("--external-memory-accounted-in-global-limit");
}
