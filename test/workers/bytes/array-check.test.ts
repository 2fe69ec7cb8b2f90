/** The quick check of an array agrees with the splitter on every text, damaged ones included. */
import test from "ava";
import { ArrayCheck } from "../../../workers/bytes/array-check.ts";
import { ArraySplitter, NotAnArray } from "../../../workers/bytes/array-splitter.ts";
import fc, { runs } from "../../property.ts";

test("an array of records is one, wherever the pieces are cut and however the text is laid out", (t) => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 4 }), { maxLength: 30 }),
      fc.constantFrom(undefined, 1, "\t"),
      fc.array(fc.nat(400), { maxLength: 40 }),
      (values, indent, cuts) => {
        t.is(complaintOf(new ArrayCheck(), cutInto(Buffer.from(JSON.stringify(values, null, indent)), cuts)), null);
      },
    ),
    runs(400),
  );
});

/** Texts of few characters go wrong in every way that a text can. */
const scraps = fc.array(
  fc.constantFrom(
    "[",
    "]",
    "{",
    "}",
    ",",
    '"',
    "\\",
    " ",
    "\n",
    "a",
    "1",
    "Y",
    "_",
    "|",
    '"x":',
    '{"k":{"l":[1]}}',
    "[[[",
    "]]]",
    "é",
    "\u0000",
  ),
  { maxLength: 60 },
);

test("it says of every text what the splitter says", (t) => {
  let [taken, refused] = [0, 0];
  const arrays = fc
    .tuple(scraps, fc.boolean())
    .map(([parts, wrapped]) => (wrapped ? `[${parts.join("")}]` : parts.join("")));
  fc.assert(
    fc.property(arrays, fc.array(fc.nat(9), { maxLength: 40 }), (text, cuts) => {
      const pieces = cutInto(Buffer.from(text), cuts);
      const complaint = complaintOf(new ArrayCheck(), pieces);
      if (complaint === null) taken += 1;
      else refused += 1;
      t.is(complaint, complaintOf(new ArraySplitter(), pieces), text);
    }),
    { ...runs(20_000), endOnFailure: true },
  );
  t.true(refused > 1000 && taken > 1, `${taken} taken, ${refused} refused`);
});

test("of an array that is damaged somewhere it says what the splitter says", (t) => {
  const whole = Buffer.from(
    JSON.stringify(
      Array.from({ length: 20 }, (_, n) => ({
        uid: `user ${n}`,
        tx: { description: `a "quoted" \\ text, with ] and }`, list: [[n], {}] },
      })),
    ),
  );
  fc.assert(
    fc.property(fc.nat(whole.length - 1), fc.nat(255), fc.array(fc.nat(300), { maxLength: 20 }), (at, byte, cuts) => {
      const damaged = Buffer.from(whole);
      damaged[at] = byte;
      const pieces = cutInto(damaged, cuts);
      t.is(complaintOf(new ArrayCheck(), pieces), complaintOf(new ArraySplitter(), pieces));
    }),
    runs(5000),
  );
});

function complaintOf(reader: { push(piece: Buffer): unknown; end(): void }, pieces: readonly Buffer[]): string | null {
  try {
    for (const piece of pieces) reader.push(piece);
    reader.end();
    return null;
  } catch (error) {
    if (error instanceof NotAnArray) return error.message;
    throw error;
  }
}

/** Pieces of the given sizes, and the rest. */
function cutInto(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size));
    at = Math.min(bytes.length, at + size);
  }
  return [...pieces, bytes.subarray(at)];
}
