/**
 * Days without time of day, and the banking calendars of the countries we serve.
 * A day is its ISO text; hot loops use day numbers (whole days since 1970-01-01), which convert without Date objects.
 * Banking days: Monday to Friday except public and bank holidays. Sources: the countries' holiday acts and their central
 * banks' published settlement calendars; years in which a holiday began or ended are stated beside it.
 */

/** Calendar day as YYYY-MM-DD, proleptic Gregorian. */
export type Day = string;

/** A calendar day in its parts; month 1–12, dayOfMonth 1–31. */
export type DayParts = { year: number; month: number; dayOfMonth: number };

const DAY_PATTERN = /^\d{4}-\d{2}-\d{2}$/;
const DAYS_PER_ERA = 146_097;
const DAYS_FROM_ERA_TO_EPOCH = 719_468;
/** Longest run of non-banking days anywhere is under two weeks; a search beyond that is a bug. */
const CLOSED_DAYS_MAX = 14;

/** True when text is a day that exists (2026-02-30 does not). */
export function isDay(text: string): text is Day {
  return DAY_PATTERN.test(text) && dayFromNumber(dayNumber(text)) === text;
}

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
  return era * DAYS_PER_ERA + dayOfEra - DAYS_FROM_ERA_TO_EPOCH;
}

/** Inverse of numberFromParts. Source: Hinnant, civil_from_days. */
export function partsFromNumber(n: number): DayParts {
  const shifted = n + DAYS_FROM_ERA_TO_EPOCH;
  const era = Math.floor(shifted / DAYS_PER_ERA);
  const dayOfEra = shifted - era * DAYS_PER_ERA;
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

export function addDays(day: Day, days: number): Day {
  return dayFromNumber(dayNumber(day) + days);
}

/**
 * The same day of another month, or that month's last day where it is shorter.
 * dayOfMonth names the day that is meant: with 31 a month end stays a month end (2026-02-28 → 2026-03-31).
 */
export function addMonths(day: Day, months: number, dayOfMonth?: number): Day {
  return dayFromNumber(addMonthsToNumber(dayNumber(day), months, dayOfMonth));
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

/** Months whose first days are kept in a table: recognition asks for them millions of times. */
const TABLE_YEAR_MIN = 1970;
const TABLE_YEAR_MAX = 2100;
const MONTH_STARTS = Int32Array.from({ length: (TABLE_YEAR_MAX - TABLE_YEAR_MIN) * 12 }, (_, index) =>
  numberFromParts(TABLE_YEAR_MIN + Math.floor(index / 12), (index % 12) + 1, 1),
);

function monthStart(monthIndex: number): number {
  const known = MONTH_STARTS[monthIndex - TABLE_YEAR_MIN * 12];
  if (known !== undefined) return known;
  const year = Math.floor(monthIndex / 12);
  return numberFromParts(year, monthIndex - year * 12 + 1, 1);
}

/** Whole days from one day to another; negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from);
}

/** 1 Monday … 7 Sunday (ISO 8601). */
export function weekday(day: Day): number {
  return weekdayOfNumber(dayNumber(day));
}

export function weekdayOfNumber(n: number): number {
  return ((((n + 3) % 7) + 7) % 7) + 1;
}

/** True when banks of the country settle that day. Unknown countries follow the euro area's TARGET calendar. */
export function isBankingDay(day: Day, country: string): boolean {
  return isBankingDayNumber(dayNumber(day), country);
}

export function isBankingDayNumber(n: number, country: string): boolean {
  if (weekdayOfNumber(n) >= 6) return false;
  return !holidaysOf(country, partsFromNumber(n).year).has(n);
}

/** The day itself when it is a banking day, else the first one after it. */
export function nextBankingDay(day: Day, country: string): Day {
  return dayFromNumber(bankingDayFrom(dayNumber(day), 1, country));
}

/** The day itself when it is a banking day, else the last one before it. */
export function previousBankingDay(day: Day, country: string): Day {
  return dayFromNumber(bankingDayFrom(dayNumber(day), -1, country));
}

/** First banking day at or after (direction 1) or at or before (direction −1) a day number. */
export function bankingDayFrom(n: number, direction: 1 | -1, country: string): number {
  for (let steps = 0; steps <= CLOSED_DAYS_MAX; steps++) {
    if (isBankingDayNumber(n + steps * direction, country)) return n + steps * direction;
  }
  throw new Error(`no banking day in ${country} within ${CLOSED_DAYS_MAX} days of ${dayFromNumber(n)}`);
}

/** Western Easter Sunday as a day number. Source: the anonymous Gregorian computus (Meeus, Astronomical Algorithms, ch. 8). */
export function easterSunday(year: number): number {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const d = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - d + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 22 * l) / 451);
  const n = h + l - 7 * m + 114;
  return numberFromParts(year, Math.floor(n / 31), (n % 31) + 1);
}

