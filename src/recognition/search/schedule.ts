/**
 * The rule behind a series' dates: which day is due, and how the bank moves it over days on which nothing settles.
 * Fitted to the dates seen, recent ones first, and then used to say when the next payment falls.
 */
import {
  bankingDayFrom,
  isBankingDayNumber,
  numberInMonth,
  partsFromNumber,
  weekdayOfNumber,
} from "../../time/calendar.ts";
import { anchors, type Cadence, cadenceOf, countedInDays } from "./cadence.ts";
import { firstOf, itemAt, lastOf } from "../../present.ts";

/** What the bank does with a due date on a closed day. */
export type PostingHabit = "AS_DUE" | "NEXT_WEEKDAY" | "NEXT_BANKING_DAY" | "PREVIOUS_WEEKDAY" | "PREVIOUS_BANKING_DAY";

export type Schedule = {
  /** The one asked for, or its variant that is counted in days. */
  cadence: Cadence;
  /**
   * Month-based: the day of the month that is due, 31 the month's end. Day-based: the due day number of one occurrence.
   */
  anchor: number;
  /** Month-based: the due months are those with monthIndex ≡ phase modulo the cadence's months; else 0. */
  phase: number;
  habit: PostingHabit;
  /** Month-based: due on a weekday of the month in place of the anchor; null: on the anchor. */
  weekday: WeekdayOfMonth | null;
  /** Month-based: calendar months, 1–12, in which nothing is ever due, as a kindergarten's July. */
  pausedMonths: readonly number[];
  /**
   * Due so many days after the last payment, whenever that came: the anchor is the last date, and the mean distance is
   * that of the gaps. `calendarSpreadDays`: what it would be under the best rule of the calendar. Null: by the calendar.
   */
  followsLast: { calendarSpreadDays: number } | null;
  /** Mean distance in days of the payments from their posting dates under this rule. */
  spreadDays: number;
};

/** The second Wednesday, the last Friday: ISO weekday, 1 Monday; ordinal 1–4, 5 the last one. */
export type WeekdayOfMonth = { weekday: number; ordinal: number };

/** Dates further back say little about today's rule, and looking at all of them would make long series slow. */
const datesMax = 24;
/** Each older date counts by so much less: a moved due day wins after a few payments. */
const ageDecay = 0.93;
/** Cost of a date that misses the rule at all, and of each day by which it does. */
const costOff = 0.3;
const costPerDay = 0.5;
const costDaysMax = 8;
/** Of rules that fit alike the one is taken that needs the fewest dates to have been moved. */
const costMoved = 0.02;
/**
 * Costs that habits must save to be preferred: nearly every bank moves payments over closed days, and most to after
 * them.
 */
const habits: readonly { habit: PostingHabit; habitCost: number }[] = [
  { habit: "NEXT_BANKING_DAY", habitCost: 0 },
  { habit: "NEXT_WEEKDAY", habitCost: 0.2 },
  { habit: "AS_DUE", habitCost: 0.3 },
  { habit: "PREVIOUS_BANKING_DAY", habitCost: 0.9 },
  { habit: "PREVIOUS_WEEKDAY", habitCost: 1 },
];

const usualHabit: PostingHabit = "NEXT_BANKING_DAY";

/** Two ways of counting that part by fewer days over all dates cannot be told apart, and few dates tell nothing. */
const partedDaysMin = 3;
const countedDatesMin = 5;
/** Dates that keep so near to a day of the month are due on it. */
const keptSpreadDays = 0.5;
/** A length in days must come so many times nearer, and so near. */
const nearerMin = 2.5;
const countedSpreadDaysMax = 1.5;
/** Between the first date and the last: what is further from whole periods need not be looked at. */
const remainderDaysMax = 2 * countedSpreadDaysMax;

/** The rule that explains the dates (day numbers, ascending, at least one) best. */
export function fitSchedule(dates: readonly number[], cadence: Cadence, country: string): Schedule {
  return withPauses(fitDue(dates, cadence, country), dates, country);
}

