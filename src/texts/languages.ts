/**
 * The languages that the service writes: each a folder with one file a subject, and one line here. Whatever is told by
 * language derives from this table, so a language is there with every text or not at all.
 */
import { da } from "./da/language.ts";
import { en } from "./en/language.ts";
import { nb } from "./nb/language.ts";
import { sv } from "./sv/language.ts";
import type { LanguageEntry, Texts } from "./wording.ts";

const entries = { en, da, nb, sv } as const satisfies Record<string, LanguageEntry>;

/** The code by which the house knows a language. */
export type Language = keyof typeof entries;
export const languages: Readonly<Record<Language, LanguageEntry>> = entries;

/** English first: it stands in for the others. */
export const languageCodes = Object.keys(entries) as readonly Language[];

export function isLanguage(code: string): code is Language {
  return Object.hasOwn(entries, code);
}

/** Kroner are of three countries: only a language's own are written by their sign. */
export function currencyDisplayOf(language: Language, currency: string): "symbol" | "code" {
  return entries[language].homeCurrency === currency ? "symbol" : "code";
}

/** What one subject says, by language. */
export function textsOf<Subject extends keyof Texts>(subject: Subject): Readonly<Record<Language, Texts[Subject]>> {
  return Object.fromEntries(languageCodes.map((code) => [code, entries[code].texts[subject]])) as Record<
    Language,
    Texts[Subject]
  >;
}
