/** Rows of a table are cut wherever the stream is cut, and a broken one costs itself only. */
import test from "ava";
import { recordBytesMax } from "../../../config/limits.ts";
import { type CsvRow, CsvRows, type RunOfRows } from "../../../workers/formats/csv-rows.ts";
import fc, { runs } from "../../property.ts";

test("rows are cut wherever the stream is cut, with quotes, separators and line ends inside fields", (t) => {
  const field = fc.string({ unit: fc.constantFrom('"', ";", "\n", "\r", "a", "ø", "😀", " "), maxLength: 6 });
  fc.assert(
    fc.property(
      fc.array(fc.array(field, { minLength: 1, maxLength: 4 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 9 }),
      fc.constantFrom("\n", "\r\n"),
      (rows, size, end) => {
        const bytes = Buffer.from(
          rows.map((row) => row.map((one) => `"${one.replaceAll('"', '""')}"`).join(";") + end).join(""),
        );
        t.deepEqual(
          read(bytes, size).map((row) => row.fields),
          rows,
        );
      },
    ),
    runs(500),
  );
});

test("a row knows the line on which it begins, blank lines counted", (t) => {
  t.deepEqual(read('"a";"b"\r\n\r\n"c\nd";"e"\n"f";"g"'), [
    { line: 1, fields: ["a", "b"] },
    { line: 3, fields: ["c\nd", "e"] },
    { line: 5, fields: ["f", "g"] },
  ]);
});

const broken: [name: string, line: string][] = [
  ["a field without quotes", 'a;"b"'],
  ["a quote inside a field", '"a"b";"c"'],
  ["a separator at the end", '"a";'],
  ["another separator", '"a","b"'],
  ["a field that is not closed", '"a";"b'],
];

for (const [name, line] of broken) {
  test(`a broken row costs itself only: ${name}`, (t) => {
    const rows = read(`"1"\n${line}\n"2"\n"3"\n`);
    t.deepEqual(
      rows.map((row) => row.fields),
      [["1"], null, ["2"], ["3"]],
    );
    t.like(rows[1], { line: 2, reason: "is not made of double-quoted fields with ; between them" });
  });
}

test("what a field holds never becomes a row of its own behind a broken one", (t) => {
  t.deepEqual(
    read('x";"a\n""1"";""2""\n1;2\nb"\n"2"\n').map((row) => row.fields),
    [null, null, null, null, ["2"]],
  );
});

test("bytes that are no UTF-8 refuse their row", (t) => {
  const bytes = Buffer.concat([Buffer.from('"1"\n"'), Buffer.from([0xe6]), Buffer.from('"\n"2"\n')]);
  t.deepEqual(read(bytes), [
    { line: 1, fields: ["1"] },
    { line: 2, fields: null, reason: "is not UTF-8", place: null },
    { line: 3, fields: ["2"] },
  ]);
});

test("a row longer than allowed is passed over, wherever the stream is cut", (t) => {
  const bytes = Buffer.from(`"1"\n"${"x".repeat(recordBytesMax)}"\n"2"\n`);
  for (const size of [1000, recordBytesMax, bytes.length]) {
    t.deepEqual(read(bytes, size), [
      { line: 1, fields: ["1"] },
      { line: 2, fields: null, reason: `is longer than ${recordBytesMax} bytes`, place: null },
      { line: 3, fields: ["2"] },
    ]);
  }
});

test("a quote that is never closed costs one row, not the rest of the file", (t) => {
  const rows = read(`"open\n${'"good";"row"\n'.repeat(20_000)}`);
  t.is(rows.length, 20_001);
  t.is(rows.filter((row) => row.fields === null).length, 1);
});

function read(content: string | Buffer, pieceBytes = 7): CsvRow[] {
  const bytes = Buffer.from(content);
  const splitter = new CsvRows();
  const rows: CsvRow[] = [];
  for (let from = 0; from < bytes.length; from += pieceBytes)
    rows.push(...splitter.push(bytes.subarray(from, from + pieceBytes)).filter(isRow));
  return [...rows, ...splitter.end().filter(isRow)];
}

/** Without a reader there is nothing else. */
function isRow(item: CsvRow | RunOfRows): item is CsvRow {
  return !("rows" in item);
}
