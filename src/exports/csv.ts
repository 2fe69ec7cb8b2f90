/** CSV as RFC 4180 has it, in UTF-8, with a header. PostgreSQL writes its rows; nothing here looks at them. */
import type { Column } from "./datasets.ts";
import type { Encoder, Write } from "./encoder.ts";

export class CsvEncoder implements Encoder {
  readonly source = "csv";
  readonly #header: Buffer;

  constructor(columns: readonly Column[]) {
    this.#header = Buffer.from(`${columns.map(({ name }) => name).join(",")}\n`);
  }

  async begin(write: Write): Promise<void> {
    await write(this.#header);
  }

  async add(piece: Buffer, write: Write): Promise<void> {
    await write(piece);
  }

  async settle(): Promise<null> {
    return null;
  }

  resume(): void {
    // Each row stands for itself.
  }

  async finish(): Promise<void> {
    // There is no end but that of the last row.
  }
}
