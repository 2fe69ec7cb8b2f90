/**
 * The running SHA-256 of files that are not delivered yet, kept between the handle that wrote them and the rename that
 * delivers them, or the upload that resumes them: 40 GB need not be read again while a client waits for its answer.
 */
import type { BigIntStats } from "node:fs";
import type { Hash } from "node:crypto";

/**
 * A hash is some hundred bytes; a job that renames more files than this only after the last one was uploaded has them
 * read again.
 */
const rememberedMax = 20_000;

type Known = { hash: Hash; identity: string };

/**
 * A hash counts only for the very inode, size, and times of change that it was kept with: whatever else wrote to the
 * file, or put another in its place, makes it read again.
 */
export class KnownHashes {
  readonly #byPath = new Map<string, Known>();

  /** @param hash of all bytes that the file has by `stats`; it is not to be used any more */
  remember(diskPath: string, stats: BigIntStats, hash: Hash): void {
    this.#byPath.delete(diskPath);
    this.#byPath.set(diskPath, { hash, identity: identityOf(stats) });
    if (this.#byPath.size <= rememberedMax) return;
    const [oldest] = this.#byPath.keys();
    if (oldest !== undefined) this.#byPath.delete(oldest);
  }

  /** The hash of the file as it is by `stats`, to go on with; null when it is not known. It is forgotten either way. */
  take(diskPath: string, stats: BigIntStats): Hash | null {
    const known = this.#byPath.get(diskPath);
    this.#byPath.delete(diskPath);
    return known && known.identity === identityOf(stats) ? known.hash : null;
  }

  forget(diskPath: string): void {
    this.#byPath.delete(diskPath);
  }
}

function identityOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}
