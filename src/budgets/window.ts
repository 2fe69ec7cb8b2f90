/** The twelve complete months before a business day, and how many of them the accounts' data cover. */
import { addMonths, type Day } from "../time/calendar.ts";
import { firstOf } from "../present.ts";
import type { Month } from "./budget.ts";

/** The interface has exactly twelve. */
export const monthsMax = 12;
/** A history that begins this early in a month has the whole of it: banks post nothing on the first days of a year. */
const firstDayOfWholeMonthMax = 3;

export type Window = {
  /** M-12 … M-1, oldest first. */
  months: readonly Month[];
  /** How many of the latest of them are covered, 0–12. */
  covered: number;
};

/** @param firstDay of the oldest transaction; null without any. */
export function windowOf(asOf: Day, firstDay: Day | null): Window {
  const months = Array.from({ length: monthsMax }, (_, at) =>
    monthOf(addMonths(`${monthOf(asOf)}-01`, at - monthsMax)),
  );
  return {
    months,
    covered: firstDay === null ? 0 : months.filter((month) => month >= firstWholeMonth(firstDay)).length,
  };
}

export function monthOf(day: Day): Month {
  return day.slice(0, 7);
}

function firstWholeMonth(firstDay: Day): Month {
  return Number(firstDay.slice(8, 10)) <= firstDayOfWholeMonthMax
    ? monthOf(firstDay)
    : monthOf(addMonths(`${monthOf(firstDay)}-01`, 1));
}

/** Index of a day's month in the window; -1 outside it. */
export function monthIndexOf(window: Window, day: Day): number {
  return window.months.indexOf(monthOf(day));
}

/** False for a month outside the window. */
export function isCovered(window: Window, monthIndex: number): boolean {
  return monthIndex >= 0 && monthIndex >= window.months.length - window.covered;
}

/** Whether a day lies in a covered month. */
export function isDayCovered(window: Window, day: Day): boolean {
  return isCovered(window, monthIndexOf(window, day));
}

/** The window's first day. */
export function firstDayOf({ months }: Window): Day {
  return `${firstOf(months)}-01`;
}

/** How many covered months the last `months` months hold; at least 1, because it divides. */
export function divisorOf(window: Window, months: number): number {
  return Math.max(1, Math.min(window.covered, months));
}

/** Sum over the covered months among the last `months`. @param byMonth twelve amounts in the window's order */
export function sumOfLast(window: Window, byMonth: readonly number[], months: number): number {
  return sum(byMonth.slice(byMonth.length - Math.min(window.covered, months)));
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
