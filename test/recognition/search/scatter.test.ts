/** Payments that keep to no exact day are told by the middle of their dates and a range around it. */
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
import { fitSchedule, occurrenceNear, type Schedule } from "../../../src/recognition/search/schedule.ts";
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

/** A rule that says a day of the month, whatever the dates say. */
const dueOn = (anchor: number, habit: Schedule["habit"] = "NEXT_BANKING_DAY"): Schedule => ({
  cadence: monthly,
  anchor,
  phase: 2026 * 12,
  habit,
  weekday: null,
  followsLast: null,
  pausedMonths: [],
  spreadDays: 1,
});

/** The day told for a month of 2026. */
function toldFor(month: number, schedule: Schedule, days: readonly Day[]): Day | null {
  const dates = days.map(dayNumber);
  const told = likeliestDay(scatterOf(schedule, dates, "DK")!, month - 1, dates.at(-1)!, "DK");
  return told === null ? null : dayFromNumber(told);
}

const aroundThe13th: Day[] = [
  "2025-09-15",
  "2025-10-14",
  "2025-11-13",
  "2025-12-12",
  "2026-01-14",
  "2026-02-13",
  "2026-03-12",
  "2026-04-15",
];
const aroundThe8th: Day[] = [
  "2025-09-09",
  "2025-10-08",
  "2025-11-07",
  "2025-12-08",
  "2026-01-08",
  "2026-02-06",
  "2026-03-09",
  "2026-04-08",
];

test("where the dates lie to one side of the rule, the due day is moved to them", (t) => {
  t.is(toldFor(7, dueOn(10), aroundThe13th), "2026-07-13");
  t.is(toldFor(7, dueOn(17), aroundThe13th), "2026-07-13");
  t.is(toldFor(7, dueOn(12), aroundThe8th), "2026-07-08");
  t.is(toldFor(7, dueOn(4), aroundThe8th), "2026-07-08");
});

test("of shifts that explain the dates alike each day costs the same", (t) => {
  // On the very due day, a scatter of up to four days either way explains it with any shift up to four.
  const { fits } = scatterOf({ ...dueOn(10), habit: "AS_DUE" }, [dayNumber("2026-06-10")], "DK")!;
  const widest = fits.filter(
    ({ explanation: { isMoved, noise } }) =>
      !isMoved && noise.chances[3] === noise.chances[11] && noise.chances[2] !== noise.chances[3],
  );
  const weights = new Map(widest.map(({ explanation, weight }) => [explanation.shift, weight]));
  t.deepEqual(
    [...weights.keys()].toSorted((a, b) => a - b),
    [-4, -3, -2, -1, 0, 1, 2, 3, 4],
  );
  for (const shift of [1, 2, 3, 4]) {
    t.is((weights.get(shift)! / weights.get(0)!).toFixed(6), Math.exp(-0.15 * shift).toFixed(6));
    t.is(weights.get(-shift), weights.get(shift));
  }
});

test("a closed day is told only where payments fell on closed days", (t) => {
  t.is(toldFor(5, dueOn(9), aroundThe8th), "2026-05-08", "9 May is a Saturday");
  const onSaturdays: Day[] = ["2026-01-10", "2026-02-09", "2026-03-10", "2026-04-11"];
  t.is(toldFor(5, dueOn(10, "AS_DUE"), onSaturdays), "2026-05-10", "a Sunday");
});

test("what the bank brings forward lies before the closed days", (t) => {
  // The 31st, three times before a weekend.
  t.is(
    toldFor(5, dueOn(31, "PREVIOUS_BANKING_DAY"), [
      "2025-10-31",
      "2025-11-28",
      "2025-12-30",
      "2026-01-30",
      "2026-02-27",
      "2026-03-31",
    ]),
    "2026-05-29",
  );
});

test("what the bank puts off lies after the closed days", (t) => {
  t.is(
    toldFor(5, dueOn(10), [
      "2025-10-10",
      "2025-11-10",
      "2025-12-10",
      "2026-01-12",
      "2026-02-10",
      "2026-03-10",
      "2026-04-10",
    ]),
    "2026-05-11",
    "10 May is a Sunday",
  );
  t.is(
    toldFor(5, dueOn(10, "PREVIOUS_BANKING_DAY"), [
      "2025-10-10",
      "2025-11-10",
      "2025-12-10",
      "2026-01-09",
      "2026-02-10",
      "2026-03-10",
      "2026-04-10",
    ]),
    "2026-05-08",
  );
});