function fitDue(dates: readonly number[], cadence: Cadence, country: string): Schedule {
  const due = fitRule(dates, cadence, country);
  if (dates.length < countedDatesMin || due.spreadDays < keptSpreadDays) return due;
  let nearest = onWeekday(due, dates, country) ?? due;
  const recent = dates.slice(-datesMax);
  const spanDays = lastOf(recent) - firstOf(recent);
  for (const variant of countedInDays(cadence)) {
    if (
      Math.abs(variant.days - cadence.days) * (recent.length - 1) < partedDaysMin ||
      remainderOf(spanDays, variant.days) > remainderDaysMax
    )
      continue;
    const counted = fitRule(dates, variant, country);
    const isNear = counted.spreadDays <= countedSpreadDaysMax && counted.spreadDays * nearerMin <= due.spreadDays;
    if (isNear && counted.spreadDays < nearest.spreadDays) nearest = counted;
  }
  return followingLast(nearest, recent, country) ?? nearest;
}

/** Dates that wander off every rule by so much, and of late too, while gaps keep so much nearer to their mean. */
const wanderingSpreadDaysMin = 2;
const wanderingLatelyDaysMin = 1;
const latelyDates = 4;
const gapNearerMin = 2;
const gapsMin = 5;

/** The rule of dates that only follow the one before, at whole months or more; null where a calendar explains them. */
function followingLast(due: Schedule, dates: readonly number[], country: string): Schedule | null {
  const { cadence } = due;
  if (cadence.days < monthDaysMin || due.spreadDays < wanderingSpreadDaysMin) return null;
  const gaps = dates
    .slice(1)
    .map((date, index) => date - itemAt(dates, index))
    .filter((gap) => Math.abs(gap - cadence.days) <= cadence.toleranceDays);
  if (gaps.length < gapsMin || gaps.length * 2 < dates.length) return null;
  const days = Math.round(gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length);
  const spreadDays = gaps.reduce((sum, gap) => sum + Math.abs(gap - days), 0) / gaps.length;
  if (spreadDays * gapNearerMin > due.spreadDays) return null;
  if (spreadOf(due, dates.slice(-latelyDates), country) < wanderingLatelyDaysMin) return null;
  return {
    ...unrefined,
    cadence: { ...cadence, months: 0, days },
    anchor: lastOf(dates),
    phase: 0,
    habit: dates.every((date) => isBankingDayNumber(date, country)) ? "NEXT_BANKING_DAY" : "AS_DUE",
    followsLast: { calendarSpreadDays: due.spreadDays },
    spreadDays,
  };
}

const monthDaysMin = 28;

/** So large a share of the dates fall on one weekday where the weekday is what is due. */
const oneWeekdayShareMin = 0.8;
const lastOrdinal = 5;

/** The rule of a weekday of the month, where it comes so much nearer; null where it does not. */
function onWeekday(due: Schedule, dates: readonly number[], country: string): Schedule | null {
  if (due.cadence.months === 0) return null;
  const recent = dates.slice(-datesMax);
  const weekday = weekdayOfNumber(lastOf(recent));
  const shared = recent.filter((date) => weekdayOfNumber(date) === weekday);
  if (shared.length < oneWeekdayShareMin * recent.length) return null;
  let best: Schedule | null = null;
  for (let ordinal = 1; ordinal <= lastOrdinal; ordinal++) {
    const rule: Schedule = { ...due, weekday: { weekday, ordinal }, habit: "AS_DUE" };
    const spreadDays = spreadOf(rule, recent, country);
    if (spreadDays < (best ?? due).spreadDays) best = { ...rule, spreadDays };
  }
  return best !== null && best.spreadDays * nearerMin <= due.spreadDays ? best : null;
}

/** A month of the year is one of a pause where nothing was paid in it in so many years, and in no other. */
const pausedYearsMin = 2;
const pausedMonthsMax = 4;

/** The rule with the months of the year in which nothing was ever due. */
function withPauses(rule: Schedule, dates: readonly number[], country: string): Schedule {
  if (rule.cadence.months !== 1) return rule;
  const paid = new Set<number>();
  let first = Infinity;
  let last = -Infinity;
  for (const date of dates) {
    const occurrence = occurrenceNear(rule, date, country);
    paid.add(occurrence);
    first = Math.min(first, occurrence);
    last = Math.max(last, occurrence);
  }
  if (last - first + 1 - paid.size < pausedYearsMin) return rule;
  const unpaid = new Map<number, number>();
  for (let n = first; n <= last; n++) {
    const month = monthOf(rule, n);
    unpaid.set(month, paid.has(n) ? -Infinity : (unpaid.get(month) ?? 0) + 1);
  }
  const pausedMonths = [...unpaid].filter(([, years]) => years >= pausedYearsMin).map(([month]) => month);
  return pausedMonths.length === 0 || pausedMonths.length > pausedMonthsMax
    ? rule
    : { ...rule, pausedMonths: pausedMonths.sort((a, b) => a - b) };
}

