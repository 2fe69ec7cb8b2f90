/** Every language says everything that is to be said, and callers find theirs by whatever name they ask for it. */
import { readdir } from "node:fs/promises";
import test from "ava";
import { expenseCategories, incomeCategories } from "../../src/categories/tree.ts";
import { notificationTypeNames } from "../../src/interface/notification.ts";
import { chooseLanguage, languageOf } from "../../src/texts/choose.ts";
import { languageCodes, languages } from "../../src/texts/languages.ts";

test("a user's locale decides the language, and English stands in for the others", (t) => {
  t.deepEqual(["da-DK", "sv_SE", "no-NO", "nn-NO", "nb-NO", "EN-gb", "fi-FI", "constructor", ""].map(languageOf), [
    "da",
    "sv",
    "nb",
    "nb",
    "nb",
    "en",
    "en",
    "en",
    "en",
  ]);
});

test("a caller reads the best language of its header, else the user's", (t) => {
  t.is(chooseLanguage("de, sv;q=0.4, no;q=0.8", "da-DK"), "nb");
  t.is(chooseLanguage("de, sv;q=0", "da-DK"), "da");
  t.is(chooseLanguage(undefined, "nn-NO"), "nb");
  t.is(chooseLanguage("fi", "fi-FI"), "en");
});

test("every folder of texts is a language of the table", async (t) => {
  const folders = (await readdir(new URL("../../src/texts", import.meta.url), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  t.deepEqual(folders.toSorted(), languageCodes.toSorted());
  t.is(languageCodes[0], "en");
});

test("no two languages are asked for by one code, or told under one", (t) => {
  const asked = languageCodes.flatMap((code) => languages[code].askedAs);
  t.deepEqual(asked, ["en", "da", "nb", "no", "nn", "sv"]);
  t.deepEqual(
    languageCodes.map((code) => languages[code].notifiedAs),
    ["en", "da", "no", "sv"],
  );
  for (const code of languageCodes) {
    t.true(languages[code].askedAs.includes(code));
    t.deepEqual(Intl.DateTimeFormat.supportedLocalesOf(languages[code].locale), [languages[code].locale]);
  }
});

test("every language says each text, with the same names to fill in as in English", (t) => {
  for (const code of languageCodes) t.deepEqual(namesIn(languages[code].texts), namesIn(languages.en.texts), code);
  t.deepEqual(namesIn({ told: { body: "{b} {a}" }, title: "T" }), ["title: ", "told.body: {a} {b}"]);
  t.deepEqual(namesIn({ title: " " }), ["title is empty"]);
});

test("English has a name for each category and a text for each notification type, and no other", (t) => {
  const { categories, notifications } = languages.en.texts;
  t.deepEqual(
    Object.keys(categories),
    [...expenseCategories, ...incomeCategories].map(({ id }) => id),
  );
  t.deepEqual(Object.keys(notifications).toSorted(), notificationTypeNames.toSorted());
});

/** Paths of texts with the names in braces that each has, in order. */
function namesIn(texts: object, path = ""): string[] {
  return Object.entries(texts)
    .flatMap(([name, value]: [string, unknown]) => {
      if (typeof value !== "string") return namesIn(value as object, `${path}${name}.`);
      if (value.trim() === "") return [`${path}${name} is empty`];
      return [`${path}${name}: ${(value.match(/\{\w+\}/g) ?? []).sort().join(" ")}`];
    })
    .sort();
}
