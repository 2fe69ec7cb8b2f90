/** Rows are taken out of what a server sends wherever it is cut, and all else goes on as it came. */
import test from "ava";
import { RowBytes } from "../../src/database/row-bytes.ts";

function message(letter: string, body: Buffer): Buffer {
  const head = Buffer.from(`${letter}....`);
  head.writeUInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

function row(...fields: (string | null)[]): Buffer {
  const numbers = (value: number, bytes: number) => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeIntBE(value, 0, bytes);
    return buffer;
  };
  const parts = fields.map((field) =>
    field === null ? numbers(-1, 4) : Buffer.concat([numbers(Buffer.byteLength(field), 4), Buffer.from(field)]),
  );
  return message("D", Buffer.concat([numbers(fields.length, 2), ...parts]));
}

const bound = message("2", Buffer.alloc(0));
const notice = message("N", Buffer.from("DDDDDDDDDD"));
const complete = message("C", Buffer.from("SELECT 4\0"));
const ready = message("Z", Buffer.from("I"));
const rows = [row("", null), row("D", "é"), row(null, null), row("x".repeat(300), "y")];
const sent = Buffer.concat([bound, rows[0]!, rows[1]!, notice, rows[2]!, rows[3]!, complete, ready]);
const taken = [
  ["", null],
  ["D", "é"],
  [null, null],
  ["x".repeat(300), "y"],
];

function open() {
  const passed: Buffer[] = [];
  const got: (string | null)[][] = [];
  const bytes = new RowBytes((piece) => passed.push(Buffer.from(piece)));
  const take: NonNullable<RowBytes["take"]> = (fields) =>
    got.push(fields.map((field) => field && Buffer.from(field).toString()));
  return { bytes, got, take, passed: () => Buffer.concat(passed.splice(0)) };
}

test("cut in two anywhere, and byte by byte, rows are taken and the rest is passed on", (t) => {
  for (let cut = 0; cut <= sent.length; cut += 1) {
    const { bytes, got, take, passed } = open();
    bytes.take = take;
    bytes.push(sent.subarray(0, cut));
    bytes.push(sent.subarray(cut));
    t.deepEqual([got, passed()], [taken, Buffer.concat([bound, notice, complete, ready])], `cut at ${cut}`);
  }
  const { bytes, got, take, passed } = open();
  bytes.take = take;
  for (const byte of sent) bytes.push(Buffer.of(byte));
  t.deepEqual([got, passed()], [taken, Buffer.concat([bound, notice, complete, ready])]);
});

test("while nobody takes rows they are passed on as well, from the message on that ends their being taken", (t) => {
  const { bytes, got, take, passed } = open();
  bytes.push(sent);
  t.deepEqual([got, passed()], [[], sent]);
  const ending = new RowBytes((piece) => {
    if (piece.includes(ready)) ending.take = null;
  });
  ending.take = take;
  ending.push(Buffer.concat([sent, sent]));
  t.deepEqual(got, taken);
});

test("rows outlive the pieces in which they came", (t) => {
  const { bytes } = open();
  const kept: (Buffer | null)[] = [];
  bytes.take = (fields) => kept.push(...fields);
  const piece = Buffer.from(Buffer.concat([rows[1]!, rows[3]!]));
  bytes.push(piece);
  piece.fill(0);
  t.deepEqual(
    kept.map((field) => field?.toString()),
    ["D", "é", "x".repeat(300), "y"],
  );
});

const large = row("z".repeat(100_000), "end");
const withLarge = Buffer.concat([bound, large, complete, ready]);

test("while rows are taken a large piece's memory is freed, and what was passed on of it stays", (t) => {
  const passed: Buffer[] = [];
  const got: (number | undefined)[] = [];
  const bytes = new RowBytes((piece) => passed.push(piece));
  bytes.take = (fields) => got.push(...fields.map((field) => field?.length));
  for (const cut of [0, 3, 8, 50_000]) {
    const piece = Buffer.from(withLarge.subarray(cut));
    bytes.push(Buffer.from(withLarge.subarray(0, cut)));
    bytes.push(piece);
    t.deepEqual([piece.length, got.splice(0)], [0, [100_000, 3]], `cut at ${cut}`);
    t.deepEqual(Buffer.concat(passed.splice(0)), Buffer.concat([bound, complete, ready]), `cut at ${cut}`);
  }
});

test("while nobody takes rows a piece is passed on as it is, and stays with who has it", (t) => {
  const passed: Buffer[] = [];
  const bytes = new RowBytes((piece) => passed.push(piece));
  const piece = Buffer.from(withLarge);
  bytes.push(piece);
  t.deepEqual([passed.length, passed[0] === piece, piece.equals(withLarge)], [1, true, true]);
});
