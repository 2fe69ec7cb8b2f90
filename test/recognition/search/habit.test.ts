/** Dates and misses weigh whether payments are an obligation or a habit. */
import test from "ava";
import { habitLogOdds, type Run } from "../../../src/recognition/search/habit.ts";
import { paid, paidAmounts } from "../obligations.ts";
import { everyDays, monthly } from "../payments.ts";

const shown = (run: Run): string => habitLogOdds(run).toFixed(2);

/** Five payments a month apart at one price, on the very day, without a miss. */
const run: Run = {
  payments: paid(monthly("2026-01-12", 5), 19_900),
  frequency: "MONTHLY",
  kind: "TRANSFER",
  misses: 0,
  spreadDays: 0,
  extras: 0,
};
const more = (change: Partial<Run>): string => (habitLogOdds({ ...run, ...change }) - habitLogOdds(run)).toFixed(2);

test("what comes monthly to the day at one price is an obligation", (t) => {
  // 2.5 for once a month, 4 × ln(0.6 / 0.25) for the price, 4 at most for the dates, 4 × ln(0.95 / 0.75) for none
  // missed.
  t.is(shown(run), "10.95");
});

test("the rarer it comes, the less it is a habit, and what comes daily is rather one", (t) => {
  const byFrequency = (
    ["WEEKLY", "BIWEEKLY", "MONTHLY", "BIMONTHLY", "QUARTERLY", "HALFYEARLY", "YEARLY"] as const
  ).map((frequency) => more({ frequency }));
  t.deepEqual(byFrequency, ["-5.11", "-2.50", "0.00", "-1.00", "-1.00", "-1.50", "-2.00"]);
  t.is(more({ frequency: "DAILY" }), "-6.00");
});

test("weeks without one that was missed are nobody's habit, the surer the more they are, from half a year to a whole one", (t) => {
  const weekly = (count: number, misses = 0) =>
    habitLogOdds({ ...run, payments: paid(everyDays("2025-01-06", count, 7), 6_000), frequency: "WEEKLY", misses });
  t.is((weekly(25) - weekly(20)).toFixed(2), "0.00", "who shops is not away in so few");
  t.is((weekly(26) - weekly(25)).toFixed(2), "1.50");
  t.is((weekly(52) - weekly(26)).toFixed(2), "1.50");
  t.is((weekly(80) - weekly(52)).toFixed(2), "0.00");
  t.is((weekly(80) - weekly(80, 1)).toFixed(2), "3.00", "what eighty kept dates say has its bound either way");
});

test("a due date that stays unpaid speaks for a habit", (t) => {
  // ln(0.05 / 0.25) each.
  t.is(more({ misses: 1 }), "-1.61");
  t.is(more({ misses: 2 }), "-3.22");
});

test("each date that was kept speaks for an obligation, up to a bound, and so do misses against it", (t) => {
  const payments = paidAmounts(
    monthly("2022-01-12", 13),
    Array.from({ length: 13 }, (_, index) => 10_000 * 2 ** (index % 2) + index),
  );
  const far: Run = { payments, frequency: "MONTHLY", kind: "TRANSFER", misses: 0, spreadDays: 0, extras: 0 };
  // The price speaks against it as much as it can, −8, and the dates for it as much as they can, 4: 2.5 − 8 + 4 + 12 ×
  // 0.236.
  t.is(shown(far), "1.34");
  const kept = (count: number): string => shown({ ...run, payments: paid(monthly("2022-01-12", count), 19_900) });
  t.is(kept(20), "14.99");
  t.is(kept(24), "15.50", "23 × 0.236 is more than 5");
  t.is(shown({ ...far, misses: 6 }), "-7.50", "6 × −1.609 + 2.84 is less than −6");
});

test("weeks that were kept say no more than fourteen of them", (t) => {
  const weekly = (count: number): string =>
    habitLogOdds({ ...run, payments: paid(everyDays("2025-01-01", count, 7), 15_000), frequency: "WEEKLY" }).toFixed(2);
  t.is(weekly(14), (Number(weekly(13)) + 0.16).toFixed(2), "of 13 × 0.236 what is no more than 3");
  t.is(weekly(15), weekly(14));
});

test("dates near the due day speak for an obligation, dates chosen freely against it", (t) => {
  // Five times ln(2.2 / 0.9) − spread × (1 / 0.9 − 1 / 2.2), at most 4 and at least −6.
  t.is(more({ spreadDays: 0.5 }), "-1.17");
  t.is(more({ spreadDays: 1 }), "-2.81");
  t.is(more({ spreadDays: 2 }), "-6.10");
  t.is(more({ spreadDays: 3 }), "-9.38");
  t.is(more({ spreadDays: 9 }), "-10.00");
});

