/** JSON Lines: an object a row, every column in it, null where there is nothing. Amounts are exact decimal numbers. */
import type { Column, ColumnKind } from "./datasets.ts";
import type { Encoder, Write } from "./encoder.ts";
import { TableText } from "./table-text.ts";

export class JsonLinesEncoder implements Encoder {
  readonly source = "text";
  readonly #table = new TableText();
  readonly #names: readonly string[];
  readonly #values: readonly ((text: string) => string)[];

  constructor(columns: readonly Column[]) {
    this.#names = columns.map(({ name }, at) => `${at === 0 ? "{" : ","}${JSON.stringify(name)}:`);
    this.#values = columns.map(({ kind }) => values[kind]);
  }

  async begin(): Promise<void> {
    // A file has no beginning but its first row.
  }

  async add(piece: Buffer, write: Write): Promise<void> {
    const rows = this.#table.rows(piece);
    if (rows.length === 0) return;
    let lines = "";
    for (const row of rows) {
      for (let at = 0; at < row.length; at += 1) {
        const field = row[at] as string | null;
        lines += (this.#names[at] as string) + (field === null ? "null" : (this.#values[at] as typeof quoted)(field));
      }
      lines += "}\n";
    }
    await write(Buffer.from(lines));
  }

  async settle(): Promise<null> {
    this.#table.end();
    return null;
  }

  resume(): void {
    // Each line stands for itself.
  }

  async finish(): Promise<void> {
    // There is no end but that of the last row.
  }
}

const asItIs = (text: string): string => text;
const quotedAsItIs = (text: string): string => `"${text}"`;
/** What JSON wants escaped (RFC 8259, section 7), and half a surrogate pair cannot come from UTF-8. */
// oxlint-disable-next-line no-control-regex
const special = /["\\\u0000-\u001f]/;

function quoted(text: string): string {
  return special.test(text) ? JSON.stringify(text) : `"${text}"`;
}

const values: Readonly<Record<ColumnKind, (text: string) => string>> = {
  text: quoted,
  integer: asItIs,
  decimal: asItIs,
  day: quotedAsItIs,
  instant: quotedAsItIs,
  truth: (text) => (text === "t" ? "true" : "false"),
};
