/** An obligation that is paid at another frequency from some day on stays one, and two that only follow stay two. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import type { RegularFrequency } from "../../../src/recognition/search/cadence.ts";
import { joinFrequencyChanges } from "../../../src/recognition/search/frequency-change.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import fc from "../../property.ts";
import { at, costsOf, daysOf, paid, paidAmounts, runOf } from "../obligations.ts";
import { monthly } from "../payments.ts";

type Run = ReturnType<typeof runOf>;

/** Series as "FREQUENCY payments from the day of its rule", and the days of the rest. */
function joined(series: Run[], rest: Payment[] = []): { series: string[]; rest: Day[] } {
  const found = joinFrequencyChanges({ series, rest }, "DK");
  return {
    series: found.series.map(({ cadence, payments, ruleFrom }) => {
      const rule = payments.find((payment) => payment.at === ruleFrom)?.transaction.day;
      return `${cadence.frequency} ${payments.length} from ${rule}`;
    }),
    rest: daysOf(found.rest),
  };
}

/** DKK 38.50 a month from January to December 2025. */
const months = runOf(paid(monthly("2025-01-12", 12), 3_850));

test("the year at once instead of the next month's payment is the same obligation, due yearly from then on", (t) => {
  const [one, ...others] = joinFrequencyChanges({ series: [months], rest: paid(["2026-01-12"], 43_620) }, "DK").series;
  t.deepEqual(others, []);
  t.like(one, { cadence: { frequency: "YEARLY" }, ruleFrom: at("2026-01-12"), schedule: { anchor: 12 }, misses: 0 });
  t.deepEqual(daysOf(one!.payments), [...monthly("2025-01-12", 12), "2026-01-12"]);
});

test("each month instead of the quarter is the same obligation, of one payment as of several", (t) => {
  const quarters = runOf(paid(monthly("2025-01-12", 4, 3), 11_250), "QUARTERLY");
  t.deepEqual(joined([quarters], paid(["2026-01-12"], 3_750)), { series: ["MONTHLY 5 from 2026-01-12"], rest: [] });
  const since = runOf(paid(monthly("2026-01-12", 5), 3_750));
  t.deepEqual(joined([quarters, since]), { series: ["MONTHLY 9 from 2026-01-12"], rest: [] });
});

test("a new run in another series is taken over with its odds", (t) => {
  const since = { ...runOf(paid(monthly("2026-01-12", 3, 3), 11_000), "QUARTERLY"), logOdds: 7 };
  const [one] = joinFrequencyChanges({ series: [months, since], rest: [] }, "DK").series;
  t.like(one, { logOdds: 7, cadence: { frequency: "QUARTERLY" } });
});

test("a run whose later payments changed their frequency is as likely as what came before them is by itself", (t) => {
  const whole = {
    ...runOf(paid([...monthly("2025-01-12", 12), ...monthly("2026-01-12", 3, 3)], 3_850)),
    payments: [...paid(monthly("2025-01-12", 12), 3_850), ...paid(monthly("2026-01-12", 3, 3), 11_550)],
    logOdds: 1.5,
  };
  const [one, ...others] = joinFrequencyChanges(
    { series: [whole], rest: [] },
    "DK",
    (part) => part.payments.length,
  ).series;
  t.deepEqual(others, []);
  t.like(one, { logOdds: 12, cadence: { frequency: "QUARTERLY" } });
});

test("one payment alone must cost as much a day, or a tenth more, or up to three twentieths less", (t) => {
  const yearly = (minor: number) => joined([months], paid(["2026-01-12"], minor)).series.length === 1;
  const kept = (minor: number) => joined([months], paid(["2026-01-12"], minor)).rest.length === 0;
  t.true(yearly(46_200));
  // Twelve months of DKK 38.50 are 462.
  t.deepEqual([39_400, 39_200].map(kept), [true, false]);
  t.deepEqual([50_800, 50_900].map(kept), [true, false]);
});

test("half the price on one due date is no fortnight's: nothing came after another fortnight", (t) => {
  t.deepEqual(joined([months], paid(["2026-01-12"], 1_925)), {
    series: ["MONTHLY 12 from 2025-01-12"],
    rest: ["2026-01-12"],
  });
});

test("what changed its frequency once is not cut where it did when it is looked at again", (t) => {
  const { series } = joinFrequencyChanges({ series: [months], rest: paid(["2026-01-12"], 43_620) }, "DK");
  t.deepEqual(joined(series), { series: ["YEARLY 13 from 2026-01-12"], rest: [] });
});

test("several payments may cost between two thirds and four thirds as much", (t) => {
  const since = (minor: number) =>
    joined([months, runOf(paid(monthly("2026-01-12", 3, 3), minor), "QUARTERLY")]).series.length;
  // A quarter of DKK 38.50 a month is 115.50.
  t.deepEqual([15_500, 15_700, 7_600, 7_400].map(since), [1, 2, 1, 2]);
});

