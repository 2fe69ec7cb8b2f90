/** The forms of a word are those in which its language has it in names; each list is the whole of them. */
import test from "ava";
import { formsOf } from "../../src/categories/inflection.ts";

const forms = (text: string, countries: string, isWeak = false) =>
  formsOf({ text, countries: countries.split(" "), isWeak, categoryId: "FOOD_GROCERIES" }).join(" ");

test("a word that ends in A has its article and both plurals of the north", (t) => {
  t.is(forms("SKOLA", "SE"), "SKOLAN SKOLOR SKOLORNA");
  t.is(forms("*SKOLA", "SE"), "*SKOLAN *SKOLOR *SKOLORNA");
});

test("a word that ends in E has its articles and the feminine one", (t) => {
  t.is(forms("KASSE", "NO"), "KASSEN KASSET KASSER KASSERNE KASSA KASSENE");
});

test("a word that ends in another vowel takes the article with and without one", (t) => {
  for (const [word, all] of [
    ["VISMI", "VISMIN VISMIT VISMIEN VISMIET VISMIER VISMIERNE"],
    ["VISMO", "VISMON VISMOT VISMOEN VISMOET VISMOER VISMOERNE"],
    ["VISMU", "VISMUN VISMUT VISMUEN VISMUET VISMUER VISMUERNE"],
    ["VISMY", "VISMYN VISMYT VISMYEN VISMYET VISMYER VISMYERNE"],
  ] as const)
    t.is(forms(word, "DK"), all);
});

test("a last consonant that is written twice before an ending stands once and twice", (t) => {
  const once = "EN ET ER ERNE ERNA ENE AR ARNA".split(" ");
  for (const end of "BDFGKLMNPRST") {
    const word = `VISMS${end}`;
    const all = [...once.map((ending) => word + ending), ...once.map((ending) => word + end + ending)];
    t.is(forms(word, "DK", true), all.join(" "), end);
  }
  for (const end of "CHJQVWXZ")
    t.is(forms(`VISMS${end}`, "DK", true), once.map((ending) => `VISMS${end}${ending}`).join(" "), end);
});

test("behind a vowel and an L or R the article may lose its vowel, and an E before them its own", (t) => {
  const behind = (word: string) => forms(word, "SE", true).split(" ").slice(16).join(" ");
  for (const vowel of "AIOUY") {
    t.is(behind(`VISM${vowel}L`), `VISM${vowel}LN VISM${vowel}LNA VISM${vowel}LNE`);
    t.is(behind(`VISM${vowel}R`), `VISM${vowel}RN VISM${vowel}RNA VISM${vowel}RNE`);
  }
  t.is(behind("VISEL"), "VISELN VISELNA VISELNE VISLEN VISLET VISLER VISLERNE VISLERNA VISLENE VISLAR VISLARNA");
  t.is(behind("VISER"), "VISERN VISERNA VISERNE VISREN VISRET VISRER VISRERNE VISRERNA VISRENE VISRAR VISRARNA");
  t.is(behind("VISTR"), "");
});

test("six letters and more end compounds where a language joins words, with every form", (t) => {
  for (const country of ["DK", "SE", "NO", "FI", "DE", "NL"]) t.regex(forms("VISMUV", country), /\*VISMUV/, country);
  t.is(forms("VISMUV", "FI"), "*VISMUV");
  t.is(forms("VISMUV", "NL"), "VISMUVS *VISMUV *VISMUVS");
  t.is(
    forms("VISMUV", "DK"),
    "VISMUVEN VISMUVET VISMUVER VISMUVERNE VISMUVERNA VISMUVENE VISMUVAR VISMUVARNA *VISMUV *VISMUVEN *VISMUVET *VISMUVER *VISMUVERNE *VISMUVERNA *VISMUVENE *VISMUVAR *VISMUVARNA",
  );
});

test("a short word, one with other meanings and one that is an end already end no compound", (t) => {
  t.is(forms("VISMU", "FI"), "");
  t.is(forms("VISMUV", "FI", true), "");
  t.is(forms("*VISMUV", "FI"), "");
  t.is(forms("VISMUV", "GB"), "VISMUVS");
});

test("English, French and Dutch words have a plural, from four letters on and unless they end in S", (t) => {
  for (const country of ["GB", "FR"]) t.is(forms("VISM", country), "VISMS", country);
  t.is(forms("VISM", "NL"), "VISMS");
  t.is(forms("*VISM", "GB"), "*VISMS");
  t.is(forms("VIS", "GB"), "");
  t.is(forms("VISS", "GB"), "");
  t.is(forms("VISM", "IE FR"), "VISMS");
});

test("words of four letters take no article, and other languages have no forms", (t) => {
  t.is(forms("VISA", "SE"), "");
  for (const country of ["SE", "NO", "DK"]) t.is(forms("VISMA", country), "VISMAN VISMOR VISMORNA", country);
  for (const country of ["PL", "CZ", "FI"]) t.is(forms("VISMA", country), "", country);
});

test("phrases, numbers and words with an open end have no forms", (t) => {
  for (const text of ["VISMA BORD", "VISMA2", "2VISMA", "VISMA*", "Visma", "**VISMA"])
    t.is(forms(text, "SE"), "", text);
});
