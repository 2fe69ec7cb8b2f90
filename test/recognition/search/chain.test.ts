/** Chains of payments are found by due dates and prices, each with what speaks for it. */
import test from "ava";
import { addDays, type Day, weekday } from "../../../src/time/calendar.ts";
import { type Cadence, cadences, logMisses, type RegularFrequency } from "../../../src/recognition/search/cadence.ts";
import {
  type Chain,
  bestChain,
  deviation,
  isSamePrice,
  logStep,
  priceStatistics,
} from "../../../src/recognition/search/chain.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import { cadence, costsOf, daysOf, paid, paidAmounts, prepared } from "../obligations.ts";
import fc, { runs } from "../../property.ts";
import { everyDays, monthly, row } from "../payments.ts";

type Found = { days: Day[]; costs: number[]; score: string };

function best(payments: readonly Payment[], frequency: RegularFrequency = "MONTHLY", isCrowded = false): Found | null {
  const chain = bestChain(payments, priceStatistics(payments, isCrowded), cadence(frequency));
  if (chain === null) return null;
  const run = chain.indices.map((index) => payments[index]!);
  return { days: daysOf(run), costs: costsOf(run), score: chain.score.toFixed(3) };
}

const score = (payments: readonly Payment[], frequency?: RegularFrequency, isCrowded?: boolean): string | undefined =>
  best(payments, frequency, isCrowded)?.score;

/** Payments of which several fall on one day: each has an id of its own. */
const onDays = (days: readonly Day[], minor = 1_250): Payment[] =>
  prepared(days.map((day, index) => row(day, "Kantinen", -minor, { txid: `${day} ${index}` })));

const off = (earlier: Day, later: Day, frequency: RegularFrequency, periods = 1): number => {
  const [first, second] = paid([earlier, later], 100);
  return deviation(first!, second!, cadence(frequency), periods);
};

// How far a payment is from its due date

test("a month later is due on the same day of the month, whatever the month's length", (t) => {
  t.is(off("2026-01-12", "2026-02-12", "MONTHLY"), 0);
  t.is(off("2026-02-12", "2026-03-12", "MONTHLY"), 0);
  t.is(off("2026-01-12", "2026-02-15", "MONTHLY"), 3);
  t.is(off("2026-01-12", "2026-02-09", "MONTHLY"), -3);
});

test("several periods later it is due so many months on", (t) => {
  t.is(off("2026-01-12", "2026-04-13", "MONTHLY", 3), 1);
  t.is(off("2025-11-12", "2026-05-12", "QUARTERLY", 2), 0);
  t.is(off("2025-11-12", "2026-11-10", "YEARLY"), -2);
});

test("a month's end is due at the next month's end, or on its own day where that is nearer", (t) => {
  t.is(off("2026-02-28", "2026-03-31", "MONTHLY"), 0);
  t.is(off("2026-02-28", "2026-03-29", "MONTHLY"), 1);
  t.is(off("2026-02-28", "2026-03-30", "MONTHLY"), -1);
  t.is(off("2026-02-28", "2026-03-27", "MONTHLY"), -1);
  t.is(off("2026-01-31", "2026-02-28", "MONTHLY"), 0);
  t.is(off("2026-04-30", "2026-05-31", "MONTHLY"), 0, "a day behind its own day, at the month's end");
  t.is(off("2026-02-27", "2026-03-31", "MONTHLY"), 4, "the day before the month's end is no month's end");
});

test("weeks are counted in days", (t) => {
  t.is(off("2026-01-12", "2026-01-19", "WEEKLY"), 0);
  t.is(off("2026-01-12", "2026-02-01", "WEEKLY", 3), -1);
  t.is(off("2026-01-12", "2026-01-28", "BIWEEKLY"), 2);
});

// What prices say

test("prices are the same in one currency only", (t) => {
  const [kroner, more] = [...paid(["2026-01-12"], 900), ...paid(["2026-01-12"], 901)];
  const [euro] = paid(["2026-01-12"], 900, "Sundby Motion", { currency: "EUR" });
  t.true(isSamePrice(kroner!, { ...kroner! }));
  t.false(isSamePrice(kroner!, more!));
  t.false(isSamePrice(kroner!, euro!));
});

