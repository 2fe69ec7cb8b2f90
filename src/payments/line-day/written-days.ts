/** Days written into a line, as banks write them: 14.06, 06/14/26, 2026-06-14, 140626, 14 JUN. */
import { numberFromParts } from "../../time/calendar.ts";

/** How a day may be written; the month's name says which number is the day. */
export const dayMonth = 0;
export const monthDay = 1;
const yearFirst = 2;
const yearLast = 3;
const yearLastMonthFirst = 4;
const monthName = 5;
const ways = 6;

/** An earlier day is not that of the purchase. */
const lagDaysMax = 7;
const none = -1;

/** Of the line looked at last: by way, how many days before the booking the day is that it names; `none`: none so. */
const lags = new Int8Array(ways);

export function lagsFound(): Int8Array {
  return lags.slice();
}

/**
 * Looks for days that lie on the day of the booking or up to a week before it.
 * @param at the booking's, as day number; year: its
 * @returns a bit for each way in which the line names one
 */
export function findWrittenDays(line: string, at: number, year: number): number {
  lags.fill(none);
  let told = 0;
  const { length } = line;
  for (let index = 0; index < length; index++) {
    if (!isDigit(line.charCodeAt(index))) continue;
    const start = index;
    while (index < length && isDigit(line.charCodeAt(index))) index++;
    if (index - start > digitsMax || (start > 0 && isLetter(line.charCodeAt(start - 1)))) continue;
    told |= lookAt(line, start, index, at, year);
    // The number behind a separator may itself begin a day.
    index--;
  }
  return told;
}

const digitsMax = 8;

function lookAt(line: string, start: number, end: number, at: number, year: number): number {
  const value = numberIn(line, start, end);
  const separator = line.charCodeAt(end);
  switch (end - start) {
    case 1:
    case 2:
      return isSeparator(separator) && isDigit(line.charCodeAt(end + 1))
        ? lookAtParts(line, value, end, at, year)
        : lookAtName(line, value, end, at, year);
    case 4: {
      const month = pairAt(line, end + 1);
      const isWhole = month >= 0 && isSeparator(separator) && line.charCodeAt(end + 3) === separator;
      const day = isWhole ? pairAt(line, end + 4) : none;
      return day < 0 ? 0 : note(yearFirst, value, month, day, at, year);
    }
    case 6: {
      const [a, b, c] = [Math.floor(value / 10_000), Math.floor(value / 100) % 100, value % 100];
      return (
        note(yearFirst, century(year) + a, b, c, at, year) |
        note(yearLast, century(year) + c, b, a, at, year) |
        note(yearLastMonthFirst, century(year) + c, a, b, at, year)
      );
    }
    case 8: {
      const [first, last] = [Math.floor(value / 10_000), value % 10_000];
      return (
        note(yearFirst, first, Math.floor(last / 100), last % 100, at, year) |
        note(yearLast, last, first % 100, Math.floor(first / 100), at, year) |
        note(yearLastMonthFirst, last, Math.floor(first / 100), first % 100, at, year)
      );
    }
    default:
      return 0;
  }
}

/** Two numbers with a separator, and perhaps the year behind another one like it. */
function lookAtParts(line: string, first: number, end: number, at: number, year: number): number {
  let index = end + 1;
  while (isDigit(line.charCodeAt(index))) index++;
  if (index - end > 3) return 0;
  const second = numberIn(line, end + 1, index);
  const yearFrom = index + 1;
  let yearTo = yearFrom;
  if (line.charCodeAt(index) === line.charCodeAt(end)) while (isDigit(line.charCodeAt(yearTo))) yearTo++;
  const written = numberIn(line, yearFrom, yearTo);
  const full = yearTo - yearFrom === 4 ? written : yearTo - yearFrom === 2 ? century(year) + written : null;
  return note(dayMonth, full, second, first, at, year) | note(monthDay, full, first, second, at, year);
}

/** A day with the month's name behind it, or right behind a blank or a hyphen. */
function lookAtName(line: string, day: number, end: number, at: number, year: number): number {
  const from = isLetter(line.charCodeAt(end)) ? end : end + 1;
  if (!isLetter(line.charCodeAt(from))) return 0;
  const month = months.get(line.slice(from, from + nameLength).toUpperCase());
  return month === undefined ? 0 : note(monthName, null, month, day, at, year);
}

/** Notes the day if it is near; of several in one way the earliest, since what is done with a purchase comes later. */
function note(way: number, written: number | null, month: number, day: number, at: number, year: number): number {
  if (month < 1 || month > 12 || day < 1 || day > 31) return 0;
  if (written !== null && written !== year && written !== year - 1) return 0;
  let lag = at - numberFromParts(written ?? year, month, day);
  if (written === null && lag < 0) lag = at - numberFromParts(year - 1, month, day);
  if (lag < 0 || lag > lagDaysMax) return 0;
  if (lag > (lags[way] as number)) lags[way] = lag;
  return 1 << way;
}

/** By their first letters, in the languages whose banks write days so. */
const nameLength = 3;
const months: ReadonlyMap<string, number> = new Map(
  [
    "JAN GEN ENE",
    "FEB FEV",
    "MAR MRZ MRT",
    "APR AVR ABR",
    "MAY MAI MAJ MEI MAG",
    "JUN GIU",
    "JUL LUG",
    "AUG AGO AOU",
    "SEP SET",
    "OCT OKT OTT OUT",
    "NOV",
    "DEC DEZ DES DIC",
  ].flatMap((names, index) => names.split(" ").map((name) => [name, index + 1] as const)),
);

function century(year: number): number {
  return year - (year % 100);
}

/** Two digits that stand alone; `none` for anything else. */
function pairAt(line: string, index: number): number {
  const isPair = isDigit(line.charCodeAt(index)) && isDigit(line.charCodeAt(index + 1));
  return isPair && !isDigit(line.charCodeAt(index + 2)) ? numberIn(line, index, index + 2) : none;
}

function numberIn(line: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index++) value = value * 10 + line.charCodeAt(index) - 0x30;
  return value;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

/** Point, slash, hyphen. */
function isSeparator(code: number): boolean {
  return code >= 0x2d && code <= 0x2f;
}
