/** Texts become words of A–Z, with the letters that a bank's alphabet lost; what was worked out is kept within bounds. */
import test from "ava";
import { alphabetOf, beginningWith } from "../../src/categories/alphabet.ts";
import { Memory } from "../../src/categories/memory.ts";
import { asPrinted, folded, wordsIn } from "../../src/categories/words.ts";

test("accents and the letters of the north are folded, and UE stands for U", (t) => {
  t.is(folded("Bøg Åse"), "BOG ASE");
  t.is(folded("Müller"), "MULLER");
  t.is(folded("Mueller"), "MULLER");
});

test("a letter that is lost is restored where a known word results, and only there", (t) => {
  for (const [text, fold] of [
    ["K?BMAND", "KOBMAND"],
    ["K|BMAND", "KOBMAND"],
    ["K\\BMAND", "KOBMAND"],
    ["B[GERI", "BAGERI"],
    ["B{GERI", "BAGERI"],
    ["KIOS?", "KIOS?"],
    ["SUP?RMARKED", "SUPERMARKED"],
    ["H?SLEJE", "HUSLEJE"],
    ["H]SLEJE", "HUSLEJE"],
    ["H}SLEJE", "HUSLEJE"],
    ["FRIS?R QX?ZV", "FRISOR QX?ZV"],
    ["XQZVK?BMAND", "XQZVKOBMAND"],
    ["K?BMANDXQZV", "KOBMANDXQZV"],
    ["K?BMAND*B?GER", "KOBMAND*BOGER"],
    ["R?K", "R?K"],
  ] as const)
    t.is(folded(text), fold, text);
});

test("up to three letters of a word are restored, no more", (t) => {
  t.is(folded("SUP?RM?RKED"), "SUPERMARKED");
  t.is(folded("S?P?RM?RKED"), "SUPERMARKED");
  t.is(folded("S?P?RM?RK?D"), "S?P?RM?RK?D");
});

test("marks of a sentence are no lost letters", (t) => {
  for (const text of ["WHAT? YES", "NETTO?", "A ? B", "44?"]) t.is(folded(text), text);
  t.is(folded("?POTEK"), "APOTEK");
});

test("a word says where it begins", (t) => {
  t.deepEqual(wordsIn("A1 B-C  42"), [
    { text: "A1", at: 0 },
    { text: "B", at: 3 },
    { text: "C", at: 5 },
    { text: "42", at: 8 },
  ]);
  t.deepEqual(wordsIn("*- /"), []);
});

test("a bank that drops the letters it lacks prints names without them, if enough of them is left", (t) => {
  const printed = (text: string) => asPrinted({ text, categoryId: "FOOD_GROCERIES", countries: ["DK"], isWeak: true });
  t.deepEqual(printed("købmand"), [{ text: "KBMAND", categoryId: "FOOD_GROCERIES", countries: ["DK"], isWeak: true }]);
  t.deepEqual(
    ["bøgeri", "bøger", "kobmand", "ko\u0308bmand"].map((text) => printed(text).map((one) => one.text)),
    [["BGERI"], [], [], ["KBMAND"]],
  );
});

test("entries of an alphabet are found by how they begin, in order", (t) => {
  const alphabet = alphabetOf([
    ["CD", 1],
    ["ABC", 2],
    ["B", 3],
    ["AB", 4],
    ["AB", 5],
    ["A", 6],
  ]);
  const found = (start: string) => beginningWith(alphabet, start).map(([name, at]) => `${name}${at}`);
  t.deepEqual(
    alphabet.map(([name, at]) => `${name}${at}`),
    ["A6", "AB4", "AB5", "ABC2", "B3", "CD1"],
  );
  t.deepEqual(found("AB"), ["AB4", "AB5", "ABC2"]);
  t.deepEqual(found("A"), ["A6", "AB4", "AB5", "ABC2"]);
  t.deepEqual(found("C"), ["CD1"]);
  t.deepEqual(found("ABCD"), []);
  t.deepEqual(found("Z"), []);
  t.deepEqual(beginningWith(alphabetOf<number>([]), "A"), []);
});

test("what was worked out once is not worked out again until the memory is full, null included", (t) => {
  const memory = new Memory<number | null>(2);
  let made = 0;
  const recall = (key: string, value: number | null) =>
    memory.recall(key, () => {
      made++;
      return value;
    });
  t.deepEqual([recall("a", 1), recall("a", 2), recall("b", null), recall("b", 3)], [1, 1, null, null]);
  t.is(made, 2);
  // The third has no place beside two.
  t.is(recall("c", 4), 4);
  t.deepEqual([recall("c", 5), recall("a", 6), made], [4, 6, 4]);
});

test("four known letters at the beginning of a word are enough to restore a lost one", (t) => {
  t.is(folded("BR?DXQZ"), "BRODXQZ");
});
