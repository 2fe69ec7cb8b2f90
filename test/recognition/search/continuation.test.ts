/** An obligation goes on under another name where dates and price say so, and not where they do not. */
import test from "ava";
import { addDays, type Day, dayFromNumber, dayNumber } from "../../../src/time/calendar.ts";
import type { RegularFrequency } from "../../../src/recognition/search/cadence.ts";
import { confidenceOf } from "../../../src/recognition/search/confidence.ts";
import { joinContinuations } from "../../../src/recognition/search/continuation.ts";
import { kinshipOf } from "../../../src/recognition/search/kinship.ts";
import type { Obligation } from "../../../src/recognition/search/obligation.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import { daysOf, obligationWith, paid, paidAmounts, payeeWith, prepared } from "../obligations.ts";
import { everyDays, monthly, row } from "../payments.ts";
import { itemAt, present } from "../../../src/present.ts";

/** With what the names of all these payees tell. */
const continued = (obligations: Obligation[]): Obligation[] =>
  joinContinuations(obligations, kinshipOf([...new Set(obligations.map(({ payee }) => payee))]), "DK");
const joined = (...obligations: Obligation[]): string[] =>
  continued(obligations)
    .map(({ title, payments }) => `${title} ${payments.length}`)
    .toSorted();

/** Monthly payments to a payee of its own. */
const bill = (
  first: Day,
  count: number,
  minor: number,
  name: string,
  more: Partial<HistoryTransaction> = {},
): Obligation => obligationWith(paid(monthly(first, count), minor, name, more));

// Under another name

test("what begins where another ended, when that was due and at its price, is that gone on", (t) => {
  const [one, ...others] = continued([
    bill("2026-03-12", 4, 19_951, "Puls Form"),
    bill("2025-09-12", 6, 19_951, "Sundby Motion"),
  ]);
  t.deepEqual(others, []);
  t.like(one, { title: "Puls Form", payee: { key: "PULS FORM" }, misses: 0, schedule: { anchor: 12 } });
  t.deepEqual(one?.aliases, ["SUNDBY MOTION"]);
  t.deepEqual(daysOf(one!.payments), monthly("2025-09-12", 10));
});

test("what was known about either stays: the better odds, all misses, every name", (t) => {
  const earlier = {
    ...bill("2025-09-12", 6, 19_951, "Sundby Motion"),
    logOdds: 7,
    misses: 1,
    aliases: ["FITNESS SUNDBY"],
  };
  const [one] = continued([earlier, { ...bill("2026-03-12", 4, 19_951, "Puls Form"), logOdds: 3, misses: 2 }]);
  t.is(one?.misses, 3);
  t.is(confidenceOf(present(one, "what goes on")), confidenceOf(earlier));
  t.deepEqual(one?.aliases, ["FITNESS SUNDBY", "SUNDBY MOTION"]);
});

test("one due date may stay unpaid between the names, two may not", (t) => {
  const sundby = bill("2025-09-12", 6, 19_951, "Sundby Motion");
  t.deepEqual(joined(sundby, bill("2026-04-12", 4, 19_951, "Puls Form")), ["Puls Form 10"]);
  t.deepEqual(joined(sundby, bill("2026-05-12", 4, 19_951, "Puls Form")), ["Puls Form 4", "Sundby Motion 6"]);
});

test("nor may two under a related name", (t) => {
  const sundby = bill("2025-09-12", 6, 19_951, "Sundby Motion");
  t.deepEqual(joined(sundby, bill("2026-04-12", 4, 19_951, "Sundby Fitness")), ["Sundby Fitness 10"]);
  t.deepEqual(joined(sundby, bill("2026-05-12", 4, 19_951, "Sundby Fitness")), ["Sundby Fitness 4", "Sundby Motion 6"]);
});

test("a day on which it was not due is another obligation's", (t) => {
  t.deepEqual(joined(bill("2025-09-12", 6, 19_951, "Sundby Motion"), bill("2026-03-25", 4, 19_951, "Puls Form")), [
    "Puls Form 4",
    "Sundby Motion 6",
  ]);
  t.deepEqual(
    joined(bill("2025-09-12", 6, 19_951, "Sundby Motion"), bill("2026-03-14", 4, 19_951, "Puls Form")),
    ["Puls Form 10"],
    "two days off",
  );
  t.deepEqual(
    joined(bill("2025-09-12", 6, 19_951, "Sundby Motion"), bill("2026-03-10", 4, 19_951, "Puls Form")),
    ["Puls Form 10"],
    "two days early",
  );
  t.deepEqual(
    joined(bill("2025-09-12", 6, 19_951, "Sundby Motion"), bill("2026-02-14", 4, 19_951, "Puls Form")),
    ["Puls Form 4", "Sundby Motion 6"],
    "two days after the last: that was paid",
  );
});

