/** Sentences with places: a name in braces is filled in, and words that follow a number take its form. */
import { type Language, languages } from "./languages.ts";

/** A number as the language writes it, and which form of a word goes with it. */
export type Counted = { text: string; isOne: boolean };

type Counter = (value: number) => Counted;
const counters = new Map<string, Counter>();

/** @param decimals that are written of it: "1.0 months" is not "1 month" */
export function counted(language: Language, value: number, decimals = 0): Counted {
  const key = `${language} ${decimals}`;
  const counter = counters.get(key) ?? createCounter(language, decimals);
  counters.set(key, counter);
  return counter(value);
}

/** Source of the forms: Unicode CLDR, by Intl. None of the languages has more than two for a count. */
function createCounter(language: Language, decimals: number): Counter {
  const { locale } = languages[language];
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const [format, rules] = [new Intl.NumberFormat(locale, digits), new Intl.PluralRules(locale, digits)];
  return (value) => ({ text: format.format(value), isOne: rules.select(value) === "one" });
}

/**
 * `{name}` is the value; `{name|payment|payments}` the word that goes with it, which must be a count.
 * @throws RangeError for a place without a value: a bug in a text
 */
export function fill(sentence: string, values: Readonly<Record<string, string | Counted>> = {}): string {
  const filled = sentence.replace(
    /\{(\w+)(?:\|([^|{}]*)\|([^|{}]*))?\}/g,
    (_, name: string, one?: string, other?: string) => {
      const value = values[name];
      if (value === undefined) throw new RangeError(`nothing to put at {${name}}`);
      if (one === undefined || other === undefined) return typeof value === "string" ? value : value.text;
      if (typeof value === "string") throw new RangeError(`{${name}} is no count`);
      return value.isOne ? one : other;
    },
  );
  // Amounts may end with an abbreviation's full stop, which then ends the sentence too.
  return filled.replace(/\.\.(?= |$)/g, ".");
}
