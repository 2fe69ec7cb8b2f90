/**
 * The European Central Bank's files of reference rates, as it publishes them: the latest day (eurofxref-daily.xml,
 * eurofxref.zip), the last ninety days (eurofxref-hist-90d.xml) and all since 1999 (eurofxref-hist.xml,
 * eurofxref-hist.zip); a zip holds one CSV. What a file is, its bytes say.
 */
import { parseXml, XmlElement } from "@rgrove/parse-xml";
import { parse } from "csv-parse/sync";
import { unzipSync } from "fflate";
import { Fault } from "../errors.ts";
import { type Day, isDay } from "../time/calendar.ts";

/** perEuro: units of each quoted currency for one euro. */
export type DayRates = { day: Day; perEuro: Readonly<Record<string, number>> };

/** All rates since 1999 are seven megabytes as XML, two as CSV. */
export const ratesBytesMax = 64 * 1024 * 1024;
/** Ten decimals are what conversion keeps; the bank publishes six digits. */
const ratePattern = /^(?=.*[1-9])\d{1,9}(\.\d{1,10})?$/;
const currencyPattern = /^[A-Z]{3}$/;

/** @returns at least one day, ascending, each once. @throws Fault RATES_UNREADABLE */
export function readRatesFile(bytes: Uint8Array): DayRates[] {
  if (bytes.length > ratesBytesMax) throw unreadable("is larger than any of them");
  if (isZip(bytes)) return readRatesCsv(unpack(bytes));
  return isXml(bytes) ? readRatesXml(bytes) : readRatesCsv(bytes);
}

/** A head line with the currencies, then a line a day; "N/A" and empty cells are currencies without a rate that day. */
export function readRatesCsv(bytes: Uint8Array): DayRates[] {
  const [head = [], ...lines] = read(
    () =>
      parse(Buffer.from(bytes), {
        bom: true,
        trim: true,
        relax_column_count: true,
        skip_empty_lines: true,
      }) as string[][],
  );
  if (head[0]?.toLowerCase() !== "date") throw unreadable("has no head line that begins with Date");
  return checked(
    lines.map(([date = "", ...cells]) => ({
      date: isoDay(date),
      cells: cells.flatMap((cell, at): [string, string][] =>
        cell === "N/A" || cell === "" ? [] : [[head[at + 1] ?? "", cell]],
      ),
    })),
  );
}

/** Cubes in a cube: one a day with its time, one a currency with its rate. */
function readRatesXml(bytes: Uint8Array): DayRates[] {
  const text = read(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  // None of them has one, and entities that a document declares can grow without bound.
  if (text.includes("<!DOCTYPE")) throw unreadable("declares a type of its own");
  const { root } = read(() => parseXml(text));
  const days = root === null ? [] : cubesIn(root).flatMap(cubesIn);
  return checked(
    days.map((day) => ({
      date: day.attributes.time ?? "",
      cells: cubesIn(day).map(({ attributes: { currency = "", rate = "" } }) => [currency, rate]),
    })),
  );
}

function cubesIn(element: XmlElement): XmlElement[] {
  return element.children.filter((child) => child instanceof XmlElement && child.name === "Cube") as XmlElement[];
}

function checked(lines: readonly { date: string; cells: readonly (readonly [string, string])[] }[]): DayRates[] {
  const days = new Map<Day, DayRates>();
  for (const { date, cells } of lines) {
    if (!isDay(date)) throw unreadable("has a line without a day");
    const wrong = cells.find(([currency, rate]) => !currencyPattern.test(currency) || !ratePattern.test(rate));
    if (wrong !== undefined) throw unreadable(`has no rate where ${date} should have one`);
    if (cells.length > 0)
      days.set(date, { day: date, perEuro: Object.fromEntries(cells.map(([name, rate]) => [name, Number(rate)])) });
  }
  if (days.size === 0) throw unreadable("holds no rates");
  return [...days.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1));
}

const months = "January February March April May June July August September October November December".split(" ");

/** The daily CSV writes "13 April 2026", the historical one 2026-04-13. */
function isoDay(text: string): string {
  const [, day = "", month = "", year = ""] = /^(\d{1,2}) ([A-Z][a-z]+) (\d{4})$/.exec(text) ?? [];
  const number = months.indexOf(month) + 1;
  return number === 0 ? text : `${year}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
}

function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 0x03 && bytes[3] === 0x04;
}

function isXml(bytes: Uint8Array): boolean {
  return new TextDecoder().decode(bytes.subarray(0, 100)).trimStart().startsWith("<");
}

/** Only so much is unpacked as the archive itself says, which is looked at first. */
function unpack(bytes: Uint8Array): Uint8Array {
  const isTable = ({ name, originalSize }: { name: string; originalSize: number }): boolean => {
    if (!name.toLowerCase().endsWith(".csv")) return false;
    if (originalSize > ratesBytesMax) throw unreadable("unpacks to more than any of them");
    return true;
  };
  const [table] = Object.values(read(() => unzipSync(bytes, { filter: isTable })));
  if (table === undefined) throw unreadable("is a zip without a CSV");
  return table;
}

function read<Result>(parsed: () => Result): Result {
  try {
    return parsed();
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw unreadable("is damaged", error);
  }
}

function unreadable(what: string, cause?: unknown): Fault {
  return new Fault("RATES_UNREADABLE", `The file of exchange rates ${what}.`, { cause });
}
