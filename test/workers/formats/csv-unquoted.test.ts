/** Fields without quotes: of the header row always, of records where the partner may send so. */
import test from "ava";
import { type CsvRow, CsvRows } from "../../../workers/formats/csv-rows.ts";

function read(text: string, isUnquoted: boolean): CsvRow[] {
  const rows = new CsvRows(isUnquoted);
  return [...rows.push(Buffer.from(text)), ...rows.end()].flatMap((item) => ("rows" in item ? [] : [item]));
}

const notQuoted = "is not made of double-quoted fields with ; between them";
const notSeparated = "is not made of fields with ; between them, of which those with a quote or ; are double-quoted";

test("the header row may stand without quotes, records may not", (t) => {
  t.deepEqual(read('\uFEFFa;"b";c\r\n"1";"2";"3"\n4;5;6\n', false), [
    { line: 1, fields: ["a", "b", "c"] },
    { line: 2, fields: ["1", "2", "3"] },
    { line: 3, fields: null, reason: notQuoted, place: 0 },
  ]);
});

test("where records may too, quoted and other fields stand beside each other, empty ones included", (t) => {
  t.deepEqual(
    read('a;b;c\n1;"2;2";3\r\n;;\n"x ""y""\nz";;ø\n\n4;5;6', true).map((row) => [row.line, row.fields]),
    [
      [1, ["a", "b", "c"]],
      [2, ["1", "2;2", "3"]],
      [3, ["", "", ""]],
      [4, ['x "y"\nz', "", "ø"]],
      [7, ["4", "5", "6"]],
    ],
  );
});

test("a quote inside a field without quotes is a fault at its place, and costs its row only", (t) => {
  t.deepEqual(read('a;b\n1;5" pipe;"\n2;"3"4\n5;6\n', true), [
    { line: 1, fields: ["a", "b"] },
    { line: 2, fields: null, reason: notSeparated, place: 1 },
    { line: 3, fields: null, reason: notSeparated, place: 1 },
    { line: 4, fields: ["5", "6"] },
  ]);
});

test("a record that breaks says at which place", (t) => {
  t.like(read('a;b;c\n"1";"2";3\n', false)[1], { fields: null, place: 2 });
  t.like(read('a;b;c\n"1";"2"x;"3"\n', false)[1], { fields: null, place: 1 });
});