test("each payment has its rank among those at its price", (t) => {
  t.deepEqual(
    [...priceStatistics(paidAmounts(monthly("2026-01-12", 6), [100, 200, 100, 100, 300, 200]), false).ranks],
    [0, 0, 1, 2, 0, 1],
  );
  const mixed = prepared([
    row("2026-01-12", "Cloudbase", -900),
    row("2026-02-12", "Cloudbase", -6_500, { originalAmountMinor: -900, originalCurrency: "USD" }),
    row("2026-03-12", "Cloudbase", -900),
  ]);
  t.deepEqual([...priceStatistics(mixed, false).ranks], [0, 0, 1], "in another currency it is another price");
});

test("the rarer neighbours share a price by chance, the more it says that two do", (t) => {
  const of = (minors: number[]) => priceStatistics(paidAmounts(monthly("2025-01-12", minors.length), minors), false);
  const same = (...minors: number[]): string => Math.exp(of(minors).logSame).toFixed(3);
  const changed = (...minors: number[]): string => Math.exp(of(minors).logChanged).toFixed(3);
  // (Same neighbours + 0.3) of (neighbours + 3) by chance, against six of ten in a series.
  t.is(same(901, 902, 903), (0.6 / 0.1).toFixed(3), "none of two: 0.06, but not less than a tenth");
  t.is(same(900, 900, 903), (0.6 / 0.26).toFixed(3));
  t.is(same(...Array.from({ length: 40 }, () => 901)), (0.6 / 0.6).toFixed(3), "not more than six tenths");
  t.is(changed(900, 900, 903), (0.4 / 0.74).toFixed(3));
  t.is(changed(901, 902, 903), (0.4 / 0.9).toFixed(3));
  t.is(same(901, 901, 901), (0.6 / 0.28).toFixed(3), "what no shop asks for: two and 0.8 of two and eight");
  t.is(same(488, 488, 488), (0.6 / 0.46).toFixed(3), "of small prices there are few");
});

test("round prices are often the same by chance: where all are, the same one says little", (t) => {
  const same = (minors: number[], currency = "DKK"): string =>
    Math.exp(
      priceStatistics(
        prepared(monthly("2025-01-12", 3).map((day, index) => row(day, "Ida Holm", -minors[index]!, { currency }))),
        false,
      ).logSame,
    ).toFixed(3);
  t.is(same([500, 1_000, 20_000]), (0.6 / 0.4).toFixed(3));
  t.is(same([500, 1_000, 20_100]), (0.6 / 0.1).toFixed(3));
  t.is(same([5, 10, 200], "JPY"), (0.6 / 0.4).toFixed(3), "five yen have no hundredths");
});

test("under a name that many obligations share, another price is another's, unless hardly any price comes twice", (t) => {
  const changed = (minors: number[]): string =>
    (
      priceStatistics(paidAmounts(monthly("2025-01-12", minors.length), minors), true).logChanged -
      priceStatistics(paidAmounts(monthly("2025-01-12", minors.length), minors), false).logChanged
    ).toFixed(1);
  t.is(changed([901, 901, 902, 902]), "-1.5", "two prices of four payments");
  t.is(changed([901, 901, 902, 903]), "0.0", "three of four");
});

// The run

test("a step is likelier than chance by its date, its price and the time without others", (t) => {
  // ln 0.32 for the very day, ln(0.6 / 0.325) for the price, ln 31 + ½ for a month in which nothing else came.
  t.is(
    score(paid(["2026-01-12", "2026-02-12"], 19_900)),
    (Math.log(0.32) + Math.log(0.6 / 0.325) + Math.log(31) + 0.5).toFixed(3),
  );
  t.is(
    score(paid(["2026-01-12", "2026-02-15"], 19_900)),
    (Math.log(0.06) + Math.log(0.6 / 0.325) + Math.log(34) + 0.5).toFixed(3),
    "three days off",
  );
  t.is(
    score(paid(["2026-01-12", "2026-03-12"], 19_900)),
    (Math.log(0.32) + Math.log(0.06) + Math.log(0.6 / 0.325) + Math.log(59) + 0.5).toFixed(3),
    "a due date unpaid",
  );
});

test("another price is less likely the further it is from the last, and never better than none told", (t) => {
  // One neighbour pair that differs: by chance a tenth are the same, so ln(0.4 / 0.9) + ln 2 − 6.122 × (ln ratio)² / 2,
  // at most 0.
  const base = Math.log(0.32) + Math.log(31) + 0.5;
  t.is(
    score(paidAmounts(["2026-01-12", "2026-02-12"], [10_010, 11_020])),
    (base + Math.log(0.8 / 0.9) - (6.1224 * Math.log(11_020 / 10_010) ** 2) / 2).toFixed(3),
  );
  t.is(
    score(paidAmounts(["2026-01-12", "2026-02-12"], [10_010, 20_020])),
    (base + Math.log(0.8 / 0.9) - (6.1224 * Math.LN2 ** 2) / 2).toFixed(3),
  );
});

