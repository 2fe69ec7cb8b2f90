/** JSON Lines are the same rows wherever the pieces of a COPY end, whatever is in them. */
import test from "ava";
import { JsonLinesEncoder } from "../../src/exports/json-lines.ts";
import fc, { runs } from "../property.ts";
import { copied, inPieces } from "./copied.ts";

const columns = [
  { name: "text", kind: "text" },
  { name: "amount", kind: "decimal" },
  { name: 'a "name"', kind: "text" },
  { name: "truth", kind: "truth" },
  { name: "day", kind: "day" },
] as const;

async function encoded(pieces: readonly Buffer[]): Promise<Buffer[]> {
  const encoder = new JsonLinesEncoder(columns);
  const written: Buffer[] = [];
  const write = async (bytes: Uint8Array): Promise<void> => void written.push(Buffer.from(bytes));
  await encoder.begin();
  for (const piece of pieces) await encoder.add(piece, write);
  await encoder.settle(write);
  await encoder.finish();
  return written;
}

const text = fc.oneof(
  fc.constantFrom(
    null,
    "",
    "\\",
    String.raw`\N`,
    "N",
    'say "æ"',
    "\u0000".slice(1),
    "\u0001\u001f\u007f\b\f\n\r\t\v",
    "😀\\\\",
  ),
  fc.string({ unit: "grapheme", maxLength: 8 }).filter((one) => !one.includes("\0")),
);
const row = fc.tuple(
  text,
  fc.constantFrom(null, "-0.05", "123456789012.3456", "0"),
  text,
  fc.constantFrom(null, "t", "f"),
  fc.constantFrom(null, "2024-02-29"),
);

test("each line is what the row says, whatever its texts and wherever pieces end", async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 30 }),
      fc.array(fc.nat({ max: 3000 }), { maxLength: 6 }),
      async (rows, cuts) => {
        const lines = Buffer.concat(await encoded(inPieces(copied(rows), cuts))).toString("utf8");
        const expected = rows.map(
          ([one, amount, other, truth, day]) =>
            `{"text":${JSON.stringify(one)},"amount":${amount},"a \\"name\\"":${JSON.stringify(other)},"truth":${truth === null ? null : truth === "t"},"day":${JSON.stringify(day)}}\n`,
        );
        t.is(lines, expected.join(""));
      },
    ),
    runs(200),
  );
});

test("what is larger than is handed on at once is handed on whole, and nothing is handed on but whole rows", async (t) => {
  const rows = [3, 700_000, 5, 40_000, 40_000, 40_000, 2_000_000].map((length, at) => [
    "\u0001".repeat(length),
    String(at),
    null,
    null,
    null,
  ]);
  const written = await encoded(inPieces(copied(rows), [65_536, 131_072, 1_000_000]));
  t.true(written.length > 3);
  for (const one of written) t.is(one.at(-1), 0x0a);
  const lines = Buffer.concat(written).toString("utf8").trimEnd().split("\n");
  t.deepEqual(
    lines.map((line) => (JSON.parse(line) as { text: string; amount: number }).text.length),
    [3, 700_000, 5, 40_000, 40_000, 40_000, 2_000_000],
  );
});

test("a copy that ended within a row is no whole one", async (t) => {
  await t.throwsAsync(encoded([copied([["a", "1", null, null, null]]).subarray(0, -1)]), {
    message: "the copy ended within a row",
  });
});
