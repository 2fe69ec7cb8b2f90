/**
 * Days without time of day, and on which of them banks settle. A day is its ISO text; hot loops use day numbers.
 */
import {
  type Day,
  addMonthsToNumber,
  dayFromNumber,
  dayNumber,
  numberFromParts,
  partsFromNumber,
  weekdayOfNumber,
} from "./day-number.ts";
import { holidaysOf } from "./holidays.ts";

export {
  type Day,
  type DayParts,
  addMonthsToNumber,
  dayFromNumber,
  dayNumber,
  daysInMonth,
  numberFromParts,
  numberInMonth,
  partsFromNumber,
  weekdayOfNumber,
} from "./day-number.ts";
export { easterSunday, knowsHolidaysOf } from "./holidays.ts";

const dayPattern = /^\d{4}-\d{2}-\d{2}$/;
/** Longest run of non-banking days anywhere is under two weeks; a search beyond that is a bug. */
const closedDaysMax = 14;

/** True when text is a day that exists (2026-02-30 does not). */
export function isDay(text: string): text is Day {
  return dayPattern.test(text) && dayFromNumber(dayNumber(text)) === text;
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

/** Whole days from one day to another; negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return dayNumber(to) - dayNumber(from);
}

/** 1 Monday … 7 Sunday (ISO 8601). */
export function weekday(day: Day): number {
  return weekdayOfNumber(dayNumber(day));
}

/** True when banks of the country settle that day. Unknown countries follow the euro area's TARGET calendar. */
export function isBankingDay(day: Day, country: string): boolean {
  return isBankingDayNumber(dayNumber(day), country);
}

export function isBankingDayNumber(n: number, country: string): boolean {
  return n >= 0 && n < precomputedDays ? bankingDaysOf(country).next[n] === 0 : isOpen(n, country);
}

function isOpen(n: number, country: string): boolean {
  return weekdayOfNumber(n) < 6 && !holidaysOf(country, partsFromNumber(n).year).has(n);
}

/** Days from 1970 on that are precomputed for each country: recognition asks for them millions of times. */
const precomputedDays = numberFromParts(2101, 1, 1);
const precomputed = new Map<string, BankingDays>();

/** By day number: days to the next banking day and since the last one, 0 on one; `far` where more than a run is closed. */
type BankingDays = { country: string; next: Uint8Array; last: Uint8Array };
const far = closedDaysMax + 1;

/** One user after the other lives in one country. */
let asked: BankingDays | null = null;

function bankingDaysOf(country: string): BankingDays {
  if (asked?.country === country) return asked;
  let known = precomputed.get(country);
  if (known === undefined) precomputed.set(country, (known = countedDays(country)));
  return (asked = known);
}

function countedDays(country: string): BankingDays {
  const next = new Uint8Array(precomputedDays).fill(far);
  const last = new Uint8Array(precomputedDays).fill(far);
  for (let n = 0, days = far; n < precomputedDays; n++)
    last[n] = days = isOpen(n, country) ? 0 : Math.min(far, days + 1);
  for (let n = precomputedDays - 1, days = far; n >= 0; n--)
    next[n] = days = last[n] === 0 ? 0 : Math.min(far, days + 1);
  return { country, next, last };
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
  if (n >= 0 && n < precomputedDays) {
    const { next, last } = bankingDaysOf(country);
    const days = (direction === 1 ? next[n] : last[n]) as number;
    if (days < far) return n + days * direction;
  }
  for (let steps = 0; steps <= closedDaysMax; steps++) {
    if (isBankingDayNumber(n + steps * direction, country)) return n + steps * direction;
  }
  throw new Error(`no banking day in ${country} within ${closedDaysMax} days of ${dayFromNumber(n)}`);
}