/** Calendar month of an occurrence, 1–12. */
function monthOf({ phase, cadence }: Schedule, n: number): number {
  const month = (phase + n * cadence.months) % 12;
  return (month < 0 ? month + 12 : month) + 1;
}

/** Whether the occurrence falls into a pause that every year has. */
export function isPaused(rule: Schedule, n: number): boolean {
  return rule.pausedMonths.length > 0 && rule.pausedMonths.includes(monthOf(rule, n));
}

/** Occurrences between two days that fall into pauses. */
export function pausedBetween(rule: Schedule, from: number, to: number, country: string): number {
  if (rule.pausedMonths.length === 0) return 0;
  let paused = 0;
  const last = occurrenceNear(rule, to, country);
  for (let n = occurrenceNear(rule, from, country) + 1; n < last; n++) if (isPaused(rule, n)) paused++;
  return paused;
}

/** Days by which a span is no whole number of periods. */
function remainderOf(spanDays: number, days: number): number {
  return Math.abs(spanDays - Math.round(spanDays / days) * days);
}

function fitRule(dates: readonly number[], cadence: Cadence, country: string): Schedule {
  const recent = dates.slice(-datesMax);
  const asLast = ruleAsLast(recent, cadence, country);
  if (asLast.isKept) return { ...asLast.rule, spreadDays: 0 };
  let best: Schedule | null = null;
  let limit = asLast.cost + rounding;
  // One rule is tried after the other in one object: hundreds are, and one is kept.
  const rule: Schedule = { cadence, anchor: 0, phase: 0, habit: usualHabit, ...unrefined };
  for (const { anchor, phase } of anchors(recent, cadence)) {
    rule.anchor = anchor;
    rule.phase = phase;
    beginDueDay();
    for (const { habit, habitCost } of habits) {
      if (habitCost >= limit) continue;
      rule.habit = habit;
      const cost = habitCost + costOf(rule, recent, country, limit - habitCost);
      if (cost < limit) {
        best = { ...rule };
        limit = cost;
      }
    }
  }
  if (best === null) throw new Error("a schedule needs at least one date");
  return { ...best, spreadDays: spreadOf(best, recent, country) };
}

const unrefined = { weekday: null, pausedMonths: [], followsLast: null, spreadDays: 0 } as const;
const rounding = 1e-9;

/** Dates that keep to the last one's day but for so few moved ones are surely due on it. */
const movedShareMax = 0.4;
/** Days of the month that every month has. */
const everyMonthsDays = 28;

/** The day of the last date, which is mostly the due day: what costs more need not be looked at to its end. */
function ruleAsLast(
  dates: readonly number[],
  cadence: Cadence,
  country: string,
): { rule: Schedule; cost: number; isKept: boolean } {
  const last = lastOf(dates);
  const { year, month, dayOfMonth } = partsFromNumber(last);
  const due = cadence.months === 0 ? { anchor: last, phase: 0 } : { anchor: dayOfMonth, phase: year * 12 + month - 1 };
  let rule: Schedule = { cadence, ...due, habit: usualHabit, ...unrefined };
  beginDueDay();
  let cost = costOf(rule, dates, country, Infinity);
  for (const { habit, habitCost } of habits) {
    if (habitCost >= cost || habit === usualHabit) continue;
    const other: Schedule = { ...rule, habit };
    const otherCost = habitCost + costOf(other, dates, country, cost - habitCost);
    if (otherCost < cost) [rule, cost] = [other, otherCost];
  }
  const isKept =
    rule.habit === usualHabit &&
    cost <= movedShareMax * costMoved * weightOf(dates.length) &&
    (cadence.months === 0 || dayOfMonth <= everyMonthsDays);
  return { rule, cost, isKept };
}

/** Weights of so many dates together. */
function weightOf(count: number): number {
  return (1 - ageDecay ** count) / (1 - ageDecay);
}

/**
 * How the rule is told: the day of the month that is due, or the length in days that is kept in its place; both null
 * for cadences in days.
 */
export function dueOf({ cadence, anchor }: Schedule): { dueDayOfMonth: number | null; periodDays: number | null } {
  if (cadence.months > 0) return { dueDayOfMonth: anchor, periodDays: null };
  return { dueDayOfMonth: null, periodDays: cadence === cadenceOf(cadence.frequency) ? null : cadence.days };
}

