/**
 * What a PostgreSQL server sends, on its way to who reads its messages: rows are taken out of it as bytes while somebody
 * takes them so. Source: PostgreSQL, "Frontend/Backend Protocol", message formats: each begins with a letter and a
 * length that counts itself; a DataRow goes on with the number of its fields and each with its length, -1 for null.
 */
import { free, mayBeFreed } from "../machine/free.ts";

/** By the statement's columns; null: SQL's. A large row's lie in memory of its own. */
export type RowFields = readonly (Buffer | null)[];

const dataRow = "D".charCodeAt(0);
const headBytes = 5;
const nothing = Buffer.alloc(0);

export class RowBytes {
  /** Who takes rows; null: they go where all else goes. It changes only between two statements. */
  take: ((fields: RowFields) => void) | null = null;
  readonly #pass: (bytes: Buffer) => void;
  /** The beginning of a message's head. */
  #head: Buffer = nothing;
  /** Of the message that is being passed on, what has not come yet. */
  #toPass = 0;
  /** Whether what is passed on of the present piece is copied, so that nobody has any of it when its memory is freed. */
  #isCopied = false;
  #row: { bytes: Buffer; filled: number } | null = null;

  /** @param pass takes everything but rows that are taken, cut anywhere */
  constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass;
  }

  /**
   * The piece is its own from now on: while rows are taken, they and all else are copied out of it, and its memory is
   * freed. Left to the garbage collector, pieces of documents had it come by more than twice as often, and reading one
   * cost this process a tenth more, by the median of pairs.
   */
  push(piece: Buffer): void {
    const bytes = this.#head.length === 0 ? piece : Buffer.concat([this.#head, piece]);
    this.#isCopied = this.take !== null && mayBeFreed(piece);
    let at = 0;
    while (at < bytes.length) {
      if (this.#row !== null) {
        at = this.#fill(this.#row, bytes, at);
        continue;
      }
      at = this.#passOn(bytes, at);
      if (bytes.length - at < headBytes) break;
      // What was passed on may have been the end of the statement whose rows were taken.
      if (this.#isTaken(bytes, at)) at = this.#begin(bytes, at);
    }
    // A copy: the piece may be long.
    this.#head = at < bytes.length ? Buffer.from(bytes.subarray(at)) : nothing;
    if (!this.#isCopied) return;
    free(piece);
    if (bytes !== piece) free(bytes);
  }

  #isTaken(bytes: Buffer, at: number): boolean {
    return this.take !== null && bytes[at] === dataRow;
  }

  /** Whatever comes before the next row that is taken. @returns where that begins, or what is no whole head */
  #passOn(bytes: Buffer, from: number): number {
    let at = from;
    for (;;) {
      const passed = Math.min(this.#toPass, bytes.length - at);
      this.#toPass -= passed;
      at += passed;
      if (bytes.length - at < headBytes || this.#isTaken(bytes, at)) break;
      this.#toPass = 1 + bytes.readUInt32BE(at + 1);
    }
    if (at > from) {
      const passed = from === 0 && at === bytes.length ? bytes : bytes.subarray(from, at);
      this.#pass(this.#isCopied ? Buffer.from(passed) : passed);
    }
    return at;
  }

  #begin(bytes: Buffer, at: number): number {
    const length = bytes.readUInt32BE(at + 1) - (headBytes - 1);
    this.#row = { bytes: Buffer.allocUnsafe(length), filled: 0 };
    return at + headBytes;
  }

  #fill(row: { bytes: Buffer; filled: number }, bytes: Buffer, at: number): number {
    const copied = bytes.copy(row.bytes, row.filled, at);
    row.filled += copied;
    if (row.filled === row.bytes.length) {
      this.#row = null;
      this.take?.(fieldsOf(row.bytes));
    }
    return at + copied;
  }
}

function fieldsOf(row: Buffer): RowFields {
  const fields: (Buffer | null)[] = [];
  let at = 2;
  for (let left = row.readUInt16BE(0); left > 0; left -= 1) {
    const length = row.readInt32BE(at);
    at += 4;
    fields.push(length < 0 ? null : row.subarray(at, at + length));
    at += Math.max(length, 0);
  }
  return fields;
}
