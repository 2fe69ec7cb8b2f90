/** Sentences are filled in, and words take the form that goes with their number, in every language. */
import test from "ava";
import { counted, fill } from "../../src/texts/fill.ts";
import { type Language, languageCodes, languages } from "../../src/texts/languages.ts";

const of = (language: Language, text: string, count: number, decimals?: number) =>
  fill(text, { count: counted(language, count, decimals), months: counted(language, count, decimals) });

test("a word goes with its number, as each language has it", (t) => {
  for (const [language, none, one, many] of [
    ["en", "0 months", "1 month", "1,234 months"],
    ["da", "0 måneder", "1 måned", "1.234 måneder"],
    ["nb", "0 måneder", "1 måned", "1\u00a0234 måneder"],
    ["sv", "0 månader", "1 månad", "1\u00a0234 månader"],
  ] as const) {
    const text = languages[language].texts.budgetReport.household.insuranceValue;
    t.deepEqual(
      [0, 1, 1234].map((count) => of(language, text, count)),
      [none, one, many],
    );
  }
});

test("decimals have a form of their own: Danes have one and a half month, Swedes have 1.0 months", (t) => {
  const forms = (language: Language, value: number) => fill("{n} {n|one|other}", { n: counted(language, value, 1) });
  t.deepEqual(
    [forms("da", 1.5), forms("da", 2.5), forms("sv", 1), forms("en", 1)],
    ["1,5 one", "2,5 other", "1,0 other", "1.0 other"],
  );
});

test("sentences with a count are right for one and for two", (t) => {
  const amount = "10 kr.";
  const collection = (language: Language, count: number) =>
    fill(languages[language].texts.budgets.risks.debtCollection, { count: counted(language, count), amount });
  t.deepEqual(
    languageCodes.flatMap((language) => [collection(language, 1), collection(language, 2)]),
    [
      "1 payment to debt collectors in the last 12 months, 10 kr. in all.",
      "2 payments to debt collectors in the last 12 months, 10 kr. in all.",
      "1 betaling til inkasso de seneste 12 måneder, i alt 10 kr.",
      "2 betalinger til inkasso de seneste 12 måneder, i alt 10 kr.",
      "1 betaling til inkasso de siste 12 månedene, til sammen 10 kr.",
      "2 betalinger til inkasso de siste 12 månedene, til sammen 10 kr.",
      "1 betalning till inkasso de senaste 12 månaderna, totalt 10 kr.",
      "2 betalningar till inkasso de senaste 12 månaderna, totalt 10 kr.",
    ],
  );
});

test("a text with a place that nothing fills, or words that go with no number, is a bug", (t) => {
  t.throws(() => fill("{what}"), { message: "nothing to put at {what}" });
  t.throws(() => fill("{what|one|other}", { what: "2" }), { message: "{what} is no count" });
});

test("every language has the places of the English text, and both forms of each word", (t) => {
  const namesIn = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name).toSorted();
  const compare = (english: unknown, other: unknown, where: string): void => {
    if (typeof english === "string" && typeof other === "string") {
      t.deepEqual([...new Set(namesIn(other))], [...new Set(namesIn(english))], where);
      for (const [place] of other.matchAll(/\{[^{}]*\}/g)) t.regex(place, /^\{\w+(?:\|[^|]+\|[^|]+)?\}$/, where);
      return;
    }
    for (const [name, value] of Object.entries(english as object))
      compare(value, (other as Record<string, unknown>)[name], `${where}.${name}`);
  };
  for (const language of languageCodes) compare(languages.en.texts, languages[language].texts, language);
});