test("it begins when the next payment was due, or one period later", (t) => {
  const on = (day: Day) => joined([months], paid([day], 43_620)).rest.length === 0;
  t.deepEqual(
    ["2026-01-02", "2026-01-06", "2026-01-12", "2026-01-18", "2026-01-25", "2026-02-12", "2026-03-12"].map((day) =>
      on(day),
    ),
    [false, true, true, true, false, true, false],
  );
});

test("while the old price is still paid nothing has changed", (t) => {
  const still = runOf([...months.payments, ...paid(["2026-02-12"], 3_850)]);
  t.deepEqual(joined([still], paid(["2026-01-12"], 43_620)), {
    series: ["MONTHLY 13 from 2025-01-12"],
    rest: ["2026-01-12"],
  });
});

test("a price near the old one is a change of price and not of frequency", (t) => {
  t.deepEqual(joined([months], paid(["2026-01-12"], 5_000)).rest, ["2026-01-12"]);
});

test("the old run must stand by itself: three payments of a fixed price, and odds of one nat", (t) => {
  const yearOn = paid(["2026-01-12"], 43_620);
  const old = (count: number, logOdds = 5) => ({
    ...runOf(paid(monthly("2025-01-12", 12).slice(-count), 3_850)),
    logOdds,
  });
  t.is(joined([old(3)], yearOn).rest.length, 0);
  t.is(joined([old(2)], yearOn).rest.length, 1);
  t.is(joined([old(3, 1)], yearOn).rest.length, 0);
  t.is(joined([old(3, 0.9)], yearOn).rest.length, 1);
  const bills = runOf(
    paidAmounts(
      monthly("2025-01-12", 12),
      [3_850, 6_100, 4_400, 7_000, 3_700, 5_200].flatMap((minor) => [minor, minor + 900]),
    ),
  );
  t.is(joined([bills], yearOn).rest.length, 1, "bills that follow use");
});

test("two years stand by themselves", (t) => {
  const years = runOf(paid(["2024-01-12", "2025-01-12"], 43_620), "YEARLY");
  t.deepEqual(joined([years], paid(["2026-01-12"], 3_850)), { series: ["MONTHLY 3 from 2026-01-12"], rest: [] });
});

test("a run whose last payments went to another level is cut there and goes on at the new frequency", (t) => {
  const mixed = runOf([
    ...paid(monthly("2025-01-12", 9), 3_850),
    ...paid(["2025-10-12", "2026-01-12", "2026-04-12"], 11_550),
  ]);
  t.deepEqual(joined([mixed]), { series: ["QUARTERLY 12 from 2025-10-12"], rest: [] });
});

test("payments that neither run holds are left over, in the order of their days", (t) => {
  const stray = paid(["2025-06-20", "2026-03-01"], 990);
  t.deepEqual(joined([months], [...stray, ...paid(["2026-01-12"], 43_620)]).rest, ["2025-06-20", "2026-03-01"]);
});

test("most payments of the new price belong to the new run, or it is shopping", (t) => {
  const shopping = paid(["2026-01-12", "2026-01-20", "2026-02-03"], 43_620);
  t.deepEqual(joined([months], shopping).rest.length, 3);
});

test("every payment is told exactly once, in a series or in the rest, whatever follows what", (t) => {
  const price = fc.constantFrom(1_250, 3_750, 3_850, 11_250, 11_550, 43_620, 45_000);
  const runs = fc.array(
    fc.record({
      start: fc.integer({ min: 0, max: 30 }),
      count: fc.integer({ min: 2, max: 9 }),
      minor: price,
      frequency: fc.constantFrom<RegularFrequency>("MONTHLY", "QUARTERLY", "YEARLY"),
    }),
    { minLength: 1, maxLength: 4 },
  );
  const strays = fc.array(fc.record({ month: fc.integer({ min: 0, max: 60 }), minor: price }), { maxLength: 4 });
  const every = { MONTHLY: 1, QUARTERLY: 3, YEARLY: 12 } as Record<RegularFrequency, number>;
  fc.assert(
    fc.property(runs, strays, (drawn, others) => {
      const series = drawn.map(({ start, count, minor, frequency }, index) =>
        runOf(
          paid(
            monthly("2022-01-12", 200)
              .slice(start)
              .filter((_, month) => month % every[frequency] === 0)
              .slice(0, count),
            minor,
            `Sundby ${index}`,
          ),
          frequency,
        ),
      );
      const rest = others.flatMap(({ month, minor }, index) =>
        paid([monthly("2022-01-12", 200)[month]!], minor, `Ro ${index}`),
      );
      const all = [...series.flatMap(({ payments }) => payments), ...rest];
      const found = joinFrequencyChanges({ series, rest }, "DK");
      const told = [...found.series.flatMap(({ payments }) => payments), ...found.rest];
      const ids = (payments: Payment[]) => payments.map(({ transaction }) => transaction.txid).toSorted();
      t.deepEqual(ids(told), ids(all));
      for (const one of found.series)
        t.deepEqual(daysOf(one.payments), daysOf(one.payments).toSorted(), `${costsOf(one.payments).join()} by day`);
    }),
  );
});

