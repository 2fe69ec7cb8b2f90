/**
 * What accounts and transactions CSV files have in common: a header row that names the columns in any order, then one
 * record a row.
 */
import { groupBytesMax } from "../../config/limits.ts";
import type { LineReader } from "../bytes/csv-lines.ts";
import {
  type CheckedRecord,
  type FieldNames,
  type JsonObject,
  type Problem,
  UnreadableRecord,
} from "../records/record.ts";
import { behind, type Checkpoint, DeliveryRefused, type RecordGroup } from "./reader.ts";
import type { RecordPart } from "../records/record-part.ts";
import { columnName, type CsvDialect, plainDialect } from "../../src/partners/settings/csv-rules.ts";
import { asUtf8, inDialect } from "./csv-dialect.ts";
import { textFormatsOf } from "./text-file.ts";
import { type CsvRow, CsvRows, type RunOfRows } from "./csv-rows.ts";

/** One kind of CSV file. */
export type CsvKind = {
  /** What a row says, for people. */
  meaning: string;
  neededColumns: readonly string[];
  /**
   * A row as the record that it stands for, still unchecked. @param field the text in a column; "" when there is no
   * such column.
   */
  toRecord(field: (column: string) => string, dialect: CsvDialect): JsonObject;
  /** All columns that mean something. */
  columns: readonly string[];
  check(record: JsonObject): CheckedRecord | Problem[];
  /** Columns. */
  fields: FieldNames;
  /** What reads its lines as rows; null where they are no transactions. */
  createReader(columns: ReadonlyMap<string, number>, width: number, deliveryPosition: number): LineReader | null;
};

/** A kind's formats, such as "accounts.csv.gz.pgp". */
export function csvFormatsOf<Kind extends string>(name: Kind, kind: CsvKind) {
  return textFormatsOf(`${name}.csv`, {
    name: `${name}_.*\\.csv`,
    names: `${name}_*.csv`,
    meaning: kind.meaning,
    read: (input, csv) => ({
      survey: () => csv.survey(),
      groups: (from, asValues) =>
        readCsvGroups(kind, csv.text(), input.csv, from, asValues === true ? null : input.deliveryPosition),
      check: (value) => checkRow(kind, value, input.csv),
      fields: kind.fields,
    }),
  });
}

/** A row ready to load, or everything that is wrong with it. */
export function checkRow(kind: CsvKind, value: unknown, dialect: CsvDialect): CheckedRecord | Problem[] {
  if (value instanceof UnreadableRecord) return [{ field: value.field, reason: value.reason }];
  const checked = kind.check(value as JsonObject);
  return Array.isArray(checked)
    ? checked.map(({ field, reason }) => ({ field, reason: inDialect(reason, dialect) }))
    : checked;
}

/** Where each column stands, and how many there are. */
type Columns = { at: ReadonlyMap<string, number>; width: number };

/**
 * @param deliveryPosition null: as values, of which any can be picked @throws DeliveryRefused when the header row does
 * not name what is needed
 */
export async function* readCsvGroups(
  kind: CsvKind,
  text: AsyncIterable<Buffer>,
  dialect: CsvDialect,
  from: Checkpoint,
  deliveryPosition: number | null,
): AsyncGenerator<RecordGroup> {
  const splitter = new CsvRows(dialect.unquoted);
  // Numbers and days of another form are not read where they stand.
  const readsInPlace =
    deliveryPosition !== null && dialect.decimal === plainDialect.decimal && dialect.dates === plainDialect.dates;
  let columns: Columns | null = null;
  let index = 0;
  for await (const { items, sizeBytes } of itemsOf(splitter, asUtf8(text, dialect.encoding))) {
    const body = columns === null ? items.slice(1) : items;
    columns ??= readHeader(kind, headerOf(items), dialect);
    const group = groupOf(kind, columns, body, index, sizeBytes, dialect);
    index += group.records;
    // Records that are loaded already are passed over by picking, which rows are not made for.
    if (readsInPlace && index >= from.records)
      splitter.reader ??= kind.createReader(columns.at, columns.width, deliveryPosition);
    const wanted = group.records === 0 ? null : behind(group, from);
    if (wanted) yield wanted;
  }
  if (columns === null) throw new DeliveryRefused("CSV_HEADER_INVALID", "The file holds no header row.");
}

