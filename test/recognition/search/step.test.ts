/** What a step from one payment to the next says, and what prices say at a payee, by the figures that decide. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import { bestChain, logStep, priceStatistics } from "../../../src/recognition/search/chain.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import { cadence, paid, prepared } from "../obligations.ts";
import { everyDays, monthly, row, services } from "../payments.ts";

/** Payments in the given way, the amounts a month apart unless on days. */
const paidBy = (
  rawType: string,
  minors: readonly number[],
  days: readonly Day[] = monthly("2026-01-12", 9),
): Payment[] =>
  prepared(minors.map((minor, index) => row(days[index]!, "Nordkraft", -minor, { rawType, txid: `${index}` })));

/** What the step says but for its date, less ln 31 + ½ for the month without others from 12 January. */
const saysOfPrice = (payments: readonly Payment[], from = 0, to = 1): string =>
  (logStep(payments, priceStatistics(payments, false), from, to, 0) - Math.log(31) - 0.5).toFixed(3);

/** ln 2 − 6.1224 × (ln times)² / 2: a change by so much, a bill's against chance. */
const ofSize = (times: number): number => Math.log(2) - (6.122_449 * Math.log(times) ** 2) / 2;
/** Of two payments at different prices: a tenth of neighbours are the same by chance. */
const changed = Math.log(0.4 / 0.9);

test("another price of a card says less the further it is from the last, and nobody's leap is excused", (t) => {
  t.is(saysOfPrice(paidBy("CARD_PURCHASE", [10_010, 20_020])), (changed + ofSize(2)).toFixed(3));
  t.is(saysOfPrice(paidBy("CARD_PURCHASE", [10_010, 30_030])), (changed + ofSize(3)).toFixed(3));
  t.is(
    logStep(paidBy("CARD_PURCHASE", [10_010, 35_035]), priceStatistics(paid(["2026-01-12"], 1), false), 0, 1, 0),
    -Infinity,
  );
});

test("a transfer's leap costs 2.5 and no more", (t) => {
  t.is(saysOfPrice(paidBy("TRANSFER", [10_010, 20_020])), (changed + ofSize(2)).toFixed(3));
  t.is(saysOfPrice(paidBy("TRANSFER", [10_010, 40_040])), (changed - 2.5).toFixed(3));
});

test("who collects by direct debit may take another amount: it costs 0.3 that it changes, and a leap 1", (t) => {
  t.is(saysOfPrice(paidBy("DIRECT_DEBIT", [10_010, 20_020])), (-0.3 + ofSize(2)).toFixed(3));
  t.is(saysOfPrice(paidBy("DIRECT_DEBIT", [10_010, 40_040])), "-1.300");
  // Of four pairs three are alike: by chance 3.3 of 7, so that a change says more than −0.3.
  const level = paidBy("DIRECT_DEBIT", [10_000, 10_000, 10_000, 10_000, 40_040]);
  t.is(saysOfPrice(level, 3, 4), (Math.log(0.4 / (1 - 3.3 / 7)) - 1 + Math.log(30 / 31)).toFixed(3));
});

test("that goes for its next payment only: with another in between it is as of a transfer", (t) => {
  const three = paidBy("DIRECT_DEBIT", [10_010, 3_333, 40_040], ["2026-01-12", "2026-01-25", "2026-02-12"]);
  // 2 ln 2 is what chance makes of the one passed over.
  t.is(saysOfPrice(three, 0, 2), (changed - 2.5 - 2 * Math.log(2)).toFixed(3));
});

test("where more than a tenth share their day with another, only prices tell agreements apart", (t) => {
  const sharing = (count: number): Payment[] =>
    paidBy(
      "DIRECT_DEBIT",
      [10_010, 40_040, ...Array<number>(count - 2).fill(20_020)],
      ["2026-01-12", "2026-02-12", ...everyDays("2026-02-12", count - 2, 1)],
    );
  const isShared = (payments: Payment[]): boolean => priceStatistics(payments, false).isShared;
  t.deepEqual([isShared(sharing(9)), isShared(sharing(10))], [true, false], "one of nine, one of ten");
  t.false(isShared(paidBy("DIRECT_DEBIT", [10_010, 20_020])));
  const two = paidBy("DIRECT_DEBIT", [10_010, 40_040, 70_070], ["2026-01-12", "2026-02-12", "2026-02-12"]);
  t.is(saysOfPrice(two), (changed - 2.5).toFixed(3));
});

test("the rarer neighbours are next to each other by chance, the more it says that two are, up to one nat", (t) => {
  const near = (...minors: number[]): string =>
    priceStatistics(paidBy("TRANSFER", minors, everyDays("2026-01-12", minors.length, 1)), false).logNear.toFixed(3);
  // One tenth against (near neighbours + 0.09) of (neighbours + 3).
  t.is(near(10_010, 20_020, 30_030), "1.000", "0.09 of 5");
  t.is(
    near(10_010, 10_020, 30_030, ...Array.from({ length: 21 }, (_, index) => 40_000 * 2 ** index)),
    (Math.log(0.1) - Math.log(1.09 / 26)).toFixed(3),
  );
  t.is(near(10_010, 10_020, 30_030), "-0.300", "1.09 of 5, but not less");
});