test("but for weeks and months a distance in days says the same of every frequency, and none more where nobody keeps days", (t) => {
  const [near, nearer] = [
    { ...run, spreadDays: 3 },
    { ...run, spreadDays: 2 },
  ];
  const most = { DAILY: 2, BIWEEKLY: 4, BIMONTHLY: 3, QUARTERLY: 3, HALFYEARLY: 3, YEARLY: 3 } as const;
  for (const [name, bound] of Object.entries(most)) {
    const frequency = name as keyof typeof most;
    t.is((habitLogOdds({ ...near, frequency }) - habitLogOdds({ ...nearer, frequency })).toFixed(2), "-2.50", name);
    t.is(
      (habitLogOdds({ ...run, frequency }) - habitLogOdds({ ...nearer, frequency })).toFixed(2),
      (bound + 0.42).toFixed(2),
      name,
    );
  }
});

test("weekly what costs less than most is rather a habit, what costs more is owed; of months a cost says nothing", (t) => {
  const odds = (change: Partial<Run>): string =>
    (habitLogOdds({ ...run, ...change }) - habitLogOdds({ ...run, ...change, usualCost: 0 })).toFixed(2);
  // 2.5 for each e-fold of 199.00, between −2 and 2.
  t.is(odds({ frequency: "WEEKLY", usualCost: 19_900 }), "0.00");
  t.is(odds({ frequency: "WEEKLY", usualCost: 9_950 }), "1.73");
  t.is(odds({ frequency: "WEEKLY", usualCost: 1_000 }), "2.00");
  t.is(odds({ frequency: "WEEKLY", usualCost: 39_800 }), "-1.73");
  t.is(odds({ frequency: "WEEKLY", usualCost: 99_900 }), "-2.00");
  t.is(odds({ frequency: "QUARTERLY", usualCost: 39_800 }), "-1.73", "small purchases lie a quarter apart by chance");
  t.is(odds({ frequency: "QUARTERLY", usualCost: 1_000 }), "0.00", "that others lie so says nothing for it");
  t.is(odds({ frequency: "MONTHLY", usualCost: 99_900 }), "0.00");
  t.is(odds({ frequency: "BIWEEKLY", usualCost: 99_900 }), "0.00");
  t.is(odds({ frequency: "WEEKLY", kind: "DIRECT_DEBIT", usualCost: 99_900 }), "0.00", "nobody shops by direct debit");
  // 1.5 for each e-fold below a tenth.
  t.is(odds({ frequency: "WEEKLY", usualCost: 1_990_000 }), "-5.45", "what costs a hundredth is left over from others");
  t.is(odds({ frequency: "WEEKLY", kind: "DIRECT_DEBIT", usualCost: 1_990_000 }), "-3.45", "collected with them, too");
  t.is(odds({ frequency: "MONTHLY", usualCost: 1_990_000 }), "0.00", "small things are sold by the month");
});

test("never being away speaks for what is owed weekly alone", (t) => {
  const odds = (count: number, days: number, frequency: "BIWEEKLY" | "MONTHLY"): number =>
    habitLogOdds({ ...run, payments: paid(everyDays("2024-01-08", count, days), 6_000), frequency });
  t.is((odds(40, 14, "BIWEEKLY") - odds(25, 14, "BIWEEKLY")).toFixed(2), "0.00");
  t.is((odds(40, 30, "MONTHLY") - odds(25, 30, "MONTHLY")).toFixed(2), "0.00");
});

test("two dates near the due day say less than five", (t) => {
  const two: Run = { ...run, payments: paid(monthly("2026-01-12", 2), 19_900) };
  t.is((habitLogOdds({ ...two, spreadDays: 1 }) - habitLogOdds(two)).toFixed(2), "-1.31");
});

test("of a week no day is far away, so a distance from a weekly day weighs more", (t) => {
  const weekly: Run = { ...run, payments: paid(everyDays("2026-01-12", 5, 7), 19_900), frequency: "WEEKLY" };
  // 5 × (ln(1.75 / 1.2) − 1.5 × (1 / 1.2 − 1 / 1.75)) instead of 5 × ln(1.75 / 1.2) = 1.89.
  t.is((habitLogOdds({ ...weekly, spreadDays: 1.5 }) - habitLogOdds(weekly)).toFixed(2), "-1.96");
});

test("prices that change a little are bills, prices that change much are baskets", (t) => {
  const odds = (minors: number[]): string =>
    (
      habitLogOdds({ ...run, payments: paidAmounts(monthly("2026-01-12", 3), minors) }) -
      habitLogOdds({ ...run, payments: paid(monthly("2026-01-12", 3), 10_000) })
    ).toFixed(2);
  // Each change: a bill is by .85 one of spread 0.3 and by .15 one of 0.9, a basket one of 0.6; instead of
  // ln(0.6 / 0.25).
  t.is(odds([10_000, 10_500, 10_001]), "-0.59");
  t.is(odds([10_000, 15_000, 10_001]), "-1.81");
  t.is(odds([10_000, 20_000, 10_001]), "-3.71");
});