test("a customer number tells more than a name: with it an unrelated name goes on at nearly four times the price", (t) => {
  const at = (times: number, more: Partial<HistoryTransaction> = {}): number => {
    const numbered = (first: Day, count: number, minor: number, name: string, rest: Partial<HistoryTransaction>) =>
      bill(first, count, minor, "KUNDE 70042118", { merchantName: name, ...rest });
    return continued([
      numbered("2025-09-12", 6, 10_000, "Sundby Motion", { mcc: 7997 }),
      numbered("2026-03-12", 4, 10_000 * times, "Puls Form", more),
    ]).length;
  };
  // ln(0.32 × 30.4) for the day, 7 for the number, −2.5, and 0.05 − 3.58 × (ln times)² for the price.
  t.deepEqual([at(3.9), at(4.1)], [1, 2]);
  t.is(at(1, { mcc: 5411 }), 1, "whatever it is said to sell");
});

test("the rule that holds is the newer one's where it changed since, else the older one's", (t) => {
  const [older, newer] = [bill("2025-09-12", 6, 19_951, "Sundby Motion"), bill("2026-03-12", 4, 19_951, "Puls Form")];
  const ruleFrom = (a: Day, b: Day) =>
    continued([
      { ...older, ruleFrom: dayNumber(a) },
      { ...newer, ruleFrom: dayNumber(b) },
    ]).map((one) => dayFromNumber(one.ruleFrom));
  t.deepEqual(ruleFrom("2025-09-12", "2026-03-12"), ["2025-09-12"]);
  t.deepEqual(ruleFrom("2025-11-12", "2026-03-12"), ["2025-11-12"]);
  t.deepEqual(ruleFrom("2025-11-12", "2026-04-12"), ["2026-04-12"]);
});

test("under a name that shares nothing only the very price goes on", (t) => {
  const sundby = bill("2025-09-12", 6, 19_951, "Sundby Motion");
  t.deepEqual(joined(sundby, bill("2026-03-12", 4, 19_952, "Puls Form")), ["Puls Form 4", "Sundby Motion 6"]);
  t.deepEqual(
    joined(sundby, bill("2026-03-12", 4, 20_951, "Motion Sundby")),
    ["Motion Sundby 10"],
    "a related name at a higher price",
  );
  t.deepEqual(
    joined(sundby, bill("2026-03-12", 4, 55_000, "Motion Sundby")),
    ["Motion Sundby 10"],
    "even at 2.7 times the price",
  );
  t.deepEqual(
    joined(sundby, bill("2026-03-12", 4, 58_000, "Motion Sundby")),
    ["Motion Sundby 4", "Sundby Motion 6"],
    "but not at 2.9 times",
  );
});

test("bills that follow use go on at another price sooner than fixed prices do", (t) => {
  const bills = (first: Day, minors: number[], name: string): Obligation =>
    obligationWith(paidAmounts(monthly(first, minors.length), minors, name));
  const use = bills("2025-09-12", [20_000, 21_000, 19_000, 22_000, 18_000, 20_000], "Sundby Varme");
  t.deepEqual(joined(use, bills("2026-03-12", [60_000, 66_000, 57_000, 63_000], "Varme Sundby")), ["Varme Sundby 10"]);
  t.deepEqual(joined(bill("2025-09-12", 6, 20_000, "Sundby Varme"), bill("2026-03-12", 4, 60_000, "Varme Sundby")), [
    "Sundby Varme 6",
    "Varme Sundby 4",
  ]);
  t.deepEqual(
    joined(
      bill("2025-09-12", 6, 20_000, "Sundby Varme"),
      bills("2026-03-12", [60_000, 61_000, 59_000, 58_000], "Varme Sundby"),
    ),
    ["Sundby Varme 6", "Varme Sundby 4"],
    "one of them is fixed",
  );
  t.deepEqual(
    joined(
      bill("2025-09-12", 6, 20_000, "Sundby Varme"),
      bills("2026-03-12", [60_000, 66_000, 57_000, 63_000], "Varme Sundby"),
    ),
    ["Sundby Varme 6", "Varme Sundby 4"],
    "though the other is not",
  );
  t.deepEqual(
    joined(use, bill("2026-03-12", 4, 60_000, "Varme Sundby")),
    ["Sundby Varme 6", "Varme Sundby 4"],
    "the other is",
  );
  t.deepEqual(
    joined(use, bills("2026-03-12", [20_100, 20_900, 19_700, 21_000], "Puls Form")),
    ["Puls Form 4", "Sundby Varme 6"],
    "under a name that shares nothing no bill goes on",
  );
});