test("where no price comes again and each is within five per cent of the last, it is one price that is converted", (t) => {
  const near = (...minors: number[]): [string, number] => {
    const { logNear, logNearRatioMax } = priceStatistics(
      paidBy("CARD", minors, everyDays("2026-01-12", minors.length, 1)),
      false,
    );
    return [logNear.toFixed(3), logNearRatioMax];
  };
  // Three tenths against 2.24 of 10, where others are measured by one tenth.
  t.deepEqual(near(10_010, 10_310, 9_910), [Math.log(0.3 / 0.224).toFixed(3), 0.05]);
  t.deepEqual(near(10_010, 10_610, 10_310), ["1.000", 0.02], "6 per cent");
  t.deepEqual(near(10_010, 10_310, 10_310), ["1.000", 0.02], "one that comes again");
  t.is(near(10_010, 10_310)[1], 0.02, "of two payments nothing is told");
});

test("a card's price that moves with a rate by a few per cent is an obligation from three payments on", (t) => {
  const days: readonly Day[] = ["2026-04-18", "2026-05-20", "2026-06-18"];
  const found = (...minors: number[]): number =>
    services(days.map((day, index) => row(day, "Sundby Lyd", -minors[index]!, { rawType: "CARD" }))).length;
  t.is(found(2_671, 2_738, 2_650), 1);
  t.is(found(2_671, 2_838, 2_650), 0);
});

test("one number in three currencies is three prices, of which each has its own ranks", (t) => {
  const abroad = (minor: number, originalCurrency: string, day: Day) =>
    row(day, "Cloudbase", -6_500, { originalAmountMinor: -minor, originalCurrency, txid: day });
  const payments = prepared([
    row("2026-01-12", "Cloudbase", -900),
    abroad(900, "USD", "2026-02-12"),
    abroad(900, "EUR", "2026-03-12"),
    abroad(900, "USD", "2026-04-12"),
    abroad(700, "EUR", "2026-05-12"),
    row("2026-06-12", "Cloudbase", -900),
  ]);
  t.deepEqual([...priceStatistics(payments, false).ranks], [0, 0, 0, 1, 0, 1]);
  t.deepEqual([...priceStatistics(payments.slice(0, 1), false).ranks], [0]);
});

test("in February, too, a due day may move by the tolerance", (t) => {
  const moved = (to: Day, then: Day): number | undefined => {
    const payments = paid([...monthly("2025-10-12", 5), to, ...monthly(then, 4)], 19_900);
    return bestChain(payments, priceStatistics(payments, false), cadence("MONTHLY"))?.indices.length;
  };
  t.is(moved("2026-03-06", "2026-04-06"), 10, "22 days after 12 February");
  t.is(moved("2026-03-05", "2026-04-05"), 5);
});

test("a weekly payment four days late still says something for the week, and the less the later it is", (t) => {
  const late = (days: number): string | undefined => {
    const payments = paid(everyDays("2026-01-12", 2, 7 + days), 10_010);
    return bestChain(payments, priceStatistics(payments, false), cadence("WEEKLY"))?.score.toFixed(3);
  };
  // One pair at one price that no shop asks for: by chance 1.8 of 9.
  const told = (share: number, days: number): string => (Math.log(share * 3 * days) + 0.5).toFixed(3);
  t.deepEqual([late(0), late(3), late(4)], [told(0.4, 7), told(0.05, 10), told(0.03, 11)]);
});

test("one pair at an odd price among others weighs as odd, too", (t) => {
  const { logSame } = priceStatistics(paidBy("TRANSFER", [10_010, 10_010, 30_030]), false);
  t.is(Math.exp(logSame).toFixed(3), (0.6 / 0.18).toFixed(3), "1.8 of 10");
});

test("a step over years, or over hundreds of other payments, is told as any other", (t) => {
  const years = paidBy("TRANSFER", [10_010, 10_010], ["2021-01-12", "2026-01-12"]);
  const prices = priceStatistics(years, false);
  t.is((logStep(years, prices, 0, 1, 0) - prices.logSame).toFixed(6), (Math.log(1_826) + 0.5).toFixed(6));
  const many = prepared(
    Array.from({ length: 602 }, (_, index) =>
      row("2026-01-12", "Nordkraft", index === 601 ? -90_090 : -10_010, { txid: `${index + 1_000}` }),
    ),
  );
  const { priceNumbers } = priceStatistics(many, false);
  const two = priceStatistics(paidBy("TRANSFER", [10_010, 90_090]), false);
  // On one day, so that nothing is gained by the time; chance makes 601 ln 601 − 600 ln 600 of those in between.
  t.is(
    logStep(many, { ...two, priceNumbers }, 0, 601, 0).toFixed(6),
    (changed - 2.5 - 601 * Math.log(601) + 600 * Math.log(600) + 0.5).toFixed(6),
  );
});
