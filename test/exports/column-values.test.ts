/** Rows of COPY's text format are the same values wherever its pieces end, and whatever came before. */
import test from "ava";
import { ColumnTable, ColumnValues, type Value } from "../../src/exports/column-values.ts";
import fc from "../property.ts";
import { copied, inPieces } from "./copied.ts";

/** @param cuts where pieces end. @param groupRows after how many rows another group begins */
function readIn(bytes: Buffer, columns: number, cuts: readonly number[], groupRows: number): (string | null)[][] {
  const table = new ColumnTable(Array.from({ length: columns }, () => new ColumnValues((one) => one)));
  const rows: (string | null)[][] = [];
  const gather = (): void => {
    const values = table.columns.map((column) => column.values);
    for (let row = 0; row < (values[0]?.length ?? 0); row += 1)
      rows.push(values.map((one) => textOf(one[row] ?? null)));
    for (const column of table.columns) column.endGroup();
  };
  for (const piece of inPieces(bytes, cuts)) {
    table.take(piece);
    let rowsOfGroup = 0;
    while (table.next()) if (++rowsOfGroup % groupRows === 0) gather();
  }
  table.end();
  gather();
  return rows;
}

function textOf(value: Value): string | null {
  return value === null ? null : Buffer.from(value as Uint8Array).toString();
}

test("whatever the texts and wherever pieces end", (t) => {
  const text = fc.oneof(
    fc.constantFrom(null, "", "a", "\\", "\\N", "N", "\t", "\n", "\r\\n", "æ😀"),
    fc.string({ unit: "grapheme", maxLength: 6 }).filter((one) => !one.includes("\0")),
  );
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 4 })
        .chain((columns) =>
          fc.tuple(
            fc.constant(columns),
            fc.array(fc.array(text, { minLength: columns, maxLength: columns }), { maxLength: 40 }),
          ),
        ),
      fc.array(fc.nat({ max: 2000 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 20 }),
      ([columns, rows], cuts, groupRows) => {
        t.deepEqual(readIn(copied(rows), columns, cuts, groupRows), rows);
      },
    ),
    { numRuns: 300 },
  );
});

test("a column in which hardly anything comes twice is asked no more, one that repeats goes on, and a few rows decide nothing", (t) => {
  const [unique, repeated] = [new ColumnValues((one) => one), new ColumnValues((one) => Buffer.from(one))];
  const table = new ColumnTable([unique, repeated]);
  const group = (from: number, count: number): void => {
    table.take(copied(Array.from({ length: count }, (_, at) => [`t${from + at}`, `brand ${at % 3}`])));
    while (table.next());
  };
  group(0, 10);
  for (const column of table.columns) column.endGroup();
  t.true(unique.repeats);
  group(10, 40_000);
  t.is(new Set(repeated.values).size, 3, "each is made once");
  t.is(unique.values.length, 40_000);
  t.deepEqual(textOf(unique.values.at(-1) ?? null), "t40009", "more than are remembered");
  for (const column of table.columns) column.endGroup();
  t.deepEqual([unique.repeats, repeated.repeats], [false, true]);
  group(50_010, 2);
  t.deepEqual(unique.values.map(textOf), ["t50010", "t50011"]);
});

test("a copy that ended within a row is no whole one", (t) => {
  const table = new ColumnTable([new ColumnValues((one) => one)]);
  table.take(Buffer.from("a\nb"));
  while (table.next());
  t.throws(() => table.end());
});
