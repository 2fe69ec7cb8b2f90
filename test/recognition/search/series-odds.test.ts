/** What decides which series there are: habits beside them, what is bought in between, and what was tried before. */
import test from "ava";
import { type Day, addDays } from "../../../src/time/calendar.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import { findSeries, type SeriesPrior } from "../../../src/recognition/search/series.ts";
import { at, daysOf, paid, paidAmounts, prepared } from "../obligations.ts";
import { everyDays, monthly, row, rows } from "../payments.ts";

const debit: SeriesPrior = { againstChance: 0.5, againstHabit: 2, isCrowded: false };
const find = (payments: readonly Payment[], prior: SeriesPrior = debit) => findSeries(payments, prior, "DK");
const told = (payments: readonly Payment[], prior?: SeriesPrior): string[] =>
  find(payments, prior).series.map(
    (one) => `${one.cadence.frequency} ${one.payments.length} at ${one.payments.at(-1)!.cost}`,
  );
const together = (...lists: HistoryTransaction[][]): Payment[] => prepared(lists.flat());
const card = { rawType: "CARD_PURCHASE" };

test("at a place of habits six are looked through, and what comes after is left over", (t) => {
  const habits: SeriesPrior = { againstChance: 3, againstHabit: -60, isCrowded: true };
  const runs = (count: number) =>
    together(
      ...Array.from({ length: count }, (_, index) =>
        rows(monthly("2026-01-12", 6), "Torvet", -(10_007 * (index + 1) ** 2)),
      ),
    );
  t.deepEqual(find(runs(6), habits), { series: [], rest: [] });
  const { series, rest } = find(runs(7), habits);
  t.deepEqual([series.length, rest.length], [0, 6]);
});

test("what is bought by habit at a price speaks against what is owed at that price", (t) => {
  const shop: SeriesPrior = { againstChance: 0, againstHabit: -7, isCrowded: false };
  const owed = rows(monthly("2025-09-12", 8), "Torvet", -10_010, card);
  const weeks = everyDays("2025-09-06", 35, 7).filter((_, index) => index % 9 !== 4);
  const weekly = (minor: number) => rows(weeks, "Torvet", -minor, card);
  t.deepEqual(told(together(owed, weekly(30_030)), shop), ["MONTHLY 8 at 10010"]);
  t.deepEqual(told(together(owed, weekly(10_510)), shop), []);
});

test("of bills that follow use every purchase in between is one of the kind, whatever it cost, and none before or after", (t) => {
  const shop: SeriesPrior = { againstChance: 1, againstHabit: 0, isCrowded: false };
  const days = monthly("2025-09-12", 8);
  const minors = [31_200, 40_500, 28_300, 33_900, 44_100, 30_000, 38_800, 41_700];
  const bills = days.map((day, index) => row(day, "Torvet", -minors[index]!));
  const others = (first: Day): HistoryTransaction[] =>
    everyDays(first, 12, 18).map((day, index) => row(addDays(day, (index * 7) % 5), "Torvet", -(1_900 + index * 77)));
  t.deepEqual(told(together(bills), shop), ["MONTHLY 8 at 41700"]);
  t.deepEqual(told(together(bills, others("2025-09-15")), shop), []);
  t.deepEqual(told(together(bills, others("2026-05-02"), others("2024-12-28")), shop), ["MONTHLY 8 at 41700"]);
});

test("dates that follow the last payment are kept at a fixed price; else they are judged by what they are off the calendar", (t) => {
  const days = [0, 33, 67, 100, 133, 167, 200].map((count) => addDays("2025-11-14", count));
  const fixed = paid(days, 10_010);
  t.not(find(fixed).series[0]?.schedule.followsLast, null);
  const unsure: SeriesPrior = { againstChance: 5, againstHabit: -1, isCrowded: false };
  t.deepEqual(told(fixed, unsure), ["MONTHLY 7 at 10010"]);
  const minors = [10_010, 12_640, 9_230, 11_870, 10_490, 13_020, 9_760];
  const changing = paidAmounts(days, minors);
  t.deepEqual(told(changing, { ...unsure, againstHabit: 6 }), ["MONTHLY 7 at 9760"]);
  t.deepEqual(told(changing, unsure), []);
  t.deepEqual(told(paidAmounts(monthly("2025-11-14", 7), minors), unsure), ["MONTHLY 7 at 9760"]);
});

test("months of pause are no misses", (t) => {
  const months = (year: number): Day[] =>
    [1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12].map((month): Day => `${year}-${String(month).padStart(2, "0")}-12` as Day);
  const [one] = find(paid([...months(2024), ...months(2025)], 10_010)).series;
  t.like(one, { misses: 0, schedule: { pausedMonths: [7] } });
});

