/**
 * JSON Lines: an object a row, every column in it, null where there is nothing. Amounts are exact decimal numbers. Rows are
 * read and written as bytes, as COPY's text format and JSON (RFC 8259, section 7) escape nearly alike: a text for each
 * field was more than half of all that an export cost here.
 */
import { backslash, isNothingAt, lineEnd, tab, WholeRows } from "./copied-rows.ts";
import type { Column, ColumnKind } from "./datasets.ts";
import type { Encoder, Write } from "./encoder.ts";

/** What is handed on at once. */
const blockBytes = 2 ** 19;
/** A control character is told in six bytes. */
const growthMax = 6;

export class JsonLinesEncoder implements Encoder {
  readonly source = "text";
  readonly #rows = new WholeRows();
  readonly #fields: readonly Field[];
  /** What a row takes beside its fields' bytes, at most. */
  readonly #frameBytes: number;
  #block: Buffer = Buffer.allocUnsafeSlow(blockBytes);
  #written = 0;

  constructor(columns: readonly Column[]) {
    this.#fields = columns.map(({ name, kind }, at) => ({
      key: Buffer.from(`${at === 0 ? "{" : ","}${JSON.stringify(name)}:`),
      shape: shapes[kind],
    }));
    this.#frameBytes = this.#fields.reduce((sum, { key }) => sum + key.length + fieldBytes, "}\n".length);
  }

  async begin(): Promise<void> {
    // A file has no beginning but its first row.
  }

  async add(piece: Buffer, write: Write): Promise<void> {
    this.#rows.take(piece);
    const { bytes, end } = this.#rows;
    for (let from = 0; from < end;) {
      const to = bytes.indexOf(lineEnd, from) + 1;
      const most = this.#frameBytes + (to - from) * growthMax;
      if (this.#written + most > this.#block.length) await this.#handOn(write, Math.max(blockBytes, most));
      this.#written = writeRow(this.#block, this.#written, this.#fields, bytes, from);
      from = to;
    }
  }

  async settle(write: Write): Promise<null> {
    this.#rows.assertWhole();
    await this.#handOn(write, blockBytes);
    return null;
  }

  resume(): void {
    // Each line stands for itself.
  }

  async finish(): Promise<void> {
    // There is no end but that of the last row.
  }

  async #handOn(write: Write, bytesNext: number): Promise<void> {
    if (this.#written > 0) await write(this.#block.subarray(0, this.#written));
    this.#block = Buffer.allocUnsafeSlow(bytesNext);
    this.#written = 0;
  }
}

/** bare: digits, as they are; truth: t or f. */
type Shape = "bare" | "truth" | "text";
type Field = { key: Buffer; shape: Shape };

const shapes: Readonly<Record<ColumnKind, Shape>> = {
  text: "text",
  integer: "bare",
  decimal: "bare",
  day: "text",
  instant: "text",
  truth: "truth",
};

const quote = 0x22;
const letterT = 0x74;
const letterV = 0x76;
const firstPlain = 0x20;
const nullBytes = Buffer.from("null");
const trueBytes = Buffer.from("true");
const falseBytes = Buffer.from("false");
const rowEnd = Buffer.from("}\n");
/** Quotation marks are less. */
const fieldBytes = falseBytes.length;

/** Bytes that stand for themselves in both formats; all that UTF-8 has beyond ASCII do. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte >= firstPlain && byte !== quote && byte !== backslash),
);

/** @returns where the next row is to be written */
function writeRow(block: Buffer, start: number, fields: readonly Field[], bytes: Buffer, from: number): number {
  let at = start;
  let read = from;
  for (const { key, shape } of fields) {
    at = put(block, at, key);
    if (isNothingAt(bytes, read)) {
      at = put(block, at, nullBytes);
      read += 2;
    } else if (shape === "truth") {
      at = put(block, at, bytes[read] === letterT ? trueBytes : falseBytes);
      read += 1;
    } else if (shape === "bare") {
      for (; (bytes[read] as number) > lineEnd; read += 1) block[at++] = bytes[read] as number;
    } else {
      block[at++] = quote;
      for (;;) {
        const byte = bytes[read] as number;
        if (isPlain[byte] === 1) block[at++] = byte;
        else if (byte === tab || byte === lineEnd) break;
        else if (byte === backslash) at = putEscaped(block, at, bytes[(read += 1)] as number);
        else at = putSpecial(block, at, byte);
        read += 1;
      }
      block[at++] = quote;
    }
    // Behind the tab or the end.
    read += 1;
  }
  return put(block, at, rowEnd);
}

/** Byte by byte: of so few a copy's call costs more. */
function put(block: Buffer, at: number, bytes: Buffer): number {
  for (let nth = 0; nth < bytes.length; nth += 1) block[at + nth] = bytes[nth] as number;
  return at + bytes.length;
}

/** What COPY escapes JSON does in the same way, a vertical tab excepted. @param letter behind the backslash */
function putEscaped(block: Buffer, at: number, letter: number): number {
  if (letter === letterV) return put(block, at, escapes[0x0b] as Buffer);
  block[at] = backslash;
  block[at + 1] = letter;
  return at + 2;
}

function putSpecial(block: Buffer, at: number, byte: number): number {
  if (byte < firstPlain) return put(block, at, escapes[byte] as Buffer);
  block[at] = backslash;
  block[at + 1] = byte;
  return at + 2;
}

/** Control characters by their numbers. */
const escapes = Array.from({ length: firstPlain }, (_, byte) =>
  Buffer.from(`\\u${byte.toString(16).padStart(4, "0")}`),
);
