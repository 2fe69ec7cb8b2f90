/** The next payment is told by rule and banking day until its grace is over. */
import test from "ava";
import { type Day, dayFromNumber } from "../../../src/time/calendar.ts";
import { Holding } from "../../../src/recognition/holding.ts";
import type { RegularFrequency } from "../../../src/recognition/search/cadence.ts";
import { predict } from "../../../src/recognition/search/predict.ts";
import { fitSchedule, type Schedule } from "../../../src/recognition/search/schedule.ts";
import { at, cadence } from "../obligations.ts";
import { everyDays } from "../payments.ts";

/** What is told on a day about payments on the days before. */
function told(days: readonly Day[], asOf: Day, frequency: RegularFrequency = "MONTHLY"): [Day, string] {
  const dates = days.map(at);
  const { nextAt, status } = predict(fitSchedule(dates, cadence(frequency), "DK"), dates, at(asOf), "DK");
  return [dayFromNumber(nextAt), status];
}

/** Due on the 15th, to the day. */
const three: Day[] = ["2026-01-15", "2026-02-16", "2026-03-16"];
const six: Day[] = ["2025-10-15", "2025-11-17", "2025-12-15", ...three];

test("until it is due the next due date is told, moved over the weekend", (t) => {
  t.deepEqual(told(three, "2026-03-16"), ["2026-04-15", "ACTIVE"]);
  t.deepEqual(told(three, "2026-04-14"), ["2026-04-15", "ACTIVE"]);
  t.deepEqual(
    told(["2026-05-15", "2026-06-15", "2026-07-15"], "2026-07-20"),
    ["2026-08-17", "ACTIVE"],
    "15 August is a Saturday",
  );
});

test("what is due today is due today, and while it is overdue the next banking day is told", (t) => {
  t.deepEqual(told(three, "2026-04-15"), ["2026-04-15", "ACTIVE"]);
  t.deepEqual(told(three, "2026-04-16"), ["2026-04-17", "ACTIVE"]);
  t.deepEqual(told(three, "2026-04-17"), ["2026-04-20", "ACTIVE"], "over the weekend");
});

test("it is overdue from the day after the due date to the end of its grace", (t) => {
  const isOverdue = (days: readonly Day[], asOf: Day): boolean => {
    const dates = days.map(at);
    return predict(fitSchedule(dates, cadence("MONTHLY"), "DK"), dates, at(asOf), "DK").isOverdue;
  };
  t.deepEqual(
    ["2026-04-14", "2026-04-15", "2026-04-16", "2026-04-27", "2026-04-28"].map((asOf) => isOverdue(three, asOf)),
    [false, false, true, true, false],
  );
  const scattered: Day[] = ["2026-01-12", "2026-02-17", "2026-03-13", "2026-04-20", "2026-05-12", "2026-06-18"];
  t.deepEqual(
    ["2026-07-16", "2026-07-17", "2026-07-18"].map((asOf) => isOverdue(scattered, asOf)),
    [false, false, true],
    "what scatters too: expected on the 17th at the latest",
  );
});

test("after the grace of twelve days a monthly series has ended on the day on which it was due", (t) => {
  t.deepEqual(told(three, "2026-04-27"), ["2026-04-28", "ACTIVE"]);
  t.deepEqual(told(three, "2026-04-28"), ["2026-04-15", "INACTIVE"]);
});

test("a weekly series ends after five days, a yearly one after forty", (t) => {
  const weekly = everyDays("2026-03-03", 5, 7);
  t.deepEqual(told(weekly, "2026-04-12", "WEEKLY"), ["2026-04-13", "ACTIVE"], "due on 7 April");
  t.deepEqual(told(weekly, "2026-04-13", "WEEKLY"), ["2026-04-07", "INACTIVE"]);
  const yearly: Day[] = ["2024-04-15", "2025-04-15"];
  t.is(told(yearly, "2026-05-25", "YEARLY")[1], "ACTIVE");
  t.deepEqual(told(yearly, "2026-05-26", "YEARLY"), ["2026-04-15", "INACTIVE"]);
});

test("what always came to the day is waited for through the whole grace as well", (t) => {
  t.deepEqual(told(six, "2026-04-20"), ["2026-04-21", "ACTIVE"]);
  t.deepEqual(told(six, "2026-04-21"), ["2026-04-22", "ACTIVE"]);
  t.deepEqual(told(six, "2026-04-27"), ["2026-04-28", "ACTIVE"]);
  t.deepEqual(told(six, "2026-04-28"), ["2026-04-15", "INACTIVE"]);
});

test("a date in a month in which nothing is ever due is passed over", (t) => {
  const rule: Schedule = {
    cadence: cadence("MONTHLY"),
    anchor: 15,
    phase: 2026 * 12,
    habit: "AS_DUE",
    weekday: null,
    followsLast: null,
    pausedMonths: [7, 8],
    spreadDays: 0,
  };
  const next = (asOf: Day) => predict(rule, [at("2026-06-15")], at(asOf), "DK");
  t.deepEqual(next("2026-06-15"), { nextAt: at("2026-09-15"), status: "ACTIVE", isOverdue: false });
  t.deepEqual(next("2026-08-31"), { nextAt: at("2026-09-15"), status: "ACTIVE", isOverdue: false });
  t.deepEqual(next("2026-09-28"), { nextAt: at("2026-09-15"), status: "INACTIVE", isOverdue: false });
});

