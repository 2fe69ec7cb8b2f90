/**
 * Days as whole numbers since 1970-01-01, for arithmetic in hot loops without Date objects. Proleptic Gregorian.
 */

/** Calendar day as YYYY-MM-DD. */
export type Day = string;

/** A calendar day in its parts; month 1–12, dayOfMonth 1–31. */
export type DayParts = { year: number; month: number; dayOfMonth: number };

const daysPerEra = 146_097;
const daysFromEraToEpoch = 719_468;

/** Days since 1970-01-01. The first ten characters must be YYYY-MM-DD; what follows (a time) is ignored. */
export function dayNumber(day: Day): number {
  const year = digit(day, 0) * 1000 + digit(day, 1) * 100 + digit(day, 2) * 10 + digit(day, 3);
  return numberFromParts(year, digit(day, 5) * 10 + digit(day, 6), digit(day, 8) * 10 + digit(day, 9));
}

/** The day that is n days after 1970-01-01. */
export function dayFromNumber(n: number): Day {
  const { year, month, dayOfMonth } = partsFromNumber(n);
  return `${String(year).padStart(4, "0")}-${pad(month)}-${pad(dayOfMonth)}`;
}

/** Day number of the given parts; dayOfMonth may overflow into the next month. Source: Hinnant, days_from_civil. */
export function numberFromParts(year: number, month: number, dayOfMonth: number): number {
  const shifted = month <= 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + dayOfMonth - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * daysPerEra + dayOfEra - daysFromEraToEpoch;
}

/** Inverse of numberFromParts. Source: Hinnant, civil_from_days. */
export function partsFromNumber(n: number): DayParts {
  const shifted = n + daysFromEraToEpoch;
  const era = Math.floor(shifted / daysPerEra);
  const dayOfEra = shifted - era * daysPerEra;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  const dayOfMonth = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfMonth };
}

export function daysInMonth(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}

/** addMonths over day numbers. */
export function addMonthsToNumber(n: number, months: number, dayOfMonth?: number): number {
  const parts = partsFromNumber(n);
  const monthIndex = parts.year * 12 + parts.month - 1 + months;
  return numberInMonth(monthIndex, dayOfMonth ?? parts.dayOfMonth);
}

/** Day number of dayOfMonth in a month counted from year 0 (year × 12 + month − 1), clamped to the month's end. */
export function numberInMonth(monthIndex: number, dayOfMonth: number): number {
  const start = monthStart(monthIndex);
  return Math.min(start + dayOfMonth, monthStart(monthIndex + 1)) - 1;
}

/** Months whose first days are precomputed: recognition asks for them millions of times. */
const precomputedYearMin = 1970;
const precomputedYearMax = 2100;
const monthStarts = Int32Array.from({ length: (precomputedYearMax - precomputedYearMin) * 12 }, (_, index) =>
  numberFromParts(precomputedYearMin + Math.floor(index / 12), (index % 12) + 1, 1),
);

function monthStart(monthIndex: number): number {
  const index = monthIndex - precomputedYearMin * 12;
  if (index >= 0 && index < monthStarts.length) return monthStarts[index] as number;
  const year = Math.floor(monthIndex / 12);
  return numberFromParts(year, monthIndex - year * 12 + 1, 1);
}

/** 1 Monday … 7 Sunday (ISO 8601) of a day number. */
export function weekdayOfNumber(n: number): number {
  const day = (n + 3) % 7;
  return day < 0 ? day + 8 : day + 1;
}

function digit(text: string, index: number): number {
  return text.charCodeAt(index) - 48;
}

function pad(part: number): string {
  return part < 10 ? `0${part}` : String(part);
}