test("the new run may leave one of its dates unpaid in four", (t) => {
  const since = (...left: number[]) =>
    paid(
      monthly("2026-01-12", 6, 3).filter((_, index) => !left.includes(index)),
      11_550,
    );
  t.deepEqual(joined([months], since(2)), { series: ["QUARTERLY 17 from 2026-01-12"], rest: [] });
  t.deepEqual(joined([months], since(2, 5)), { series: ["QUARTERLY 16 from 2026-01-12"], rest: [] }, "of five");
  t.is(joined([months], since(2, 4, 5)).rest.length, 3, "of four dates one is too many");
});

test("four of five payments at the new price must be the new run's", (t) => {
  const beside = (...others: Day[]) =>
    joined([months], paid([...monthly("2026-01-12", 4, 3), ...others].toSorted(), 11_550)).series;
  t.deepEqual(beside("2026-05-30"), ["QUARTERLY 16 from 2026-01-12"]);
  t.deepEqual(beside("2026-05-30", "2026-08-27"), ["MONTHLY 12 from 2025-01-12"]);
});

test("a new price may rise by an eighth and is the same level, by more it is another", (t) => {
  const risen = (minor: number) =>
    joined([months], paidAmounts(monthly("2026-01-12", 4, 3), [11_550, 11_550, minor, minor])).series;
  t.deepEqual(risen(13_000), ["QUARTERLY 16 from 2026-01-12"], "a log ratio of 0.118");
  t.deepEqual(risen(13_100), ["QUARTERLY 14 from 2026-01-12"], "a log ratio of 0.126");
});

test("half as much again is another price, less is none that another frequency has", (t) => {
  const since = (minor: number) =>
    joined([months, runOf(paid(monthly("2026-01-12", 3, 2), minor), "BIMONTHLY")]).series;
  t.is(since(5_740).length, 2, "a log ratio of 0.399");
  t.is(since(5_750).length, 1, "a log ratio of 0.401");
});

test("two half-years stand by themselves as two years do", (t) => {
  const halves = runOf(paid(["2025-01-12", "2025-07-12"], 21_600), "HALFYEARLY");
  t.deepEqual(joined([halves], paid(["2026-01-12"], 3_600)).series, ["MONTHLY 3 from 2026-01-12"]);
});

test("what was missed before and after the change is missed, and other series' odds are theirs", (t) => {
  const old = runOf(paid(monthly("2025-01-12", 12).toSpliced(4, 1), 3_850));
  const since = runOf(paid(monthly("2026-01-12", 6, 3).toSpliced(2, 1), 11_550), "QUARTERLY");
  const other = { ...runOf(paid(monthly("2024-12-28", 12), 99_900)), logOdds: 9 };
  const { series } = joinFrequencyChanges({ series: [old, since, other], rest: [] }, "DK");
  t.deepEqual(
    series.map(({ misses, logOdds }) => [misses, logOdds]),
    [
      [0, 9],
      [2, 5],
    ],
  );
});

test("what is paid days after the last date was paid is nothing due", (t) => {
  t.deepEqual(joined([months], paid(["2025-12-15"], 43_620)).rest, ["2025-12-15"]);
});

test("what was paid at the new level while the old run ran is something else", (t) => {
  const few = runOf(paid(monthly("2025-10-12", 3), 990));
  const next = paid(["2026-01-12"], 5_940);
  t.deepEqual(joined([few], next).series, ["HALFYEARLY 4 from 2026-01-12"], "six months at once");
  t.deepEqual(joined([few], [...paid(["2025-11-04"], 5_940), ...next]).series, ["MONTHLY 3 from 2025-10-12"]);
});

test("one payment of twice the price is an offer's end, or two at once, and two of them two months apart are a new frequency", (t) => {
  t.deepEqual(joined([months], paid(["2026-01-12"], 7_700)).series, ["MONTHLY 12 from 2025-01-12"]);
  t.deepEqual(joined([months], paid(["2026-01-12", "2026-03-12"], 7_700)).series, ["BIMONTHLY 14 from 2026-01-12"]);
  t.deepEqual(joined([months], paid(["2026-01-12"], 11_550)).series, ["QUARTERLY 13 from 2026-01-12"]);
});
