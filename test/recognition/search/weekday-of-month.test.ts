/** Dates that fall on one weekday of the month are due on it, where no day of the month explains them as well. */
import test from "ava";
import { addDays, type Day, dayFromNumber, dayNumber } from "../../../src/time/calendar.ts";
import { type RegularFrequency, cadenceOf } from "../../../src/recognition/search/cadence.ts";
import { predict } from "../../../src/recognition/search/predict.ts";
import { dueDay, fitSchedule } from "../../../src/recognition/search/schedule.ts";
import { everyDays } from "../payments.ts";

// Weekdays of the month

const onWeekdays = (frequency: RegularFrequency, ...days: Day[]) =>
  fitSchedule(days.map(dayNumber), cadenceOf(frequency)!, "DK");

test("the second Wednesday of each month is due on it", (t) => {
  const days: Day[] = ["2026-01-14", "2026-02-11", "2026-03-11", "2026-04-08", "2026-05-13", "2026-06-10"];
  const schedule = onWeekdays("MONTHLY", ...days);
  t.like(schedule, { weekday: { weekday: 3, ordinal: 2 }, spreadDays: 0, habit: "AS_DUE" });
  const { nextAt } = predict(schedule, days.map(dayNumber), dayNumber("2026-06-10"), "DK");
  t.is(dayFromNumber(nextAt), "2026-07-08");
});

test("the last Friday of each month is due on it, whether the fourth or the fifth", (t) => {
  const days: Day[] = ["2026-01-30", "2026-02-27", "2026-03-27", "2026-04-24", "2026-05-29", "2026-06-26"];
  const schedule = onWeekdays("MONTHLY", ...days);
  t.like(schedule, { weekday: { weekday: 5, ordinal: 5 }, spreadDays: 0 });
  const { nextAt } = predict(schedule, days.map(dayNumber), dayNumber("2026-06-26"), "DK");
  t.is(dayFromNumber(nextAt), "2026-07-31");
});

test("a day of the month that happens to keep a weekday is due on the day", (t) => {
  t.is(onWeekdays("MONTHLY", "2026-02-11", "2026-03-11").weekday, null);
  t.is(onWeekdays("MONTHLY", "2026-01-12", "2026-02-12", "2026-03-12", "2026-04-13", "2026-05-12").weekday, null);
});

test("weeks know no weekday of the month", (t) => {
  const days = everyDays("2026-01-14", 8, 7);
  t.is(onWeekdays("WEEKLY", ...days).weekday, null);
});

test("the second Wednesday of a quarter's month is due on it", (t) => {
  const days: Day[] = ["2025-01-08", "2025-04-09", "2025-07-09", "2025-10-08", "2026-01-14", "2026-04-08"];
  const rule = { ...onWeekdays("QUARTERLY", ...days), weekday: { weekday: 3, ordinal: 2 }, phase: 2026 * 12 } as const;
  t.deepEqual(
    [-1, 0, 1, 2].map((n) => dayFromNumber(dueDay({ ...rule, cadence: cadenceOf("QUARTERLY")! }, n))),
    ["2025-10-08", "2026-01-14", "2026-04-08", "2026-07-08"],
  );
});

test("dates that are only somewhat nearer to a weekday of the month are due on their day", (t) => {
  // From the 12th on average 1.3 days, from the second Monday 1 day: not two and a half times nearer.
  const days: Day[] = ["2026-01-12", "2026-02-09", "2026-03-09", "2026-04-13", "2026-05-11", "2026-06-15"];
  t.is(onWeekdays("MONTHLY", ...days).weekday, null);
});

test("eight dates of ten on one weekday may be due on a weekday of the month, seven may not", (t) => {
  const seconds: Day[] = [
    ...(["2025-09-10", "2025-10-08", "2025-11-12", "2025-12-10", "2026-01-14"] as const),
    ...(["2026-02-11", "2026-03-11", "2026-04-08", "2026-05-13", "2026-06-10"] as const),
  ];
  const onThursday = (...late: number[]) =>
    onWeekdays("MONTHLY", ...seconds.map((day, at) => (late.includes(at) ? addDays(day, 1) : day)));
  t.like(onThursday(1, 4), { weekday: { weekday: 3, ordinal: 2 }, spreadDays: 0.2 });
  t.is(onThursday(1, 4, 7).weekday, null);
});

test("the first, the third and the fourth are told as well as the second and the last", (t) => {
  const ordinal = (...days: Day[]) => onWeekdays("MONTHLY", ...days).weekday;
  const thursdays: Day[] = ["2026-01-01", "2026-02-05", "2026-03-05", "2026-04-02", "2026-05-07", "2026-06-04"];
  const after = (weeks: number) => thursdays.map((day) => addDays(day, 7 * weeks));
  t.deepEqual(ordinal(...after(0)), { weekday: 4, ordinal: 1 });
  t.deepEqual(ordinal(...after(2)), { weekday: 4, ordinal: 3 });
  t.deepEqual(
    ordinal("2026-02-27", "2026-03-27", "2026-04-24", "2026-05-22", "2026-06-26"),
    { weekday: 5, ordinal: 4 },
    "four of these five are the last Fridays, too",
  );
});

test("four dates show no weekday of the month", (t) => {
  const thirds: Day[] = ["2025-05-21", "2025-06-18", "2025-07-16", "2025-08-20"];
  t.is(onWeekdays("MONTHLY", ...thirds).weekday, null);
  t.deepEqual(onWeekdays("MONTHLY", ...thirds, "2025-09-17").weekday, { weekday: 3, ordinal: 3 });
});

test("dates less than half a day off their day of the month are due on it, whatever their weekday", (t) => {
  // Every 13 weeks on a Monday: second Mondays all, and on the average 4 days of 11 off the 10th.
  const { weekday, anchor, spreadDays } = fitSchedule(
    everyDays("2024-08-12", 11, 91).map(dayNumber),
    cadenceOf("QUARTERLY")!,
    "DE",
  );
  t.deepEqual([weekday, anchor, spreadDays], [null, 10, 4 / 11]);
});
