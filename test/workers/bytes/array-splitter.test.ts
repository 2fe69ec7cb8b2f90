/** A JSON array comes apart into its elements however it is cut, and a broken element costs itself alone. */
import test from "ava";
import { recordBytesMax, recordDepthMax } from "../../../config/limits.ts";
import { ArraySplitter, NotAnArray } from "../../../workers/bytes/array-splitter.ts";
import { countElements, parseElements } from "../../../workers/records/elements.ts";
import { UnreadableRecord } from "../../../workers/records/record.ts";
import fc, { runs } from "../../property.ts";

test("elements come out as they stand", (t) => {
  t.deepEqual(split(['[{"a":1},{"b":"],}"} , [1,[2]],"x\\"]",null, 3.5e1 ]']), [
    { a: 1 },
    { b: "],}" },
    [1, [2]],
    'x"]',
    null,
    35,
  ]);
});

test("an empty array has no elements", (t) => {
  t.deepEqual(split(["[]"]), []);
  t.deepEqual(split([" \n[ \t", "\r] ", "\n"]), []);
});

test("parse ∘ split is the identity, wherever the pieces are cut and however the text is laid out", (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 30 }),
      fc.constantFrom(undefined, 1, "\t"),
      fc.array(fc.nat(400), { maxLength: 40 }),
      (values, indent, cuts) => {
        const text = JSON.stringify(values, null, indent);
        t.deepEqual(split(cutInto(Buffer.from(text), cuts)), JSON.parse(text));
      },
    ),
    runs(400),
  );
});

test("byte by byte is the same", (t) => {
  const text = '[{"name":"Ærø \\\\ \\" 😀","list":[1,{"x":[]}]},{"a":"\\u00e6"}]';
  t.deepEqual(split([...Buffer.from(text)].map((byte) => Buffer.from([byte]))), JSON.parse(text));
});

for (const text of [
  "",
  "  ",
  "{}",
  '{"a":[]}',
  '"x"',
  "1",
  "null",
  "[",
  "[1",
  "[1,",
  "[1,]",
  "[,]",
  "[,1]",
  "[1,,2]",
  "[1]]",
  "[1][2]",
  "[1],",
  "[1}",
  "x[1]",
  "[1]x",
  "]",
  '["abc',
  '["abc\\"]',
  "﻿[1]",
]) {
  test(`not an array: ${JSON.stringify(text)}`, (t) => {
    t.throws(() => split([text]), { instanceOf: NotAnArray });
    t.throws(() => split([...Buffer.from(text)].map((byte) => Buffer.from([byte]))), { instanceOf: NotAnArray });
  });
}

test("an element that is no JSON is unreadable, and its neighbours are not", (t) => {
  t.deepEqual(split(['[{"a":1},{"b":},{"c":3},tru,{"d":4]]']), [
    { a: 1 },
    new UnreadableRecord("is not JSON"),
    { c: 3 },
    new UnreadableRecord("is not JSON"),
    new UnreadableRecord("is not JSON"),
  ]);
});

test("an element that is not UTF-8 is unreadable", (t) => {
  const text = Buffer.concat([Buffer.from('["a","'), Buffer.from([0xc3, 0x28]), Buffer.from('","c"]')]);
  t.deepEqual(split([text]), ["a", new UnreadableRecord("is not UTF-8"), "c"]);
});

test("an element over its size is passed over in constant memory", (t) => {
  const large = `"${"x".repeat(5 * recordBytesMax)}"`;
  const expected = ["a", new UnreadableRecord(`is larger than ${recordBytesMax} bytes`), "b"];
  t.deepEqual(split([`["a",${large},"b"]`]), expected);
  t.deepEqual(
    split(
      cutInto(
        Buffer.from(`["a",${large},"b"]`),
        Array.from({ length: 999 }, () => 331),
      ),
    ),
    expected,
  );
});

test("an element of exactly the size is kept", (t) => {
  const text = "x".repeat(recordBytesMax - 2);
  t.deepEqual(split([`["a","${text}"]`]), ["a", text]);
});

test("a million nested brackets are passed over", (t) => {
  const brackets = "[".repeat(1_000_000) + "]".repeat(1_000_000);
  t.deepEqual(split([`[1,${brackets},2]`]), [
    1,
    new UnreadableRecord(`is nested deeper than ${recordDepthMax} levels`),
    2,
  ]);
  t.throws(() => split([`[1,${"[".repeat(1_000_000)}`]), { instanceOf: NotAnArray });
});

test("the deepest allowed element is kept", (t) => {
  const deepest = "[".repeat(recordDepthMax) + "]".repeat(recordDepthMax);
  t.deepEqual(split([`[${deepest}]`]), [JSON.parse(deepest)]);
  t.deepEqual(split([`[[${deepest}]]`]), [new UnreadableRecord(`is nested deeper than ${recordDepthMax} levels`)]);
});

function split(pieces: (string | Buffer)[]): unknown[] {
  const splitter = new ArraySplitter();
  const values: unknown[] = [];
  for (const piece of pieces) {
    for (const elements of splitter.push(Buffer.from(piece))) {
      if (elements.kind === "rows") throw new Error("nobody reads rows here");
      const parsed = parseElements(elements);
      if (parsed.length !== countElements(elements)) throw new Error("elements were miscounted");
      values.push(...parsed);
    }
  }
  splitter.end();
  return values;
}

function cutInto(bytes: Buffer, sizes: number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let from = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(from, from + size));
    from += size;
  }
  return [...pieces, bytes.subarray(from)];
}
