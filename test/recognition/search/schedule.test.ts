/** The rule behind a series of dates is found: banking days, month ends, weekdays, quarters and years. */
import test from "ava";
import { type Day, dayFromNumber, dayNumber, numberInMonth } from "../../../src/time/calendar.ts";
import { type RegularFrequency, cadenceOf } from "../../../src/recognition/search/cadence.ts";
import { predict } from "../../../src/recognition/search/predict.ts";
import {
  dueOf,
  fitSchedule,
  isPaused,
  occurrenceNear,
  pausedBetween,
  type PostingHabit,
  postingDay,
  type Schedule,
} from "../../../src/recognition/search/schedule.ts";
import fc from "../../property.ts";
import { everyDays, monthly } from "../payments.ts";

const fitted = test.macro({
  exec(t, frequency: RegularFrequency, country: string, days: Day[], rule: object, next: Day) {
    const dates = days.map(dayNumber);
    const schedule = fitSchedule(dates, cadenceOf(frequency)!, country);
    t.like(schedule, rule);
    const { nextAt, status } = predict(schedule, dates, dates.at(-1)!, country);
    t.deepEqual([dayFromNumber(nextAt), status], [next, "ACTIVE"]);
  },
  title: (title) => `${title} is understood`,
});

test(
  "the first banking day on or after the 1st",
  fitted,
  "MONTHLY",
  "DK",
  ["2026-01-02", "2026-02-02", "2026-03-02", "2026-04-01", "2026-05-01", "2026-06-01"],
  { anchor: 1, habit: "NEXT_BANKING_DAY" },
  "2026-07-01",
);
test(
  "that banks rest over Easter",
  fitted,
  "MONTHLY",
  "DK",
  ["2026-01-02", "2026-02-02", "2026-03-02"],
  { anchor: 2 },
  "2026-04-07",
);
test(
  "the last banking day of the month",
  fitted,
  "MONTHLY",
  "SE",
  ["2025-11-28", "2025-12-30", "2026-01-30", "2026-02-27", "2026-03-31", "2026-04-30"],
  { anchor: 31, habit: "PREVIOUS_BANKING_DAY" },
  "2026-05-29",
);
test(
  "a due day that weekends do not move",
  fitted,
  "MONTHLY",
  "DK",
  ["2026-01-10", "2026-02-10", "2026-03-10", "2026-04-10", "2026-05-10"],
  { anchor: 10, habit: "AS_DUE" },
  "2026-06-10",
);
test(
  "every second Thursday",
  fitted,
  "BIWEEKLY",
  "NO",
  ["2026-04-30", "2026-05-14", "2026-05-28"],
  { spreadDays: 0 },
  "2026-06-11",
);
test(
  "a quarter's first weekday",
  fitted,
  "QUARTERLY",
  "GB",
  ["2025-07-01", "2025-10-01", "2026-01-02", "2026-04-01"],
  { anchor: 1, spreadDays: 0 },
  "2026-07-01",
);
test("a yearly day", fitted, "YEARLY", "DK", ["2024-09-16", "2025-09-15"], { anchor: 15 }, "2026-09-15");

test(
  "four weeks, called a month",
  fitted,
  "MONTHLY",
  "GB",
  ["2026-01-06", "2026-02-03", "2026-03-03", "2026-03-31", "2026-04-28", "2026-05-26"],
  { spreadDays: 0, cadence: { frequency: "MONTHLY", months: 0, days: 28 } },
  "2026-06-23",
);
test(
  "thirty days, called a month",
  fitted,
  "MONTHLY",
  "PL",
  everyDays("2025-09-02", 10, 30),
  { cadence: { months: 0, days: 30 }, habit: "AS_DUE" },
  "2026-06-29",
);
test(
  "thirteen weeks, called a quarter",
  fitted,
  "QUARTERLY",
  "GB",
  everyDays("2023-01-10", 12, 91),
  { cadence: { frequency: "QUARTERLY", months: 0, days: 91 } },
  "2026-01-06",
);
test(
  "dates that scatter around a day of the month",
  fitted,
  "MONTHLY",
  "CZ",
  ["2025-07-05", "2025-08-05", "2025-09-06", "2025-10-04", "2025-11-04", "2025-12-03", "2026-01-03"],
  { cadence: { months: 1 } },
  "2026-02-04",
);

