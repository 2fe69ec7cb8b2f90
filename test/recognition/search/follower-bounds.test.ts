/** From where on a fee follows: shares and their tolerance, how many must be explained, and which dates are free. */
import test from "ava";
import { type Day, addDays } from "../../../src/time/calendar.ts";
import { followsOthers, outgoingOf } from "../../../src/recognition/search/follower.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import type { Payee } from "../../../src/payments/payee.ts";
import { payeeWith, prepared } from "../obligations.ts";
import { monthly, row } from "../payments.ts";

const paidTo = (
  name: string,
  on: readonly Day[],
  minors: readonly number[],
  more: Partial<HistoryTransaction> = {},
): Payee => payeeWith(prepared(on.map((day, index) => row(day, name, -minors[index % minors.length]!, more))));
const follows = (fee: Payee, ...others: Payee[]): boolean =>
  followsOthers(fee, outgoingOf([fee, ...others].flatMap(({ payments }) => payments)));
const after = (first: Day, ...gaps: number[]): Day[] => {
  const days = [first];
  for (const gap of gaps) days.push(addDays(days.at(-1)!, gap));
  return days;
};

/** A fee of one amount beside one payee's payments of one amount, which nobody chose: it follows if both keep no date. */
const isFree = (days: readonly Day[], purchases = days): boolean =>
  follows(paidTo("Automatgebyr", days, [2_000]), paidTo("Kasse", purchases, [50_050]));

// What a user pays

test("the usual cost is the middle one of what went out, the dearer of two in the middle, 0 of nothing", (t) => {
  const usual = (...minors: number[]): number =>
    outgoingOf(prepared(minors.map((minor, index) => row("2026-01-12", `Torvet ${index}`, -minor)))).usualCost;
  t.is(usual(50_000, 100, 300), 300);
  t.is(usual(50_000, 100, 300, 20_000), 20_000);
  t.is(usual(700), 700);
  t.is(usual(50_000, -900_000, 100, -800_000, 300), 300, "what came in is not paid");
  t.is(usual(-900_000), 0);
  t.is(usual(), 0);
});

// Shares

/** The fee's amounts by day, each beside a purchase in a shop of its own. */
const isShare = (fees: readonly number[], purchases: readonly number[]): boolean => {
  const days = after("2026-01-05", ...Array<number>(fees.length - 1).fill(9));
  const shops = days.map((day, index) =>
    paidTo(`Kasa ${"ABCDEFGHIJKLMNOPQRSTUVWXYZ"[index]}ia`, [day], [purchases[index]!]),
  );
  return follows(paidTo("Valutagebyr", days, fees), ...shops);
};

test("a share may be off by six per cent of the fee, or by one unit where that is more", (t) => {
  const beside = (fee: number, purchase: number): boolean =>
    isShare([fee, 2_000, 1_400, 600, 900, 1_700], [purchase, 100_000, 70_000, 30_000, 45_000, 85_000]);
  t.deepEqual(
    [943, 944, 1_000, 1_063, 1_064].map((fee) => beside(fee, 50_000)),
    [false, true, true, true, false],
  );
  t.deepEqual(
    [9, 10, 11, 12, 13].map((fee) => beside(fee, 550)),
    [false, true, true, true, false],
  );
});

