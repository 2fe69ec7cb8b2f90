/** In which of the tree's languages a caller reads (RFC 9110, 12.5.4). */
import { type CategoryLanguage, categoryLanguages } from "./tree.ts";
import { firstOf } from "../present.ts";

/** Longer headers than any browser sends are cut. */
const rangesMax = 20;

/** The best of the tree's languages that the Accept-Language header takes; else that of the locale; else English. */
export function chooseLanguage(acceptLanguage: string | undefined, locale: string): CategoryLanguage {
  const ranges = (acceptLanguage ?? "")
    .split(",", rangesMax)
    .map(readRange)
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight);
  for (const { tag } of ranges) {
    const language = languageOf(tag);
    if (language !== null) return language;
  }
  return languageOf(locale) ?? "en";
}

/**
 * Norwegian, whichever of its forms is meant, is written as bokmål here. Null: a language that the tree is not written
 * in.
 */
function languageOf(tag: string): CategoryLanguage | null {
  const primary = firstOf(tag.trim().toLowerCase().split(/[-_]/, 1));
  const language = primary === "no" || primary === "nn" ? "nb" : primary;
  return categoryLanguages.find((known) => known === language) ?? null;
}

function readRange(text: string): { tag: string; weight: number } {
  const [tag = "", ...parameters] = text.split(";").map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q=/i.test(parameter));
  return { tag, weight: tag === "" ? 0 : weight === undefined ? 1 : Number(weight.slice("q=".length)) || 0 };
}