test("a due day that was moved is learned within a few payments", (t) => {
  const days = [
    "2025-09-05",
    "2025-10-06",
    "2025-11-05",
    "2025-12-05",
    "2026-01-20",
    "2026-02-20",
    "2026-03-20",
    "2026-04-20",
  ];
  t.is(fitSchedule(days.map(dayNumber), cadenceOf("MONTHLY")!, "DK").anchor, 20);
});

test("past the grace the series has ended, with the day on which it was last expected", (t) => {
  const dates = ["2026-01-15", "2026-02-16", "2026-03-16"].map(dayNumber);
  const schedule = fitSchedule(dates, cadenceOf("MONTHLY")!, "DK");
  const outcomes = ["2026-04-27", "2026-04-28"].map((asOf) => predict(schedule, dates, dayNumber(asOf), "DK"));
  t.deepEqual(outcomes, [
    { nextAt: dayNumber("2026-04-28"), status: "ACTIVE", isOverdue: true },
    { nextAt: dayNumber("2026-04-15"), status: "INACTIVE", isOverdue: false },
  ]);
});

test("what always came to the day is waited for through the whole grace when a date stays unpaid", (t) => {
  const dates = ["2026-01-15", "2026-02-16", "2026-03-16", "2026-04-15", "2026-05-15", "2026-06-15"].map(dayNumber);
  const schedule = fitSchedule(dates, cadenceOf("MONTHLY")!, "DK");
  const told = (asOf: Day) => predict(schedule, dates, dayNumber(asOf), "DK");
  t.deepEqual(told("2026-07-15"), { nextAt: dayNumber("2026-07-15"), status: "ACTIVE", isOverdue: false });
  t.deepEqual(told("2026-07-16"), { nextAt: dayNumber("2026-07-17"), status: "ACTIVE", isOverdue: true });
  t.deepEqual(told("2026-07-27"), { nextAt: dayNumber("2026-07-28"), status: "ACTIVE", isOverdue: true });
  t.deepEqual(told("2026-07-28"), { nextAt: dayNumber("2026-07-15"), status: "INACTIVE", isOverdue: false });
});

test("of a series that pays when it pleases a late date is still waited for", (t) => {
  const dates = ["2026-01-12", "2026-02-17", "2026-03-13", "2026-04-20", "2026-05-12", "2026-06-18"].map(dayNumber);
  const schedule = fitSchedule(dates, cadenceOf("MONTHLY")!, "DK");
  t.deepEqual(predict(schedule, dates, dayNumber("2026-07-24"), "DK"), {
    nextAt: dayNumber("2026-07-27"),
    status: "ACTIVE",
    isOverdue: true,
  });
});

const fit = (frequency: RegularFrequency, ...days: Day[]) =>
  fitSchedule(days.map(dayNumber), cadenceOf(frequency)!, "DK");

// Months of pause

const months = (year: number, ...of: number[]): Day[] =>
  of.map((month): Day => `${year}-${String(month).padStart(2, "0")}-12`);
const allBut = (...off: number[]) => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].filter((month) => !off.includes(month));
const pauses = (...days: Day[]) => fitSchedule(days.map(dayNumber), cadenceOf("MONTHLY")!, "DK").pausedMonths;

