/** The rule behind a series of dates is found: banking days, month ends, weekdays, quarters and years. */
import test from "ava";
import { type Day, dayFromNumber, dayNumber } from "../../../src/time/calendar.ts";
import { type RegularFrequency, cadenceOf } from "../../../src/recognition/search/cadence.ts";
import { predict } from "../../../src/recognition/search/predict.ts";
import { fitSchedule } from "../../../src/recognition/search/schedule.ts";
import { everyDays } from "../payments.ts";

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
    { nextAt: dayNumber("2026-04-28"), status: "ACTIVE" },
    { nextAt: dayNumber("2026-04-15"), status: "INACTIVE" },
  ]);
});

test("a series that always kept its dates is expected on the next one when a date stays unpaid too long to be late", (t) => {
  const dates = ["2026-01-15", "2026-02-16", "2026-03-16", "2026-04-15", "2026-05-15", "2026-06-15"].map(dayNumber);
  const schedule = fitSchedule(dates, cadenceOf("MONTHLY")!, "DK");
  const told = (asOf: Day) => predict(schedule, dates, dayNumber(asOf), "DK");
  t.deepEqual(told("2026-07-20"), { nextAt: dayNumber("2026-07-21"), status: "ACTIVE" });
  t.deepEqual(told("2026-07-21"), { nextAt: dayNumber("2026-08-17"), status: "ACTIVE" }, "due on the 15th, a Saturday");
  t.deepEqual(told("2026-07-28"), { nextAt: dayNumber("2026-07-15"), status: "INACTIVE" });
});

test("of a series that pays when it pleases a late date is still waited for", (t) => {
  const dates = ["2026-01-12", "2026-02-17", "2026-03-13", "2026-04-20", "2026-05-12", "2026-06-18"].map(dayNumber);
  const schedule = fitSchedule(dates, cadenceOf("MONTHLY")!, "DK");
  t.deepEqual(predict(schedule, dates, dayNumber("2026-07-24"), "DK"), {
    nextAt: dayNumber("2026-07-27"),
    status: "ACTIVE",
  });
});
