/** In which language a caller or a user reads. */
import { type Language, languageCodes, languages } from "./languages.ts";

/** Longer headers than any browser sends are cut. */
const rangesMax = 20;

const byTag: ReadonlyMap<string, Language> = new Map(
  languageCodes.flatMap((code) => languages[code].askedAs.map((tag) => [tag, code])),
);

/** @param locale such as da-DK or no_NO; English where it is of none of the languages */
export function languageOf(locale: string): Language {
  return findLanguage(locale) ?? "en";
}

/**
 * The best language that the Accept-Language header takes (RFC 9110, 12.5.4); else that of the locale; else English.
 */
export function chooseLanguage(acceptLanguage: string | undefined, locale: string): Language {
  const ranges = (acceptLanguage ?? "")
    .split(",", rangesMax)
    .map(readRange)
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of ranges) {
    const language = findLanguage(tag);
    if (language !== null) return language;
  }
  return languageOf(locale);
}

/** Null: one in which nothing is written. */
function findLanguage(tag: string): Language | null {
  const [primary = ""] = tag.trim().toLowerCase().split(/[-_]/, 1);
  return byTag.get(primary) ?? null;
}

function readRange(text: string): { tag: string; weight: number } {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q=/i.test(parameter));
  return { tag, weight: tag === "" ? 0 : weight === undefined ? 1 : Number(weight.slice("q=".length)) || 0 };
}
