/** Days are numbers that count and come back exactly over months, leap years, Easter and banking holidays. */
import test from "ava";
import {
  addDays,
  addMonths,
  dayFromNumber,
  dayNumber,
  daysBetween,
  easterSunday,
  isBankingDay,
  isDay,
  nextBankingDay,
  previousBankingDay,
  weekday,
} from "../../src/time/calendar.ts";
import fc from "../property.ts";

test("day numbers count from 1970-01-01", (t) => {
  t.is(dayNumber("1970-01-01"), 0);
  t.is(dayNumber("2000-03-01"), 11_017);
  t.is(dayFromNumber(-1), "1969-12-31");
});

test("a day survives the way to its number and back, as the platform counts it", (t) => {
  t.notThrows(() =>
    fc.assert(
      fc.property(fc.integer({ min: -200_000, max: 200_000 }), (n) => {
        const day = dayFromNumber(n);
        return dayNumber(day) === n && day === new Date(n * 86_400_000).toISOString().slice(0, 10);
      }),
    ),
  );
});

test("a time after the day is ignored", (t) => {
  t.is(dayNumber("2026-04-13T23:59:59+02:00"), dayNumber("2026-04-13"));
});

test("days that do not exist are none", (t) => {
  t.true(isDay("2024-02-29"));
  t.false(isDay("2026-02-29"));
  t.false(isDay("2026-2-1"));
  t.false(isDay("tomorrow"));
});

test("adding months keeps the day, and the month's end where the day is meant to be the last", (t) => {
  t.is(addMonths("2026-01-31", 1), "2026-02-28");
  t.is(addMonths("2026-02-28", 1), "2026-03-28");
  t.is(addMonths("2026-02-28", 1, 31), "2026-03-31");
  t.is(addMonths("2024-02-29", 12), "2025-02-28");
  t.is(addMonths("2026-01-15", -1), "2025-12-15");
});

test("days are added and counted over month and year ends", (t) => {
  t.is(addDays("2025-12-30", 3), "2026-01-02");
  t.is(daysBetween("2024-02-28", "2024-03-01"), 2);
  t.is(weekday("2026-11-21"), 6);
});

test("Easter falls where the churches published it", (t) => {
  const published = [
    "1994-04-03",
    "2008-03-23",
    "2011-04-24",
    "2019-04-21",
    "2024-03-31",
    "2025-04-20",
    "2026-04-05",
    "2038-04-25",
  ];
  t.deepEqual(
    published.map((day) => dayFromNumber(easterSunday(Number(day.slice(0, 4))))),
    published,
  );
});

const closed = test.macro({
  exec(t, country: string, days: string) {
    for (const day of days.split(" ")) t.false(isBankingDay(day, country), `${day} in ${country}`);
  },
  title: (_, country) => `banks in ${country} are closed on their holidays`,
});

test(
  closed,
  "DK",
  "2026-01-01 2026-04-02 2026-04-03 2026-04-06 2026-05-14 2026-05-15 2026-05-25 2026-06-05 2026-12-24 2026-12-25 2026-12-31 2023-05-05",
);
test(closed, "NO", "2026-04-02 2026-04-03 2026-04-06 2026-05-01 2026-05-14 2026-05-25 2027-05-17 2026-12-25");
test(
  closed,
  "SE",
  "2026-01-06 2026-04-03 2026-04-06 2026-05-01 2026-05-14 2025-06-06 2026-06-19 2026-12-24 2026-12-31 2004-05-31",
);
test(closed, "FI", "2026-01-06 2026-04-03 2026-06-19 2024-12-06 2026-12-24");
test(closed, "IS", "2026-04-02 2026-04-23 2026-06-17 2026-08-03");
test(
  closed,
  "GB",
  "2026-01-01 2026-05-04 2026-05-25 2026-08-31 2026-12-25 2026-12-28 2020-05-08 2022-06-02 2022-06-03 2022-09-19 2023-05-08 2021-12-27 2021-12-28 2022-01-03",
);
test(closed, "IE", "2026-02-02 2024-02-05 2026-03-17 2026-04-03 2026-05-04 2026-06-01 2026-08-03 2026-10-26");
test(closed, "DE", "2026-04-03 2026-05-01 2026-05-14 2026-05-25 2024-10-03 2026-12-24");
test(closed, "NL", "2026-04-27 2026-04-03 2026-05-01 2026-05-14 2025-04-26");
test(closed, "PL", "2026-01-06 2026-06-04 2025-12-24 2026-11-11 2027-05-03");
test(closed, "CZ", "2026-04-03 2026-05-08 2026-07-06 2026-09-28 2026-10-28 2026-11-17 2026-12-24");

test("holidays that were moved or abolished are banking days", (t) => {
  t.true(isBankingDay("2024-04-26", "DK"), "Great Prayer Day ended in 2023");
  t.true(isBankingDay("2020-05-04", "GB"), "moved to 8 May 2020");
  t.true(isBankingDay("2015-04-03", "CZ"), "Good Friday counts since 2016");
});

test("the next and the previous banking day step over weekends and holidays", (t) => {
  t.is(nextBankingDay("2026-12-24", "DK"), "2026-12-28");
  t.is(previousBankingDay("2026-01-01", "DK"), "2025-12-30");
  t.is(nextBankingDay("2022-12-24", "GB"), "2022-12-28");
  t.is(nextBankingDay("2026-11-20", "DK"), "2026-11-20");
});

test("an unknown country follows the euro area's calendar", (t) => {
  t.false(isBankingDay("2026-05-01", "XX"));
  t.true(isBankingDay("2026-05-14", "XX"));
});