test("a month in which nothing was paid in two years, and never otherwise, is a pause", (t) => {
  t.deepEqual(pauses(...months(2024, ...allBut(7)), ...months(2025, ...allBut(7))), [7]);
  t.deepEqual(pauses(...months(2024, ...allBut(7)), ...months(2025, ...allBut())), [], "one year shows none");
  t.deepEqual(pauses(...months(2023, 7, 8), ...months(2024, ...allBut(7)), ...months(2025, ...allBut(7))), []);
  t.deepEqual(pauses(...months(2024, ...allBut(3)), ...months(2025, ...allBut(8))), [], "nor do two months, once each");
});

test("several months may be a pause, in the order of the year, more than four are none", (t) => {
  const without = (...off: number[]) => pauses(...months(2024, ...allBut(...off)), ...months(2025, ...allBut(...off)));
  t.deepEqual(without(7, 6, 8), [6, 7, 8]);
  t.deepEqual(
    pauses(...months(2023, 11), ...months(2024, ...allBut(1, 12)), ...months(2025, ...allBut(1, 12)), "2026-02-12"),
    [1, 12],
  );
  t.deepEqual(without(5, 6, 7, 8), [5, 6, 7, 8]);
  t.deepEqual(without(4, 5, 6, 7, 8), []);
});

test("a single month of pause is none in which anything is due", (t) => {
  const schedule = fit("MONTHLY", ...months(2024, ...allBut(7)), ...months(2025, ...allBut(7)));
  const isDue = (day: Day) => !isPaused(schedule, occurrenceNear(schedule, dayNumber(day), "DK"));
  t.deepEqual([isDue("2026-06-12"), isDue("2026-07-12"), isDue("2026-08-12")], [true, false, true]);
});

test("quarters and years know no months of pause", (t) => {
  const quarterly = [2022, 2023, 2024, 2025].flatMap((year) => months(year, 1, 4, 10));
  t.deepEqual(fitSchedule(quarterly.map(dayNumber), cadenceOf("QUARTERLY")!, "DK").pausedMonths, []);
});

test("what lies in a pause is counted between two days, the first and the last of them left out", (t) => {
  const days = [...months(2024, ...allBut(7, 8)), ...months(2025, ...allBut(7, 8))];
  const schedule = fitSchedule(days.map(dayNumber), cadenceOf("MONTHLY")!, "DK");
  const between = (from: Day, to: Day) => pausedBetween(schedule, dayNumber(from), dayNumber(to), "DK");
  t.is(between("2024-01-12", "2025-12-12"), 4);
  t.is(between("2024-06-12", "2024-09-12"), 2);
  t.is(between("2024-07-12", "2024-09-12"), 1);
  t.is(between("2024-06-12", "2024-08-12"), 1);
  t.is(between("2024-01-12", "2024-06-12"), 0);
  const unpaused = fitSchedule(months(2025, ...allBut()).map(dayNumber), cadenceOf("MONTHLY")!, "DK");
  t.is(pausedBetween(unpaused, dayNumber("2025-01-12"), dayNumber("2025-12-12"), "DK"), 0);
});

test("no month in which something was ever due and paid is a pause", (t) => {
  const anyMonths = fc.subarray(
    Array.from({ length: 40 }, (_, index) => index),
    { minLength: 3 },
  );
  fc.assert(
    fc.property(anyMonths, fc.integer({ min: 1, max: 28 }), (paid, dueDay) => {
      const dates = paid.map((month) => numberInMonth(2022 * 12 + month, dueDay));
      const schedule = fitSchedule(dates, cadenceOf("MONTHLY")!, "DK");
      t.true(schedule.pausedMonths.length <= 4);
      for (const date of dates) t.false(isPaused(schedule, occurrenceNear(schedule, date, "DK")));
    }),
  );
});

for (const days of [28, 29, 30, 31])
  test(`billing every ${days} days after the last is counted in days`, (t) => {
    const dates = everyDays("2025-01-08", 14, days).map(dayNumber);
    t.like(fitSchedule(dates, cadenceOf("MONTHLY")!, "DK"), { cadence: { months: 0, days }, spreadDays: 0 });
  });

