/** Bills on days that nobody keeps: what is by its kind owed is told by gaps that are on the whole as long as a period. */
import test from "ava";
import { type Day, addDays, dayNumber } from "../../../../src/time/calendar.ts";
import type { HistoryTransaction, Payment } from "../../../../src/payments/payment.ts";
import { looselyBilled } from "../../../../src/recognition/search/evidence/loose.ts";
import { findSeries, type SeriesPrior } from "../../../../src/recognition/search/series.ts";
import { paidAmounts, prepared } from "../../obligations.ts";
import { monthly, row, services } from "../../payments.ts";

const unknown: SeriesPrior = { againstChance: 1, againstHabit: 3, isCrowded: false };
const owed: SeriesPrior = { ...unknown, isOwed: true };

const shown = (payments: readonly Payment[], prior = owed): string[] =>
  findSeries(payments, prior, "DK").series.map(
    ({ cadence, payments, logOdds, misses }) =>
      `${cadence.frequency} ${payments.length} odds ${logOdds.toFixed(2)} misses ${misses}`,
  );

/** Paid so many days after each other from 14 March 2025 on. */
const daysApart = (gaps: readonly number[], first: Day = "2025-03-14"): Day[] => {
  const days = [first];
  for (const gap of gaps) days.push(addDays(days.at(-1)!, gap));
  return days;
};
/** Amounts of a bill by use: each differs from the one before. */
const use = [31_240, 20_715, 44_830, 28_990, 39_405, 24_160, 47_215, 33_875, 26_340, 41_190, 22_650, 36_720];
const bills = (gaps: readonly number[]): Payment[] => paidAmounts(daysApart(gaps), use);

const uneven = [35, 24, 38, 19, 37, 44];

test("a bill that is owed by its kind is found on scattered days, and no other", (t) => {
  t.deepEqual(shown(bills(uneven)), ["MONTHLY 7 odds 4.28 misses 0"]);
  t.deepEqual(shown(bills(uneven), unknown), []);
  t.deepEqual(shown(bills(uneven), { ...owed, isOwed: false }), []);
  t.deepEqual(shown(bills(uneven), { ...owed, isCrowded: true }), [], "of a store each price is another obligation");
  t.deepEqual(findSeries(bills(uneven), owed, "DK").rest, []);
});

test("gaps of two months and of a quarter have their own cadence, and a period may be left out", (t) => {
  t.deepEqual(shown(bills([70, 49, 75, 41, 72])), ["BIMONTHLY 6 odds 2.81 misses 0"]);
  t.deepEqual(shown(bills([105, 73, 112, 64, 108])), ["QUARTERLY 6 odds 3.21 misses 0"]);
  t.deepEqual(shown(bills([35, 24, 68, 19, 37, 44])), ["MONTHLY 7 odds 2.89 misses 1"]);
});

test("what was known beforehand counts, and a habit is weighed beside chance", (t) => {
  t.deepEqual(shown(bills(uneven), { ...owed, againstChance: 0 }), ["MONTHLY 7 odds 3.33 misses 0"]);
  t.deepEqual(shown(bills(uneven), { ...owed, againstHabit: 0 }), ["MONTHLY 7 odds 3.42 misses 0"]);
});

test("gaps of any length are purchases, and so are too few, too many, and those that share days", (t) => {
  t.deepEqual(shown(bills([9, 61, 17, 3, 88, 26])), []);
  t.deepEqual(shown(bills([35, 24])), []);
  t.deepEqual(shown(bills([38, 23, 39])), ["MONTHLY 4 odds 2.31 misses 0"]);
  const twice = (days: readonly Day[], count: number): Payment[] =>
    prepared([
      ...days.map((day, index) => row(day, "Sundby Motion", -use[index]!)),
      ...days.slice(0, count).map((day, index) => row(day, "Sundby Motion", -use[index]! - 4_321)),
    ]);
  const days = daysApart([35, 24, 38, 19, 37, 44, 22, 39, 21, 36]);
  t.deepEqual(
    shown(twice(days, 1)).map((one) => one.slice(0, 10)),
    ["MONTHLY 12"],
  );
  t.deepEqual(shown(twice(days, 2)), []);
});

