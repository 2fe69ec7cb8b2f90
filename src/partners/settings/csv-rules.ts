/**
 * How a partner writes its tables, `settings.csv`: what differs from the dialect that everybody may send. The same rules
 * are flags of `tideline check`, so that a bank tries them before it sends.
 */
import { type Static, Type } from "typebox";
import { Check } from "typebox/value";

export const csvEncodings = ["utf-8", "iso-8859-1", "windows-1252"] as const;
export const csvDecimals = ["point", "comma"] as const;
/** Order of day, month and year, and what stands between them; a time may follow behind a blank or T. */
export const csvDates = ["YYYY-MM-DD", "DD.MM.YYYY", "DD-MM-YYYY", "DD/MM/YYYY", "MM/DD/YYYY", "YYYYMMDD"] as const;

const choice = <const Values extends readonly string[]>(values: Values) => Type.Enum([...values] as Values[number][]);

export const CsvSettingsSchema = Type.Object({
  unencrypted: Type.Optional(Type.Boolean()),
  unquoted: Type.Optional(Type.Boolean()),
  decimal: Type.Optional(choice(csvDecimals)),
  encoding: Type.Optional(choice(csvEncodings)),
  dates: Type.Optional(choice(csvDates)),
  columns: Type.Optional(Type.Record(Type.String(), Type.String())),
});
export type CsvSettings = Static<typeof CsvSettingsSchema>;

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

/** Settings that are not usable, which no command writes, change nothing. */
export function readCsvDialect(csv: unknown): CsvDialect {
  const { unencrypted: _unencrypted, ...rules } = Check(CsvSettingsSchema, csv) ? csv : {};
  return { ...plainDialect, ...rules };
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
