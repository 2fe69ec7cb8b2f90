/** Which rule explains dates best is weighed: what dates are off, what was moved, how old they are, and what is usual. */
import test from "ava";
import {
  type Day,
  bankingDayFrom,
  dayFromNumber,
  dayNumber,
  numberInMonth,
  weekday,
} from "../../../src/time/calendar.ts";
import { type RegularFrequency, cadenceOf } from "../../../src/recognition/search/cadence.ts";
import { fitSchedule, type Schedule } from "../../../src/recognition/search/schedule.ts";
import { everyDays } from "../payments.ts";

const fitted = (days: readonly Day[], frequency: RegularFrequency = "MONTHLY", country = "DK"): Schedule =>
  fitSchedule(days.map(dayNumber), cadenceOf(frequency)!, country);

/** Months from one on, each paid on the first banking day on or after a day of the month. */
const following = (year: number, month: number, dayOfMonth: number, count: number): Day[] =>
  Array.from({ length: count }, (_, index) =>
    dayFromNumber(bankingDayFrom(numberInMonth(year * 12 + month - 1 + index, dayOfMonth), 1, "DK")),
  );

test("a holiday on which something was paid is remembered for nineteen payments, and then outweighed", (t) => {
  // Easter Monday of 2025 costs a rule that passes holidays over 0.3 + 0.5, 0.93 times as much with each payment since:
  // after nineteen still more than the 0.2 by which one that knows weekends only is rarer.
  const since = (count: number): Schedule => fitted(["2025-04-21", ...following(2025, 5, 21, count)]);
  t.like(since(19), { habit: "NEXT_WEEKDAY", anchor: 21, spreadDays: 0 });
  t.like(since(20), { habit: "NEXT_BANKING_DAY", anchor: 21, spreadDays: 1 / 21 });
});

test("how far dates are off on the average is told of the latest twenty-four", (t) => {
  const kept = everyDays("2026-06-10", 23, 7);
  const spreadAfter = (...before: Day[]) => fitted([...before, ...kept], "WEEKLY").spreadDays;
  t.is(spreadAfter("2026-06-02"), 1 / 24, "a day early, long ago");
  t.is(spreadAfter("2026-05-26", "2026-06-03"), 0);
  t.is(spreadAfter("2026-06-01"), 2 / 24);
});

test("weeks and days have no month to be due in", (t) => {
  t.like(fitted(everyDays("2026-01-14", 6, 7), "WEEKLY"), { phase: 0, spreadDays: 0 });
  t.like(fitted(["2026-01-14", "2026-01-22", "2026-01-28", "2026-02-05"], "WEEKLY"), { phase: 0 });
});

test("the months of a quarter and of a year are those of the dates", (t) => {
  const dueMonths = (days: Day[], frequency: RegularFrequency): number =>
    (fitted(days, frequency).phase - 2026 * 12) % cadenceOf(frequency)!.months;
  t.is(dueMonths(["2025-08-12", "2025-11-12", "2026-02-12"], "QUARTERLY"), 1, "February, May, August and November");
  t.is(dueMonths(["2024-09-16", "2025-09-15", "2026-09-15"], "YEARLY"), 8);
});

test("what closed days moved over a month's end is due in the month where it was due, whatever month it was paid in", (t) => {
  // The 31st of May, August, November and February: only 28 February 2025 is no weekend.
  const putOff = fitted(["2024-09-02", "2024-12-02", "2025-02-28", "2025-06-02"], "QUARTERLY");
  t.like(putOff, { anchor: 31, phase: 2025 * 12 + 4, habit: "NEXT_BANKING_DAY", spreadDays: 0 });
  const everyOther = fitted(["2025-01-31", "2025-03-31", "2025-06-02"], "BIMONTHLY");
  t.like(everyOther, { anchor: 31, phase: 2025 * 12 + 4, habit: "NEXT_BANKING_DAY", spreadDays: 0 });
  // The 1st of February, May, August and November: two Saturdays.
  const broughtForward = fitted(["2025-01-31", "2025-05-01", "2025-08-01", "2025-10-31"], "QUARTERLY");
  t.like(broughtForward, { anchor: 1, phase: 2025 * 12 + 10, habit: "PREVIOUS_BANKING_DAY", spreadDays: 0 });
});

test("of two due days the one that was moved to wins after eight payments of the latest twenty-four, not after seven", (t) => {
  // Either is a day off the other. The latest m weigh 1 − 0.93^m, those before them 0.93^m − 0.93^24 = 0.93^m − 0.175.
  const moved = (count: number): number =>
    weekday(
      dayFromNumber(fitted([...everyDays("2026-01-06", 24, 7), ...everyDays("2026-06-24", count, 7)], "WEEKLY").anchor),
    );
  t.is(moved(7), 2, "still on Tuesdays");
  t.is(moved(8), 3);
});

test("a last date that is late moves no due day of weeks", (t) => {
  const lastDue = (first: Day, days: number, frequency: RegularFrequency, late: number): Day => {
    const due = everyDays(first, 7, days).map(dayNumber);
    const schedule = fitSchedule([...due.slice(0, -1), due[6]! + late], cadenceOf(frequency)!, "DK");
    return dayFromNumber(schedule.anchor);
  };
  t.is(lastDue("2026-01-13", 7, "WEEKLY", 3), "2026-02-24", "a Tuesday, paid on Friday");
  t.is(lastDue("2026-01-16", 7, "WEEKLY", -3), "2026-02-27", "a Friday, paid on Tuesday");
  t.is(lastDue("2026-01-13", 14, "BIWEEKLY", 3), "2026-04-07");
});

test("a date that every month has is due on it, though it ends February", (t) => {
  t.is(fitted(["2025-02-28"], "YEARLY").anchor, 28);
  t.is(fitted(["2026-02-27"], "YEARLY").anchor, 27);
  // 28 February 2026 is a Saturday: a third of what the dates weigh was moved.
  t.is(fitted(["2025-02-28", "2026-03-02", "2029-02-28"], "YEARLY").anchor, 28);
});

test("of two dates further apart than their rule the due day may lie between them, three days from either", (t) => {
  // The 14th: 3 days off, 0.93 × 1.8, and 2 off its Monday, 1.3; the 15th 0.93 × 2.3 and 1.3; the 18th 0.93 × 3.8.
  t.is(fitted(["2023-09-11", "2023-10-18"]).anchor, 14);
});

test("a date ten days off costs what one does that is eight days off", (t) => {
  // The month's end: 0.93 × 1.8 for three days and 2.3 for four; the 6th 0.93 × 4.3, not 5.3: a little more.
  t.is(fitted(["2026-08-28", "2026-11-06"], "MONTHLY", "NO").anchor, 31);
});

test("one date a day before another shows no bank that brings payments forward", (t) => {
  // 0.93 × 0.8 for a day off is less than the 0.9 of that habit.
  t.like(fitted(["2022-04-29", "2023-04-28"], "YEARLY", "GB"), { anchor: 28, habit: "NEXT_BANKING_DAY" });
});

test("the last weekday of the month is known where New Year's Eve, a bank holiday, was paid on", (t) => {
  const lastWeekdays: Day[] = [
    ...(["2024-07-31", "2024-08-30", "2024-11-29", "2024-12-31"] as const),
    ...(["2025-01-31", "2025-02-28", "2025-03-31"] as const),
  ];
  t.like(fitted(lastWeekdays), { anchor: 31, habit: "PREVIOUS_WEEKDAY", spreadDays: 0 });
});