test("prices next to each other are one price that was rounded, indexed or converted", (t) => {
  const base = Math.log(0.32) + Math.log(31) + 0.5;
  // ln(0.1 / byChance): of one pair that is so near (1 + 0.03 × 3) / 4 by chance, at least −0.3.
  t.is(score(paidAmounts(["2026-01-12", "2026-02-12"], [10_010, 10_020])), (base - 0.3).toFixed(3));
  t.is(score(paidAmounts(["2026-01-12", "2026-02-12"], [10_000, 10_202])), (base - 0.3).toFixed(3), "ln ratio .02");
  const further = paidAmounts(["2026-01-12", "2026-02-12"], [10_000, 10_203]);
  t.is(score(further), (base + Math.log(0.8 / 0.9) - (6.1224 * Math.log(1.0203) ** 2) / 2).toFixed(3));
});

/** By card, the amounts a month apart. */
const byCard = (minors: readonly number[]): Payment[] =>
  prepared(
    monthly("2026-01-12", minors.length).map((day, index) =>
      row(day, "Sundby Motion", -minors[index]!, { rawType: "CARD_PURCHASE" }),
    ),
  );

test("a card payment that costs three and a half times as much is not the same obligation's", (t) => {
  t.deepEqual(
    best(byCard([10_001, 10_001, 10_001, 34_901, 34_901, 34_901]))?.costs,
    [10_001, 10_001, 10_001, 34_901, 34_901, 34_901],
  );
  t.deepEqual(best(byCard([10_001, 10_001, 10_001, 35_001, 35_001, 35_001]))?.costs, [35_001, 35_001, 35_001]);
  t.deepEqual(
    best(byCard([35_001, 35_001, 35_001, 10_001, 10_001, 10_001]))?.costs,
    [10_001, 10_001, 10_001],
    "nor a third",
  );
  t.is(best(byCard([10_001, 35_001])), null);
});

test("a bill may leap to eleven times the last one, at 2.5 nats and not more", (t) => {
  const stepped = (times: number) =>
    paidAmounts(monthly("2026-01-12", 6), [1_000, 1_000, 1_000, 1_000 * times, 1_000 * times, 1_000 * times]);
  const leap = (times: number) => (Number(score(stepped(1.5))) - Number(score(stepped(times)))).toFixed(3);
  // Of five pairs four are alike, by chance (4 + 0.3) / 8: ln(0.4 / 0.4625) − 2.5 instead of nothing.
  t.deepEqual([leap(5), leap(11)], ["2.645", "2.645"]);
  t.deepEqual([best(stepped(11))?.costs.length, best(stepped(11.1))?.costs.length], [6, 3]);
});

test("a fixed price stands out of shopping at other prices, whatever lies in between", (t) => {
  const fixed = monthly("2026-01-12", 5);
  const others = everyDays("2026-01-03", 30, 5);
  const payments = prepared([
    ...fixed.map((day) => row(day, "Torvet", -9_950)),
    ...others.map((day, index) => row(day, "Torvet", -(4_000 + ((index * 7_919) % 9_000)))),
  ]);
  const found = best(payments);
  t.deepEqual(found?.days, fixed);
  t.deepEqual(found?.costs, Array(5).fill(9_950));
});

test("payments at one price that come at any time are no run worth its name", (t) => {
  const everyFewDays = paid(everyDays("2026-01-03", 40, 4), 4_000, "Torvets Bageri");
  t.true(Number(score(everyFewDays) ?? "0") < 0.5, score(everyFewDays));
  t.true(Number(score(paid(monthly("2026-01-03", 5), 4_000, "Torvets Bageri"))) > 8);
});

test("payments that are passed over cost what chance would have made of them", (t) => {
  const [first, last] = ["2026-01-12", "2026-02-12"];
  const alone = score(paid([first, last], 9_900));
  const [one, two] = [["2026-01-20"], ["2026-01-20", "2026-01-25"]].map((between) =>
    best(paid([first, ...between, last], 9_900)),
  );
  t.deepEqual(
    [one?.days, two?.days],
    [
      [first, last],
      [first, last],
    ],
  );
  // With one in between 2 ln 2, with two 3 ln 3 − 2 ln 2; and more neighbours share the price, so that it says less.
  t.is(one?.score, (Number(alone) - 2 * Math.log(2) + Math.log(0.325 / 0.46)).toFixed(3));
  t.is(two?.score, (Number(alone) - 3 * Math.log(3) + 2 * Math.log(2) + Math.log(0.325 / 0.55)).toFixed(3));
});

