/**
 * How a partner writes its tables, `settings.csv`: what differs from the dialect that everybody may send. The same rules
 * are flags of `tideline check`, so that a bank tries them before it sends.
 */
export const csvEncodings = ["utf-8", "iso-8859-1", "windows-1252"] as const;
export const csvDecimals = ["point", "comma"] as const;
/** Order of day, month and year, and what stands between them; a time may follow behind a blank or T. */
export const csvDates = ["YYYY-MM-DD", "DD.MM.YYYY", "DD-MM-YYYY", "DD/MM/YYYY", "MM/DD/YYYY", "YYYYMMDD"] as const;

export type CsvDialect = {
  /** Whether a field may stand without quotes; those of the header row always may. */
  unquoted: boolean;
  decimal: (typeof csvDecimals)[number];
  encoding: (typeof csvEncodings)[number];
  dates: (typeof csvDates)[number];
  /** By the bank's own name of a column, in lower case, the one that is meant. */
  columns: Readonly<Record<string, string>>;
};

export const plainDialect: CsvDialect = {
  unquoted: false,
  decimal: "point",
  encoding: "utf-8",
  dates: "YYYY-MM-DD",
  columns: {},
};

const isOneOf = (values: readonly unknown[]) => (value: unknown) => values.includes(value);

/** By rule, what it may be. A schema would have every thread that loads read a library of 700 modules at its start. */
const isUsable: Readonly<Record<keyof CsvDialect, (value: unknown) => boolean>> = {
  unquoted: (value) => typeof value === "boolean",
  decimal: isOneOf(csvDecimals),
  encoding: isOneOf(csvEncodings),
  dates: isOneOf(csvDates),
  columns: (value) => isObject(value) && Object.values(value).every((meant) => typeof meant === "string"),
};

/** Settings that are not usable, which no command writes, change nothing. */
export function readCsvDialect(csv: unknown): CsvDialect {
  if (!isObject(csv)) return plainDialect;
  const names = Object.keys(isUsable) as (keyof CsvDialect)[];
  const rules = names.filter((name) => csv[name] !== undefined).map((name) => [name, csv[name]] as const);
  if (!rules.every(([name, value]) => isUsable[name](value))) return plainDialect;
  return { ...plainDialect, ...Object.fromEntries(rules) };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Such as "Kontonummer:account_number,Beløb:amount". @throws Error whose message completes "must be …" */
export function parseCsvColumns(text: string): Record<string, string> {
  return Object.fromEntries(text.split(",").map(parseColumn));
}

function parseColumn(text: string): [string, string] {
  const at = text.lastIndexOf(":");
  const [own, meant] = [columnName(text.slice(0, Math.max(at, 0))), columnName(text.slice(at + 1))];
  if (own === "" || !/^[a-z_0-9]+$/.test(meant))
    throw new Error("a list of OWN NAME:COLUMN, such as Kontonummer:account_number,Beløb:amount");
  return [own, meant];
}

/** As names of columns are compared: in any case, blanks around them left out. */
export function columnName(text: string): string {
  return text.trim().toLowerCase();
}
