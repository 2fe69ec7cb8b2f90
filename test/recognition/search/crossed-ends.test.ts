/** Two series that exchanged their ends are put straight, and straight ones are left alone. */
import test from "ava";
import type { Payment } from "../../../src/payments/payment.ts";
import { exchangeCrossedEnds } from "../../../src/recognition/search/crossed-ends.ts";
import { costsOf, daysOf, paid, paidAmounts, runOf } from "../obligations.ts";
import { everyDays, monthly } from "../payments.ts";

const isBefore =
  (day: string) =>
  ({ transaction }: Payment): boolean =>
    transaction.day < day;
const isFrom =
  (day: string) =>
  (payment: Payment): boolean =>
    !isBefore(day)(payment);

/** Two series whose ends were exchanged on a day. */
function crossed(a: Payment[], b: Payment[], day: string): [Payment[], Payment[]] {
  return [
    [...a.filter(isBefore(day)), ...b.filter(isFrom(day))],
    [...b.filter(isBefore(day)), ...a.filter(isFrom(day))],
  ];
}

const cheap = paid(monthly("2026-01-10", 6), 10_000);
const dear = paid(monthly("2026-01-13", 6), 15_000);

test("ends at the other series' price and days are exchanged back", (t) => {
  const [a, b] = crossed(cheap, dear, "2026-04-01");
  const [first, second] = exchangeCrossedEnds([runOf(a), runOf(b)], "DK");
  t.deepEqual(first?.payments, cheap);
  t.deepEqual(second?.payments, dear);
});

test("the rule and the misses are told of the exchanged payments", (t) => {
  const [a, b] = crossed(
    cheap,
    dear.filter((_, index) => index !== 4),
    "2026-04-01",
  );
  const wrong = [
    { ...runOf(a), misses: 99 },
    { ...runOf(b), misses: 99 },
  ];
  const [first, second] = exchangeCrossedEnds(wrong, "DK");
  t.deepEqual([first?.misses, second?.misses], [0, 1]);
  t.deepEqual([first?.schedule.anchor, second?.schedule.anchor], [10, 13]);
  t.deepEqual([first?.schedule.spreadDays, second?.schedule.spreadDays], [0, 0]);
  t.is(first?.logOdds, 5, "what was known of the series stays");
});

test("series that run straight stay the very same", (t) => {
  const straight = [runOf(cheap), runOf(dear)];
  const [first, second] = exchangeCrossedEnds(straight, "DK");
  t.is(first, straight[0]);
  t.is(second, straight[1]);
  t.deepEqual(exchangeCrossedEnds([], "DK"), []);
});

test("where only the price tells, both steps at another price are enough", (t) => {
  // The same days: each exchanged step saves a change of price, two nats each.
  const [same, other] = [paid(monthly("2026-01-10", 6), 10_000), paid(monthly("2026-01-10", 6), 15_000)];
  const [a, b] = crossed(same, other, "2026-04-01");
  t.deepEqual(
    exchangeCrossedEnds([runOf(a), runOf(b)], "DK").map(({ payments }) => costsOf(payments)),
    [Array(6).fill(10_000), Array(6).fill(15_000)],
  );
});

test("a price that goes over from one series to the other as both change is one series' own", (t) => {
  // One change instead of two, and no price that is by chance the other's.
  const [a, b] = [
    paidAmounts(monthly("2026-01-10", 6), [100, 100, 100, 150, 150, 150]),
    paidAmounts(monthly("2026-01-10", 6), [170, 170, 170, 100, 100, 100]),
  ];
  t.deepEqual(
    exchangeCrossedEnds([runOf(a), runOf(b)], "DK").map(({ payments }) => costsOf(payments)),
    [Array(6).fill(100), [170, 170, 170, 150, 150, 150]],
  );
});

test("changes of price that are about as likely either way are no reason", (t) => {
  const [a, b] = [
    paidAmounts(monthly("2026-01-10", 6), [100, 100, 100, 130, 130, 130]),
    paidAmounts(monthly("2026-01-10", 6), [120, 120, 120, 95, 95, 95]),
  ];
  const series = [runOf(a), runOf(b)];
  t.deepEqual(exchangeCrossedEnds(series, "DK"), series);
});

