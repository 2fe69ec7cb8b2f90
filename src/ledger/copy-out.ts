/**
 * Reading many rows by COPY in its binary format: neither side makes texts of numbers and days, and nothing is parsed
 * twice.
 */
import pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import type { Database, Transaction } from "../database/database.ts";

/**
 * What a COPY sends, whole: a head, rows, and −1 in the place of a row's number of columns (PostgreSQL documentation,
 * COPY, "Binary Format"). @param select a query without parameters, which COPY knows none of
 */
export async function copyOut(database: Database | Transaction, select: string): Promise<Buffer> {
  if (!(database instanceof pg.Pool)) return await received(database, select);
  const client = await database.connect();
  let failure: Error | undefined;
  try {
    return await received(client, select);
  } catch (error) {
    failure = error as Error;
    throw error;
  } finally {
    // As a pool's own query does: a connection on which something failed is not used again.
    client.release(failure);
  }
}

async function received(client: Transaction, select: string): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of client.query(copyTo(`copy (${select}) to stdout with (format binary)`)))
    pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

/**
 * The pieces that a COPY sends, as they come and no faster than they are taken; `rowCount` is there when they have ended.
 * @param select a query without parameters, which COPY knows none of. The caller owns the connection
 */
export function copyOutPieces(
  connection: Transaction,
  select: string,
  format: "csv" | "text",
): AsyncIterable<Buffer> & { readonly rowCount: number } {
  return connection.query(copyTo(`copy (${select}) to stdout with (format ${format})`));
}

/** Signature, flags, and the length of an extension that there is none of. */
const headBytes = 19;
const countBytes = 2;

/** Reads the columns of rows one after the other, each once, in the order of the query. */
export class CopiedRows {
  readonly #copied: Buffer;
  readonly #view: DataView;
  #at = headBytes;

  constructor(bytes: Buffer) {
    this.#copied = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Steps into the next row; false behind the last one. */
  next(): boolean {
    const columns = this.#view.getInt16(this.#at);
    this.#at += countBytes;
    return columns >= 0;
  }

  /** bigint, a safe one */
  bigint(): number {
    const at = this.#at + 4;
    this.#at = at + 8;
    const value = this.#view.getInt32(at) * 0x1_0000_0000 + this.#view.getUint32(at + 4);
    if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${this.#view.getBigInt64(at)} is beyond 2^53`);
    return value;
  }

  /** integer, or date in days since 2000-01-01 */
  integer(): number | null {
    const length = this.#length();
    if (length < 0) return null;
    this.#at += length;
    return this.#view.getInt32(this.#at - length);
  }

  /** A text by where its bytes lie. @param read is not called for null */
  text(read: (bytes: Buffer, from: number, to: number) => string): string | null {
    const length = this.#length();
    if (length < 0) return null;
    const from = this.#at;
    this.#at = from + length;
    return read(this.#copied, from, this.#at);
  }

  /** Bytes that are there, by where they lie. */
  bytes<Made>(read: (bytes: Buffer, from: number, to: number) => Made): Made {
    const length = this.#length();
    if (length < 0) throw new TypeError("bytes that must be there are not");
    const from = this.#at;
    this.#at = from + length;
    return read(this.#copied, from, this.#at);
  }

  /** Where a numeric's parts begin; null: none is there. */
  numericAt(): number | null {
    const length = this.#length();
    if (length < 0) return null;
    this.#at += length;
    return this.#at - length;
  }

  /** Two bytes of a numeric. */
  short(at: number): number {
    return this.#view.getUint16(at);
  }

  #length(): number {
    const length = this.#view.getInt32(this.#at);
    this.#at += 4;
    return length;
  }
}