test("two that run at once are two, whatever their names and prices", (t) => {
  t.deepEqual(joined(bill("2025-09-12", 6, 19_951, "Sundby Motion"), bill("2026-02-12", 4, 19_951, "Sundby Fitness")), [
    "Sundby Fitness 4",
    "Sundby Motion 6",
  ]);
});

test("another cadence and another direction are another obligation", (t) => {
  const sundby = bill("2025-09-12", 6, 19_951, "Sundby Motion");
  t.deepEqual(joined(sundby, obligationWith(paid(everyDays("2026-03-12", 6, 14), 19_951, "Puls Form"), "BIWEEKLY")), [
    "Puls Form 6",
    "Sundby Motion 6",
  ]);
  t.deepEqual(joined(sundby, bill("2026-03-12", 4, -19_951, "Puls Form")), ["Puls Form 4", "Sundby Motion 6"]);
});

test("under the name of a gateway a price goes on for nobody", (t) => {
  const paypal = paid(monthly("2026-03-12", 4), 19_951, "PAYPAL *");
  t.is(
    joined(
      bill("2025-09-12", 6, 19_951, "Sundby Motion"),
      obligationWith(paypal, "MONTHLY", payeeWith(paypal, { product: "paypal", key: "paypal" })),
    ).length,
    2,
  );
  t.is(
    joined(
      obligationWith(paypal, "MONTHLY", payeeWith(paypal, { product: "paypal", key: "paypal" })),
      bill("2026-07-12", 4, 19_951, "Sundby Motion"),
    ).length,
    2,
  );
});

test("what ended goes on in the likelier of two, and one only goes on in one", (t) => {
  const sundby = bill("2025-09-12", 6, 19_951, "Sundby Motion");
  t.is(
    joined(sundby, bill("2026-03-12", 4, 19_951, "Sundby Fitness"), bill("2026-03-12", 4, 19_951, "Puls Form")).length,
    2,
  );
  t.deepEqual(
    joined(bill("2025-09-12", 6, 19_951, "Puls Form"), sundby, bill("2026-03-12", 4, 19_951, "Sundby Fitness")),
    ["Puls Form 6", "Sundby Fitness 10"],
  );
  t.deepEqual(
    joined(
      bill("2025-09-12", 6, 19_951, "Aros Motion"),
      bill("2025-09-12", 6, 19_951, "Puls Form"),
      bill("2026-03-12", 4, 19_951, "Aros Fitness"),
    ),
    ["Aros Fitness 10", "Puls Form 6"],
    "in whichever order they come",
  );
});

test("a bill that changes its name twice is followed through both", (t) => {
  t.deepEqual(
    joined(
      bill("2025-03-12", 6, 19_951, "Sundby Motion"),
      bill("2025-09-12", 6, 19_951, "Puls Form"),
      bill("2026-03-12", 4, 19_951, "Krop Og Kraft"),
    ),
    ["Krop Og Kraft 16"],
  );
});

// At the same payee

/** Two runs at one payee. */
function pausing(
  first: Day[],
  then: Day[],
  minor = 19_951,
  later = minor,
  frequency: RegularFrequency = "MONTHLY",
): number {
  const [earlier, next] = [paid(first, minor), paid(then, later)];
  const payee = payeeWith([...earlier, ...next]);
  return continued([obligationWith(earlier, frequency, payee), obligationWith(next, frequency, payee)]).length;
}

