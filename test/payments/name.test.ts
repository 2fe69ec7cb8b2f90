/** Names taken apart are kept, ordered as their texts are, and searched for what many have. */
import test from "ava";
import { byCompact, directedNameOf, Kept, nameOf, oftenIn } from "../../src/payments/name.ts";
import fc, { runs } from "../property.ts";

const letters = fc.constantFrom("A", "B", "Z", "0", "9", " ", "é", "語");
const text = fc
  .tuple(fc.constantFrom("OUT", "IN"), fc.array(letters, { minLength: 1, maxLength: 9 }))
  .map(([direction, name]) => `${direction} ${name.join("")}`);

test("directed names come in the order of their texts without spaces, then with them", (t) => {
  const compact = (one: string): string => one.replaceAll(" ", "");
  fc.assert(
    fc.property(text, text, (a, b) => {
      const expected = compact(a) < compact(b) ? -1 : compact(a) > compact(b) ? 1 : a < b ? -1 : 1;
      t.is(Math.sign(byCompact(directedNameOf(a), directedNameOf(b))), expected);
    }),
    runs(300),
  );
});

test("a directed name tells its last word, its number and its codes", (t) => {
  const told = directedNameOf("OUT HAVNSTED KLUB 12");
  t.like(told, { direction: "OUT", name: "HAVNSTED KLUB 12", first: "HAVNSTED", word: "12" });
  t.is(told.numberless, "OUT HAVNSTED KLUB");
  t.like(told, { codeless: "OUT HAVNSTED KLUB", isMixed: false });
  t.like(directedNameOf("IN HAVNSTED K4821"), { numberless: undefined, codeless: "IN HAVNSTED", isMixed: true });
  t.like(directedNameOf("IN HAVNSTED"), { numberless: undefined, codeless: null });
});

test("a name is taken apart in upper case, once", (t) => {
  t.like(nameOf("Rema Til Byen"), {
    words: ["REMA", "TIL", "BYEN"],
    telling: ["REMA", "BYEN"],
    first: "REMA",
    letters: "REMATILBYEN",
    initials: "RTB",
  });
  t.is(nameOf("Rema Til Byen"), nameOf("Rema Til Byen"));
});

test("all words that come often are found, whatever else there is", (t) => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("NETTO", "FOTEX", "BILKA", "IRMA", "N", ""), { maxLength: 30 }), (words) => {
      const often = oftenIn(words, (word) => word, 3);
      for (const word of new Set(words))
        if (words.filter((one) => one === word).length >= 3) t.true(often.has(word), word);
    }),
    runs(200),
  );
  t.deepEqual([...oftenIn(["NETTO", "FOTEX"], (word) => word, 2)], []);
});

test("what was met again lately is kept, and the rest forgotten", (t) => {
  const kept = new Kept<{ text: string }>(2);
  const make = (text: string): { text: string } => ({ text });
  const first = kept.of("a", make);
  t.is(kept.of("a", make), first);
  kept.of("b", make);
  kept.of("c", make);
  t.is(kept.of("a", make), first, "of the turn before");
  kept.of("d", make);
  kept.of("e", make);
  kept.of("f", make);
  kept.of("g", make);
  t.not(kept.of("a", make), first);
});
