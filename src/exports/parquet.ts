/**
 * Parquet, a row group at a time: no more rows than one holds are ever in memory, and of those that are written only
 * what the file's end says about them.
 */
import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import { Fault } from "../errors.ts";
import { dayNumber } from "../time/calendar.ts";
import type { Column, ColumnKind } from "./datasets.ts";
import { ColumnTable, type ReadBytes, ColumnValues } from "./column-values.ts";
import type { Encoder, Write } from "./encoder.ts";

type RowGroup = ParquetWriter["row_groups"][number];

/** Readers work on row groups in parallel and skip them by their statistics; larger ones only cost memory here. */
const groupRows = 25_000;
/** Decimals of amounts: no currency has more than four (ISO 4217), and 18 digits fit into eight bytes. */
const scale = 4;
const precision = 18;

export class ParquetEncoder implements Encoder {
  readonly source = "text";
  readonly #columns: readonly Column[];
  readonly #schema: SchemaElement[];
  readonly #table: ColumnTable;
  #buffer = new ByteWriter(0);
  #writer: ParquetWriter;
  #rows = 0;
  #groupsTold = 0;

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#schema = [{ name: "root", num_children: columns.length }, ...columns.map(elementOf)];
    this.#table = new ColumnTable(columns.map(({ kind }) => new ColumnValues(read[kind])));
    this.#writer = this.#open();
  }

  async begin(write: Write): Promise<void> {
    this.#buffer = new ByteWriter();
    this.#writer = this.#open();
    this.#groupsTold = 0;
    await this.#flush(write);
  }

  async add(piece: Buffer, write: Write): Promise<void> {
    this.#table.take(piece);
    while (this.#table.next()) {
      this.#rows += 1;
      if (this.#rows >= groupRows) await this.#endGroup(write);
    }
  }

  async settle(write: Write): Promise<unknown> {
    this.#table.end();
    await this.#endGroup(write);
    const told = this.#writer.row_groups.slice(this.#groupsTold);
    this.#groupsTold = this.#writer.row_groups.length;
    return JSON.parse(
      JSON.stringify(told, (_key, value: unknown) => (typeof value === "bigint" ? { big: String(value) } : value)),
    );
  }

  resume(states: readonly unknown[], bytes: number): void {
    this.#buffer = new ByteWriter();
    this.#writer = this.#open();
    this.#buffer.index = 0;
    this.#buffer.offset = bytes;
    const groups = states.flatMap(revived) as RowGroup[];
    this.#writer.row_groups.push(...groups);
    this.#writer.num_rows = groups.reduce((sum, group) => sum + group.num_rows, 0n);
    this.#groupsTold = groups.length;
  }

  async finish(write: Write): Promise<void> {
    await this.#writer.finish();
    await this.#flush(write);
  }

  #open(): ParquetWriter {
    return new ParquetWriter({ writer: this.#buffer, schema: this.#schema, createdBy: "tideline" });
  }

  async #endGroup(write: Write): Promise<void> {
    if (this.#rows === 0) return;
    await this.#writer.write({
      columnData: this.#table.columns.map(({ values, repeats }, at) => {
        const { name, kind } = this.#columns[at] as Column;
        return {
          name,
          data: values,
          offsetIndex: false,
          // Where hardly anything comes twice a dictionary is made in vain.
          ...(repeats ? {} : { encoding: "PLAIN" as const }),
          // By texts nobody skips a group; comparing them took a fifth of the whole time.
          statistics: kind !== "text",
        };
      }),
      rowGroupSize: this.#rows,
    });
    // What they keep for an index of pages, of which there is none.
    this.#writer.pendingIndexes.length = 0;
    this.#rows = 0;
    for (const column of this.#table.columns) column.endGroup();
    await this.#flush(write);
  }

  /** Its buffer is used again, so that what is in it is copied first. */
  async #flush(write: Write): Promise<void> {
    if (this.#buffer.index === 0) return;
    const bytes = Buffer.from(new Uint8Array(this.#buffer.buffer, 0, this.#buffer.index));
    this.#buffer.index = 0;
    await write(bytes);
  }
}

function revived(state: unknown): unknown {
  return JSON.parse(JSON.stringify(state), (_key, value: unknown) =>
    typeof value === "object" && value !== null && "big" in value ? BigInt(String(value.big)) : value,
  );
}

function elementOf({ name, kind }: Column): SchemaElement {
  return { name, repetition_type: "OPTIONAL", ...elements[kind] };
}

const elements = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
  integer: { type: "INT64" },
  decimal: {
    type: "INT64",
    converted_type: "DECIMAL",
    logical_type: { type: "DECIMAL", precision, scale },
    precision,
    scale,
  },
  day: { type: "INT32", converted_type: "DATE", logical_type: { type: "DATE" } },
  instant: {
    type: "INT64",
    converted_type: "TIMESTAMP_MILLIS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
  },
  truth: { type: "BOOLEAN" },
} as const satisfies Record<ColumnKind, Omit<SchemaElement, "name" | "repetition_type">>;

const read: Readonly<Record<ColumnKind, ReadBytes>> = {
  // The writer wants bytes, which are there.
  text: (bytes) => bytes,
  integer: (bytes) => BigInt(bytes.toString("latin1")),
  decimal: (bytes) => toScaled(bytes.toString("latin1")),
  day: (bytes) => dayNumber(bytes.toString("latin1")),
  instant: (bytes) => BigInt(Date.parse(bytes.toString("latin1"))),
  truth: (bytes) => bytes[0] === 0x74,
};

/** The largest text of digits that a number holds exactly. */
const exactDigits = 15;

/** "-12.5" → -125000n. Further decimals are rounded half away from zero. @throws Fault COMMAND_USAGE */
export function toScaled(text: string): bigint {
  const dot = text.indexOf(".");
  const whole = dot < 0 ? text : text.slice(0, dot);
  const decimals = dot < 0 ? "" : text.slice(dot + 1);
  if (whole.length + scale <= exactDigits && decimals.length <= scale)
    return BigInt(Number(whole + decimals.padEnd(scale, "0")));
  const exact = BigInt(whole + decimals.slice(0, scale).padEnd(scale, "0"));
  const away = decimals.length > scale && (decimals[scale] as string) >= "5" ? (text.startsWith("-") ? -1n : 1n) : 0n;
  const scaled = exact + away;
  if (scaled <= -(10n ** BigInt(precision)) || scaled >= 10n ** BigInt(precision))
    throw new Fault(
      "COMMAND_USAGE",
      `An amount has more than ${precision - scale} digits before its decimals: take CSV or JSON Lines.`,
    );
  return scaled;
}