test("two subscriptions at one price and about one day are told apart by the card that pays them", (t) => {
  const mine = paid(monthly("2026-01-10", 6), 10_000, "Sundby Motion", { cardId: "mine" });
  const yours = paid(monthly("2026-01-11", 6), 10_000, "Sundby Motion", { cardId: "yours" });
  const [a, b] = crossed(mine, yours, "2026-04-01");
  t.deepEqual(
    exchangeCrossedEnds([runOf(a), runOf(b)], "DK").map(({ payments }) => [
      ...new Set(payments.map(({ transaction }) => transaction.cardId)),
    ]),
    [["mine"], ["yours"]],
  );
});

test("and by the account that pays them", (t) => {
  const [mine, yours] = ["a", "b"].map((accountId, at) =>
    paid(monthly(`2026-01-1${at}`, 6), 10_000, "Sundby Motion", { accountId }),
  );
  const [a, b] = crossed(mine!, yours!, "2026-04-01");
  t.deepEqual(
    exchangeCrossedEnds([runOf(a), runOf(b)], "DK").map(({ payments }) => [
      ...new Set(payments.map(({ transaction }) => transaction.accountId)),
    ]),
    [["a"], ["b"]],
  );
});

test("a series that ends and one that begins are not stitched to the wrong one", (t) => {
  // The cheap one ends in March; the run went on in the dear one, whose own end was left over.
  const ended = cheap.slice(0, 3);
  const [a, b] = [[...ended, ...dear.slice(3)], dear.slice(0, 3)];
  t.deepEqual(
    exchangeCrossedEnds([runOf(a), runOf(b)], "DK").map(({ payments }) => costsOf(payments)),
    [Array(3).fill(10_000), Array(6).fill(15_000)],
  );
  t.deepEqual(
    exchangeCrossedEnds([runOf(b), runOf(a)], "DK").map(({ payments }) => costsOf(payments)),
    [Array(6).fill(15_000), Array(3).fill(10_000)],
    "whichever of them comes first",
  );
});

test("no series is left with fewer than two payments", (t) => {
  const [one, rest] = [[cheap[0]!, ...dear.slice(1)], [dear[0]!]];
  const runs = [runOf(one), runOf(rest)];
  t.deepEqual(exchangeCrossedEnds(runs, "DK"), runs);
});

test("two payments are enough for a series", (t) => {
  const [a, b] = crossed(cheap.slice(0, 4), dear.slice(2, 4), "2026-04-01");
  t.deepEqual(
    exchangeCrossedEnds([runOf(a), runOf(b)], "DK").map(({ payments }) => costsOf(payments)),
    [Array(4).fill(10_000), Array(2).fill(15_000)],
  );
});

test("where both miss a due date, the step over it counts as two periods", (t) => {
  // From January to March are 59 days, less than two mean months.
  // The days alone tell: all at one price, six days apart.
  const without = (payments: Payment[]): Payment[] => payments.filter((_, index) => index !== 2);
  const [early, late] = [
    without(paid(monthly("2025-12-07", 6), 10_000)),
    without(paid(monthly("2025-12-13", 6), 10_000)),
  ];
  const [a, b] = crossed(early, late, "2026-03-01");
  t.deepEqual(
    exchangeCrossedEnds([runOf(a), runOf(b)], "DK").map(({ payments }) => daysOf(payments)),
    [daysOf(early), daysOf(late)],
  );
});

test("series of different cadences have no ends in common", (t) => {
  const weekly = paid(everyDays("2026-01-10", 20, 7), 15_000);
  const [a, b] = crossed(cheap, weekly, "2026-04-01");
  const runs = [runOf(a), runOf(b, "WEEKLY")];
  t.deepEqual(exchangeCrossedEnds(runs, "DK"), runs);
});

test("of three series the two that crossed are put right", (t) => {
  const third = paid(monthly("2026-01-25", 6), 4_000);
  const [a, b] = crossed(cheap, dear, "2026-04-01");
  t.deepEqual(
    exchangeCrossedEnds([runOf(a), runOf(third), runOf(b)], "DK").map(({ payments }) => daysOf(payments)),
    [cheap, third, dear].map(daysOf),
  );
});