test("a run goes over as many unpaid due dates as the cadence allows", (t) => {
  const pausing = (until: Day): number | undefined =>
    best(paid([...monthly("2025-01-12", 4), ...monthly(until, 4)], 19_900))?.days.length;
  t.is(pausing("2025-08-12"), 8, "three unpaid");
  t.is(pausing("2025-09-12"), 4, "four unpaid");
  t.is(best(paid(["2025-01-12", "2027-01-12"], 19_900), "YEARLY")?.days.length, 2);
  t.is(best(paid(["2024-01-12", "2027-01-12"], 19_900), "YEARLY"), null, "two unpaid years");
});

test("a due day may move by the tolerance, and no further", (t) => {
  const moved = (to: Day, frequency: RegularFrequency, first: Day[], then: Day[]): number | undefined =>
    best(paid([...first, to, ...then], 19_900), frequency)?.days.length;
  const until = monthly("2025-11-12", 5);
  t.is(moved("2026-04-18", "MONTHLY", until, monthly("2026-05-18", 4)), 10);
  t.is(moved("2026-04-19", "MONTHLY", until, monthly("2026-05-19", 4)), 5);
  t.is(moved("2026-04-06", "MONTHLY", until, monthly("2026-05-06", 4)), 10);
  t.is(moved("2026-04-05", "MONTHLY", until, monthly("2026-05-05", 4)), 5);
  const weeks = everyDays("2026-01-12", 5, 7);
  t.is(moved("2026-02-20", "WEEKLY", weeks, everyDays("2026-02-27", 4, 7)), 10, "four days late");
  t.is(moved("2026-02-12", "WEEKLY", weeks, everyDays("2026-02-19", 4, 7)), 10, "four days early");
});

test("of two payments near a due date the nearer one is taken", (t) => {
  t.deepEqual(best(paid(["2026-01-12", "2026-02-12", "2026-02-16", "2026-03-12"], 19_900))?.days, [
    "2026-01-12",
    "2026-02-12",
    "2026-03-12",
  ]);
});

test("there is no run in less than a period, nor of payments on one day", (t) => {
  t.is(best(paid(["2026-01-12", "2026-02-01"], 19_900)), null);
  t.is(best(onDays(["2026-01-12", "2026-01-12"]), "WEEKLY"), null);
});

test("a search is not disturbed by the ones before it", (t) => {
  const once = best(paid(monthly("2026-01-12", 6), 19_900));
  t.is(best(paid(everyDays("2024-01-01", 700, 1), 3_010), "DAILY")?.days.length, 700);
  t.deepEqual(best(paid(monthly("2026-01-12", 6), 19_900)), once);
});

// Daily payments

const week: Day[] = ["2026-06-15", "2026-06-16", "2026-06-17", "2026-06-18", "2026-06-19"];

/** Each step looked at, wherever it leads: what a search may leave out, but not decide otherwise. */
function bestOfAllSteps(payments: readonly Payment[], cadence: Cadence): Chain | null {
  const prices = priceStatistics(payments, false);
  const scores: number[] = [];
  const from: number[] = [];
  let last = -1;
  payments.forEach((later, j) => {
    scores.push(0);
    from.push(-1);
    for (let k = 1; k <= cadence.missesMax + 1; k++)
      for (let i = 0; i < j; i++) {
        const timing = cadence.logDeviation[Math.abs(deviation(payments[i]!, later, cadence, k))];
        if (timing === undefined) continue;
        const total = scores[i]! + logStep(payments, prices, i, j, timing + logMisses(k - 1));
        if (total > scores[j]!) [scores[j], from[j]] = [total, i];
      }
    if (from[j]! >= 0 && (last < 0 || scores[j]! > scores[last]!)) last = j;
  });
  if (last < 0) return null;
  const indices: number[] = [];
  for (let at = last; at >= 0; at = from[at]!) indices.unshift(at);
  return { cadence, indices, score: scores[last]! };
}

const shopping = fc.array(
  fc.record({
    days: fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(7, 14, 28, 30, 31, 61, 91)),
    amount: fc.oneof(fc.constantFrom(-7_900, -8_000, -10_000), fc.integer({ min: -60_000, max: -100 })),
    rawType: fc.constantFrom("CARD_PURCHASE", "DIRECT_DEBIT"),
  }),
  { minLength: 2, maxLength: 60 },
);