test("the nearest occurrence is told about half way between two as well, on either side of the mean", (t) => {
  const first = {
    cadence: cadenceOf("MONTHLY")!,
    anchor: 1,
    habit: "AS_DUE",
    weekday: null,
    followsLast: null,
    pausedMonths: [],
    spreadDays: 0,
  } as const;
  const near = (phase: number, day: Day) => occurrenceNear({ ...first, phase }, dayNumber(day), "DK");
  t.is(near(2026 * 12 + 2, "2026-10-16"), 7, "15 days after 1 October, 16 before 1 November");
  t.is(near(2026 * 12 + 2, "2026-10-17"), 8);
  t.is(near(2026 * 12, "2026-03-16"), 2, "15 days after 1 March");
  t.is(near(2026 * 12, "2026-03-17"), 3, "15 days before 1 April");
  t.is(near(2026 * 12, "2026-02-15"), 1, "14 days from either: that to which the mean length of months points");
});

/** First day, and the gaps in days to those after it. */
const byGaps = (first: Day, ...gaps: number[]): Day[] => {
  const dates = [dayNumber(first)];
  for (const gap of gaps) dates.push(dates.at(-1)! + gap);
  return dates.map(dayFromNumber);
};

test(
  "that what wanders off every day of the month is due as many days after the last payment as usual",
  fitted,
  "MONTHLY",
  "GB",
  byGaps("2025-06-11", 28, 28, 28, 28, 28, 29, 31, 31, 31, 31, 31, 29, 28, 28),
  { followsLast: { calendarSpreadDays: 3.8 }, phase: 0, weekday: null, pausedMonths: [] },
  "2026-08-23",
);

test("dates that are kept but for a due day that moved once follow no gap", (t) => {
  const days = [...monthly("2025-01-05", 8), ...monthly("2025-09-11", 8)];
  const { followsLast, anchor } = fitSchedule(days.map(dayNumber), cadenceOf("MONTHLY")!, "DK");
  t.deepEqual([followsLast, anchor], [null, 11]);
});

test("a person's dates, which scatter around a day of the month, follow no gap either", (t) => {
  const days: Day[] = [
    "2025-09-10",
    "2025-10-15",
    "2025-11-08",
    "2025-12-16",
    "2026-01-09",
    "2026-02-13",
    "2026-03-07",
    "2026-04-15",
    "2026-05-09",
  ];
  t.is(fitSchedule(days.map(dayNumber), cadenceOf("MONTHLY")!, "DK").followsLast, null);
});

/** Due every so many days, on one of them. */
const counted = (frequency: RegularFrequency, due: Day, habit: PostingHabit = "NEXT_BANKING_DAY"): Schedule => ({
  cadence: cadenceOf(frequency)!,
  anchor: dayNumber(due),
  phase: 0,
  habit,
  weekday: null,
  followsLast: null,
  pausedMonths: [],
  spreadDays: 0,
});

test("each habit moves what is due on a Saturday, a Sunday and a holiday in its own way", (t) => {
  const posted = (habit: PostingHabit): Day[] =>
    (["2026-06-19", "2026-06-20", "2026-06-21", "2026-04-06", "2026-04-02"] as const).map((due) =>
      dayFromNumber(postingDay(counted("WEEKLY", due, habit), 0, "DK")),
    );
  // A Friday, a Saturday, a Sunday, Easter Monday and Maundy Thursday.
  t.deepEqual(posted("AS_DUE"), ["2026-06-19", "2026-06-20", "2026-06-21", "2026-04-06", "2026-04-02"]);
  t.deepEqual(posted("NEXT_WEEKDAY"), ["2026-06-19", "2026-06-22", "2026-06-22", "2026-04-06", "2026-04-02"]);
  t.deepEqual(posted("PREVIOUS_WEEKDAY"), ["2026-06-19", "2026-06-19", "2026-06-19", "2026-04-06", "2026-04-02"]);
  t.deepEqual(posted("NEXT_BANKING_DAY"), ["2026-06-19", "2026-06-22", "2026-06-22", "2026-04-07", "2026-04-07"]);
  t.deepEqual(posted("PREVIOUS_BANKING_DAY"), ["2026-06-19", "2026-06-19", "2026-06-19", "2026-04-01", "2026-04-01"]);
});

