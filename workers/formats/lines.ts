/** Cuts a stream of bytes into lines, holding no more than one line of the allowed length. */
import { lend } from "../bytes/lend.ts";

export type Line = {
  /** From 1, blank lines counted. */
  number: number;
  /** Without its line end, and only until the next line is asked for; null when the line is longer than allowed. */
  bytes: Buffer | null;
};

const lineFeed = 0x0a;

/** Every line, the last one also without a line end. */
export async function* readLines(pieces: AsyncIterable<Buffer>, lineBytesMax: number): AsyncGenerator<Line> {
  let number = 0;
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  const finish = (): Line => {
    const bytes =
      pendingBytes > lineBytesMax ? null : pending.length === 1 ? (pending[0] as Buffer) : Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    number += 1;
    return { number, bytes };
  };
  for await (const piece of lend(pieces)) {
    let from = 0;
    for (let end = piece.indexOf(lineFeed); end >= 0; end = piece.indexOf(lineFeed, from)) {
      keep(piece.subarray(from, end));
      yield finish();
      from = end + 1;
    }
    keep(Buffer.from(piece.subarray(from)));
  }
  if (pendingBytes > 0) yield finish();

  function keep(part: Buffer): void {
    pendingBytes += part.length;
    if (pendingBytes > lineBytesMax) pending = [];
    else pending.push(part);
  }
}

/** Blanks and carriage returns only. */
export function isBlank(bytes: Buffer): boolean {
  return bytes.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
