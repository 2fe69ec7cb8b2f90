/** A word that is another with nearly every payment is a code, and not the payee's name. */
import test from "ava";
import { directedNameOf } from "../../src/payments/name.ts";
import { withoutCodes } from "../../src/payments/varying-words.ts";

const shortened = (names: Record<string, number>): Record<string, string> =>
  Object.fromEntries(
    withoutCodes(Object.entries(names).map(([text, count]) => ({ name: directedNameOf(text), count }))) ?? [],
  );

test("names that differ by a code in one place are one name without it", (t) => {
  t.deepEqual(shortened({ "HAVNSTED 4K81 KLUB": 1, "HAVNSTED 9B22 KLUB": 1, "HAVNSTED 7C33 KLUB": 1 }), {
    "HAVNSTED 4K81 KLUB": "HAVNSTED KLUB",
    "HAVNSTED 9B22 KLUB": "HAVNSTED KLUB",
    "HAVNSTED 7C33 KLUB": "HAVNSTED KLUB",
  });
  t.deepEqual(shortened({ "HAVNSTED 4K81": 1 }), {}, "one alone varies with nothing");
});

test("one code is enough where the same name is met without any", (t) => {
  t.deepEqual(shortened({ "HAVNSTED 1AB6B KLUB": 1, "HAVNSTED KLUB": 3 }), { "HAVNSTED 1AB6B KLUB": "HAVNSTED KLUB" });
  t.deepEqual(shortened({ "HAVNSTED 17 KLUB": 1, "HAVNSTED KLUB": 3 }), {}, "a number alone may be an account's");
  t.deepEqual(shortened({ "HAVNSTED 1AB6B KLUB": 1, "HAVNSTED BAD": 3 }), {}, "another name");
});

test("letters that nobody could say are a code as well", (t) => {
  t.is(Object.keys(shortened({ "HAVNSTED QWRTX": 1, "HAVNSTED BDFGK": 1, "HAVNSTED ZXCVB": 1 })).length, 3);
});

test("words with a vowel are none, however many consonants stand in a row", (t) => {
  const kept = (...words: string[]) =>
    t.deepEqual(shortened(Object.fromEntries(words.map((word) => [`HAVNSTED ${word}`, 1]))), {}, words.join());
  kept("KLUB", "BAGERI", "OPTIK");
  kept("RECHTSSCHUTZ", "HAFTPFLICHT", "LANDSKRONA", "DEUTSCHLAND");
  kept("RYTHM", "SYLT", "NYMPH");
});

test("names that return are accounts, and stay", (t) => {
  t.deepEqual(shortened({ "HAVNSTED 4K81": 2, "HAVNSTED 9B22": 2, "HAVNSTED 7C33": 1 }), {}, "five payments of three");
  t.is(
    Object.keys(shortened({ "HAVNSTED 4K81": 2, "HAVNSTED 9B22": 1, "HAVNSTED 7C33": 1, "HAVNSTED 5D44": 1 })).length,
    4,
  );
  t.deepEqual(shortened({ "HAVNSTED 4K81": 3, "HAVNSTED 9B22": 1 }), {});
});

test("codes are told wherever they stand, and several in one name", (t) => {
  const short = shortened({ "4K81 HAVNSTED KLUB": 1, "HAVNSTED 9B22 KLUB 17": 1, "HAVNSTED KLUB 7C33": 1 });
  t.deepEqual(Object.values(short), ["HAVNSTED KLUB", "HAVNSTED KLUB", "HAVNSTED KLUB"]);
});

test("names of other words are not the same, whatever their codes", (t) => {
  t.deepEqual(shortened({ "HAVNSTED 4K81": 1, "HAVNSTED KLUB 9B22": 1, "KLUB 7C33": 1 }), {});
});

test("what is left must name someone: a word of four letters that is no code", (t) => {
  t.deepEqual(shortened({ "A B 4K81": 1, "A B 9B22": 1, "A B 7C33": 1 }), {});
  t.deepEqual(shortened({ "FRA 4K81": 1, "FRA 9B22": 1, "FRA 7C33": 1 }), {}, "three letters");
  t.is(Object.keys(shortened({ "KLUB 4K81": 1, "KLUB 9B22": 1, "KLUB 7C33": 1 })).length, 3, "four letters");
  t.deepEqual(shortened({ "4K81": 1, "9B22": 1, "7C33": 1 }), {}, "nothing is left");
  t.deepEqual(shortened({ "X9999 4K81": 1, "X9999 9B22": 1, "X9999 7C33": 1 }), {}, "only another code is left");
});

test("a code is left out with the letters of it that a bank gives a name again", (t) => {
  t.deepEqual(shortened({ "ON HAVNSTED FI VTV HAVNSTED FI VTVX5K": 1, "ON HAVNSTED FI MTK HAVNSTED FI MTKMT7": 1 }), {
    "ON HAVNSTED FI VTV HAVNSTED FI VTVX5K": "ON HAVNSTED FI HAVNSTED FI",
    "ON HAVNSTED FI MTK HAVNSTED FI MTKMT7": "ON HAVNSTED FI HAVNSTED FI",
  });
  t.deepEqual(
    shortened({ "HAVNSTED BY BYX5KQ": 1, "HAVNSTED BY BYMT7R": 1 }),
    { "HAVNSTED BY BYX5KQ": "HAVNSTED BY", "HAVNSTED BY BYMT7R": "HAVNSTED BY" },
    "two letters may be a word",
  );
});
