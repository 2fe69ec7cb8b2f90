/**
 * Rows as COPY tells them in its text format: a line a row, tabs between fields, `\N` for nothing, and what could be
 * mistaken escaped (PostgreSQL documentation, COPY, "Text Format").
 */

export const tab = 0x09;
export const lineEnd = 0x0a;
export const backslash = 0x5c;
const capitalN = 0x4e;

/** The rows that are whole of the pieces in which a COPY comes, which end anywhere. */
export class WholeRows {
  bytes: Buffer = Buffer.alloc(0);
  /** Behind the last row that is whole. */
  end = 0;

  /** Once every row of the piece before was read. */
  take(piece: Buffer): void {
    const rest = this.bytes.subarray(this.end);
    this.bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    this.end = this.bytes.lastIndexOf(lineEnd) + 1;
  }

  /** @throws when a COPY ended within a row */
  assertWhole(): void {
    if (this.end < this.bytes.length) throw new Error("the copy ended within a row");
  }
}

/** Whether a field that begins there says that there is nothing: a backslash that stands for itself is doubled. */
export function isNothingAt(bytes: Buffer, at: number): boolean {
  return bytes[at] === backslash && bytes[at + 1] === capitalN;
}

const meanings: Readonly<Record<string, string>> = { b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" };

/** @param field as the text format has it, and not null */
export function unescaped(field: string): string {
  return field.replaceAll(/\\(.)/gs, (_, letter: string) => meanings[letter] ?? letter);
}
