/** Lines break where they should at a bounded cost, and columns of figures and text share the width. */
import test from "ava";
import { ticksFor } from "../../../src/reports/document/bars.ts";
import { columnWidths } from "../../../src/reports/document/columns.ts";
import { printable } from "../../../src/reports/document/glyphs.ts";
import { breakLines, widestWord } from "../../../src/reports/document/lines.ts";
import fc from "../../property.ts";

/** Every character is one wide. */
const measure = (text: string) => text.length;

test("lines break at spaces, and keep the breaks that are written", (t) => {
  t.deepEqual(breakLines("one two three\nfour", 8, measure), ["one two", "three", "four"]);
  t.deepEqual(breakLines("", 8, measure), [""]);
  t.deepEqual(breakLines("a\n\nb", 8, measure), ["a", "", "b"]);
});

test("a word wider than its line breaks after a hyphen or slash, else where the line ends", (t) => {
  t.deepEqual(breakLines("Fælles-forening", 8, measure), ["Fælles-", "forening"]);
  t.deepEqual(breakLines("Andelsboligforening", 8, measure), ["Andelsbo", "ligforen", "ing"]);
});

test("a word of many lines costs a few measurements a line", (t) => {
  let measured = 0;
  const uneven = (text: string) => {
    measured += 1;
    return [...text].reduce((sum, character) => sum + (character === "i" ? 0.4 : 1), 0);
  };
  const word = Array.from({ length: 65_535 }, (_none, at) => ((at * at) % 7 < 3 ? "i" : "m")).join("");
  const lines = breakLines(word, 90, uneven);
  t.is(lines.join(""), word);
  t.true(lines.every((line) => uneven(line) <= 90.01));
  t.true(lines.slice(0, -1).every((line, at) => uneven(line + lines[at + 1]![0]) > 90));
  measured = 0;
  breakLines(word, 90, uneven);
  t.true(measured < lines.length * 8, `${measured} measurements for ${lines.length} lines`);
});

test("figures with no-break spaces stay on one line", (t) => {
  t.deepEqual(breakLines("paid 1\u00a0234\u00a0567", 10, measure), ["paid", "1\u00a0234\u00a0567"]);
  t.is(widestWord("paid 1\u00a0234\u00a0567 half-yearly", measure), 9);
});

test("broken lines hold every character of the text but the spaces at their ends", (t) => {
  const words = fc.array(
    fc.string({ unit: fc.constantFrom("a", "ø", "-", "/", "é", "9"), minLength: 1, maxLength: 30 }),
    { maxLength: 30 },
  );
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 25 }), (parts, width) => {
      const lines = breakLines(parts.join(" "), width, measure);
      return lines.every((line) => line.length <= width) && lines.join("").replaceAll(" ", "") === parts.join("");
    }),
  );
  t.pass();
});

test("columns of figures get what they need, and text the rest by weight", (t) => {
  const figures = { isFigures: true, natural: 80, least: 60, weight: 1 };
  const text = { isFigures: false, natural: 500, least: 40, weight: 1 };
  t.deepEqual(columnWidths([text, { ...text, weight: 1 }, figures], 300), [120, 120, 60]);
  t.deepEqual(columnWidths([{ ...text, natural: 50 }, text, figures], 300), [50, 190, 60]);
  // Room for the head on one line as well, and the rest to the text.
  t.deepEqual(columnWidths([{ ...text, natural: 50 }, figures], 300), [220, 80]);
});

test("columns always fill the table and never have no width", (t) => {
  const need = fc.record({
    isFigures: fc.boolean(),
    natural: fc.integer({ min: 1, max: 900 }),
    least: fc.integer({ min: 1, max: 300 }),
    weight: fc.integer({ min: 1, max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(need, { minLength: 1, maxLength: 9 }), (needs) => {
      const widths = columnWidths(
        needs.map((one) => ({ ...one, least: Math.min(one.least, one.natural) })),
        480,
      );
      return Math.abs(widths.reduce((sum, width) => sum + width, 0) - 480) < 0.1 && widths.every((width) => width > 0);
    }),
  );
  t.pass();
});

test("an axis goes in steps of 1, 2 or 5 to the first at or above the highest bar", (t) => {
  t.deepEqual(ticksFor(37_700), [0, 10_000, 20_000, 30_000, 40_000]);
  t.deepEqual(ticksFor(4), [0, 1, 2, 3, 4]);
  t.deepEqual(ticksFor(0), [0, 1]);
});

test("what the font cannot show is told by a question mark, and control characters are dropped", (t) => {
  const latin = (codePoint: number) => codePoint < 0x250;
  t.is(printable("Čaj 漢\u0007\u202e e\u0301\r\nny\tlinje", latin), "Čaj ? é\nny linje");
});

test("a word exactly as wide as its line is not broken by a rounding error", (t) => {
  t.deepEqual(breakLines("2026", 4 - 1e-9, measure), ["2026"]);
});
