/** Each frequency has a cadence with its grace, its tolerance in days and its share of all obligations. */
import test from "ava";
import { cadences, cadenceOf, countedInDays, logMisses, missesOf } from "../../../src/recognition/search/cadence.ts";
import { bestChain, mostOfChain, priceStatistics } from "../../../src/recognition/search/chain.ts";
import { addDays, type Day } from "../../../src/time/calendar.ts";
import { paymentFrequencies } from "../../../src/interface/payment-frequency.ts";
import { cadence, paid, paidAmounts } from "../obligations.ts";
import fc, { runs } from "../../property.ts";
import { everyDays, monthly } from "../payments.ts";

test("every frequency of the interface has one cadence, but the unknown one", (t) => {
  t.deepEqual(
    paymentFrequencies.filter((frequency) => cadenceOf(frequency) === null),
    ["UNKNOWN"],
  );
  t.deepEqual(
    cadences.map(({ frequency }) => frequency),
    ["DAILY", "WEEKLY", "BIWEEKLY", "MONTHLY", "BIMONTHLY", "QUARTERLY", "HALFYEARLY", "YEARLY"],
  );
  t.deepEqual(
    cadences.map(({ months }) => months),
    [0, 0, 0, 1, 2, 3, 6, 12],
  );
});

test("a service runs on for a grace that grows with the period", (t) => {
  t.deepEqual(
    cadences.map(({ graceDays }) => graceDays),
    [4, 5, 7, 12, 16, 20, 30, 40],
  );
});

test("the chances of the days around a due date count once for the day itself and twice for a distance, and are at most one together", (t) => {
  const totals = cadences.map(({ logDeviation }) =>
    logDeviation.reduce((sum, log, off) => sum + (off === 0 ? 1 : 2) * Math.exp(log), 0),
  );
  t.deepEqual(
    totals.map((total) => Number(total.toFixed(3))),
    [1, 0.99, 0.99, 0.98, 0.972, 0.98, 0.996, 0.984],
  );
  for (const { frequency, logDeviation, toleranceDays } of cadences) {
    t.is(logDeviation.length, toleranceDays + 1, frequency);
    t.deepEqual(
      logDeviation.toSorted((a, b) => b - a),
      logDeviation,
      `${frequency}: further off is never likelier`,
    );
  }
});

test("the longer the period, the further off a payment may be, and the fewer due dates in a row may stay unpaid", (t) => {
  t.deepEqual(
    cadences.map(({ toleranceDays }) => toleranceDays),
    [1, 4, 5, 6, 7, 8, 10, 12],
  );
  t.deepEqual(
    cadences.map(({ missesMax }) => missesMax),
    [3, 3, 3, 3, 2, 2, 1, 1],
  );
});

test("the frequencies share all obligations among them, most of them monthly", (t) => {
  const shares = cadences.map(({ logPrior }) => Math.exp(logPrior));
  t.is(Math.round(shares.reduce((sum, share) => sum + share, 0) * 100), 100);
  t.is(Math.max(...shares), Math.exp(cadence("MONTHLY").logPrior));
});

test("six in a hundred due dates stay unpaid, and each one in a row is as unlikely again", (t) => {
  t.is(Math.exp(logMisses(0)), 1);
  t.is(Math.exp(logMisses(1)).toFixed(6), "0.060000");
  t.is(Math.exp(logMisses(2)).toFixed(6), "0.003600");
});

test("due dates between the first and the last payment that have none are misses", (t) => {
  t.is(missesOf(paid(monthly("2026-01-05", 6), 100), cadence("MONTHLY")), 0);
  t.is(missesOf(paid(["2026-01-05", "2026-02-05", "2026-05-05"], 100), cadence("MONTHLY")), 2);
  t.is(missesOf(paid(["2026-01-05"], 100), cadence("MONTHLY")), 0);
  t.is(
    missesOf(paid(["2026-01-05", "2026-01-06", "2026-01-07"], 100), cadence("MONTHLY")),
    0,
    "more payments than due dates are no negative misses",
  );
  t.is(missesOf(paid(everyDays("2026-01-05", 3, 14), 100), cadence("WEEKLY")), 2);
});

test("months and quarters may be counted in days, other cadences are what they are", (t) => {
  const lengths = (frequency: Parameters<typeof cadence>[0]): number[] =>
    countedInDays(cadence(frequency)).map(({ days }) => days);
  t.deepEqual(
    [lengths("MONTHLY"), lengths("BIMONTHLY"), lengths("QUARTERLY")],
    [
      [28, 29, 30, 31],
      [56, 60],
      [84, 90, 91],
    ],
  );
  t.deepEqual([lengths("WEEKLY"), lengths("HALFYEARLY"), lengths("YEARLY")], [[], [], []]);
  t.like(countedInDays(cadence("MONTHLY"))[0], { frequency: "MONTHLY", months: 0, toleranceDays: 6, graceDays: 12 });
});

test("no run of a cadence says more than its likeliest steps would, as short as they may be", (t) => {
  const gaps = fc.array(fc.constantFrom(0, 1, 5, 7, 14, 28, 30, 31, 61, 91, 365), { minLength: 1, maxLength: 40 });
  const amounts = fc.array(fc.constantFrom(7_900, 8_000, 5_999), { minLength: 41, maxLength: 41 });
  fc.assert(
    fc.property(gaps, amounts, (days, minors) => {
      let day: Day = "2008-01-01";
      const payments = paidAmounts([day, ...days.map((gap) => (day = addDays(day, gap)))], minors);
      if (payments.length < 2) return;
      const prices = priceStatistics(payments, false);
      for (const one of cadences) {
        const best = bestChain(payments, prices, one);
        const most = mostOfChain(payments, prices, one);
        t.true((best?.score ?? 0) <= most.score && (best?.indices.length ?? 0) <= most.payments, one.frequency);
      }
    }),
    runs(200),
  );
});
