/** What a table's text means in its partner's dialect: its characters, its numbers, its days. */
import type { CsvDialect } from "../../src/partners/settings/csv-rules.ts";

/** As UTF-8. Both other encodings have one byte a character, so that pieces may end anywhere. */
export async function* asUtf8(text: AsyncIterable<Buffer>, encoding: CsvDialect["encoding"]): AsyncGenerator<Buffer> {
  // ISO 8859-1 is what Node calls latin1; to TextDecoder that name means Windows-1252.
  const decoder = encoding === "windows-1252" ? new TextDecoder(encoding) : null;
  for await (const piece of text) {
    if (encoding === "utf-8") {
      yield piece;
      continue;
    }
    yield Buffer.from(decoder?.decode(piece, { stream: true }) ?? piece.toString("latin1"));
  }
}

const decimals = { point: /^[+-]?\d+(\.\d+)?$/, comma: /^[+-]?\d+(,\d+)?$/ } as const;

/**
 * As JSON.parse reads the same digits, so that both ways lead to one amount. What is no number stays text, which the
 * check refuses.
 */
export function toNumber(text: string, decimal: CsvDialect["decimal"]): number | string | null {
  if (text === "") return null;
  return decimals[decimal].test(text) ? Number(text.replace(",", ".")) : text;
}

const days: Readonly<Record<Exclude<CsvDialect["dates"], "YYYY-MM-DD">, { pattern: RegExp; order: string }>> = {
  "DD.MM.YYYY": { pattern: /^(\d{2})\.(\d{2})\.(\d{4})(?=$|[ T])/, order: "$3-$2-$1" },
  "DD-MM-YYYY": { pattern: /^(\d{2})-(\d{2})-(\d{4})(?=$|[ T])/, order: "$3-$2-$1" },
  "DD/MM/YYYY": { pattern: /^(\d{2})\/(\d{2})\/(\d{4})(?=$|[ T])/, order: "$3-$2-$1" },
  "MM/DD/YYYY": { pattern: /^(\d{2})\/(\d{2})\/(\d{4})(?=$|[ T])/, order: "$3-$1-$2" },
  YYYYMMDD: { pattern: /^(\d{4})(\d{2})(\d{2})(?=$|[ T])/, order: "$1-$2-$3" },
};

/** As YYYY-MM-DD, with the time behind it. What is written otherwise becomes a text that the check refuses. */
export function toTime(text: string, dates: CsvDialect["dates"]): string {
  if (dates === "YYYY-MM-DD") return text;
  const { pattern, order } = days[dates];
  return pattern.test(text) ? text.replace(pattern, order) : ` ${text}`;
}

/** What is wrong with a field, in the words of the dialect. */
export function inDialect(reason: string, dialect: CsvDialect): string {
  if (reason === notANumber && dialect.decimal === "comma") return `${notANumber} with a decimal comma`;
  if (reason === notADay && dialect.dates !== "YYYY-MM-DD")
    return `does not start with a calendar day (${dialect.dates})`;
  return reason;
}

/** As workers/records/record.ts words them. */
const notANumber = "is not a number";
const notADay = "does not start with a calendar day (YYYY-MM-DD)";