test("of a likely day by itself and a middling one among others, the one among others is told", (t) => {
  const chances = new Float64Array(15);
  chances.set([0.3], 0);
  chances.set([0.2, 0.25, 0.2], 8);
  const explanation = { shift: 0, noise: { chances, logRuns: new Float64Array() }, isMoved: false };
  const scatter = { schedule: dueOn(10, "AS_DUE"), fits: [{ explanation, weight: 1 }], keepsBankingDays: false };
  const told = (after: Day): string => dayFromNumber(likeliestDay(scatter, 5, dayNumber(after), "DK")!);
  t.is(told("2026-06-01"), "2026-06-12", "not 3 June");
  t.is(told("2026-06-12"), "2026-06-13", "the last that is left");
  t.is(likeliestDay(scatter, 5, dayNumber("2026-06-13"), "DK"), null);
});

test("the latest dates count most, and those before the latest twenty-four nothing", (t) => {
  const at = (dayOfMonth: number, from: number, count: number): Day[] =>
    Array.from({ length: count }, (_, index) => dayFromNumber(numberInMonth(2026 * 12 + from + index, dayOfMonth)));
  t.is(toldFor(1, dueOn(11, "AS_DUE"), [...at(10, -12, 6), ...at(13, -6, 6)]), "2026-01-12");
  t.is(toldFor(1, dueOn(11, "AS_DUE"), [...at(13, -12, 6), ...at(10, -6, 6)]), "2026-01-11");
  const years = at(14, -24, 24);
  t.is(toldFor(1, dueOn(11, "AS_DUE"), [...at(8, -60, 36), ...years]), toldFor(1, dueOn(11, "AS_DUE"), years));
  const weights = (days: Day[]) =>
    scatterOf(dueOn(11, "AS_DUE"), days.map(dayNumber), "DK")!.fits.map(({ weight }) => weight);
  t.deepEqual(weights([...at(8, -60, 36), ...years]), weights(years));
});

test("dates a quarter of a day off their rule on the average scatter, nearer ones keep to it", (t) => {
  const dates = aroundThe8th.map(dayNumber);
  t.is(scatterOf({ ...dueOn(8), spreadDays: 0.24 }, dates, "DK"), null);
  t.not(scatterOf({ ...dueOn(8), spreadDays: 0.25 }, dates, "DK"), null);
});

test("payments scatter around a day by these deviations, or anywhere within these days, and now and then anywhere", (t) => {
  const { fits } = scatterOf({ ...dueOn(10), habit: "AS_DUE" }, [dayNumber("2026-06-10")], "DK")!;
  const days = Array.from({ length: 15 }, (_, index) => index - 7);
  const chancesBy = (density: (days: number) => number): string[] => {
    const total = days.reduce((sum, day) => sum + density(day), 0);
    return days.map((day) => ((0.98 * density(day)) / total + 0.02 / 15).toFixed(9));
  };
  const around = [0.6, 1.2, 2, 3].map((deviation) => chancesBy((day) => Math.exp(-0.5 * (day / deviation) ** 2)));
  const within = [1, 2, 3, 4].map((either) => chancesBy((day) => (Math.abs(day) <= either ? 1 : 0)));
  const noises = [...new Set(fits.map(({ explanation }) => explanation.noise))];
  const told = noises.map(({ chances }) => [...chances].map((chance) => chance.toFixed(9)));
  t.deepEqual(told.toSorted(), [...around, ...within].toSorted());
  // On its due day a date is as likely as that day's chance, and one half per mille of falling elsewhere.
  const [best] = noises.map(({ chances }) => chances[7]!).toSorted((a, b) => b - a);
  const unmoved = fits.filter(({ explanation }) => explanation.shift === 0);
  t.is(unmoved.length, 16);
  for (const { explanation, weight } of unmoved)
    t.is(weight.toFixed(9), ((explanation.noise.chances[7]! + 0.0005) / (best! + 0.0005)).toFixed(9));
});