test("series that crossed twice are put right twice", (t) => {
  const [long, other] = [paid(monthly("2026-01-10", 9), 10_000), paid(monthly("2026-01-13", 9), 15_000)];
  const [a, b] = crossed(...crossed(long, other, "2026-04-01"), "2026-07-01");
  t.deepEqual(
    exchangeCrossedEnds([runOf(a), runOf(b)], "DK").map(({ payments }) => costsOf(payments)),
    [Array(9).fill(10_000), Array(9).fill(15_000)],
  );
});

test("of twins each has the lesser numbers throughout, whichever of them a search gave it", (t) => {
  const days = monthly("2026-01-10", 6);
  const numbered = (number: (index: number) => number): Payment[] =>
    days.flatMap((day, index) => paid([day], 10_000, `Sundby Motion ${number(index)}`));
  const lower = numbered((index) => 4_100 + 100 * index);
  const upper = numbered((index) => 4_150 + 100 * index);
  const mixed = [lower, upper].map((own, at) =>
    own.map((payment, index) => (index % 2 === 0 ? payment : [upper, lower][at]![index]!)),
  );
  const [first, second] = exchangeCrossedEnds([runOf(mixed[0]!), runOf(mixed[1]!)], "DK");
  t.deepEqual([first?.payments, second?.payments], [lower, upper]);
});

test("two that cost differently, or are paid on other days, are no twins", (t) => {
  const [other, later] = [paid(monthly("2026-01-10", 6), 9_000, "A"), paid(monthly("2026-01-11", 6), 10_000, "A")];
  for (const beside of [other, later]) {
    const [first, second] = exchangeCrossedEnds([runOf(cheap), runOf(beside)], "DK");
    t.deepEqual([first?.payments, second?.payments], [cheap, beside]);
  }
});

test("where only the card tells, both steps from another card are enough, one alone is not", (t) => {
  const days = monthly("2026-01-10", 6);
  const by = (...cards: string[]): Payment[] =>
    days.flatMap((day, index) => paid([day], 10_000, "Sundby Motion", { cardId: cards[index]! }));
  const cards = (runs: Payment[][]): string[] =>
    exchangeCrossedEnds(
      runs.map((payments) => runOf(payments)),
      "DK",
    ).map(({ payments }) => payments.map(({ transaction }) => transaction.cardId).join(""));
  t.deepEqual(cards([by("a", "a", "a", "b", "b", "b"), by("b", "b", "b", "a", "a", "a")]), ["aaaaaa", "bbbbbb"]);
  // It would save one change of card: two nats, which are no more than two.
  t.deepEqual(cards([by("a", "a", "a", "b", "b", "b"), by("c", "c", "c", "a", "a", "a")]), ["aaabbb", "cccaaa"]);
});

test("a last payment at exactly the other series' price is the other's, though it lies as near to both", (t) => {
  const own = paid(["2026-01-13", "2026-02-13", "2026-03-13", "2026-04-14"], 78_857);
  const other = paid(["2026-01-16", "2026-02-16", "2026-03-17", "2026-04-17"], 88_000);
  const [last] = paid(["2026-05-16"], 78_857);
  const [first, second] = exchangeCrossedEnds([runOf(own), runOf([...other, last!])], "DK");
  t.deepEqual(first?.payments, [...own, last]);
  t.deepEqual(second?.payments, other);
});

test("a last payment at a new price stays where its day is", (t) => {
  const own = paid(["2026-01-13", "2026-02-13", "2026-03-13", "2026-04-14"], 78_857);
  const other = paid(["2026-01-16", "2026-02-16", "2026-03-17", "2026-04-17"], 88_000);
  const [last] = paid(["2026-05-16"], 81_000);
  const [first] = exchangeCrossedEnds([runOf(own), runOf([...other, last!])], "DK");
  t.deepEqual(first?.payments, own);
});

test("two prices that rise on one day each go on by the step that is the smaller", (t) => {
  const days = monthly("2026-01-28", 4, 3);
  const dear = paidAmounts(days, [25.46, 25.46, 26.01, 26.01]);
  const cheap = paidAmounts(days, [16.25, 16.25, 16.61, 16.61]);
  const [a, b] = crossed(dear, cheap, "2026-06-01");
  t.deepEqual(
    exchangeCrossedEnds([runOf(a, "QUARTERLY"), runOf(b, "QUARTERLY")], "DK").map(({ payments }) => costsOf(payments)),
    [costsOf(dear), costsOf(cheap)],
  );
});
