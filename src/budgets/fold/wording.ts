/** Titles, notes, alerts and questions in the user's language, and how amounts and lists are written in it. */
import { exponentOf, toNumber } from "../../money.ts";
import { currencyDisplayOf, type Language, languages, textsOf } from "../../texts/languages.ts";
import type { BudgetTexts } from "../../texts/wording.ts";
import { lastOf } from "../../present.ts";

export const budgetTexts = textsOf("budgets");

/** @param values by the name in braces; one that is missing is a bug. */
export function fill(text: string, values: Readonly<Record<string, string>> = {}): string {
  const filled = text.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new RangeError(`nothing to fill in for ${name}`);
    return value;
  });
  // Amounts may end with an abbreviation's full stop, which then ends the sentence too.
  return filled.replace(/\.\.(?= |$)/g, ".");
}

export function listOf(names: readonly string[], { list }: BudgetTexts): string {
  return names.length < 2 ? (names[0] ?? "") : names.slice(0, -1).join(list.separator) + list.last + lastOf(names);
}

const formats = new Map<string, Intl.NumberFormat>();

/** Whole units of the currency: messages speak of sizes, figures stand in their own fields. */
export function amountText(minor: number, currency: string, language: Language): string {
  const key = `${language} ${currency}`;
  let format = formats.get(key);
  if (format === undefined)
    formats.set(
      key,
      (format = new Intl.NumberFormat(languages[language].locale, {
        style: "currency",
        currencyDisplay: currencyDisplayOf(language, currency),
        currency,
        maximumFractionDigits: 0,
      })),
    );
  const whole = Math.round(toNumber({ minor, currency }));
  return format.format(exponentOf(currency) === 0 ? minor : whole);
}