test("what Easter put off to Tuesday is nearer to a day than what is due after it", (t) => {
  const after = (frequency: RegularFrequency, day: Day) =>
    occurrenceNear(counted(frequency, "2026-04-30"), dayNumber(day), "DK");
  t.is(after("WEEKLY", "2026-04-07"), -4, "due on Maundy Thursday, five days before");
  t.is(after("BIWEEKLY", "2026-04-11"), -2, "four days after Tuesday, five before Thursday the 16th");
  t.is(after("BIWEEKLY", "2026-04-12"), -1);
});

test("a rule is told by the day of its month, by its length where that is kept instead, and weeks by neither", (t) => {
  const monthly: Schedule = { ...counted("MONTHLY", "2026-06-19"), anchor: 19, phase: 2026 * 12 + 5 };
  t.deepEqual(dueOf(monthly), { dueDayOfMonth: 19, periodDays: null });
  const thirty = { ...monthly.cadence, months: 0, days: 30 };
  t.deepEqual(dueOf({ ...monthly, cadence: thirty }), { dueDayOfMonth: null, periodDays: 30 });
  t.deepEqual(dueOf(counted("WEEKLY", "2026-06-19")), { dueDayOfMonth: null, periodDays: null });
});

test("five dates may show a length in days, four may not, and it must part from months by three days over all of them", (t) => {
  const lengthOf = (...days: Day[]): number | null => dueOf(fit("MONTHLY", ...days)).periodDays;
  t.is(lengthOf(...everyDays("2026-01-14", 5, 28)), 28);
  t.is(lengthOf(...everyDays("2026-01-14", 4, 28)), null);
  t.is(lengthOf(...everyDays("2026-01-14", 8, 30)), 30, "7 × 0.4375 days");
  t.is(lengthOf(...everyDays("2026-01-14", 7, 30)), null, "6 × 0.4375 days");
});

test("a length in days is taken where it comes two and a half times nearer, and not by less", (t) => {
  const near = fit("MONTHLY", ...byGaps("2025-02-19", 28, 32, 30, 30, 30, 30, 30));
  t.like(near, { cadence: { months: 0, days: 30 }, spreadDays: 2 / 8 }, "by the calendar 5 / 8");
  const less = fit("MONTHLY", ...byGaps("2025-02-19", 28, 32, 30, 30, 30, 30, 31));
  t.like(less, { cadence: { months: 1 } });
});

test("a length in days is kept though the last date comes a day early or late", (t) => {
  for (const last of [27, 29])
    t.like(fit("MONTHLY", ...byGaps("2026-01-14", 28, 28, 28, 28, 28, last)), {
      cadence: { months: 0, days: 28 },
      spreadDays: 1 / 7,
    });
});

test("a month's last day is its end, of however many days, and weeks are counted from the last date", (t) => {
  t.is(fit("MONTHLY", "2026-04-30").anchor, 31);
  t.is(fit("MONTHLY", "2024-02-29").anchor, 31);
  t.is(fit("MONTHLY", "2026-04-29").anchor, 29);
  t.like(fit("MONTHLY", "2026-05-12", "2026-06-12"), { anchor: 12, phase: 2026 * 12 + 5 });
  t.like(fit("WEEKLY", ...everyDays("2026-04-15", 5, 7)), { anchor: dayNumber("2026-05-13"), phase: 0 });
});

test(
  "sixty days, a day or two more or less",
  fitted,
  "BIMONTHLY",
  "NO",
  byGaps("2026-04-06", 62, 61, 59, 62, 58, 60, 59, 61),
  { cadence: { months: 0, days: 60 }, spreadDays: 2 / 3 },
  "2027-09-30",
);