const holidayCache = new Map<string, Map<number, ReadonlySet<number>>>();

function holidaysOf(country: string, year: number): ReadonlySet<number> {
  let years = holidayCache.get(country);
  if (years === undefined) holidayCache.set(country, (years = new Map()));
  let holidays = years.get(year);
  if (holidays === undefined) years.set(year, (holidays = new Set((HOLIDAYS[country] ?? TARGET)(year))));
  return holidays;
}

type HolidayRule = (year: number) => number[];

const MAUNDY_THURSDAY = -3;
const GOOD_FRIDAY = -2;
const EASTER_MONDAY = 1;
const GREAT_PRAYER_DAY = 26;
const ASCENSION = 39;
const WHIT_MONDAY = 50;
const CORPUS_CHRISTI = 60;

const TARGET: HolidayRule = (year) => [
  ...fixed(year, "01-01 05-01 12-25 12-26"),
  ...easter(year, GOOD_FRIDAY, EASTER_MONDAY),
];

const HOLIDAYS: Record<string, HolidayRule> = {
  DK: (year) => [
    ...fixed(year, "01-01 06-05 12-24 12-25 12-26 12-31"),
    ...easter(year, MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY),
    ...(year >= 2009 ? easter(year, ASCENSION + 1) : []), // banks closed on the Friday after Ascension since 2009
    ...(year <= 2023 ? easter(year, GREAT_PRAYER_DAY) : []), // abolished from 2024
  ],
  NO: (year) => [
    ...fixed(year, "01-01 05-01 05-17 12-25 12-26"),
    ...easter(year, MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY),
  ],
  SE: (year) => [
    ...fixed(year, "01-01 01-06 05-01 12-24 12-25 12-26 12-31"),
    ...easter(year, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION),
    ...(year >= 2005 ? fixed(year, "06-06") : easter(year, WHIT_MONDAY)), // the National Day replaced Whit Monday
    midsummerEve(year),
  ],
  FI: (year) => [
    ...fixed(year, "01-01 01-06 05-01 12-06 12-24 12-25 12-26"),
    ...easter(year, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION),
    midsummerEve(year),
  ],
  IS: (year) => [
    ...fixed(year, "01-01 05-01 06-17 12-24 12-25 12-26 12-31"),
    ...easter(year, MAUNDY_THURSDAY, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY),
    weekdayFrom(year, 4, 19, 4), // first day of summer
    weekdayFrom(year, 8, 1, 1), // commerce day
  ],
  GB: britishHolidays,
  IE: irishHolidays,
  DE: (year) => [
    ...fixed(year, "01-01 05-01 12-24 12-25 12-26 12-31"),
    ...(year >= 1990 ? fixed(year, "10-03") : []),
    ...easter(year, GOOD_FRIDAY, EASTER_MONDAY, ASCENSION, WHIT_MONDAY),
  ],
  NL: (year) => [...TARGET(year), kingsDay(year), ...easter(year, ASCENSION, WHIT_MONDAY)],
  PL: (year) => [
    ...fixed(year, "01-01 05-01 05-03 08-15 11-01 11-11 12-25 12-26"),
    ...(year >= 2011 ? fixed(year, "01-06") : []),
    ...(year >= 2025 ? fixed(year, "12-24") : []),
    ...easter(year, EASTER_MONDAY, CORPUS_CHRISTI),
  ],
  CZ: (year) => [
    ...fixed(year, "01-01 05-01 05-08 07-05 07-06 10-28 12-24 12-25 12-26"),
    ...(year >= 2000 ? fixed(year, "09-28 11-17") : []),
    ...easter(year, ...(year >= 2016 ? [GOOD_FRIDAY] : []), EASTER_MONDAY),
  ],
};