test("the best run is that of all steps, though most are not looked at", (t) => {
  fc.assert(
    fc.property(shopping, (purchases) => {
      let day: Day = "2008-01-01";
      const payments = prepared(
        purchases.map(({ days, amount, rawType }, at) => {
          day = addDays(day, days);
          return row(day, "Nordkraft", amount, { txid: `payment ${at}`, rawType });
        }),
      );
      for (const one of cadences.filter(({ frequency }) => frequency !== "DAILY"))
        t.deepEqual(bestChain(payments, priceStatistics(payments, false), one), bestOfAllSteps(payments, one));
    }),
    runs(60),
  );
});

test("over a weekend nothing daily is missed, on another day it is", (t) => {
  const step = (earlier: Day, later: Day): number =>
    Number(score(onDays([earlier, later]), "DAILY")) - Math.log(0.6 / 0.325) - 0.5;
  t.is(step("2026-06-19", "2026-06-22").toFixed(3), (Math.log(0.9) + Math.log(3)).toFixed(3), "Friday to Monday");
  t.is(step("2026-06-16", "2026-06-17").toFixed(3), Math.log(0.9).toFixed(3), "Tuesday to Wednesday");
});

test("a day without a payment costs a daily run a miss, and three in a row end none", (t) => {
  const missing: Day[] = [...week, "2026-06-22", "2026-06-23", "2026-06-25", "2026-06-26", "2026-06-29"];
  t.deepEqual(best(onDays(missing), "DAILY")?.days, missing);
  // Nine steps that say ln 0.9 + ½ each; ln 3 for each weekend, ln 2 for two days, and one miss. The price says
  // nothing.
  t.is(
    score(onDays(missing), "DAILY"),
    (9 * (Math.log(0.9) + 0.5) + 2 * Math.log(3) + Math.log(2) + Math.log(0.06)).toFixed(3),
  );
  const [before, pausedFor4, pausedFor5] = ["2026-05-04", "2026-05-26", "2026-05-27"].map((first) =>
    everyDays(first, 25, 1).filter((day) => weekday(day) < 6),
  );
  const upTo = before!.filter((day) => day <= "2026-05-22");
  t.is(
    best(onDays([...upTo, ...pausedFor4!]), "DAILY")?.days.length,
    upTo.length + pausedFor4!.length,
    "Friday to Tuesday",
  );
  t.is(
    best(onDays([...upTo, ...pausedFor5!]), "DAILY")?.days.length,
    Math.max(upTo.length, pausedFor5!.length),
    "Friday to Wednesday",
  );
});

test("what fell due on Saturday and Sunday is posted on Monday, with Monday's own", (t) => {
  const days: Day[] = [...week, "2026-06-22", "2026-06-22", "2026-06-22", "2026-06-23"];
  t.deepEqual(best(onDays(days), "DAILY")?.days, days);
  const two: Day[] = [...week, "2026-06-22", "2026-06-22", "2026-06-23"];
  t.deepEqual(best(onDays(two), "DAILY")?.days, two);
});

test("of four payments on a Monday one was not piled up by the weekend", (t) => {
  const monday: Day = "2026-06-22";
  const after: Day[] = ["2026-06-23", "2026-06-24", "2026-06-25", "2026-06-26", "2026-06-29", "2026-06-30"];
  t.deepEqual(best(onDays([...week, monday, monday, monday, monday, ...after]), "DAILY")?.days, [
    ...week,
    monday,
    monday,
    monday,
    ...after,
  ]);
});

test("on other days nothing piles up: of two payments one is passed over", (t) => {
  const found = best(
    onDays([...week.slice(0, 3), "2026-06-17", ...week.slice(3), "2026-06-22", "2026-06-23"]),
    "DAILY",
  );
  t.is(found?.days.filter((day) => day === "2026-06-17").length, 1);
});

test("a payment piled up on another's day is half as likely as one of its own", (t) => {
  const friday = Number(score(onDays(["2026-06-19", "2026-06-22"]), "DAILY"));
  const piled = Number(score(onDays(["2026-06-19", "2026-06-22", "2026-06-22"]), "DAILY"));
  // The further step: ln ½ + ½ for the time; three payments, two neighbours of which share the price: 2.3 of 5 by
  // chance, not 1.3 of 4.
  t.is((piled - friday).toFixed(2), (Math.log(0.5) + 0.5 + Math.log(0.6 / 0.46) + Math.log(0.325 / 0.46)).toFixed(2));
});
