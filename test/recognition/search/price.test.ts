/** Prices are fixed, rise by steps or follow use, and the next one is told accordingly: never one between two. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import { expectedCost, hasFixedPrice } from "../../../src/recognition/search/price.ts";
import { paid, paidAmounts, prepared } from "../obligations.ts";
import { everyDays, monthly, row } from "../payments.ts";

const isFixed = (...minors: number[]): boolean =>
  hasFixedPrice(paidAmounts(monthly("2025-01-10", minors.length), minors));

test("one payment's price counts as fixed, and so does one that is paid again and again", (t) => {
  t.true(isFixed(9_900));
  t.true(isFixed(9_900, 9_900, 9_900));
});

test("a price that rises by steps is fixed, one that is another each time follows use", (t) => {
  t.true(isFixed(9_900, 9_900, 10_900, 10_900, 11_900, 11_900));
  t.false(isFixed(41_250, 39_810, 45_500, 38_770));
});

test("half of the neighbours must have the same price", (t) => {
  t.true(isFixed(100, 100, 120), "one of two");
  t.false(isFixed(100, 100, 120, 130), "one of three");
  t.false(isFixed(100, 120));
  t.false(isFixed(120, 100));
});

test("only the latest eight prices say something about today's", (t) => {
  t.true(isFixed(1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7), "of the latest eight five neighbours of seven are alike");
  t.false(isFixed(7, 7, 7, 7, 7, 7, 7, 1, 2, 3, 4, 5, 6, 8));
  t.false(isFixed(1, 2, 3, 4, 5, 5, 5, 5), "three of seven; of the latest seven it would be half");
  t.false(isFixed(6, 6, 1, 2, 3, 4, 4, 4, 4), "three of seven; of the latest nine it would be half");
});

test("what a foreign price costs at home does not make it another price", (t) => {
  const abroad = monthly("2026-01-09", 4).map((day, index) =>
    row(day, "Cloudbase", -[6_512, 6_890, 6_403, 6_771][index]!, {
      originalAmountMinor: -900,
      originalCurrency: "USD",
    }),
  );
  t.true(hasFixedPrice(prepared(abroad)));
});

test("prices three per cent apart are one that was rounded or converted", (t) => {
  t.true(isFixed(95_468, 95_469, 95_468, 95_469));
  t.true(isFixed(10_000, 10_304, 10_000, 10_304), "a log ratio of .03");
  t.false(isFixed(10_000, 10_305, 10_000, 10_305));
});

test("the same number in another currency is another price", (t) => {
  const [inKroner] = paid(["2026-01-09"], 900, "Cloudbase");
  const [inEuro] = paid(["2026-02-09"], 900, "Cloudbase", { currency: "EUR" });
  t.false(hasFixedPrice([inKroner!, inEuro!]));
});

test("a price that changes each time, always by little and to the same side, is an indexed one", (t) => {
  t.true(isFixed(600_000, 612_000, 624_240), "two per cent a year");
  t.true(isFixed(600_000, 676_400), "by twelve per cent");
  t.false(isFixed(600_000, 677_000), "by more");
  t.true(isFixed(624_240, 612_000, 600_000), "or falling");
  t.false(isFixed(600_000, 640_000, 606_000), "there and back");
});

test("a first payment below half of the second is a trial and says nothing of the price", (t) => {
  t.true(isFixed(900, 39_900));
  t.true(isFixed(900, 39_900, 43_000, 46_500), "indexed after the trial");
  t.true(isFixed(19_900, 39_900, 43_000, 46_500), "a little less than half");
  t.false(isFixed(20_000, 39_900, 43_000, 46_500), "half of it is no trial");
});

// What is expected next

const expected = (...minors: number[]): number =>
  expectedCost(paidAmounts(monthly("2024-01-12", minors.length), minors));

test("a fixed price is expected as it was last paid", (t) => {
  t.is(expectedCost(paid(monthly("2026-01-12", 4), 19_900)), 19_900);
  t.is(expected(19_900, 19_900, 20_900, 20_900), 20_900);
  t.is(expected(19_900, 19_900, 19_900, 20_900), 20_900);
  t.is(expectedCost(paid(["2026-01-12"], 4_200)), 4_200);
});

test("an indexed price is expected as it was last paid, a trial's at the full price", (t) => {
  t.is(expectedCost(paidAmounts(monthly("2023-01-12", 3, 12), [600_000, 612_000, 624_240])), 624_240);
  t.is(expected(900, 39_900), 39_900);
});

test("after months that stayed unpaid their multiple is arrears, and the price that had stood is expected", (t) => {
  const after = (day: Day, minor: number, count = 5): number =>
    expectedCost([...paid(monthly("2026-01-12", count), 58_000), ...paid([day], minor)]);
  t.is(after("2026-07-12", 116_000), 58_000, "June and July at once");
  t.is(after("2026-08-12", 174_000), 58_000);
  t.is(after("2026-09-12", 232_000), 58_000);
  t.is(after("2026-06-12", 116_000), 116_000, "no month stayed unpaid");
  t.is(after("2026-07-12", 117_000), 117_000, "no multiple");
  t.is(after("2026-10-12", 290_000), 290_000, "five times is no arrears");
  t.is(after("2026-05-12", 116_000, 3), 58_000);
  t.is(after("2026-04-12", 116_000, 2), 116_000, "two payments show no price that had stood");
});

test("arrears come when so many dates have gone by, give or take half a period", (t) => {
  const after = (day: Day): number =>
    expectedCost([...paid(monthly("2026-01-12", 5), 58_000), ...paid([day], 116_000)]);
  // From 12 March to 12 May the gap is 30.5 days: a half more are 45.75.
  t.deepEqual([after("2026-06-26"), after("2026-06-27")], [116_000, 58_000]);
});

test("a price before arrears must have stood", (t) => {
  const before = (...minors: number[]): number => {
    const days = monthly("2025-07-12", minors.length + 2);
    return expectedCost([...paidAmounts(days.slice(0, -2), minors), ...paid([days.at(-1)!], 116_000)]);
  };
  const stood = [58_000, 58_000, 58_000, 58_000];
  t.is(before(...stood, 49_000, 58_000, 58_000, 58_000), 58_000, "three times");
  t.is(before(...stood, 49_000, 58_000, 58_000), 116_000, "twice");
  const risen = paidAmounts(monthly("2026-01-12", 5), [50_000, 50_000, 50_000, 50_000, 58_000]);
  t.is(expectedCost([...risen, ...paid(["2026-07-12"], 116_000)]), 116_000);
});

test("a foreign price that stands but for its rate is expected on its present level", (t) => {
  const levels = [10_000, 10_050, 9_990, 10_020, 12_000, 12_060, 11_980, 12_010];
  t.is(expected(...levels), 12_005, "the middle of 12,000, 12,060, 11,980 and 12,010");
  t.is(expected(...levels.slice(0, 5)), 12_000);
});

test("between two prices that differ by an odd number the expected one is still a whole number of units", (t) => {
  t.is(expected(10_000, 10_050, 9_990, 10_020, 12_000, 12_061), 12_031, "no 12,030.5");
  t.is(expected(30_000, 36_000, 28_000, 33_001), 31_501, "where bills follow use, too");
});

test("of bills that follow use the middle one of the last six is expected, no mean that one outlier spoils", (t) => {
  t.is(expected(30_000, 36_000, 28_000, 200_000, 33_000), 33_000);
  t.is(expected(60_000, 50_000, 40_001), 50_000);
  t.is(expected(9_000_000, 30_000, 36_000, 28_000, 39_000, 33_000, 31_000), 32_000, "and no seventh");
});

test("bills that move for good are expected as lately", (t) => {
  const moved = [20_000, 26_000, 19_000, 25_000, 21_000, 60_000, 71_000, 58_000];
  t.is(expected(...moved), 60_000);
});

test("bills that return with the season are expected as a year ago, at the rise since then", (t) => {
  const year = [90_000, 80_000, 60_000, 40_000, 20_000, 12_000, 9_000, 12_500, 21_000, 41_000, 62_000, 81_000];
  const risen = year.map((minor) => minor * 1.1);
  t.is(expected(...year, ...risen.slice(0, 4)), 22_000);
  t.is(expected(...year, ...risen.slice(0, 8)), 23_100);
});

test("where nothing was paid a year before the next one the season tells nothing, and a bill as lately is expected", (t) => {
  const year = [90_000, 80_000, 60_000, 40_000, 20_000, 12_000, 9_000, 12_500, 21_000, 41_000, 62_000, 81_000];
  const minors = [...year, ...year.slice(0, 4).map((minor) => minor * 1.1)];
  const may = (index: number): boolean => index === 4;
  const bills = paidAmounts(
    monthly("2024-01-12", minors.length).filter((_, index) => !may(index)),
    minors.filter((_, index) => !may(index)),
  );
  t.is(expectedCost(bills), 66_000, "the middle one of the last three");
});

test("of several bills about a year ago the nearest one says what the season costs", (t) => {
  // Every second week, dearer in winter, and every other one by half.
  const winter = [9, 8, 7, 6, 5, 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 4, 4, 5, 6, 7, 8, 9];
  const year = winter.map((much, index) => much * (index % 2 === 0 ? 10_000 : 15_000));
  const bills = paidAmounts(everyDays("2025-01-06", 34, 14), [
    ...year,
    ...year.slice(0, 8).map((minor) => minor * 1.2),
  ]);
  t.is(expectedCost(bills.slice(0, 30)), 60_000, "50,000 a year ago and a fifth more");
  t.is(expectedCost(bills.slice(0, 31)), 72_000);
  t.is(expectedCost(bills.slice(0, 32)), 36_000);
});

test("a price that falls a little with each payment is indexed as well, and what was paid last is expected", (t) => {
  t.true(isFixed(60_000, 57_000, 54_000));
  t.is(expected(60_000, 57_000, 54_000), 54_000);
});

test("a price paid twice in a row is expected as it is, however it moved about before", (t) => {
  t.is(expected(10_000, 10_000, 10_000, 10_290, 10_000, 10_200, 10_200), 10_200);
});
