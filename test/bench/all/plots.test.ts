/** The drawings of the report find their points in what the benchmarks print, and leave out what has fewer than two. */
import test from "ava";
import { drawPlot } from "../plot.ts";
import { drawings, plotOf } from "./plots.ts";
import { report } from "./report.ts";

const ingest = [
  "20000 rows: psql's \\copy 200 k rows/s, COPY out of memory 250 k rows/s",
  "  .jwe 100 k rows/s, 4.1 µs a row here and 3.1 in the server, memory grew by at most 9 MiB, ratio to psql 0.94, to memory 0.90",
  "  .jsonl 50 k rows/s, 4.1 µs a row here and 3.1 in the server, memory grew by at most 9 MiB, ratio to psql 0.94, to memory 0.90",
  "  .jwe of which every record is known 90 k rows/s, 4.1 µs a row here and 3.1 in the server, memory grew by at most 9 MiB",
  "1000000 rows: psql's \\copy 250 k rows/s, COPY out of memory 260 k rows/s",
  "  .jwe 200 k rows/s, 4.1 µs a row here and 3.1 in the server, memory grew by at most 9 MiB, ratio to psql 0.94, to memory 0.90",
  "into a table of 0 rows: .jwe 125 k rows/s, COPY of plain text 250 k rows/s",
  "into a table of 1000000 rows: .jwe 100 k rows/s, COPY of plain text 200 k rows/s",
].join("\n");

const drawingOf = (file: string) => {
  const drawing = drawings.find((one) => one.file === file);
  if (drawing === undefined) throw new Error(`nothing is called ${file}`);
  return drawing;
};

test("what a row costs is drawn against the file's rows, of formats that were measured at two sizes", (t) => {
  t.deepEqual(plotOf(drawingOf("file-size.svg"), new Map([["ingest", ingest]]))?.series, [
    {
      name: ".jwe",
      points: [
        { size: 20_000, value: 10 },
        { size: 1_000_000, value: 5 },
      ],
    },
    {
      name: "psql's \\copy",
      points: [
        { size: 20_000, value: 5 },
        { size: 1_000_000, value: 4 },
      ],
    },
  ]);
});

test("what a row costs is drawn against the table's rows", (t) => {
  t.deepEqual(plotOf(drawingOf("table-size.svg"), new Map([["ingest", ingest]]))?.series, [
    {
      name: "encrypted file, .jwe",
      points: [
        { size: 0, value: 8 },
        { size: 1_000_000, value: 10 },
      ],
    },
    {
      name: "COPY of plain text",
      points: [
        { size: 0, value: 4 },
        { size: 1_000_000, value: 5 },
      ],
    },
  ]);
});

test("what a read and a push cost is drawn against those at once", (t) => {
  const read = [
    "services, 76.3 kB, 1 at once: repeated 500/s, 0.10 of the floor, 0.20 of the identified one (p50 2.8); first 250/s, 0.30 of the floor",
    "services, 76.3 kB, 8 at once: repeated 2000/s, 0.94 of the floor, 1.09 of the identified one (p50 2.8); first 1000/s, 0.42 of the floor",
  ].join("\n");
  t.deepEqual(plotOf(drawingOf("callers.svg"), new Map([["read", read]]))?.series, [
    {
      name: "services",
      points: [
        { size: 1, value: 4 },
        { size: 8, value: 1 },
      ],
    },
  ]);
  const push = [
    "1 at once, 1 door threads: 50 requests/s, floor 100, ratio 0.53; p50 15 ms, p99 20 ms; processor a request",
    "16 at once, 1 door threads: 125 requests/s, floor 200, ratio 0.79; p50 100 ms, p99 121 ms; processor a request",
  ].join("\n");
  t.deepEqual(
    plotOf(drawingOf("pushes.svg"), new Map([["push", push]]))?.series.map(({ points }) => points),
    [
      [
        { size: 1, value: 20 },
        { size: 16, value: 8 },
      ],
      [
        { size: 1, value: 10 },
        { size: 16, value: 5 },
      ],
    ],
  );
});

test("a drawing names its lines, its sizes and its unit; a report shows the drawings that there is something of", (t) => {
  const plot = plotOf(drawingOf("table-size.svg"), new Map([["ingest", ingest]]));
  if (plot === null) return t.fail("there is nothing to draw");
  const svg = drawPlot(plot);
  for (const text of [">empty<", ">1 million<", ">10 µs<", ">encrypted file, .jwe<", ">COPY of plain text<"])
    t.true(svg.includes(text), text);
  const made = report(
    [{ name: "ingest", command: "npm run bench -- ingest", text: ingest, day: "2026-11-23", load: 0.3, seconds: 43 }],
    "short",
  );
  t.deepEqual([...made.drawings.keys()], ["file-size.svg", "table-size.svg"]);
  t.true(made.text.includes("performance/table-size.svg"));
  t.false(made.text.includes("performance/callers.svg"));
  t.regex(
    made.text,
    /\| one large file, \.jwe, 10⁶ rows \| 0\.94 \| ≥ 1\.15 of one psql \\copy \| 0\.82 \| \*\*no\*\* \|/,
  );
});

test("beside a line that bends upward stands why, and beside no other", (t) => {
  const growth = [1, 20, 200].map(
    (partners) =>
      `a file of 10 records, of ${partners} partners with 2000 files together: 3.10 ms, of processors ${4 + partners / 100} ms (load 0.3)`,
  );
  const users = [1_000, 3_000].map((count) => `a user of ${count}: 4.00 ms of processors (load 0.3)`);
  const text = [...users, ...growth].join("\n");
  const made = report(
    [{ name: "growth", command: "npm run bench -- growth", text, day: "2026-11-27", load: 0.3, seconds: 43 }],
    "short",
  );
  t.regex(made.text, /\(performance\/partners\.svg\)\n\nIt bends upward: a group of small files is one partner's/);
  t.is(made.text.split("It bends upward").length, 2);
});