test("the rest of a bill that was paid days later from the account begins no other; with a card, or where many do, it does", (t) => {
  const inParts = [35, 24, 5, 33, 19, 37, 44];
  t.deepEqual(shown(paidAmounts(daysApart(inParts), use)), ["MONTHLY 8 odds 4.30 misses 0"]);
  const byCard = daysApart(inParts).map((day, index) =>
    row(day, "Sundby Motion", -use[index]!, { rawType: "CARD_PURCHASE" }),
  );
  t.deepEqual(shown(prepared(byCard)), ["MONTHLY 8 odds 0.97 misses 0"]);
  t.deepEqual(shown(paidAmounts(daysApart([35, 9, 24, 8, 33, 7, 30, 6, 37]), use)), []);
});

test("six and more that are moved a period after each other are a bill whatever they cost, which is asked about", (t) => {
  const quarterly = [93, 86, 99, 84, 95, 90, 88, 94];
  const costs = [12_000, 42_000, 6_000, 90_000, 12_252, 42_882, 6_126, 91_890, 12_252];
  const moved = (gaps: readonly number[], rawType = "TRANSFER_OUT"): string[] => {
    const rows = daysApart(gaps).map((day, index) => row(day, "Sundby Motion", -costs[index]!, { rawType }));
    return shown(prepared(rows), { againstChance: -1.5, againstHabit: 0.5, isCrowded: false });
  };
  t.deepEqual(moved(quarterly), ["QUARTERLY 9 odds 3.60 misses 0"]);
  t.deepEqual(moved(quarterly.slice(0, 5)), ["QUARTERLY 6 odds 3.60 misses 0"]);
  t.deepEqual(moved(quarterly.slice(0, 4)), [], "five");
  t.deepEqual(moved([93, 86, 99, 74, 95, 90, 88, 94]), [], "one is too early");
  t.deepEqual(moved(quarterly, "CARD_PURCHASE"), ["YEARLY 3 odds 1.41 misses 0"], "what costs the same a year later");
});

test("two contracts that are paid by turns, a period apart, stay two", (t) => {
  const days = daysApart([31, 30, 31, 30, 31, 30, 31, 30, 31, 30, 31]);
  const rows = days.map((day, at) =>
    row(day, "Sundby Motion", at % 2 === 0 ? -40_012 : -9_034, { rawType: "TRANSFER_OUT" }),
  );
  t.deepEqual(
    shown(prepared(rows), { ...owed, againstHabit: 6 }).map((one) => one.slice(0, 11)),
    ["BIMONTHLY 6", "BIMONTHLY 6"],
  );
});

test("amounts say little, unless they are no bill's", (t) => {
  const days = daysApart(uneven);
  const costs = (...minors: number[]): string[] => shown(paidAmounts(days, minors));
  t.deepEqual(costs(20_000, 41_234, 18_777, 60_401, 22_222, 11_963, 39_414), ["MONTHLY 7 odds 4.28 misses 0"]);
  t.deepEqual(costs(20_000, 41_234, 18_777, 60_401, 6_222, 11_963, 39_414), ["MONTHLY 7 odds 4.28 misses 0"]);
  t.deepEqual(costs(20_000, 41_234, 18_777, 60_401, 5_222, 11_963, 39_414), ["MONTHLY 7 odds 3.33 misses 0"], "a leap");
  t.deepEqual(costs(20_000, 41_234, 18_777, 60_401, 1_922, 11_963, 39_414), [], "another purchase");
  t.deepEqual(costs(20_000, 20_000, 31_000, 31_000, 25_000, 41_000, 41_500), ["MONTHLY 7 odds 5.08 misses 0"]);
});

test("a bill found in two halves is one", (t) => {
  const days: Day[] = ["2025-06-30", "2025-08-12", "2025-08-29", "2025-09-29", "2025-11-12"];
  const payments = paidAmounts(days, [8_630, 9_120, 11_040, 9_880, 9_415]);
  t.deepEqual(shown(payments, unknown), ["MONTHLY 3 odds 1.59 misses 1", "QUARTERLY 2 odds 2.29 misses 0"]);
  t.deepEqual(shown(payments), ["MONTHLY 5 odds 1.98 misses 0"]);
});

