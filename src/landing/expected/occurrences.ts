/**
 * When a file is due: the days of an expectation, and the instants of its cutoffs. Pure; days are those of its time
 * zone.
 */
import { addDays, type Day, daysInMonth, isBankingDay, nextBankingDay, weekday } from "../../time/calendar.ts";
import { dayIn } from "../../time/clock.ts";
import type { ExpectedFile } from "../../partners/settings/expected-files.ts";

export type Occurrence = {
  /** The day for which the file is due. */
  day: Day;
  cutoffAt: Date;
  /** Cutoff and grace: from then on it is late. */
  dueAt: Date;
};

/** A service that was down for longer has other worries than which files did not come. */
const occurrencesMax = 1000;
/** No expectation is silent for longer than a month, unless it names a day that few months have. */
const searchDaysMax = 100;

/** Those that became due after `after` and until `until`, in their order; at most the thousand latest. */
export function occurrencesDue(expected: ExpectedFile, after: Date, until: Date): Occurrence[] {
  const found: Occurrence[] = [];
  // Grace may end on a later day than the cutoff.
  const first = addDays(dayIn(expected.timeZone, after), -2);
  for (
    let day = addDays(dayIn(expected.timeZone, until), 1);
    day >= first && found.length < occurrencesMax;
    day = addDays(day, -1)
  ) {
    if (!isDueDay(expected, day)) continue;
    const dueAt = dueAtOf(expected, day);
    if (dueAt <= after) break;
    if (dueAt <= until) found.push({ day, cutoffAt: cutoffOf(expected, day), dueAt });
  }
  return found.toReversed();
}

export function isDueDay(expected: ExpectedFile, day: Day): boolean {
  const { days, country } = expected;
  if (days === "daily") return true;
  if (days === "weekdays") return weekday(day) <= 5;
  if (days === "banking-days") return isBankingDay(day, country ?? "");
  if ("weekdays" in days) return days.weekdays.includes(weekday(day));
  return country === undefined ? isMonthDay(days.monthDays, day) : isMovedMonthDay(days.monthDays, country, day);
}

/** 31 means the last day of a shorter month, as -1 does. */
function isMonthDay(monthDays: readonly number[], day: Day): boolean {
  const [year = 0, month = 0, dayOfMonth = 0] = day.split("-").map(Number);
  const last = daysInMonth(year, month);
  return monthDays.some((one) => dayOfMonth === (one === -1 ? last : Math.min(one, last)));
}

/** Closed days before this one pass their files on to it. */
function isMovedMonthDay(monthDays: readonly number[], country: string, day: Day): boolean {
  if (!isBankingDay(day, country)) return false;
  for (let meant = day; nextBankingDay(meant, country) === day; meant = addDays(meant, -1)) {
    if (isMonthDay(monthDays, meant)) return true;
  }
  return false;
}

/** When the occurrence before a day was due: what came until then was for that one. */
export function dueBefore(expected: ExpectedFile, day: Day): Date {
  for (let steps = 1; steps <= searchDaysMax; steps++) {
    const before = addDays(day, -steps);
    if (isDueDay(expected, before)) return dueAtOf(expected, before);
  }
  return new Date(0);
}

function dueAtOf(expected: ExpectedFile, day: Day): Date {
  return new Date(cutoffOf(expected, day).getTime() + expected.graceMinutes * 60_000);
}

/**
 * The cutoff's instant. A time of day that summer time leaves out is as much later; of one that comes twice the later
 * one counts, so that nobody is late who had the hour.
 */
export function cutoffOf({ cutoff, timeZone }: Pick<ExpectedFile, "cutoff" | "timeZone">, day: Day): Date {
  const local = Temporal.PlainDateTime.from(`${day}T${cutoff}`);
  return new Date(local.toZonedDateTime(timeZone, { disambiguation: "later" }).epochMilliseconds);
}

/**
 * The names that would do for a due day: a pattern of * and ?, both within one folder, and the day's {YYYY}, {YY},
 * {MM}, {DD}.
 */
export function namePattern(pattern: string, day: Day): RegExp {
  const [year = "", month = "", dayOfMonth = ""] = day.split("-");
  const parts: Readonly<Record<string, string>> = {
    "{YYYY}": year,
    "{YY}": year.slice(2),
    "{MM}": month,
    "{DD}": dayOfMonth,
    "*": "[^/]*",
    "?": "[^/]",
  };
  const source = pattern.replace(
    /\{YYYY\}|\{YY\}|\{MM\}|\{DD\}|[\\^$.*+?()[\]{}|/]/g,
    (token) => parts[token] ?? `\\${token}`,
  );
  return new RegExp(`^${source}$`);
}

/** Whether the pattern itself says for which day a file is. */
export function namesItsDay(pattern: string): boolean {
  return pattern.includes("{DD}");
}
