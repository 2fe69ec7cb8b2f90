/** Columns and texts come out as they went in, in few bytes. */
import test from "ava";
import { Packer, Unpacker } from "../../../src/recognition/past/packing.ts";
import fc from "../../property.ts";

const number = fc.oneof(fc.nat({ max: 300 }), fc.maxSafeInteger(), fc.integer({ min: -70_000, max: 70_000 }));

test("columns of safe integers come out as they went in", (t) => {
  fc.assert(
    fc.property(fc.array(fc.array(number)), (columns) => {
      const packer = new Packer();
      for (const column of columns) packer.column(column);
      const unpacker = new Unpacker(packer.packed());
      for (const column of columns) t.deepEqual([...unpacker.column()], column);
      t.true(unpacker.isAtEnd);
    }),
  );
});

test("a column takes as many bytes as its values lie apart, and none where all are one", (t) => {
  const bytesOf = (...column: number[]): number => {
    const packer = new Packer();
    packer.column(column);
    return packer.packed().length - 13;
  };
  t.deepEqual(
    [
      bytesOf(),
      bytesOf(7e15, 7e15),
      bytesOf(1_000_000, 1_000_255),
      bytesOf(-1, 255),
      bytesOf(0, 65_536),
      bytesOf(0, 2 ** 32),
      bytesOf(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    ],
    [0, 0, 2, 4, 8, 16, 16],
  );
});

test("texts of any alphabet come out as they went in, bytes by where they lie", (t) => {
  const packer = new Packer();
  packer.texts(["", "Å", "two words", "\u{1f6b2}"]);
  packer.bytes(Buffer.from("raw"));
  const unpacker = new Unpacker(packer.packed());
  t.deepEqual(
    unpacker.texts((bytes, from, to) => bytes.toString("utf8", from, to)),
    ["", "Å", "two words", "\u{1f6b2}"],
  );
  const { from, to } = unpacker.bytes();
  t.is(unpacker.source.toString("utf8", from, to), "raw");
  t.true(unpacker.isAtEnd);
});

test("what is no safe integer is not packed", (t) => {
  for (const value of [0.5, Number.NaN, Infinity, 2 ** 53])
    t.throws(() => new Packer().column([value]), { instanceOf: RangeError });
});

test("what is cut off or something else is noticed", (t) => {
  const packer = new Packer();
  packer.column([1, 2_000, 3]);
  packer.texts(["abc"]);
  const whole = packer.packed();
  for (let length = 0; length < whole.length; length++) {
    const unpacker = new Unpacker(whole.subarray(0, length));
    t.throws(
      () => {
        unpacker.column();
        unpacker.texts(() => "");
      },
      { instanceOf: RangeError },
    );
  }
  const another = Buffer.from(whole);
  another[8] = 3;
  t.throws(() => new Unpacker(another).column(), { message: "this is no packed column" });
});
