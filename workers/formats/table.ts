/** What accounts and transactions tables have in common: a header row that names the columns in any order, then one record a row. */
import { groupBytesMax } from "../../config/limits.ts";
import { type CheckedRecord, type FieldNames, type JsonObject, type Problem, UnreadableRecord } from "../record.ts";
import { behind, type Checkpoint, type DeliveryReader, DeliveryRefused, type FileInput, type RecordGroup } from "./reader.ts";
import { openTable, type TableEncoding } from "./table-encoding.ts";
import { type TableRow, TableRows } from "./table-rows.ts";

/** One kind of table. */
export type TableKind = {
  neededColumns: readonly string[];
  /** A row as the record that it stands for, still unchecked. @param field the text in a column; "" when there is no such column. */
  toRecord(field: (column: string) => string): JsonObject;
  check(record: JsonObject): CheckedRecord | Problem[];
  /** Columns. */
  fields: FieldNames;
};

export function readTable(kind: TableKind, encoding: TableEncoding): (input: FileInput) => DeliveryReader {
  return (input) => {
    const table = openTable(input, encoding);
    return {
      async verify() {
        if (input.opener.signers !== null) throw new DeliveryRefused("SIGNATURE_ERROR", "The partner must sign its batches, and tables carry no such signature.");
        await table.verify();
      },
      survey: () => table.survey(),
      groups: (from) => readGroups(kind, table.text(), from),
      check: (value) => (value instanceof UnreadableRecord ? [{ field: "", reason: value.reason }] : kind.check(value as JsonObject)),
      fields: kind.fields,
    };
  };
}

/** Where each column stands, and how many there are. */
type Columns = { at: ReadonlyMap<string, number>; width: number };

async function* readGroups(kind: TableKind, text: AsyncIterable<Buffer>, from: Checkpoint): AsyncGenerator<RecordGroup> {
  let columns: Columns | null = null;
  let index = 0;
  for await (const { rows, sizeBytes } of rowsOf(text)) {
    const body = columns === null ? rows.slice(1) : rows;
    columns ??= readHeader(kind, rows[0]);
    const group = groupOf(kind, columns, body, index, sizeBytes);
    index += body.length;
    const wanted = body.length === 0 ? null : behind(group, from);
    if (wanted) yield wanted;
  }
  if (columns === null) throw new DeliveryRefused("TX_DATA_ERROR", "The file holds no header row.");
}

/** Never an empty list of rows. */
async function* rowsOf(text: AsyncIterable<Buffer>): AsyncGenerator<{ rows: TableRow[]; sizeBytes: number }> {
  const splitter = new TableRows();
  let sizeBytes = 0;
  for await (const piece of text) {
    for (let at = 0; at < piece.length; at += groupBytesMax) {
      const part = piece.subarray(at, at + groupBytesMax);
      const rows = splitter.push(part);
      sizeBytes += part.length;
      if (rows.length === 0) continue;
      yield { rows, sizeBytes };
      sizeBytes = 0;
    }
  }
  const rows = splitter.end();
  if (rows.length > 0) yield { rows, sizeBytes };
}

/** Names in any case and order; unknown ones are ignored, of a name that comes twice the first counts. @throws DeliveryRefused */
function readHeader(kind: TableKind, row: TableRow | undefined): Columns {
  if (!row?.fields) throw new DeliveryRefused("TX_DATA_ERROR", `The header row ${row?.fields === null ? row.reason : "is missing"}.`);
  const columns = new Map<string, number>();
  for (const [at, name] of row.fields.entries()) {
    const column = name.trim().toLowerCase();
    if (!columns.has(column)) columns.set(column, at);
  }
  const missing = kind.neededColumns.filter((column) => !columns.has(column));
  if (missing.length > 0) throw new DeliveryRefused("TX_DATA_ERROR", `The header row does not name ${missing.join(", ")}.`);
  return { at: columns, width: row.fields.length };
}

function groupOf(kind: TableKind, columns: Columns, rows: readonly TableRow[], firstIndex: number, sizeBytes: number): RecordGroup {
  return {
    batch: 0,
    line: 0,
    firstIndex,
    parts: [{ kind: "values", values: rows.map((row) => readRow(kind, columns, row)), lines: rows.map((row) => row.line) }],
    records: rows.length,
    sizeBytes,
    startsBatch: firstIndex === 0,
    request: null,
    refusal: null,
  };
}

function readRow(kind: TableKind, { at, width }: Columns, row: TableRow): JsonObject | UnreadableRecord {
  const { fields } = row;
  if (fields === null) return new UnreadableRecord(row.reason);
  if (fields.length !== width) return new UnreadableRecord("has another number of fields than the header row");
  return kind.toRecord((column) => fields[at.get(column) ?? -1] ?? "");
}
