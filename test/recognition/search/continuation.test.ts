/** An obligation goes on under another name where dates and price say so, and not where they do not. */
import test from "ava";
import type { Day } from "../../../src/time/calendar.ts";
import type { RegularFrequency } from "../../../src/recognition/search/cadence.ts";
import { joinContinuations, sellDifferently, takesOver } from "../../../src/recognition/search/continuation.ts";
import { kinshipOf } from "../../../src/recognition/search/kinship.ts";
import type { Obligation } from "../../../src/recognition/search/obligation.ts";
import type { HistoryTransaction } from "../../../src/recognition/recognise.ts";
import type { Payment } from "../../../src/payments/payment.ts";
import type { Payee } from "../../../src/payments/payee.ts";
import { daysOf, obligationWith, paid, paidAmounts, payeeWith } from "../obligations.ts";
import { everyDays, monthly } from "../payments.ts";

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
  t.like(one, { logOdds: 7, misses: 3 });
  t.deepEqual(one?.aliases, ["FITNESS SUNDBY", "SUNDBY MOTION"]);
});

test("one due date may stay unpaid between the names, two may not", (t) => {
  const sundby = bill("2025-09-12", 6, 19_951, "Sundby Motion");
  t.deepEqual(joined(sundby, bill("2026-04-12", 4, 19_951, "Puls Form")), ["Puls Form 10"]);
  t.deepEqual(joined(sundby, bill("2026-05-12", 4, 19_951, "Puls Form")), ["Puls Form 4", "Sundby Motion 6"]);
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

test("on another day and at another price it is another agreement", (t) => {
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

// What tells two payees apart

test("two catalogued products are two, whatever they cost", (t) => {
  const differ = (minor: number, then: number): boolean =>
    sellDifferently(
      payeeWith(paid(["2026-01-12"], minor), { product: "netflix" }),
      payeeWith(paid(["2026-02-12"], then), { product: "spotify" }),
    );
  t.true(differ(10_000, 10_000));
  t.true(differ(10_950, 10_950));
  t.true(differ(10_950, 10_951));
  t.false(
    sellDifferently(
      payeeWith(paid(["2026-01-12"], 100), { product: "netflix" }),
      payeeWith(paid(["2026-02-12"], 200), { product: "netflix" }),
    ),
  );
  t.false(
    sellDifferently(payeeWith(paid(["2026-01-12"], 100), { product: "netflix" }), payeeWith(paid(["2026-02-12"], 200))),
  );
});

test("two merchant categories are two payees, where both are told", (t) => {
  const differ = (mcc: number | null, then: number | null): boolean =>
    sellDifferently(
      payeeWith(paid(["2026-01-12"], 100, "A", { mcc })),
      payeeWith(paid(["2026-02-12"], 100, "B", { mcc: then })),
    );
  t.true(differ(6300, 5411));
  t.deepEqual(
    [differ(6300, 6300), differ(6300, null), differ(null, 5411), differ(null, null)],
    [false, false, false, false],
  );
});

test("the payments that would follow each other are looked at, else the latest of each", (t) => {
  const coded = payeeWith([
    ...paid(["2026-01-12"], 100, "A", { mcc: 6300 }),
    ...paid(["2026-02-12"], 100, "A", { mcc: 5411 }),
  ]);
  const other = payeeWith(paid(["2026-03-12"], 100, "B", { mcc: 6300 }));
  t.true(sellDifferently(coded, other));
  t.false(sellDifferently(coded, other, coded.payments[0], other.payments[0]));
});

test("a payee takes another's place where the old one is heard of no more and the new one never was before", (t) => {
  const old = payeeWith(paid(monthly("2025-10-12", 6), 19_951));
  const newer = payeeWith(paid(monthly("2026-04-12", 3), 19_951, "Puls Form"));
  const takes = (a: Payee, b: Payee): boolean => takesOver(a, b, a.payments[5]!, b.payments[0]!);
  t.true(takes(old, newer));
  const stillPaid = payeeWith([...old.payments, ...paid(["2026-06-20"], 5_000)]);
  t.false(takes(stillPaid, newer), "the old one is paid once more");
  const known = payeeWith([...paid(["2025-12-01"], 5_000, "Puls Form"), ...newer.payments]);
  t.false(takesOver(old, known, old.payments[5]!, newer.payments[0]!), "something was bought there before");
});

test("who is paid for several things changes his name between two payments of each", (t) => {
  const [a, b] = [paid(monthly("2025-10-12", 6), 19_951), paid(monthly("2025-10-20", 6), 5_000)];
  const old = payeeWith([...a, ...b].sort((one, other) => one.at - other.at));
  const since = [
    ...paid(monthly("2026-04-12", 3), 19_951, "Puls Form"),
    ...paid(monthly("2026-04-20", 3), 5_000, "Puls Form"),
  ].sort((one, other) => one.at - other.at);
  t.true(takesOver(old, payeeWith(since), a[5]!, since[0]!));
});

test("what the catalogue knows by its name takes nobody's place, and nobody its", (t) => {
  const [old, newer] = [paid(monthly("2025-10-12", 6), 19_951), paid(monthly("2026-04-12", 3), 19_951, "Puls Form")];
  const takes = (a?: string, b?: string): boolean =>
    takesOver(
      payeeWith(old, a === undefined ? {} : { product: a }),
      payeeWith(newer, b === undefined ? {} : { product: b }),
      old[5]!,
      newer[0]!,
    );
  t.deepEqual(
    [takes("netflix"), takes(undefined, "netflix"), takes("netflix", "spotify"), takes("netflix", "netflix")],
    [false, false, false, true],
  );
});

test("a gateway of which no more is told takes nobody's place", (t) => {
  const [old, newer] = [paid(monthly("2025-10-12", 6), 19_951), paid(monthly("2026-04-12", 3), 19_951, "Puls Form")];
  const gateway = { product: "paypal", key: "paypal" };
  t.false(takesOver(payeeWith(old), payeeWith(newer, gateway), old[5]!, newer[0]!));
  t.false(takesOver(payeeWith(old, gateway), payeeWith(newer), old[5]!, newer[0]!));
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