test("seventeen of twenty fees must be that share, or come with cash, or with one payee's payments", (t) => {
  const purchases = Array.from({ length: 20 }, (_, index) => 100_000 - 1_900 * index);
  const shares = (count: number): number[] =>
    purchases.map((minor, index) => Math.round(minor / (index < count ? 50 : 100)));
  t.deepEqual([isShare(shares(17), purchases), isShare(shares(16), purchases)], [true, false]);

  const due = monthly("2024-09-12", 20);
  const cash = (count: number): Payee[] =>
    due
      .slice(0, count)
      .map((day, index) => paidTo(`Automat ${index}`, [day], [50_050], { rawType: "CASH_WITHDRAWAL" }));
  const fee = paidTo("Automatgebyr", due, [2_000]);
  t.deepEqual([follows(fee, ...cash(17)), follows(fee, ...cash(16))], [true, false]);

  const days = after("2025-01-03", ...Array.from({ length: 19 }, (_, index) => [3, 18, 5, 37][index % 4]!));
  const beside = (count: number): boolean =>
    follows(
      paidTo("Automatgebyr", days, [2_000]),
      paidTo("Kasse", days.slice(0, count), [50_050]),
      ...days.slice(count).map((day, index) => paidTo(`Torvet ${"ABCD"[index]}ia`, [day], [60_060])),
    );
  t.deepEqual([beside(17), beside(16)], [true, false]);
});

test("of two purchases on each day the fee may be the share of either", (t) => {
  const days = after("2026-01-05", 9, 9, 9, 9, 9);
  const [dear, cheap] = [
    [100_000, 70_000, 30_000, 45_000, 85_000, 50_000],
    [61_000, 52_000, 47_000, 93_000, 33_000, 71_000],
  ];
  const shop = (letter: string, minors: readonly number[]): Payee[] =>
    days.map((day, index) => paidTo(`Kasa ${letter}${"ABCDEF"[index]}ia`, [day], [minors[index]!]));
  const fees = dear!.map((minor, index) => (index % 2 === 0 ? minor : cheap![index]!) / 50);
  t.true(follows(paidTo("Valutagebyr", days, fees), ...shop("P", cheap!), ...shop("Q", dear!)));
  t.true(follows(paidTo("Valutagebyr", days, fees), ...shop("Q", dear!), ...shop("P", cheap!)));
});

test("cash is followed beside other purchases, by no fewer than three fees", (t) => {
  const days = monthly("2026-01-12", 5);
  const cash = days.map((day, index) => paidTo(`Automat ${index}`, [day], [50_050], { rawType: "CASH_WITHDRAWAL" }));
  const shop = days.map((day, index) => paidTo(`Torvet ${index}`, [day], [60_060]));
  t.true(follows(paidTo("Automatgebyr", days, [2_000]), ...cash, ...shop));
  t.false(follows(paidTo("Automatgebyr", days.slice(0, 2), [2_000]), ...cash));
});

test("four of five of a payee's payments must come with the fee, whoever else is paid then", (t) => {
  const days = after("2025-01-03", 3, 18, 5, 37, 4, 21, 6);
  const more = (count: number): Day[] => [...days, ...after("2025-09-01", 17, 5).slice(0, count)];
  t.deepEqual([isFree(days, more(2)), isFree(days, more(3))], [true, false], "eight of ten, eight of eleven");
  t.true(
    follows(
      paidTo("Automatgebyr", days, [2_000]),
      paidTo("Kasse", days, [50_050]),
      paidTo("Torvet", [days[3]!], [60_060]),
    ),
  );
});

// Dates

test("of two payments to one payee the fee comes with the nearer one", (t) => {
  const days = monthly("2025-01-14", 10);
  const fee = paidTo("Automatgebyr", days, [2_000]);
  const chosen = [50_000, 70_000, 40_000];
  const twice = (day: Day): Payee =>
    payeeWith(
      prepared([...days.map((one, index) => row(one, "Kasse", -chosen[index % 3]!)), row(day, "Kasse", -50_137)]).sort(
        (a, b) => a.at - b.at,
      ),
    );
  t.true(follows(fee, twice(addDays(days[4]!, -1))), "that of an odd amount is a day further away");
  t.true(follows(fee, twice(addDays(days[4]!, 1))), "and comes too late");
  t.false(follows(fee, paidTo("Kasse", days, [50_000, 70_000, 50_137])));
});

