/** Titles, notes, alerts and questions in the user's language, and how amounts and lists are written in it. */
import { exponentOf, toNumber } from "../../money.ts";
import { currencyDisplayOf, type Language, languages, textsOf } from "../../texts/languages.ts";
import type { BudgetTexts } from "../../texts/wording.ts";
import { lastOf } from "../../present.ts";

export const budgetTexts = textsOf("budgets");

export function listOf(names: readonly string[], { list }: BudgetTexts): string {
  return names.length < 2 ? (names[0] ?? "") : names.slice(0, -1).join(list.separator) + list.last + lastOf(names);
}

const formats = new Map<string, Intl.NumberFormat>();

/** Whole units of the currency: messages speak of sizes, figures stand in their own fields. */
export function amountText(minor: number, currency: string, language: Language): string {
  return written(Math.round(toNumber({ minor, currency })), currency, language, 0);
}

/** To the minor unit: where a sentence adds up amounts, so that a reader can. */
export function exactText(minor: number, currency: string, language: Language): string {
  return written(toNumber({ minor, currency }), currency, language, exponentOf(currency));
}

function written(value: number, currency: string, language: Language, digits: number): string {
  const key = `${language} ${currency} ${digits}`;
  let format = formats.get(key);
  if (format === undefined)
    formats.set(
      key,
      (format = new Intl.NumberFormat(languages[language].locale, {
        style: "currency",
        currencyDisplay: currencyDisplayOf(language, currency),
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      })),
    );
  // One sign for every language, as in the documents.
  return format.format(value).replace("-", "−");
}

export { counted, fill } from "../../texts/fill.ts";