type Item = CsvRow | RunOfRows;

function headerOf([first]: readonly Item[]): CsvRow | undefined {
  return first && !("rows" in first) ? first : undefined;
}

/** Never an empty list. */
async function* itemsOf(
  splitter: CsvRows,
  text: AsyncIterable<Buffer>,
): AsyncGenerator<{ items: Item[]; sizeBytes: number }> {
  let sizeBytes = 0;
  for await (const piece of text) {
    for (let at = 0; at < piece.length; at += groupBytesMax) {
      const part = piece.subarray(at, at + groupBytesMax);
      const items = splitter.push(part);
      sizeBytes += part.length;
      if (items.length === 0) continue;
      yield { items, sizeBytes };
      sizeBytes = 0;
    }
  }
  const items = splitter.end();
  if (items.length > 0) yield { items, sizeBytes };
}

/**
 * Names in any case and order, the bank's own ones as its settings translate them; unknown ones are ignored, of a name
 * that comes twice the first counts. What stands there is never told: it may be a record, where there is no header.
 * @throws DeliveryRefused
 */
function readHeader(kind: CsvKind, row: CsvRow | undefined, dialect: CsvDialect): Columns {
  if (!row?.fields)
    throw new DeliveryRefused(
      "CSV_HEADER_INVALID",
      row?.fields === null ? `The header row (line ${row.line}) ${row.reason}.` : "The file holds no header row.",
    );
  const columns = new Map<string, number>();
  for (const [at, name] of row.fields.entries()) {
    const own = columnName(name);
    const column = Object.hasOwn(dialect.columns, own) ? (dialect.columns[own] as string) : own;
    if (!columns.has(column)) columns.set(column, at);
  }
  const missing = kind.neededColumns.filter((column) => !columns.has(column));
  if (missing.length > 0)
    throw new DeliveryRefused(
      "CSV_HEADER_INVALID",
      `The header row (line ${row.line}) does not name ${missing.join(", ")}; it has ${row.fields.length} ${row.fields.length === 1 ? "field" : "fields"} with ; between them.`,
    );
  return { at: columns, width: row.fields.length };
}

function groupOf(
  kind: CsvKind,
  columns: Columns,
  items: readonly Item[],
  firstIndex: number,
  sizeBytes: number,
  dialect: CsvDialect,
): RecordGroup {
  const parts = partsOf(kind, columns, items, dialect);
  const records = parts.reduce((sum, part) => sum + (part.kind === "rows" ? part.rows.count : part.values.length), 0);
  return {
    batch: 0,
    line: 0,
    firstIndex,
    parts,
    records,
    sizeBytes,
    startsBatch: firstIndex === 0,
    request: null,
    refusal: null,
  };
}

/** Neighbouring rows that were not taken over stand together. */
function partsOf(kind: CsvKind, columns: Columns, items: readonly Item[], dialect: CsvDialect): RecordPart[] {
  const parts: RecordPart[] = [];
  let values: unknown[] = [];
  let lines: number[] = [];
  const finish = () => {
    if (values.length > 0) parts.push({ kind: "values", values, lines });
    [values, lines] = [[], []];
  };
  for (const item of items) {
    if ("rows" in item) {
      finish();
      parts.push({ kind: "rows", rows: item.rows });
    } else {
      values.push(readRow(kind, columns, item, dialect));
      lines.push(item.line);
    }
  }
  finish();
  return parts;
}

function readRow(kind: CsvKind, columns: Columns, row: CsvRow, dialect: CsvDialect): JsonObject | UnreadableRecord {
  const { fields } = row;
  if (fields === null)
    return new UnreadableRecord(row.reason, row.place === null ? "" : nameOf(kind, columns, row.place));
  if (fields.length !== columns.width)
    return new UnreadableRecord(
      `has another number of fields than the header row (${fields.length} instead of ${columns.width})`,
    );
  return kind.toRecord((column) => fields[columns.at.get(column) ?? -1] ?? "", dialect);
}

/** A column of ours by its name, another one by its number: its name is the bank's. */
function nameOf(kind: CsvKind, { at }: Columns, place: number): string {
  return kind.columns.find((column) => at.get(column) === place) ?? `column ${place + 1}`;
}
