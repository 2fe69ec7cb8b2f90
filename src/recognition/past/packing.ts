/**
 * Columns of numbers and lists of texts in few bytes, and fast out of them again: what a user's packed past is made of.
 * Bytes are little-endian.
 */

/** Of a column: its least value, how many bytes each value takes less that one, and how many values there are. */
const headBytes = 8 + 1 + 4;
const widths = [0, 1, 2, 4, 8] as const;
const wide = 8;

export class Packer {
  readonly #pieces: Buffer[] = [];

  /** Safe integers. A column of one value takes no more than its head. */
  column(values: readonly number[]): void {
    let [least, most] = [Infinity, -Infinity];
    for (const value of values) {
      if (!Number.isSafeInteger(value)) throw new RangeError(`${value} cannot be packed`);
      if (value < least) least = value;
      if (value > most) most = value;
    }
    if (values.length === 0) [least, most] = [0, 0];
    const width = widths.find((bytes) => most - least < 256 ** bytes) ?? wide;
    const bytes = Buffer.alloc(headBytes + values.length * width);
    // What differs by more than a safe integer has no common measure.
    const base = width === wide ? 0 : least;
    bytes.writeDoubleLE(base);
    bytes[8] = width;
    bytes.writeUInt32LE(values.length, 9);
    let at = headBytes;
    for (const value of values) {
      if (width === 1) bytes[at] = value - base;
      else if (width === 2) bytes.writeUInt16LE(value - base, at);
      else if (width === 4) bytes.writeUInt32LE(value - base, at);
      else if (width === wide) bytes.writeDoubleLE(value, at);
      at += width;
    }
    this.#pieces.push(bytes);
  }

  texts(texts: readonly string[]): void {
    const bytes = texts.map((text) => Buffer.from(text, "utf8"));
    this.column(bytes.map(({ length }) => length));
    this.bytes(Buffer.concat(bytes));
  }

  bytes(bytes: Buffer): void {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    this.#pieces.push(length, bytes);
  }

  packed(): Buffer {
    return Buffer.concat(this.#pieces);
  }
}

export type Column = Int32Array | Float64Array;

/** What is made of each value: Array.from makes an object for each of them on the way. */
export function eachOf<Made>(column: Column, make: (value: number, at: number) => Made): Made[] {
  const made: Made[] = [];
  for (let at = 0; at < column.length; at++) made.push(make(column[at] as number, at));
  return made;
}

/** Reads in the order of packing. @throws RangeError where there is less than was packed */
export class Unpacker {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  column(): Column {
    const head = this.#take(headBytes);
    const least = this.#bytes.readDoubleLE(head);
    const width = this.#bytes[head + 8] as number;
    const count = this.#bytes.readUInt32LE(head + 9);
    const from = this.#take(count * width);
    const isSmall = width < 4 && Number.isInteger(least) && Math.abs(least) < 2 ** 30;
    const values = isSmall ? new Int32Array(count) : new Float64Array(count);
    const bytes = this.#bytes;
    if (width === 0) values.fill(least);
    else if (width === 1) for (let n = 0; n < count; n++) values[n] = least + (bytes[from + n] as number);
    else if (width === 2)
      for (let n = 0, at = from; n < count; n++, at += 2)
        values[n] = least + (bytes[at] as number) + 256 * (bytes[at + 1] as number);
    else if (width === 4) for (let n = 0; n < count; n++) values[n] = least + bytes.readUInt32LE(from + 4 * n);
    else if (width === wide) for (let n = 0; n < count; n++) values[n] = bytes.readDoubleLE(from + wide * n);
    else throw new RangeError("this is no packed column");
    return values;
  }

  /** @param read is given where a text's bytes lie */
  texts(read: (bytes: Buffer, from: number, to: number) => string): string[] {
    const lengths = this.column();
    const { from, to } = this.bytes();
    const texts: string[] = [];
    let at = from;
    for (let n = 0; n < lengths.length; n++) texts.push(read(this.#bytes, at, (at += lengths[n] as number)));
    if (at !== to) throw new RangeError("texts and their lengths do not agree");
    return texts;
  }

  /** Where bytes lie in `source`. */
  bytes(): { from: number; to: number } {
    const length = this.#bytes.readUInt32LE(this.#take(4));
    const from = this.#take(length);
    return { from, to: from + length };
  }

  get source(): Buffer {
    return this.#bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  #take(bytes: number): number {
    const from = this.#at;
    this.#at += bytes;
    if (!(this.#at <= this.#bytes.length)) throw new RangeError("what was packed is cut off");
    return from;
  }
}
