/** A payee's payments are divided into series by their dates, prices and odds, and the rest is left over. */
import test from "ava";
import { type Day, addDays } from "../../../src/time/calendar.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import { findSeries, type SeriesPrior } from "../../../src/recognition/search/series.ts";
import { costsOf, daysOf, paid, paidAmounts, prepared } from "../obligations.ts";
import { everyDays, monthly, row, rows } from "../payments.ts";

/** Nothing is known of the payee but that it was paid by direct debit. */
const debit: SeriesPrior = { againstChance: 0.5, againstHabit: 2, isCrowded: false };
const crowd: SeriesPrior = { againstChance: -1, againstHabit: 0.5, isCrowded: true };

const find = (payments: readonly Payment[], prior: SeriesPrior = debit) => findSeries(payments, prior, "DK");
const told = (payments: readonly Payment[], prior?: SeriesPrior): string[] =>
  find(payments, prior).series.map(
    (one) => `${one.cadence.frequency} ${one.payments.length} at ${one.payments.at(-1)!.cost}`,
  );
const together = (...lists: HistoryTransaction[][]): Payment[] => prepared(lists.flat());

test("regular payments are one series with its cadence, its rule and its misses", (t) => {
  const { series, rest } = find(paid(["2026-01-12", "2026-02-12", "2026-03-12", "2026-05-12", "2026-06-12"], 19_900));
  t.is(series.length, 1);
  t.like(series[0], {
    cadence: { frequency: "MONTHLY" },
    misses: 1,
    schedule: { anchor: 12, habit: "NEXT_BANKING_DAY", spreadDays: 0 },
  });
  t.deepEqual(daysOf(series[0]!.payments), ["2026-01-12", "2026-02-12", "2026-03-12", "2026-05-12", "2026-06-12"]);
  t.deepEqual(rest, []);
});

test("one payment is no series, and none is none", (t) => {
  const one = paid(["2026-01-12"], 19_900);
  t.deepEqual(find(one), { series: [], rest: one });
  t.deepEqual(find([]), { series: [], rest: [] });
});

test("two obligations to one payee are two series, the surer one first", (t) => {
  t.deepEqual(
    told(
      together(
        rows(monthly("2026-01-05", 4), "Trekanten", -18_700),
        rows(monthly("2025-09-20", 10), "Trekanten", -41_200),
      ),
    ),
    ["MONTHLY 10 at 41200", "MONTHLY 4 at 18700"],
  );
});

test("what is in no series is left, by day", (t) => {
  const strays = [row("2026-01-30", "Trekanten", -2_300), row("2026-04-21", "Trekanten", -7_710)];
  const { series, rest } = find(together(rows(monthly("2026-01-05", 6), "Trekanten", -41_200), strays));
  t.is(series.length, 1);
  t.deepEqual(costsOf(rest), [2_300, 7_710]);
});

test("what was known of the payee beforehand decides where dates and price leave it open", (t) => {
  const two = paid(["2026-05-12", "2026-06-12"], 19_900);
  t.deepEqual(told(two), ["MONTHLY 2 at 19900"]);
  t.deepEqual(told(two, { ...debit, againstChance: -4 }), []);
  t.deepEqual(told(two, { ...debit, againstHabit: -8 }), []);
});

test("the odds are those against the likelier alternative, less than either", (t) => {
  const payments = paid(monthly("2026-01-12", 6), 19_900);
  const odds = (againstChance: number, againstHabit: number): number =>
    find(payments, { againstChance, againstHabit, isCrowded: false }).series[0]!.logOdds;
  const [both, sureOfChance, sureOfHabit] = [odds(0, 0), odds(50, 0), odds(0, 50)];
  t.true(both < sureOfChance && both < sureOfHabit);
  // Log odds: the chances of both alternatives add up.
  t.is((-Math.log(Math.exp(-sureOfChance) + Math.exp(-sureOfHabit))).toFixed(9), both.toFixed(9));
});

test("a habit is no series, and does not hide what is owed at the same payee", (t) => {
  const groceries: SeriesPrior = { againstChance: -2, againstHabit: -3.6, isCrowded: false };
  const saturdays = everyDays("2025-09-06", 42, 7).map((day, index) =>
    row(day, "Torvet", -(9_000 + ((index * 14_741) % 25_000))),
  );
  const { series, rest } = find(together(saturdays), groceries);
  t.deepEqual(series, []);
  t.deepEqual(rest, [], "payments of a habit are in no series and not left over either");
  t.deepEqual(told(together(saturdays, rows(monthly("2025-09-02", 10), "Torvet", -4_900)), groceries), [
    "MONTHLY 10 at 4900",
  ]);
});

