/**
 * Rows as COPY tells them in its text format, read byte by byte into values by column. Most columns say the same again and
 * again: what some bytes stand for is remembered, and found again without making a text of them.
 */
import { backslash, WholeRows, isNothingAt, lineEnd, tab, unescaped } from "./copied-rows.ts";

export type Value = string | number | bigint | boolean | Uint8Array | null;

/** What a column's bytes stand for. bytes: as they are, without escapes. */
export type ReadBytes = (bytes: Buffer) => Value;

/** FNV-1a (RFC 9923, section 6.1), of 32 bits. */
const hashBasis = 0x811c9dc5;
const hashPrime = 0x01000193;

/** Reads whole rows out of the pieces in which a COPY comes, which end anywhere. */
export class ColumnTable {
  readonly columns: readonly ColumnValues[];
  readonly #rows = new WholeRows();
  #at = 0;

  constructor(columns: readonly ColumnValues[]) {
    this.columns = columns;
  }

  /** Once every row of the piece before was read. */
  take(piece: Buffer): void {
    this.#rows.take(piece);
    this.#at = 0;
  }

  /** Adds the next row to the columns. @returns false when none is whole */
  next(): boolean {
    const { bytes } = this.#rows;
    if (this.#at >= this.#rows.end) return false;
    let at = this.#at;
    for (const column of this.columns) {
      const start = at;
      let hash = hashBasis;
      let isEscaped = false;
      for (;;) {
        const byte = bytes[at] as number;
        if (byte === tab || byte === lineEnd) break;
        if (byte === backslash) isEscaped = true;
        hash = Math.imul(hash ^ byte, hashPrime);
        at += 1;
      }
      column.add(bytes, start, at, hash, isEscaped);
      at += 1;
    }
    this.#at = at;
    return true;
  }

  /** @throws when a COPY ended within a row */
  end(): void {
    this.#rows.assertWhole();
  }
}

/** Values of a column that are remembered, and places to look for them: a power of two, and never half full. */
const knownMax = 16_000;
const places = 65_536;
/** Of fewer rows it is not said that nothing comes twice. */
const judgedRows = 1_000;

export class ColumnValues {
  values: Value[] = [];
  readonly #read: ReadBytes;
  /** By hash, the number of what is known, from 1; made when something is to be remembered. */
  #places: Int32Array | null = null;
  #known: { bytes: Buffer; value: Value }[] = [];
  #last = -1;
  #repeats = true;

  constructor(read: ReadBytes) {
    this.#read = read;
  }

  /** Whether it pays to look for what came before. */
  get repeats(): boolean {
    return this.#repeats;
  }

  add(bytes: Buffer, start: number, end: number, hash: number, isEscaped: boolean): void {
    if (isEscaped) this.values.push(this.#readEscaped(bytes, start, end));
    else if (this.#repeats) this.values.push(this.#knownOf(bytes, start, end, hash));
    else this.values.push(this.#read(bytes.subarray(start, end)));
  }

  /** Begins the next group of rows. A column in which hardly anything comes twice is not asked again. */
  endGroup(): void {
    if (this.values.length >= judgedRows && this.#known.length > this.values.length / 4) this.#repeats = false;
    if (!this.#repeats || this.#known.length > knownMax / 2) {
      this.#known = [];
      this.#places = null;
      this.#last = -1;
    }
    this.values = [];
  }

  #knownOf(bytes: Buffer, start: number, end: number, hash: number): Value {
    // Of a user's rows many columns are the same from one to the next.
    const last = this.#last < 0 ? undefined : this.#known[this.#last];
    if (last !== undefined && isSame(last.bytes, bytes, start, end)) return last.value;
    this.#places ??= new Int32Array(places);
    let place = hash & (places - 1);
    for (;;) {
      const number = this.#places[place] as number;
      if (number === 0) break;
      const known = this.#known[number - 1];
      if (known !== undefined && isSame(known.bytes, bytes, start, end)) {
        this.#last = number - 1;
        return known.value;
      }
      place = (place + 1) & (places - 1);
    }
    // Its own bytes: a slice keeps all that came with it.
    const own = Buffer.from(bytes.subarray(start, end));
    const value = this.#read(own);
    if (this.#known.length < knownMax) {
      this.#last = this.#known.push({ bytes: own, value }) - 1;
      this.#places[place] = this.#known.length;
    }
    return value;
  }

  #readEscaped(bytes: Buffer, start: number, end: number): Value {
    if (isNothingAt(bytes, start)) return null;
    return this.#read(Buffer.from(unescaped(bytes.toString("utf8", start, end))));
  }
}

function isSame(known: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (known.length !== end - start) return false;
  for (let at = 0; at < known.length; at += 1) if (known[at] !== bytes[start + at]) return false;
  return true;
}
