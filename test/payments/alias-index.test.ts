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
  t.deepEqual(entriesIn("XGOOGLE", index), [3, 4]);
  t.deepEqual(entriesIn("KAFFEHUSET", index), []);
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
    const matching = entries.flatMap((patterns, at) => (new RegExp(patterns.join("|"), "i").test(text) ? [at] : []));
    const candidates = entriesIn(text, index);
    return matching.every((at) => candidates.includes(at));
  });
  t.notThrows(() => fc.assert(whole, runs(2000)));
});