test("the rule is told of what due dates claimed as well", (t) => {
  const late = together(
    rows(["2026-01-12", "2026-02-12", "2026-03-12", "2026-05-12", "2026-06-12"], "Trekanten", -19_900),
    [row("2026-04-17", "Trekanten", -25_900)],
  );
  // Due on Sunday, 12 April, and so on the 13th.
  t.is(find(late).series[0]?.schedule.spreadDays, 4 / 6);
});

test("a trial is the first payment under the rule", (t) => {
  const [one] = find(
    together([row("2025-12-12", "Lydbogen", -100)], rows(monthly("2026-01-12", 5), "Lydbogen", -12_900)),
  ).series;
  t.is(one?.ruleFrom, at("2025-12-12"));
});

test("two payments that show nothing are left over among the others, by day", (t) => {
  const { series, rest } = find(
    together(rows(["2024-03-10", "2026-03-11"], "Trekanten", -60_000), [
      row("2025-06-20", "Trekanten", -2_300),
      row("2026-04-02", "Trekanten", -7_710),
    ]),
  );
  t.deepEqual(series, []);
  t.deepEqual(daysOf(rest), ["2024-03-10", "2025-06-20", "2026-03-11", "2026-04-02"]);
});

test("the surer series is found first, though it is the rarer one", (t) => {
  t.deepEqual(
    told(
      together(
        rows(monthly("2025-01-05", 12), "Trekanten", -41_230),
        rows(everyDays("2026-01-06", 16, 7), "Trekanten", -5_010),
      ),
    ),
    ["MONTHLY 12 at 41230", "WEEKLY 16 at 5010"],
  );
});

test("of three payments ten days apart the likelier cadence is told, not the first that explains them", (t) => {
  t.deepEqual(told(paid(everyDays("2026-01-05", 3, 10), 10_010), { ...debit, againstChance: 3 }), [
    "WEEKLY 3 at 10010",
  ]);
});

test("a series that changed its frequency is as sure as what came before the change by itself", (t) => {
  const before = paid(monthly("2022-01-12", 8, 3), 5_010);
  const after = paid(monthly("2024-01-12", 4, 6), 10_020);
  const [one, ...others] = find([...before, ...after]).series;
  t.deepEqual(others, []);
  t.like(one, { cadence: { frequency: "HALFYEARLY" }, ruleFrom: at("2024-01-12") });
  t.is(one?.logOdds.toFixed(6), find(before).series[0]?.logOdds.toFixed(6));
});

test("of bills that many share a name with, a due date claims any price, as of one payee's", (t) => {
  const crowd: SeriesPrior = { againstChance: -1, againstHabit: 3, isCrowded: true };
  const minors = [31_200, 40_500, 28_300, 33_900, 44_100, 30_000, 38_800, 41_700];
  const bills = paidAmounts(monthly("2025-09-12", 8), minors, "GOOGLE *SPIL");
  t.deepEqual(told(bills, crowd), ["MONTHLY 8 at 41700"]);
});

test("two agreements at one payee explain each other's payments: neither is weighed among the other's", (t) => {
  const seller: SeriesPrior = { againstChance: 1, againstHabit: 3, isCrowded: false };
  const converted = (from: Day, ...minors: number[]): HistoryTransaction[] =>
    monthly(from, minors.length).map((day, index) => row(day, "Torvet", -minors[index]!, card));
  const first = converted("2026-01-14", 47_127, 45_902, 44_936);
  const second = converted("2026-01-18", 22_431, 21_844, 21_320);
  const oddsOf = (...lists: HistoryTransaction[][]): number[] =>
    find(together(...lists), seller).series.map(({ logOdds }) => logOdds);
  const both = oddsOf(first, second);
  t.is(both.length, 2);
  const alone = Math.min(...oddsOf(first), ...oddsOf(second));
  t.true(Math.min(...both) > alone - 0.5, `${both.join()} against ${alone}`);
  // A purchase that nothing explains speaks against both.
  t.true(Math.min(...oddsOf(first, second, converted("2026-02-03", 31_940))) < alone - 0.5);
});

test("among all that a store sells what comes weekly or monthly is as likely as alone", (t) => {
  const prior: SeriesPrior = { againstChance: -1, againstHabit: 3, isCrowded: false };
  const odds = (isCrowded: boolean): (string | undefined)[] =>
    ([monthly("2025-09-12", 3), everyDays("2025-09-12", 6, 7)] as Day[][]).map((days) =>
      find(paid(days, 4_917), { ...prior, isCrowded }).series[0]?.logOdds.toFixed(3),
    );
  t.deepEqual(odds(true), odds(false));
  t.false(odds(true).includes(undefined));
});