/** England and Wales. Royal one-offs and moved holidays are proclaimed, so they are a list. */
const BRITISH_PROCLAIMED: Record<number, { extra: string; movedSpring?: string; movedMay?: string }> = {
  1999: { extra: "12-31" },
  2002: { extra: "06-03", movedSpring: "06-04" },
  2011: { extra: "04-29" },
  2012: { extra: "06-05", movedSpring: "06-04" },
  2020: { extra: "", movedMay: "05-08" },
  2022: { extra: "06-03 09-19", movedSpring: "06-02" },
  2023: { extra: "05-08" },
};

function britishHolidays(year: number): number[] {
  const proclaimed = BRITISH_PROCLAIMED[year];
  return [
    ...substituted(fixed(year, "01-01")),
    ...substituted(fixed(year, "12-25 12-26")),
    ...easter(year, GOOD_FRIDAY, EASTER_MONDAY),
    ...(proclaimed?.movedMay ? fixed(year, proclaimed.movedMay) : [weekdayFrom(year, 5, 1, 1)]),
    ...(proclaimed?.movedSpring ? fixed(year, proclaimed.movedSpring) : [weekdayFrom(year, 5, 25, 1)]),
    weekdayFrom(year, 8, 25, 1),
    ...fixed(year, proclaimed?.extra ?? ""),
  ];
}

function irishHolidays(year: number): number[] {
  return [
    ...substituted(fixed(year, "01-01")),
    ...substituted(fixed(year, "03-17")),
    ...substituted(fixed(year, "12-25 12-26")),
    ...easter(year, GOOD_FRIDAY, EASTER_MONDAY), // Good Friday is a bank holiday though not a public one
    weekdayFrom(year, 5, 1, 1),
    weekdayFrom(year, 6, 1, 1),
    weekdayFrom(year, 8, 1, 1),
    weekdayFrom(year, 10, 25, 1),
    ...(year >= 2023 ? [saintBrigid(year)] : []),
    ...(year === 2022 ? fixed(year, "03-18") : []),
  ];
}

/** First Monday of February, or 1 February itself when that is a Friday. */
function saintBrigid(year: number): number {
  const first = numberFromParts(year, 2, 1);
  return weekdayOfNumber(first) === 5 ? first : weekdayFrom(year, 2, 1, 1);
}

/** 27 April since 2014 (30 April before), one day earlier when that is a Sunday. */
function kingsDay(year: number): number {
  const day = numberFromParts(year, 4, year >= 2014 ? 27 : 30);
  return weekdayOfNumber(day) === 7 ? day - 1 : day;
}

/** The Friday between 19 and 25 June. */
function midsummerEve(year: number): number {
  return weekdayFrom(year, 6, 19, 5);
}

/** First given weekday (1 Monday … 7 Sunday) on or after a date. */
function weekdayFrom(year: number, month: number, dayOfMonth: number, wanted: number): number {
  const start = numberFromParts(year, month, dayOfMonth);
  return start + ((wanted - weekdayOfNumber(start) + 7) % 7);
}

/** Holidays on a weekend move to the next weekdays that are free. */
function substituted(days: readonly number[]): number[] {
  const taken = new Set(days.filter((day) => weekdayOfNumber(day) < 6));
  for (const day of days) {
    let observed = day;
    while (weekdayOfNumber(observed) >= 6 || (observed !== day && taken.has(observed))) observed++;
    taken.add(observed);
  }
  return [...taken];
}

function easter(year: number, ...offsets: readonly number[]): number[] {
  const sunday = easterSunday(year);
  return offsets.map((offset) => sunday + offset);
}

function fixed(year: number, monthDays: string): number[] {
  return monthDays
    .split(" ")
    .filter((text) => text !== "")
    .map((text) => dayNumber(`${String(year).padStart(4, "0")}-${text}`));
}

function digit(text: string, index: number): number {
  return text.charCodeAt(index) - 48;
}

function pad(part: number): string {
  return part < 10 ? `0${part}` : String(part);
}