/** The day on which the occurrence n of the rule is posted. */
export function postingDay(rule: Schedule, n: number, country: string): number {
  return moved(dueDay(rule, n), rule.habit, country);
}

/** Number of the occurrence whose posting day is nearest to a day. */
export function occurrenceNear(rule: Schedule, at: number, country: string): number {
  const guess = guessOccurrence(rule, at);
  const off = at - postingDay(rule, guess, country);
  // A day nearer than half a period to one occurrence is not nearer to another.
  if (Math.abs(off) * 2 < rule.cadence.days - closedDaysUsual) return guess;
  const neighbour = guess + Math.sign(off);
  return Math.abs(at - postingDay(rule, neighbour, country)) < Math.abs(off) ? neighbour : guess;
}

/** Posting days of neighbouring occurrences come this much closer than a period when closed days move one of them. */
const closedDaysUsual = 4;

/** The day on which the occurrence n of the rule is due, before closed days move it. */
export function dueDay(rule: Schedule, n: number): number {
  if (rule.cadence.months === 0) return rule.anchor + n * rule.cadence.days;
  if (rule.weekday !== null) return weekdayInMonth(rule.phase + n * rule.cadence.months, rule.weekday);
  return numberInMonth(rule.phase + n * rule.cadence.months, rule.anchor);
}

function weekdayInMonth(monthIndex: number, { weekday, ordinal }: WeekdayOfMonth): number {
  if (ordinal === lastOrdinal) {
    const end = numberInMonth(monthIndex, 31);
    return end - ((weekdayOfNumber(end) - weekday + 7) % 7);
  }
  const start = numberInMonth(monthIndex, 1);
  return start + ((weekday - weekdayOfNumber(start) + 7) % 7) + 7 * (ordinal - 1);
}

/** By the mean length of the period: right but for dates about half way between two. */
function guessOccurrence(rule: Schedule, at: number): number {
  return Math.round((at - dueDay(rule, 0)) / rule.cadence.days);
}

function moved(day: number, habit: PostingHabit, country: string): number {
  switch (habit) {
    case "AS_DUE":
      return day;
    case "NEXT_BANKING_DAY":
      return bankingDayFrom(day, 1, country);
    case "PREVIOUS_BANKING_DAY":
      return bankingDayFrom(day, -1, country);
    case "NEXT_WEEKDAY":
      return weekdayOfNumber(day) < 6 ? day : day + 8 - weekdayOfNumber(day);
    case "PREVIOUS_WEEKDAY":
      return day - Math.max(0, weekdayOfNumber(day) - 5);
  }
}

/**
 * Of one due day: the occurrences that dates are likely nearest to and their due days, as far as they were asked for,
 * the latest date's first. What a bank does on closed days changes neither.
 */
const dues = { count: 0, occurrences: new Float64Array(datesMax), days: new Float64Array(datesMax) };

/** Another due day is tried from now on. */
function beginDueDay(): void {
  dues.count = 0;
}

/** @param dates no more than are looked at; beginDueDay was called since the rule's due day is another one. */
function costOf(rule: Schedule, dates: readonly number[], country: string, limit: number): number {
  const { cadence, habit } = rule;
  const { occurrences, days } = dues;
  const nearMax = cadence.days - closedDaysUsual;
  let cost = 0;
  let weight = 1;
  for (let index = dates.length - 1, age = 0; index >= 0 && cost < limit; index--, age++) {
    const date = dates[index] as number;
    if (age === dues.count) {
      const guess = guessOccurrence(rule, date);
      occurrences[age] = guess;
      days[age] = dueDay(rule, guess);
      dues.count++;
    }
    let due = days[age] as number;
    let off = date - moved(due, habit, country);
    // As in occurrenceNear.
    if (Math.abs(off) * 2 >= nearMax) {
      const neighbour = dueDay(rule, (occurrences[age] as number) + Math.sign(off));
      const offNeighbour = date - moved(neighbour, habit, country);
      if (Math.abs(offNeighbour) < Math.abs(off)) {
        due = neighbour;
        off = offNeighbour;
      }
    }
    if (off !== 0) cost += weight * (costOff + costPerDay * Math.min(Math.abs(off), costDaysMax));
    else if (date !== due) cost += weight * costMoved;
    weight *= ageDecay;
  }
  return cost;
}

function spreadOf(rule: Schedule, dates: readonly number[], country: string): number {
  let total = 0;
  for (const date of dates) total += Math.abs(date - postingDay(rule, occurrenceNear(rule, date, country), country));
  return total / dates.length;
}
