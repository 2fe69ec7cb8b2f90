/** Rows as a server's COPY tells them. */

const letters: Readonly<Record<string, string>> = {
  "\\": "\\",
  "\b": "b",
  "\f": "f",
  "\n": "n",
  "\r": "r",
  "\t": "t",
  "\v": "v",
};

/** PostgreSQL documentation, COPY, "Text Format". */
export function copied(rows: readonly (readonly (string | null)[])[]): Buffer {
  const field = (text: string | null): string =>
    text === null ? String.raw`\N` : text.replaceAll(/[\\\b\f\n\r\t\v]/g, (one) => `\\${letters[one]}`);
  return Buffer.from(rows.map((row) => `${row.map(field).join("\t")}\n`).join(""));
}

/** The same bytes in pieces, as a socket brings them. @param cuts where some of them end */
export function inPieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b);
  return ends.map((end, at) => Buffer.from(bytes.subarray(ends[at - 1] ?? 0, end)));
}
