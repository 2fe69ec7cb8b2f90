/** Amounts by month and their means. */
import test from "ava";
import { add, averageOf, byMonth, countedMinor } from "../../../src/budgets/fold/amounts.ts";
import { paid, snapshotWith } from "./parts.ts";

test("an expense counts as positive where money left, an income where it came", (t) => {
  t.is(countedMinor(paid("2026-05-10", -4500), "EXPENSE"), 4500);
  t.is(countedMinor(paid("2026-05-10", 4500), "EXPENSE"), -4500);
  t.is(countedMinor(paid("2026-05-10", 4500), "INCOME"), 4500);
  t.is(countedMinor(paid("2026-05-10", -4500), "INCOME"), -4500);
  // No negative nought: documents would print its sign.
  t.is(countedMinor(paid("2026-05-10", 0), "EXPENSE"), 0);
});

test("what is paid in a month is added up in that month's place, refunds taken off", (t) => {
  const paidOut = [
    paid("2025-06-01", -1000),
    paid("2025-06-30", -200),
    paid("2026-05-02", -700),
    paid("2026-05-31", 300),
  ];
  t.deepEqual(byMonth(paidOut, "EXPENSE", snapshotWith()), [1200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 400]);
  t.deepEqual(byMonth(paidOut, "INCOME", snapshotWith()), [-1200, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -400]);
});

test("what was paid before the window and in the running month is left out", (t) => {
  const sums = byMonth([paid("2025-05-31", -1000), paid("2026-06-01", -1000)], "EXPENSE", snapshotWith());
  t.deepEqual(sums, [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
});

test("sums are added month by month", (t) => {
  t.deepEqual(add([1, 2, 3], [10, 20, -3]), [11, 22, 0]);
});

test("an average is the covered months' sum by their number, half up", (t) => {
  const sums = [1200, 0, 0, 0, 0, 0, 0, 0, 0, 100, 20, 5];
  // 1,325 / 12 = 110.41…; 125 / 3 = 41.66…
  t.is(averageOf(sums, 12, snapshotWith()), 110);
  t.is(averageOf(sums, 3, snapshotWith()), 42);
  // 25 / 2 = 12.5.
  t.is(averageOf(sums, 12, snapshotWith({ covered: 2 })), 13);
  t.is(averageOf(sums, 3, snapshotWith({ covered: 2 })), 13);
  t.is(averageOf(sums, 3, snapshotWith({ covered: 0 })), 0);
});