test("at one payee what ended and begins anew on its due day is the same, for half a year of weeks and a year of months", (t) => {
  t.is(pausing(monthly("2025-01-12", 4), monthly("2025-12-12", 4)), 1);
  t.is(pausing(monthly("2025-01-12", 4), monthly("2026-06-12", 4)), 2, "fourteen months");
  t.is(pausing(monthly("2025-01-12", 4), monthly("2026-04-12", 4)), 1, "365 days, of twelve months 365.25");
  t.is(pausing(monthly("2025-01-12", 4), monthly("2026-04-13", 4)), 2, "366 days");
  const weeks = everyDays("2025-06-04", 6, 14);
  t.is(pausing(weeks, everyDays(addDays(weeks[5]!, 183), 6, 14), 38_900, 38_900, "BIWEEKLY"), 1);
  t.is(pausing(weeks, everyDays(addDays(weeks[5]!, 184), 6, 14), 38_900, 38_900, "BIWEEKLY"), 2);
  t.is(pausing(everyDays("2025-06-04", 20, 7), everyDays("2026-03-04", 17, 7), 38_900, 38_900, "WEEKLY"), 1);
  t.is(
    pausing(everyDays("2025-06-04", 10, 7), everyDays("2026-03-04", 17, 7), 38_900, 38_900, "WEEKLY"),
    2,
    "more than 183 days",
  );
});

test("at one payee the name stays what it was", (t) => {
  const [earlier, next] = [paid(monthly("2025-01-12", 4), 19_951), paid(monthly("2025-08-12", 4), 19_951)];
  const payee = payeeWith([...earlier, ...next]);
  t.deepEqual(
    continued([obligationWith(earlier, "MONTHLY", payee), obligationWith(next, "MONTHLY", payee)]).map(
      ({ aliases }) => aliases,
    ),
    [[]],
  );
});

test("on another day or at another price it is another agreement", (t) => {
  t.is(pausing(monthly("2025-01-12", 4), monthly("2025-08-27", 4)), 2);
  t.is(pausing(monthly("2025-01-12", 4), monthly("2025-08-27", 4), 19_951, 29_900), 2);
  t.is(
    pausing(monthly("2025-01-12", 4), monthly("2025-08-12", 4), 19_951, 21_900),
    1,
    "on its due day the price may have risen",
  );
  t.is(pausing(monthly("2025-01-12", 4), monthly("2025-08-12", 4), 19_951, 89_900), 2, "but not so far");
});

test("who owes one thing at a time owes the same on another day, and from then on by that day", (t) => {
  const onePayee = (...runs: Payment[][]): Obligation[] => {
    const payee = payeeWith(runs.flat().sort((a, b) => a.at - b.at));
    return runs.map((payments) => obligationWith(payments, "MONTHLY", payee));
  };
  const old = paid(monthly("2025-03-06", 7), 1_381);
  const moved = paid(monthly("2025-09-23", 5), 1_784);
  const [one, ...others] = continued(onePayee(old, moved));
  t.deepEqual(others, []);
  t.like(one, { schedule: { anchor: 23 }, ruleFrom: moved[0]!.at });
  t.is(daysOf(one!.payments).length, 12);
  t.is(continued(onePayee(old, paid(monthly("2025-11-10", 5), 1_784))).length, 1, "after two months");
  t.is(continued(onePayee(old, paid(monthly("2025-11-20", 5), 1_784))).length, 2, "after two and a half");
  t.is(continued(onePayee(old, paid(monthly("2026-01-23", 5), 1_784))).length, 2, "months later");
  t.is(continued(onePayee(old, paid(monthly("2025-09-23", 5), 9_784))).length, 2, "at seven times the price");
  t.is(continued(onePayee(old, moved, paid(monthly("2025-05-14", 9), 2_500))).length, 3, "something else is owed too");
  const shop = payeeWith([...old, ...moved, ...paid(everyDays("2025-03-01", 30, 9), 700)].sort((a, b) => a.at - b.at));
  t.is(
    continued([old, moved].map((run) => obligationWith(run, "MONTHLY", shop))).length,
    2,
    "where much else is bought",
  );
});

test("each unpaid month in between makes a price that rose less likely the same agreement's", (t) => {
  t.is(pausing(monthly("2025-01-12", 4), monthly("2025-08-12", 4), 19_951, 29_750), 1, "three unpaid");
  t.is(pausing(monthly("2025-01-12", 4), monthly("2026-01-12", 4), 19_951, 29_750), 2, "eight unpaid");
  // ln(0.32 × 30.4) for the day, −0.5, −0.7 for twice the price, and −0.2 for each: 0.08 after five, −0.12 after six.
  t.is(pausing(monthly("2025-01-12", 4), monthly("2025-10-12", 4), 19_951, 39_902), 1, "five unpaid");
  t.is(pausing(monthly("2025-01-12", 4), monthly("2025-11-12", 4), 19_951, 39_902), 2, "six unpaid");
});