test("a series of nearly all payments keeps its days and becomes surer", (t) => {
  const days = daysApart([33, 27, 33, 27, 44, 18, 33, 27, 33], "2025-01-14");
  const found = (prior: SeriesPrior) => findSeries(paidAmounts(days, use), prior, "DK").series;
  const [loose, ...more] = found(owed);
  const [strict] = found(unknown);
  t.deepEqual(more, []);
  t.deepEqual(loose!.payments, strict!.payments);
  t.deepEqual(loose!.schedule, strict!.schedule);
  t.deepEqual(
    [loose, strict].map((one) => one!.logOdds.toFixed(2)),
    ["7.12", "1.03"],
  );
});

test("a series that is sure already, or of another frequency, stays as it is", (t) => {
  const sure = paidAmounts(monthly("2025-01-15", 10), use);
  t.deepEqual(shown(sure), shown(sure, unknown));
  const weekly = paidAmounts(daysApart([7, 7, 7, 7, 7, 7, 7]), use);
  t.deepEqual(shown(weekly), shown(weekly, unknown));
});

test("contracts beside each other stay apart: of one price, a year apart, or as sure", (t) => {
  const months = (first: Day, count: number, minors: readonly number[], apart = 1) =>
    monthly(first, count, apart).map((day, index) => row(day, "Sundby Motion", -minors[index % minors.length]!));
  const priced = prepared([...months("2025-01-05", 5, [20_010], 2), ...months("2025-02-05", 5, [31_415], 2)]);
  t.deepEqual(shown(priced), shown(priced, unknown));
  const yearly = prepared([
    ...months("2023-01-12", 3, [43_578, 44_608, 47_201], 12),
    ...months("2023-05-02", 3, [81_240, 85_990, 88_010], 12),
    ...months("2023-08-28", 3, [20_110, 21_350, 21_900], 12),
  ]);
  t.deepEqual(
    findSeries(yearly, owed, "DK").series.map(({ cadence }) => cadence.frequency),
    ["YEARLY", "YEARLY", "YEARLY"],
  );
});

test("payments of one price are one bill, though some of their days lie evenly by chance", (t) => {
  const one = (gaps: readonly number[]): Payment[] =>
    paidAmounts(daysApart(gaps), Array.from(gaps, () => 65_000).concat(65_000));
  t.deepEqual(shown(one([52, 39, 28, 22, 30, 36])), ["MONTHLY 7 odds 5.04 misses 1"]);
});

test("six payments of the very same price are a bill whatever for; with a card, where it is several times the usual", (t) => {
  const gaps = [35, 24, 38, 25, 34, 36, 22];
  const one = (count: number, more: Partial<HistoryTransaction> = {}): Payment[] =>
    prepared(daysApart(gaps.slice(0, count - 1)).map((day) => row(day, "Sundby Motion", -6_200, more)));
  const priced = { ...unknown, usualCost: 2_048 };
  t.deepEqual(shown(one(8), unknown), ["MONTHLY 8 odds 3.60 misses 0"]);
  t.deepEqual(shown(one(6), unknown), ["MONTHLY 6 odds 3.60 misses 0"]);
  t.deepEqual(shown(one(5), unknown), []);
  const year = daysApart([...gaps, 33, 27, 35]).map((day) => row(day, "Sundby Motion", -6_200));
  t.deepEqual(shown(prepared(year), unknown), ["MONTHLY 11 odds 3.00 misses 0"]);
  t.deepEqual(shown(one(8, { rawType: "CARD_PURCHASE" }), unknown), []);
  t.deepEqual(shown(one(8, { rawType: "CARD_PURCHASE" }), priced), ["MONTHLY 8 odds 3.60 misses 0"]);
  t.deepEqual(shown(one(8, { rawType: "CARD_PURCHASE" }), { ...priced, usualCost: 4_096 }), []);
  const [first, ...others] = one(8);
  t.deepEqual(
    shown(
      [...others, ...prepared([row("2025-03-14", "Sundby Motion", -6_300)]), first!].sort((a, b) => a.at - b.at),
      unknown,
    ),
    [],
  );
});