test("other purchases of about that price in between make a habit of what would be a series", (t) => {
  const shop: SeriesPrior = { againstChance: 0, againstHabit: -2.5, isCrowded: false };
  const days = monthly("2025-09-12", 8);
  const fixed = rows(days, "Torvet", -10_000);
  const others = (minor: number, after: number) =>
    days.flatMap((day, index) => [
      row(addDays(day, after + index), "Torvet", -(minor + index * 13)),
      row(addDays(day, after + 9 + (index % 3)), "Torvet", -(minor - index * 11)),
    ]);
  t.is(told(together(fixed), shop).length, 1);
  t.deepEqual(told(together(fixed, others(10_900, 6)), shop), [], "within 30 % of it");
  t.is(told(together(fixed, others(20_000, 6)), shop)[0], "MONTHLY 8 at 10000", "twice as dear");
});

test("what is bought on the days of the run is billed with it", (t) => {
  const shop: SeriesPrior = { againstChance: 0, againstHabit: 0, isCrowded: false };
  const days = monthly("2025-09-12", 8);
  const billed = days.map((day, index) => row(day, "Torvet", -(10_900 + index * 37)));
  t.is(told(together(rows(days, "Torvet", -10_000), billed), shop)[0], "MONTHLY 8 at 10000");
});

test("two payments with an unpaid due date between them show nothing, and are left", (t) => {
  const payments = paid(["2024-03-10", "2026-03-11"], 60_000);
  const { series, rest } = find(payments);
  t.deepEqual(series, []);
  t.deepEqual(rest, payments);
  t.deepEqual(told(paid(["2025-03-10", "2026-03-11"], 60_000)), ["YEARLY 2 at 60000"]);
});

test("due dates claim what the run left out: a price that jumped, a payment that came late", (t) => {
  const late = together(
    rows(["2026-01-12", "2026-02-12", "2026-03-12", "2026-05-12", "2026-06-12"], "Trekanten", -19_900),
    [row("2026-04-17", "Trekanten", -25_900)],
  );
  const [one] = find(late).series;
  t.deepEqual(costsOf(one!.payments), [19_900, 19_900, 19_900, 25_900, 19_900, 19_900]);
  t.is(one!.misses, 0);
});

test("a cheaper payment one period before the first is the trial that led to it", (t) => {
  const { series, rest } = find(
    together([row("2025-12-12", "Lydbogen", -100)], rows(monthly("2026-01-12", 5), "Lydbogen", -12_900)),
  );
  t.deepEqual(
    series.map(({ payments }) => costsOf(payments)),
    [[100, 12_900, 12_900, 12_900, 12_900, 12_900]],
  );
  t.like(series[0], { cadence: { frequency: "MONTHLY" }, misses: 0, schedule: { anchor: 12 } });
  t.deepEqual(rest, []);
});

test("a run that leaves hardly anything out is taken for the densest cadence that explains it", (t) => {
  t.deepEqual(told(paid(everyDays("2026-01-05", 20, 7), 9_900)), ["WEEKLY 20 at 9900"]);
  t.deepEqual(told(paid(everyDays("2026-01-05", 12, 14), 9_900)), ["BIWEEKLY 12 at 9900"]);
  t.deepEqual(told(paid(monthly("2024-01-05", 8, 3), 9_900)), ["QUARTERLY 8 at 9900"]);
});

test("two monthly series half a month apart are not one every two weeks", (t) => {
  t.deepEqual(
    told(
      together(
        rows(monthly("2025-06-09", 12), "Telmore", -19_900),
        rows(monthly("2025-06-24", 12), "Telmore", -19_900),
      ),
    ),
    ["MONTHLY 12 at 19900", "MONTHLY 12 at 19900"],
  );
});

test("four payments two weeks apart might be two monthly pairs, and are not", (t) => {
  t.deepEqual(told(paid(everyDays("2026-01-05", 4, 14), 9_900)), ["BIWEEKLY 4 at 9900"]);
});

