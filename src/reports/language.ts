/** How reports write amounts and days in each language. */
import type { Day } from "../time/calendar.ts";
import { exponentOf, formatAmount } from "../money.ts";
import { counted, type Counted, fill } from "../texts/fill.ts";
import { currencyDisplayOf, type Language, languages } from "../texts/languages.ts";

export type Formats = {
  /** BCP 47, for the document. */
  locale: string;
  /** The figure alone, with the currency's decimals: "−1.234,50". */
  amount(minor: number, currency: string): string;
  /** The language's own currency by its sign, others by their code, since "kr" is three of them: "1.234,50 kr.", "1.234,50 SEK". */
  money(minor: number, currency: string): string;
  /** Without decimals, for an axis. */
  wholeAmount(minor: number, currency: string): string;
  /** "15 Jun 2026". */
  day(day: Day): string;
  /** "15 June 2026". */
  longDay(day: Day): string;
  /** Of "2026-05": "May 2026". */
  month(month: string): string;
  /** Of "2026-05", for a column: "May 2026", with the month cut short where it is long. */
  monthInColumn(month: string): string;
  /** Of "2026-05", for an axis: "May". */
  shortMonth(month: string): string;
  percent(ratio: number): string;
  /** A rate in hundredths of a per cent, with as many decimals as it has: "5.25 %". */
  percentage(hundredths: number): string;
  count(value: number): string;
  /** For a sentence in which words go with the number. */
  counted(value: number, decimals?: number): Counted;
};

const remembered = new Map<Language, Formats>();

export function formatsOf(language: Language): Formats {
  const known = remembered.get(language);
  if (known) return known;
  const formats = createFormats(language);
  remembered.set(language, formats);
  return formats;
}

function createFormats(language: Language): Formats {
  const { locale } = languages[language];
  const dated = (options: Intl.DateTimeFormatOptions) => {
    const formatter = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC" });
    return (day: Day) => unbroken(formatter.format(new Date(`${day}T00:00:00Z`)));
  };
  const number = (options: Intl.NumberFormatOptions) => {
    const formatter = new Intl.NumberFormat(locale, options);
    // A decimal text is formatted exactly; one sign for every language, as wide as a digit.
    return (value: string | number) => formatter.format(value as Intl.StringNumericLiteral).replace("-", "−");
  };
  const amounts = remember((exponent: number) =>
    number({ minimumFractionDigits: exponent, maximumFractionDigits: exponent }),
  );
  const moneys = remember((currency: string) =>
    number({
      style: "currency",
      currencyDisplay: currencyDisplayOf(language, currency),
      currency,
      minimumFractionDigits: exponentOf(currency),
      maximumFractionDigits: exponentOf(currency),
    }),
  );
  const whole = number({ maximumFractionDigits: 0 });
  const percent = number({ style: "percent", maximumFractionDigits: 0 });
  const rate = number({ style: "percent", maximumFractionDigits: 2 });
  const month = dated({ month: "long", year: "numeric" });
  const monthInColumn = dated({ month: "short", year: "numeric" });
  const shortMonth = dated({ month: "short" });
  return {
    locale,
    amount: (minor, currency) => amounts(exponentOf(currency))(formatAmount({ minor, currency })),
    money: (minor, currency) => moneys(currency)(formatAmount({ minor, currency })),
    wholeAmount: (minor, currency) => whole(formatAmount({ minor, currency })),
    day: dated({ dateStyle: "medium" }),
    longDay: dated({ dateStyle: "long" }),
    month: (text) => month(`${text}-01`),
    monthInColumn: (text) => monthInColumn(`${text}-01`),
    shortMonth: (text) => shortMonth(`${text}-01`),
    percent,
    percentage: (hundredths) => rate(`${hundredths}E-4`),
    count: whole,
    counted: (value, decimals) => counted(language, value, decimals),
  };
}

/** In no-break spaces, so that it stays on one line. */
export function unbroken(text: string): string {
  return text.replaceAll(" ", "\u00a0");
}

function remember<Key, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new Map<Key, Value>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

export { fill };
