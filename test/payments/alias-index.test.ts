/** The index leaves out no alias that matches a text, and offers few others. */
import test from "ava";
import { entriesIn, indexAliases } from "../../src/payments/alias-index.ts";
import fc, { runs } from "../property.ts";

const entries = [
  ["netflix", "\\bmax\\.com"],
  ["if ?skade", "l[a]nsforsakringar"],
  ["tv ?2 ?play"],
  ["google ?\\*? ?one"],
  ["^google ?\\*"],
  ["hk|danmark"],
];
const index = indexAliases(entries);

test("an entry is among those that may match when one of its patterns begins in the text", (t) => {
  t.deepEqual(entriesIn("HELP.MAX.COM", index), [0]);
  t.deepEqual(entriesIn("X-GOOGLE", index), [3, 4]);
  t.deepEqual(entriesIn("KAFFEHUSET", index), []);
});

test("a text tells an entry by the three characters with which its pattern begins, where no letter stands before them", (t) => {
  const plain = indexAliases([["roret"], ["2 nord"], ["havn9"]]);
  t.deepEqual(entriesIn("ROR", plain), [0]);
  t.deepEqual(entriesIn("HAVROR", plain), [2]);
  for (const before of ["A", "Z"]) t.deepEqual(entriesIn(`${before}ROR`, plain), [], before);
  for (const before of ["0", "9", " ", "-", "\n"]) t.deepEqual(entriesIn(`${before}ROR`, plain), [0], before);
  t.deepEqual(entriesIn("RO RET", plain), []);
  t.deepEqual(entriesIn("RO-R", plain), []);
  t.deepEqual(entriesIn("TYPE 2 NORD", plain), [1]);
  t.deepEqual(entriesIn("2-NORD", plain), []);
  t.deepEqual(entriesIn("HAV", plain), [2]);
  t.deepEqual(entriesIn("ROØR", plain), []);
  t.deepEqual(entriesIn("ØROR", plain), [0]);
});

test("neither a sign, a letter of another alphabet nor what stands before the text is taken for a plain character", (t) => {
  const plain = indexAliases([["roa"], ["ah0"], ["rn x"], ["aro"]]);
  for (const text of ["RO-", "AB-", "ROØ", "RO"]) t.deepEqual(entriesIn(text, plain), [], text);
});

test("entries come in the order of the catalogue, each once, in whatever order the text names them", (t) => {
  const several = indexAliases([["roret", "rorsted"], ["havnen"], ["nordly", "havnef"]]);
  t.deepEqual(entriesIn("NORDLY HAVNEN RORET ROR", several), [0, 1, 2]);
  t.deepEqual(entriesIn("HAVNEN", several), [1, 2]);
});

test("the place of an entry counts by its number, not by its digits", (t) => {
  const names = ["abc", "bcd", "cde", "def", "efg", "fgh", "ghi", "hij", "ijk", "jkl", "klm"];
  t.deepEqual(entriesIn("KLM CDE", indexAliases(names.map((name) => [name]))), [2, 10]);
});

for (const [why, pattern, text] of [
  ["begins with two characters before one that may be left out", "abc?d", "XABD"],
  ["begins with two characters before one that may come often", "abc*d", "XABCCD"],
  ["begins with two characters before one that comes several times", "abc+d", "XABCCCD"],
  ["begins with two characters before one that is counted", "abc{2}d", "XABCCD"],
  ["is shorter than three characters", "ab", "XAB"],
  ["begins with a class", "[rk]oret", "RORET"],
  ["has two forms", "roret|havnen", "HAVNEN"],
  ["begins with a point", ".roret", "XRORET"],
] as const) {
  test(`an entry whose pattern ${why} is found by the pattern itself`, (t) => {
    const one = indexAliases([["nordly"], [pattern]]);
    t.deepEqual(one.always, [1]);
    t.deepEqual(entriesIn(text, one), [1]);
    t.deepEqual(entriesIn("KAFFEHUSET", one), []);
  });
}

for (const pattern of ["\\broret", "^roret", "roret?", "ror et"]) {
  test(`an entry whose pattern is ${pattern} is found by its beginning`, (t) => {
    const one = indexAliases([[pattern]]);
    t.deepEqual(one.always, []);
    t.is(one.other, null);
    t.deepEqual(entriesIn("ROR", one), [0]);
  });
}

test("entries without a plain beginning come beside those with one", (t) => {
  const mixed = indexAliases([["roret"], ["[hk]avn"], ["nordly", "[fl]jord"], ["lyd"]]);
  t.deepEqual(entriesIn("RORET", mixed), [0]);
  t.deepEqual(entriesIn("HAVN LYD RORET", mixed), [0, 1, 2, 3]);
  t.deepEqual(entriesIn("FJORD", mixed), [1, 2]);
  t.deepEqual(entriesIn("NOR", mixed), [2]);
});

test("a catalogue of nothing has nothing in any text", (t) => {
  t.deepEqual(entriesIn("RORET", indexAliases([])), []);
});

test("no entry that matches is left out", (t) => {
  const piece = fc.constantFrom(
    "NETFLIX",
    "MAX.COM",
    "IF",
    "SKADE",
    "LANSFORSAKRINGAR",
    "TV",
    "2",
    "PLAY",
    "GOOGLE",
    "*",
    "ONE",
    "HK",
    "DANMARK",
    " ",
    "X",
    "\n",
  );
  const whole = fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
    const text = pieces.join("");
    const matching = entries.flatMap((patterns, at) =>
      new RegExp(`(?<![a-z])(?:${patterns.join("|")})`, "i").test(text) ? [at] : [],
    );
    const candidates = entriesIn(text, index);
    return matching.every((at) => candidates.includes(at));
  });
  t.notThrows(() => fc.assert(whole, runs(2000)));
});