test("where many share a name, a due date claims only what costs the same", (t) => {
  const store = [...monthly("2025-09-10", 4), ...monthly("2026-02-10", 5)].map((day) =>
    row(day, "APPLE.COM/BILL", -8_900),
  );
  const other = [row("2026-01-15", "APPLE.COM/BILL", -9_900)];
  t.deepEqual(
    find(together(store, other), crowd).series.map(({ payments }) => payments.length),
    [9],
  );
  t.deepEqual(
    find(together(store, other)).series.map(({ payments }) => payments.length),
    [10],
    "of one payee's the price has risen and fallen",
  );
});

test("of many purchases under one name, two a year apart are no series unless they are the dearest", (t) => {
  const prices = [1_900, 2_900, 4_500, 5_800, 7_900, 9_900];
  const purchases = Array.from({ length: 12 }, (_, index) =>
    row(
      addDays("2024-07-08", index * 31 + ((index * index * 5) % 23)),
      "GOOGLE *SPIL",
      -prices[index % prices.length]!,
    ),
  );
  const yearly = (minor: number) => rows(["2024-12-23", "2025-12-22"], "GOOGLE *SPIL", -minor);
  t.deepEqual(told(together(purchases, yearly(4_100)), crowd), []);
  t.deepEqual(told(together(purchases, yearly(35_900)), crowd), ["YEARLY 2 at 35900"]);
});

test("in a crowd a dearer purchase speaks against what comes half-yearly, and neither against what comes oftener nor what keeps its day of the year", (t) => {
  const odds = (months: number, otherMinor: number): number =>
    find(
      together(rows(monthly("2024-01-12", 5, months), "GOOGLE *SPIL", -5_001), [
        row("2024-03-03", "GOOGLE *SPIL", -otherMinor),
      ]),
      { ...crowd, againstHabit: 50 },
    ).series[0]!.logOdds;
  const loss = [1, 3, 6, 12].map((months) => (odds(months, 4_999) - odds(months, 5_003)).toFixed(3));
  t.deepEqual(loss, ["0.000", "0.000", "1.500", "0.000"]);
});

test("series whose ends were mixed up are put right", (t) => {
  const days: Day[][] = [monthly("2025-06-28", 13), monthly("2025-06-30", 13)];
  const { series } = find(
    together(
      rows(days[0]!, "Vestmobil", -16_900, { cardId: "a" }),
      rows(days[1]!, "Vestmobil", -12_900, { cardId: "b" }),
    ),
  );
  t.deepEqual(series.map(({ payments }) => [...new Set(costsOf(payments))]).sort(), [[12_900], [16_900]]);
});

test("no more than the latest 2,500 payments to one payee are looked at", (t) => {
  const { series, rest } = find(paid(everyDays("2018-01-01", 2_510, 1), 3_010));
  t.is(
    series.reduce((count, { payments }) => count + payments.length, rest.length),
    2_500,
  );
  t.is(series[0]?.payments.at(-1)?.transaction.day, addDays("2018-01-01", 2_509));
});

test("twenty-four obligations to one payee are told apart, and no more", (t) => {
  const many = Array.from({ length: 26 }, (_, index) =>
    rows(monthly("2026-01-12", 4), "Trekanten", -(10_007 * (index + 1) ** 2)),
  );
  t.is(find(together(...many), { ...debit, isCrowded: true }).series.length, 24);
});

test("bills that follow use are a series too", (t) => {
  t.deepEqual(told(paidAmounts(monthly("2026-01-20", 6), [61_200, 70_500, 58_300, 49_900, 54_100, 63_000])), [
    "MONTHLY 6 at 63000",
  ]);
});

test("closed days that explain why payments left their day speak for it, and other days do not", (t) => {
  const odds = (days: readonly Day[]): number =>
    find(paidAmounts(days, [24_510, 36_870, 36_320, 29_940])).series[0]!.logOdds;
  // Due on the 8th: 8 February and 8 March 2026 are Sundays. The other way the same gaps lie between weekdays.
  const moved = odds(["2026-01-08", "2026-02-09", "2026-03-09", "2026-04-08"]);
  const otherwise = odds(["2026-01-06", "2026-02-07", "2026-03-07", "2026-04-06"].map((day) => addDays(day as Day, 7)));
  t.true(moved > otherwise + 1, `${moved} and ${otherwise}`);
  t.true(odds(["2026-01-08", "2026-02-09", "2026-03-09"]) <= moved, "and the more often the more");
});