test("gaps are irregular from a deviation of 0.35 of their mean on", (t) => {
  t.true(isFree(after("2026-01-05", 27, 13)), "7 of 20");
  t.false(isFree(after("2026-01-05", 26, 14)), "6 of 20");
  t.false(isFree(after("2026-01-05", 2, 1)), "a half of one and a half");
  t.false(isFree(after("2026-01-05", 14, 26)));
});

test("both the fee's dates and those of what it follows must be free", (t) => {
  const days = after("2026-01-05", 27, 13);
  t.false(isFree(days, after("2026-01-05", 26, 14)), "the fee came a day late");
  t.false(isFree(after("2026-01-06", 26, 14), after("2026-01-05", 27, 13)));
});

test("dates wander that fall on weekends, by gaps that differ by four days or more, over at least four payments", (t) => {
  // Saturday, Saturday, Wednesday, Wednesday: the 3rd, 24th, 18th and 11th.
  t.true(isFree(after("2026-01-03", 21, 25, 21)));
  t.false(isFree(after("2026-01-03", 21, 24, 21)), "by three days");
  t.false(isFree(after("2026-01-03", 21, 25)), "three payments");
  t.false(isFree(after("2026-01-05", 21, 25, 21)), "Mondays and Fridays");
  t.true(isFree(after("2026-01-04", 21, 25, 21)), "Sundays");
});

test("more than a third of them lie more than three days from the first one's day of the month", (t) => {
  const days = (...of: string[]): Day[] => of.map((day): Day => `2026-${day}` as Day);
  t.false(isFree(days("01-03", "02-03", "03-03", "04-03", "05-08", "06-09")), "two of six");
  t.true(isFree(days("01-03", "02-03", "03-03", "04-08", "05-08", "06-09")), "three of six");
  t.true(isFree(days("01-03", "02-03", "03-03", "04-07", "05-07", "06-07")), "four days each");
  t.false(isFree(days("01-03", "02-03", "03-03", "04-07", "05-07", "06-06")), "three days, the last one");
});

test("across a month's end thirty days are counted", (t) => {
  const days = (...of: string[]): Day[] => of.map((day): Day => `2026-${day}` as Day);
  // From Saturday, 31 January: 2 March is one day off, 4 June three, 5 May four.
  t.false(isFree(days("01-31", "03-02", "03-31", "05-05", "06-04", "07-04")));
  t.true(isFree(days("01-31", "03-02", "04-05", "05-05", "06-05", "07-01")));
});

/** With one more purchase, on another day of the month, so that only the fee's own dates can be kept. */
const besides = (days: readonly Day[], more: Day): boolean => isFree(days, [...days, more].toSorted());

test("a day of the month is kept by four payments, and by no more than one in a month", (t) => {
  t.false(besides(["2026-01-02", "2026-02-02", "2026-03-02", "2026-07-02"], "2026-05-20"));
  t.true(isFree(["2026-01-02", "2026-02-02", "2026-07-02"]), "three show none");
  // The 10th: three days late in April, three days early in May.
  const late: Day[] = [
    "2026-02-10",
    "2026-03-10",
    "2026-04-13",
    "2026-05-07",
    "2026-09-10",
    "2026-10-12",
    "2026-11-10",
  ];
  t.false(besides(late, "2026-06-25"), "24 days from one to the next");
  const leap: Day[] = [
    "2024-01-10",
    "2024-02-13",
    "2024-03-07",
    "2024-04-10",
    "2024-08-12",
    "2024-09-10",
    "2024-10-10",
  ];
  t.true(besides(leap, "2024-06-25"), "23 days");
});

test("who is paid on weekends keeps a day only where it is the very day", (t) => {
  const days: Day[] = [
    "2026-01-02",
    "2026-02-02",
    "2026-03-02",
    "2026-04-02",
    "2026-05-02",
    "2026-09-02",
    "2026-10-02",
  ];
  t.false(besides(days, "2026-06-25"), "2 May is a Saturday");
  t.true(besides(days.with(2, "2026-03-03"), "2026-06-25"), "a day off");
});
