import test from "ava";
import {
  type Day,
  bankingDayFrom,
  dayFromNumber,
  dayNumber,
  isBankingDayNumber,
  numberInMonth,
} from "../../../src/time/calendar.ts";
import { cadenceOf } from "../../../src/recognition/search/cadence.ts";
import { predict } from "../../../src/recognition/search/predict.ts";
import { likeliestDay, scatterOf } from "../../../src/recognition/search/scatter.ts";
import { fitSchedule, occurrenceNear } from "../../../src/recognition/search/schedule.ts";
import fc from "../../property.ts";

const monthly = cadenceOf("MONTHLY")!;

test("dates that keep to their rule do not scatter", (t) => {
  const dates = ["2026-01-15", "2026-02-16", "2026-03-16", "2026-04-15"].map(dayNumber);
  t.is(scatterOf(fitSchedule(dates, monthly, "DK"), dates, "DK"), null);
});

test("daily payments have nowhere to scatter to", (t) => {
  const dates = ["2026-05-04", "2026-05-05", "2026-05-06", "2026-05-08", "2026-05-12"].map(dayNumber);
  t.is(scatterOf(fitSchedule(dates, cadenceOf("DAILY")!, "DK"), dates, "DK"), null);
});

test("of scattered dates the middle is told, not the edge on which most of them fell", (t) => {
  // The 9th to the 15th, and three times the 9th.
  const days: Day[] = [
    "2025-09-09",
    "2025-10-09",
    "2025-11-13",
    "2025-12-09",
    "2026-01-15",
    "2026-02-12",
    "2026-03-11",
    "2026-04-14",
    "2026-05-13",
    "2026-06-15",
  ];
  const dates = days.map(dayNumber);
  const { nextAt } = predict(fitSchedule(dates, monthly, "NO"), dates, dates.at(-1)!, "NO");
  const dayOfMonth = Number(dayFromNumber(nextAt).slice(8));
  t.true(dayOfMonth >= 12 && dayOfMonth <= 13, dayFromNumber(nextAt));
});

test("as days pass without the payment, only later ones are told", (t) => {
  const dates = ["2026-01-12", "2026-02-17", "2026-03-13", "2026-04-20", "2026-05-12", "2026-06-18"].map(dayNumber);
  const schedule = fitSchedule(dates, monthly, "DK");
  const scatter = scatterOf(schedule, dates, "DK")!;
  const next = occurrenceNear(schedule, dates.at(-1)!, "DK") + 1;
  for (let after = dayNumber("2026-07-01"); after < dayNumber("2026-07-24"); after++) {
    const told = likeliestDay(scatter, next, after, "DK");
    t.true(told !== null && told > after);
  }
  t.is(likeliestDay(scatter, next, dayNumber("2026-08-20"), "DK"), null, "nothing is likely that long after");
});

test("a scatter of up to two days around any due day is told near it, and on a banking day where all dates were", (t) => {
  const offsets = fc.array(fc.integer({ min: -2, max: 2 }), { minLength: 14, maxLength: 20 });
  fc.assert(
    fc.property(fc.integer({ min: 6, max: 24 }), offsets, (due, drawn) => {
      const dates = drawn.map((off, index) => bankingDayFrom(numberInMonth(2024 * 12 + index, due) + off, 1, "DK"));
      const { nextAt } = predict(fitSchedule(dates, monthly, "DK"), dates, dates.at(-1)!, "DK");
      const middle = bankingDayFrom(numberInMonth(2024 * 12 + dates.length, due), 1, "DK");
      t.true(isBankingDayNumber(nextAt, "DK"));
      t.true(Math.abs(nextAt - middle) <= 6, `${dayFromNumber(nextAt)} for ${dayFromNumber(middle)}`);
    }),
  );
});
