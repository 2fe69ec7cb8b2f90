/**
 * The optional last line of a .jsonl file, {"manifest":{"batches":N,"sha256":"…"}}, which proves that the file is
 * whole: N lines before it that are not blank, and the SHA-256 of all bytes before it, uncompressed.
 */
import { createHash, type Hash } from "node:crypto";
import { manifestBytesMax } from "../../config/limits.ts";
import { lend } from "../bytes/lend.ts";
import { isBlank } from "./lines.ts";

export type Manifest = { batches: number; sha256: string };

/** The last line that is not blank, and what came before it. */
export type LastLine = { number: number; text: string; batchesBefore: number; sha256Before: string };

/** Reads the whole file once in constant memory. Null: it has no line that is not blank. */
export async function findLastLine(pieces: AsyncIterable<Buffer>): Promise<LastLine | null> {
  const scan = new LineScan();
  for await (const piece of lend(pieces)) scan.push(piece);
  return scan.last();
}

/** Null: the line is no manifest. */
export function parseManifest(text: string): Manifest | null {
  try {
    const value = (JSON.parse(text) as { manifest?: Partial<Manifest> } | null)?.manifest;
    return typeof value?.batches === "number" && typeof value.sha256 === "string"
      ? { batches: value.batches, sha256: value.sha256 }
      : null;
  } catch {
    return null;
  }
}

const lineFeed = 0x0a;
/** Stands for a line that is too long to be one. */
const noManifest = Buffer.alloc(0);

/**
 * Hashes everything, and keeps the hash's state from before the present line: if that is the last one, it is the
 * answer.
 */
class LineScan {
  readonly #hash: Hash = createHash("sha256");
  #number = 1;
  #nonBlank = 0;
  #line: { before: Hash; head: Buffer[]; headBytes: number; isBlank: boolean } | null = null;
  #last: { number: number; head: Buffer; batchesBefore: number; before: Hash } | null = null;

  push(piece: Buffer): void {
    let from = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
      this.#take(piece.subarray(from, end + 1));
      this.#finish();
      from = end + 1;
    }
    if (from < piece.length) this.#take(piece.subarray(from));
  }

  last(): LastLine | null {
    this.#finish();
    if (this.#last === null) return null;
    const { number, head, batchesBefore, before } = this.#last;
    return { number, text: head.toString(), batchesBefore, sha256Before: before.digest("hex") };
  }

  #take(part: Buffer): void {
    this.#line ??= { before: this.#hash.copy(), head: [], headBytes: 0, isBlank: true };
    if (this.#line.headBytes <= manifestBytesMax)
      this.#line.head.push(Buffer.from(part.subarray(0, manifestBytesMax + 1)));
    this.#line.headBytes += part.length;
    this.#line.isBlank &&= isBlank(part.at(-1) === lineFeed ? part.subarray(0, -1) : part);
    this.#hash.update(part);
  }

  #finish(): void {
    if (this.#line === null) return;
    if (!this.#line.isBlank) {
      this.#last = {
        number: this.#number,
        head: this.#line.headBytes > manifestBytesMax ? noManifest : Buffer.concat(this.#line.head),
        batchesBefore: this.#nonBlank,
        before: this.#line.before,
      };
      this.#nonBlank += 1;
    }
    this.#line = null;
    this.#number += 1;
  }
}