test("an agreement taken up again may cost e times as much or as little, not more", (t) => {
  const after = (minor: number, later: number) =>
    pausing(monthly("2025-01-12", 4), monthly("2025-08-12", 4), minor, later);
  t.deepEqual([after(20_000, 54_300), after(20_000, 54_500)], [1, 2]);
  t.deepEqual([after(54_300, 20_000), after(54_500, 20_000)], [1, 2]);
});

test("what begins on the day on which the other was paid last runs beside it", (t) => {
  t.is(pausing(monthly("2025-01-12", 4), monthly("2025-04-12", 4)), 2);
});

test("in an application store only the same price is taken up again", (t) => {
  const store = (later: number): number => {
    const [earlier, next] = [
      paid(monthly("2025-01-12", 4), 8_900, "APPLE.COM/BILL"),
      paid(monthly("2025-06-12", 4), later, "APPLE.COM/BILL"),
    ];
    const payee = payeeWith([...earlier, ...next], {
      product: "app-store-subscription-store-a",
      key: "app-store-subscription-store-a",
    });
    return continued([obligationWith(earlier, "MONTHLY", payee), obligationWith(next, "MONTHLY", payee)]).length;
  };
  t.is(store(8_900), 1);
  t.is(store(9_900), 2);
});

test("of two that begin on one day the one goes on of which the first payment's id comes first, in whatever order they came", (t) => {
  const earlier = bill("2025-09-12", 6, 19_951, "Sundby Motion");
  const [a, b] = [bill("2026-03-12", 4, 19_951, "Puls Form"), bill("2026-03-12", 4, 19_951, "Krop Form")];
  for (const all of [
    [earlier, a, b],
    [b, a, earlier],
  ])
    t.deepEqual(joined(...all), ["Krop Form 10", "Puls Form 4"]);
});

/** Bills that follow use, in their months; two runs at one payee, with a line's number in each where they have one. */
const heating = (then: Day, minors: number[], numbers: [string, string] = ["", ""]): number => {
  const year = [16_000, 23_000, 27_000, 22_000, 12_000, 7_000, 4_500, 3_500, 3_100, 4_800];
  const run = (first: Day, amounts: number[], number: string): Payment[] =>
    prepared(
      monthly(first, amounts.length).map((day, index) => row(day, `Sundby Varme ${number}`, -itemAt(amounts, index))),
    );
  const [earlier, next] = [run("2024-11-12", year, numbers[0]), run(then, minors, numbers[1])];
  const payee = payeeWith([...earlier, ...next]);
  return continued([obligationWith(earlier, "MONTHLY", payee), obligationWith(next, "MONTHLY", payee)]).length;
};

test("a bill that follows the season goes on after a pause at what an earlier winter asked, not beyond", (t) => {
  t.is(heating("2026-01-12", [26_000, 21_500, 13_000, 7_100]), 1, "five times the last one");
  t.is(heating("2026-01-12", [29_800, 21_500, 13_000, 7_100]), 1, "a tenth above all before");
  t.is(heating("2026-01-12", [29_900, 21_500, 13_000, 7_100]), 2, "more than that");
  t.is(heating("2026-01-12", [1_200, 1_500, 1_300, 1_100]), 2, "less than any before");
});

test("one number in the lines on both sides of a pause is the contract's, whatever day it is taken up on", (t) => {
  const later = (numbers: [string, string]) => heating("2026-01-15", [26_000, 21_500, 13_000, 7_100], numbers);
  t.is(later(["19627699", "19627699"]), 1);
  t.is(later(["", ""]), 2, "none");
  t.is(later(["19627699", "29627698"]), 2, "another one");
  t.is(later(["1962", "1962"]), 2, "four digits may be a year");
});

test("a customer's number waits through a pause under another name, too", (t) => {
  const numbered = (first: Day, count: number, minor: number, name: string, number = "70042118") =>
    bill(first, count, minor, `KUNDE ${number}`, { merchantName: name });
  const after = (first: Day, number?: string): number =>
    continued([numbered("2025-09-12", 6, 34_600, "Sundby Net"), numbered(first, 4, 79_200, "Puls Fiber", number)])
      .length;
  t.is(after("2026-06-12"), 1, "three unpaid, at 2.3 times the price");
  t.is(after("2027-02-12"), 1, "a year");
  t.is(after("2027-04-12"), 2, "more than that");
  t.is(after("2026-06-12", "70042119"), 2, "another customer");
});
