/** Texts as names are compared in. */
import test from "ava";
import { normaliseText } from "../../src/payments/normalise.ts";
import fc, { runs } from "../property.ts";

const compared = [
  ["", ""],
  [" ", ""],
  ["Robin Have", "ROBIN HAVE"],
  [" ROBIN", "ROBIN"],
  ["ROBIN ", "ROBIN"],
  ["ROBIN  HAVE", "ROBIN HAVE"],
  ["ROBIN\tHAVE", "ROBIN HAVE"],
  ["HAAVE", "HAVE"],
  ["HAEVE", "HAVE"],
  ["HOEVE", "HOVE"],
  ["HEAVE A E O E", "HEAVE A E O E"],
  ["HÅVE ~", "HAVE ~"],
  ["ROBIN–HAVE", "ROBIN-HAVE"],
] as const;

test("spaces are single, accents and double vowels plain, and nothing else is changed", (t) => {
  for (const [text, normal] of compared) t.is(normaliseText(text), normal, text);
});

test("a text of plain letters is compared as it is beside a letter that is not", (t) => {
  const piece = fc.constantFrom("a", "A", "E", "o", "O", "X", " ", "~", "7", "*", "\t", "é");
  const whole = fc.property(fc.array(piece, { maxLength: 10 }), (pieces) => {
    const text = pieces.join("");
    return normaliseText(`${text} Ø`) === `${normaliseText(text)} O`.trim();
  });
  t.notThrows(() => fc.assert(whole, runs(5000)));
});
