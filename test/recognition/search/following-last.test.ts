/** Dates that wander over the calendar while their gaps stay alike are due so many days after the last payment. */
import test from "ava";
import { type Day, addDays, dayFromNumber, dayNumber } from "../../../src/time/calendar.ts";
import { type RegularFrequency, cadenceOf } from "../../../src/recognition/search/cadence.ts";
import { fitSchedule, type Schedule } from "../../../src/recognition/search/schedule.ts";
import { monthly } from "../payments.ts";

/** First day, and those after it by their gaps in days. */
const byGaps = (first: Day, ...gaps: number[]): Day[] => {
  const days = [first];
  for (const gap of gaps) days.push(addDays(days.at(-1)!, gap));
  return days;
};

const fitted = (days: readonly Day[], frequency: RegularFrequency = "MONTHLY"): Schedule =>
  fitSchedule(days.map(dayNumber), cadenceOf(frequency)!, "DK");
/** Days after the last payment, null: by the calendar. */
const daysAfterLast = (...days: Day[]): number | null => {
  const { followsLast, cadence } = fitted(days);
  return followsLast === null ? null : cadence.days;
};

test("five gaps of about 26 days, called a month, show that each payment follows the last, four do not", (t) => {
  t.is(daysAfterLast(...byGaps("2026-01-14", 26, 26, 25, 26, 26)), 26);
  t.is(daysAfterLast(...byGaps("2026-01-14", 26, 26, 25, 26)), null);
});

test("the last date is where the next one is counted from, at the tolerance and the grace of what it is called", (t) => {
  const schedule = fitted(byGaps("2026-01-14", 26, 26, 25, 26, 26));
  t.is(dayFromNumber(schedule.anchor), "2026-05-23");
  t.like(schedule, {
    cadence: { frequency: "MONTHLY", months: 0, days: 26, toleranceDays: 6, graceDays: 12 },
    phase: 0,
    weekday: null,
    pausedMonths: [],
  });
});

test("what gaps differ by from the usual one, on the average, is how far its dates are off", (t) => {
  t.is(fitted(byGaps("2026-01-14", 26, 26, 25, 26, 26)).spreadDays, 0.2);
  t.is(fitted(byGaps("2026-01-14", 27, 26, 25, 26, 25)).spreadDays, 0.6);
});

test("the usual gap is the mean one, in whole days", (t) => {
  t.is(daysAfterLast(...byGaps("2026-01-14", 26, 25, 26, 25, 26, 25)), 26, "25.5");
  t.is(daysAfterLast(...byGaps("2026-01-14", 26, 25, 26, 25, 25)), 25, "25.4");
});

test("closed days move the next one where no payment ever fell on one", (t) => {
  t.is(fitted(byGaps("2026-01-14", 26, 26, 25, 26, 26)).habit, "AS_DUE", "23 May is a Saturday");
  t.is(fitted(byGaps("2026-01-23", 26, 26, 25, 26, 26, 25)).habit, "NEXT_BANKING_DAY");
});

test("a gap of a date that stayed unpaid, and one of a payment in between, are none that tells the usual one", (t) => {
  t.is(daysAfterLast(...byGaps("2025-08-14", 26, 26, 52, 25, 26, 26)), 26);
  t.is(daysAfterLast(...byGaps("2025-08-14", 26, 26, 10, 25, 26, 26)), 26);
});

test("where fewer than half of the dates come a usual gap after the one before, none follows the last", (t) => {
  t.is(daysAfterLast(...byGaps("2025-01-14", 26, 52, 26, 52, 26, 52, 26, 52, 26)), 26, "five gaps, ten dates");
  t.is(daysAfterLast(...byGaps("2025-01-14", 26, 52, 26, 52, 26, 52, 26, 52, 26, 52)), null, "five, eleven");
});

test("dates that have kept a day four times of late are due on it, however they wandered before", (t) => {
  const wandering = byGaps("2025-03-14", 26, 26, 26, 26, 26, 26, 26);
  t.is(wandering.at(-1), "2025-09-12");
  t.is(daysAfterLast(...wandering, ...monthly("2025-10-09", 3)), 27);
  t.is(daysAfterLast(...wandering, ...monthly("2025-10-09", 4)), null);
});

test("gaps must differ by no more than half of what the dates are off their rule", (t) => {
  t.like(fitted(byGaps("2026-01-14", 26, 28, 29, 29, 29, 29)), {
    followsLast: { calendarSpreadDays: 16 / 7 },
    spreadDays: 1,
  });
  const { followsLast, spreadDays } = fitted(byGaps("2026-01-14", 25, 33, 25, 33, 25, 33, 25));
  t.is(followsLast, null, `${spreadDays}`);
});

test("weeks follow no last payment, however they wander", (t) => {
  t.is(fitted(byGaps("2026-01-14", 9, 9, 9, 8, 9, 9, 9, 9), "WEEKLY").followsLast, null);
  t.is(fitted(byGaps("2026-01-14", 17, 17, 17, 17, 16, 17, 17, 17), "BIWEEKLY").followsLast, null);
});

test("of what follows the last payment the latest twenty-four dates tell the gap", (t) => {
  const gaps = (early: number) => [...Array<number>(10).fill(early), ...Array<number>(23).fill(26)];
  t.is(daysAfterLast(...byGaps("2023-01-14", ...gaps(34))), 26);
});