test("what falls due each day is told for the next day on which banks settle", (t) => {
  const weekdays: Day[] = ["2026-06-15", "2026-06-16", "2026-06-17", "2026-06-18", "2026-06-19", "2026-06-22"];
  t.deepEqual(told(weekdays.slice(0, 5), "2026-06-19", "DAILY"), ["2026-06-22", "ACTIVE"], "over the weekend");
  t.deepEqual(
    told(weekdays, "2026-06-22", "DAILY"),
    ["2026-06-23", "ACTIVE"],
    "Saturday's and Sunday's were posted on Monday too",
  );
});

test("what falls due on the weekend and was posted before it is not expected again", (t) => {
  const friday = at("2026-06-19");
  const rule: Schedule = {
    cadence: cadence("DAILY"),
    anchor: friday,
    phase: 0,
    habit: "PREVIOUS_WEEKDAY",
    weekday: null,
    followsLast: null,
    pausedMonths: [],
    spreadDays: 0,
  };
  const onWednesday = predict(rule, [friday], at("2026-06-24"), "DK");
  t.deepEqual(
    [dayFromNumber(onWednesday.nextAt), onWednesday.status],
    ["2026-06-25", "ACTIVE"],
    "due on Monday, two days ago",
  );
});

test("the day told last for scattered dates is held until it has passed", (t) => {
  const days: Day[] = [
    "2025-04-11",
    "2025-05-12",
    "2025-06-11",
    "2025-07-13",
    "2025-08-16",
    "2025-09-16",
    "2025-10-10",
    "2025-11-16",
    "2025-12-13",
  ];
  t.deepEqual(
    ["2026-01-11", "2026-01-12", "2026-01-13", "2026-01-14", "2026-01-15", "2026-01-16"].map(
      (asOf) => told(days, asOf)[0],
    ),
    ["2026-01-15", "2026-01-16", "2026-01-16", "2026-01-16", "2026-01-16", "2026-01-19"],
  );
});

test("on its day the day told last stays, unless it has passed", (t) => {
  const days: Day[] = ["2026-01-09", "2026-02-13", "2026-03-13", "2026-04-12", "2026-05-12", "2026-06-20"];
  t.deepEqual(
    ["2026-07-12", "2026-07-13", "2026-07-15", "2026-07-16"].map((asOf) => told(days, asOf)[0]),
    ["2026-07-16", "2026-07-16", "2026-07-16", "2026-07-17"],
  );
});

test("of scattered dates no day that passes brings the next one nearer", (t) => {
  const days: Day[] = ["2026-01-12", "2026-02-17", "2026-03-13", "2026-04-20", "2026-05-12", "2026-06-18"];
  const tellings = everyDays("2026-07-01", 31, 1).map((asOf) => [asOf, ...told(days, asOf)]);
  const active = tellings.filter(([, , status]) => status === "ACTIVE");
  t.is(active.length, 29, "up to twelve days after the 17th");
  for (const [index, [asOf, next]] of active.entries())
    t.true(next! > asOf! && next! >= active[Math.max(0, index - 1)]![1]!, `${next} on ${asOf}`);
  t.deepEqual(active[0], ["2026-07-01", "2026-07-17", "ACTIVE"]);
});

/** The first day on which something else may be told, no further than a week ahead. */
const heldUntil = (days: readonly Day[], asOf: Day): Day => {
  const dates = days.map(at);
  const holding = new Holding();
  predict(fitSchedule(dates, cadence("MONTHLY"), "DK"), dates, at(asOf), "DK", holding);
  return holding.until(at(asOf));
};

test("what is told of kept dates holds until the day after the due date, and while overdue until the day that is told", (t) => {
  t.is(heldUntil(three, "2026-04-10"), "2026-04-16");
  t.is(heldUntil(three, "2026-04-15"), "2026-04-16");
  t.is(heldUntil(three, "2026-04-16"), "2026-04-17");
  t.is(heldUntil(three, "2026-04-17"), "2026-04-20", "over the weekend");
  t.is(heldUntil(three, "2026-04-27"), "2026-04-28");
  const june: Day[] = ["2026-04-15", "2026-05-15", "2026-06-15"];
  t.is(heldUntil(june, "2026-07-24"), "2026-07-27");
  const may: Day[] = ["2026-02-16", "2026-03-16", "2026-04-16"];
  t.is(heldUntil(may, "2026-05-29"), "2026-05-31", "given up on Sunday, before Monday is there");
});

test("what is told of scattered dates holds until days near it take chances, and on its day until the next", (t) => {
  const scattered: Day[] = ["2026-01-12", "2026-02-17", "2026-03-13", "2026-04-20", "2026-05-12", "2026-06-18"];
  t.is(heldUntil(scattered, "2026-07-10"), "2026-07-14", "three days before the 17th");
  t.is(heldUntil(scattered, "2026-07-17"), "2026-07-18");
});