test("what is paid at one price for a while, alone in its time, is the same bill before and after", (t) => {
  const days = daysApart([35, 33, 50, 29, 26, 33, 35, 22, 29, 30, 32, 41, 24], "2024-08-02");
  const priced = paidAmounts(
    days,
    [31_240, 20_715, 44_830, 28_990, 39_405, 71_020, 44_830, 44_830, 12_235, 12_235, 12_235, 13_870, 15_420, 15_420],
  );
  const likely = { ...owed, againstChance: -0.8, againstHabit: 1.2 };
  t.deepEqual(shown(priced, { ...likely, isOwed: false }), ["MONTHLY 5 odds 3.38 misses 1"]);
  t.deepEqual(shown(priced, likely), ["MONTHLY 14 odds 8.86 misses 1"]);
});

test("who comes every week or two on a day that suits and takes the same each time is asked about", (t) => {
  const gaps = [11, 17, 13, 20, 12, 15, 24, 10, 16, 13, 19, 14, 12, 18];
  const taken = (payments: number, costs: (at: number) => number, rawType = "ACCOUNT_TRANSFER"): Payment[] =>
    prepared(daysApart(gaps.slice(0, payments - 1)).map((day, at) => row(day, "Asta Krogh", -costs(at), { rawType })));
  const same = (): number => 36_500;
  const priced = { ...unknown, usualCost: 20_480 };
  t.deepEqual(shown(taken(15, same), unknown), ["BIWEEKLY 15 odds 3.20 misses 1"]);
  t.deepEqual(
    shown(
      taken(15, (at) => (at < 9 ? 36_500 : 38_000)),
      unknown,
    ),
    ["BIWEEKLY 15 odds 3.20 misses 1"],
  );
  t.deepEqual(
    shown(
      taken(15, (at) => 36_500 + 500 * (at % 3)),
      unknown,
    ),
    [],
  );
  t.deepEqual(shown(taken(15, same, "CARD_PURCHASE"), priced), [], "what is bought every week");
  t.is(shown(taken(15, same, "CARD_PURCHASE"), { ...priced, usualCost: 12_000 }).length, 1);
  t.deepEqual(shown(taken(15, same, "PAYMENT"), { ...priced, usualCost: 40_000 }), []);
  t.is(shown(taken(15, same, "PAYMENT"), priced).length, 1);
});

test("of bills that all cost about the same those that keep their days are no contract of their own", (t) => {
  const days = daysApart([26, 39, 20, 50, 29, 30, 33, 11, 41, 35], "2025-11-06");
  const alike = [7_390, 7_256, 7_626, 7_849, 7_626, 8_858, 7_645, 7_639, 7_638, 7_636, 7_626];
  t.deepEqual(shown(paidAmounts(days, alike)), ["MONTHLY 11 odds 5.56 misses 0"]);
});

test("a part of the payments stays apart where it is as sure as all of them together, and large enough", (t) => {
  const all = bills(uneven);
  const [together] = looselyBilled(all, [], owed, "DK");
  const told = (count: number, logOdds: number) => [{ ...together!, payments: all.slice(0, count), logOdds }];
  const sizes = (series: ReturnType<typeof told>): number[] =>
    looselyBilled(all, series, owed, "DK").map(({ payments }) => payments.length);
  t.deepEqual(sizes(told(5, together!.logOdds)), [5]);
  t.deepEqual(sizes(told(5, together!.logOdds - 0.01)), [7]);
  t.deepEqual(sizes(told(4, together!.logOdds)), [4]);
  t.deepEqual(sizes(told(3, together!.logOdds + 1)), [7], "too few of them");
});

test("the next one comes when it usually does: by the calendar where that is kept nearer, else so long after the last", (t) => {
  const scheduleOf = (payments: readonly Payment[]) => findSeries(payments, owed, "DK").series[0]!.schedule;
  const drifting = [24, 22, 34, 23, 22, 33, 24, 23];
  const { spreadDays, followsLast, ...rule } = scheduleOf(bills(drifting));
  t.like(rule, {
    cadence: { frequency: "MONTHLY", months: 0, days: 24 },
    anchor: dayNumber(daysApart(drifting).at(-1)!),
    phase: 0,
    habit: "NEXT_BANKING_DAY",
    weekday: null,
    pausedMonths: [],
  });
  t.deepEqual(
    [spreadDays, followsLast!.calendarSpreadDays].map((days) => days.toFixed(2)),
    ["3.13", "6.56"],
  );
  t.is(scheduleOf(bills([36, 37, 36, 22, 38, 37])).cadence.days, 37, "between the two middle gaps");
  t.like(scheduleOf(bills(uneven)), { cadence: { months: 1 }, anchor: 14, followsLast: null });
  t.is(findSeries(bills(uneven), owed, "DK").series[0]!.ruleFrom, dayNumber("2025-03-14"));
});