test("a price that changed for one payment and came back is no agreement's", (t) => {
  const payments = (minors: number[]) => paidAmounts(monthly("2026-01-12", minors.length), minors);
  const back = (count: number) => Array.from({ length: count }, (_, index) => (index % 2 === 0 ? 10_000 : 10_500));
  const gone = (count: number) => back(count).map((minor, index) => minor + index);
  const cost = (count: number, kind: Run["kind"]): string =>
    (
      habitLogOdds({ ...run, kind, payments: payments(back(count)) }) -
      habitLogOdds({ ...run, kind, payments: payments(gone(count)) })
    ).toFixed(1);
  t.deepEqual([cost(3, "TRANSFER"), cost(4, "TRANSFER"), cost(30, "TRANSFER")], ["-0.6", "-1.2", "-6.0"]);
  t.deepEqual([cost(3, "CARD"), cost(4, "CARD"), cost(30, "CARD")], ["-1.2", "-2.4", "-6.0"]);
});

test("what a card pays at changing amounts is a basket or a tank, however little they differ", (t) => {
  const changing = paidAmounts(monthly("2026-01-12", 4), [10_000, 10_500, 10_100, 10_600]);
  const byCard = habitLogOdds({ ...run, kind: "CARD", payments: changing });
  t.is((byCard - habitLogOdds({ ...run, payments: changing })).toFixed(2), "-5.24");
  const leaping = paidAmounts(monthly("2026-01-12", 4), [10_000, 40_000, 9_000, 39_000]);
  const dear = habitLogOdds({ ...run, kind: "CARD", payments: leaping });
  t.is((dear - habitLogOdds({ ...run, payments: leaping })).toFixed(2), "-2.95", "nor do leaps excuse it");
});

test("of two amounts that differ nobody can tell whether they change each time, however they are collected", (t) => {
  const twice = (kind: Run["kind"], minor: number): number =>
    habitLogOdds({ ...run, kind, payments: paidAmounts(monthly("2026-01-12", 2), [10_150, minor]) });
  const changed = (kind: Run["kind"]): string => (twice(kind, 12_275) - twice(kind, 10_150)).toFixed(2);
  // −3, and for the change what a bill's says against a basket's, instead of ln(0.6 / 0.25).
  t.is(changed("TRANSFER"), "-3.43");
  t.is(changed("CARD"), "-3.88");
  // No less than −2 by direct debit.
  t.is(changed("DIRECT_DEBIT"), "-2.88");
});

test("one price paid by card says little where one buys often, and as much as any where one does not", (t) => {
  t.is(more({ kind: "CARD" }), "0.00");
  for (const frequency of ["DAILY", "WEEKLY", "BIWEEKLY"] as const)
    t.is(
      (habitLogOdds({ ...run, kind: "CARD", frequency }) - habitLogOdds({ ...run, frequency })).toFixed(2),
      "-2.00",
      frequency,
    );
});

test("other purchases of the kind in between speak for a habit, as many as there are dates by six nats", (t) => {
  t.is(more({ extras: 1 }), "-1.20");
  t.is(more({ extras: 5 }), "-6.00");
  t.is(more({ extras: 15 }), "-18.00");
  t.is(more({ extras: 100 }), "-18.00", "three times as many are as sure as more");
});

test("a price that never changes says no more after some payments", (t) => {
  const ten: Run = { ...run, payments: paid(monthly("2025-01-12", 10), 19_900) };
  // 2.5 + 4 + 4 + 9 × 0.236.
  t.is(shown(ten), "12.63");
});

test("what costs several times as much, for the third half year, is no basket though its amounts change", (t) => {
  const paidIn = (minors: number[], change: Partial<Run> = {}): number =>
    habitLogOdds({
      ...run,
      payments: paidAmounts(monthly("2024-01-12", minors.length, 6), minors),
      frequency: "HALFYEARLY",
      kind: "CARD",
      usualCost: 2_300,
      ...change,
    });
  const premiums = [61_821, 56_746, 49_050, 46_575];
  t.true(
    paidIn(premiums) > paidIn(premiums, { frequency: "QUARTERLY" }) + 3,
    "tanks and baskets are bought more often",
  );
  t.is((paidIn(premiums) - paidIn(premiums, { usualCost: 49_050 })).toFixed(2), "1.50", "than other things");
  t.true(paidIn(premiums.slice(0, 2)) < paidIn(premiums.slice(0, 3)) - 2, "two may be chance");
});