test("energy that is collected when the meter was read is one service, and purchases on such days are none", (t) => {
  const days = daysApart(uneven, "2025-11-14");
  const rowsOf = (name: string, rawType: string) => days.map((day, index) => row(day, name, -use[index]!, { rawType }));
  t.like(services(rowsOf("Strandby Varme", "DIRECT_DEBIT"), addDays(days.at(-1)!, 9)), [
    { paymentFrequency: "MONTHLY", status: "ACTIVE", visibility: "VISIBLE" },
  ]);
  t.deepEqual(services(rowsOf("Trekanten", "CARD_PURCHASE")), []);
  t.deepEqual(services(rowsOf("Trekanten 2026-01-02T16:48", "DIRECT_DEBIT")), [], "signed for at a till");
});

test("what comes in each month about on one day of it is billed, though its amounts leap and nothing is known of it", (t) => {
  const none: SeriesPrior = { againstChance: -2, againstHabit: 0, isCrowded: false };
  const leaping = [7_748, 3_901, 3_540, 3_837, 5_029, 17_960, 29_090, 47_203, 28_501, 14_380, 9_884];
  const found = (days: readonly Day[]): string =>
    shown(
      prepared(days.map((day, at) => row(day, "Kystens Gas", -leaping[at]!, { rawType: "CARD_PURCHASE" }))),
      none,
    ).join();
  const kept: Day[] = ["2025-07-13", "2025-09-04", "2025-10-05", "2025-11-04", "2025-12-03", "2026-01-03", "2026-02-04", "2026-03-06", "2026-04-04", "2026-05-05", "2026-06-03"]; // prettier-ignore
  t.regex(found(kept), /^MONTHLY 11 /);
  t.notRegex(found(kept.map((day, at) => (at % 4 === 1 ? addDays(day, 5) : day))), /^MONTHLY 11 /, "three came off it");
  t.notRegex(found(kept.with(6, "2026-01-06")), /^MONTHLY 11 /, "one month has two, and one none");
});

test("one price on any day is asked about, too, where two are paid at once for a month that was left out", (t) => {
  const on: Day[] = ["2025-07-04", "2025-08-19", "2025-08-19", "2025-09-12", "2025-10-20", "2025-11-11", "2025-12-17", "2025-12-17", "2026-01-28", "2026-02-15", "2026-03-15", "2026-04-13"]; // prettier-ignore
  const rent = prepared(on.map((day, at) => ({ ...row(day, "Ole Bakke", -550_000), txid: `rent ${at}` })));
  const none: SeriesPrior = { againstChance: -1.3, againstHabit: 0.7, isCrowded: false, usualCost: 2_000 };
  t.regex(shown(rent, none).join(), /^MONTHLY 12 /);
  const often = rent.flatMap((one, at) => (at % 2 === 0 ? [one, one] : [one]));
  t.notRegex(shown(often, none).join(), /MONTHLY 18 /, "two each time are no rent");
});

test("whose whole trade is owed is asked about at about even gaps, half years among them, and its bills come each second month as often", (t) => {
  const biller: SeriesPrior = { ...owed, againstChance: 0.9, againstHabit: 3.6 };
  const uneven = [49, 42, 75];
  t.regex(shown(bills(uneven), biller).join(), /^BIMONTHLY 4 /);
  t.deepEqual(shown(bills(uneven), { ...biller, againstHabit: 2.8 }), []);
  t.regex(shown(bills([178, 167, 202]), biller).join(), /^HALFYEARLY 4 /);
  t.deepEqual(shown(bills([178, 167, 202]), { ...biller, againstHabit: 2.8 }), []);
  t.deepEqual(shown(bills([2, 89, 210, 42]), biller), [], "what comes at any time is bought");
});
