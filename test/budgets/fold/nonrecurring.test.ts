/** What came and went once. */
import test from "ava";
import { nonrecurringOf, nothing } from "../../../src/budgets/fold/nonrecurring.ts";
import { months, paid, snapshotWith } from "./parts.ts";

const transactions = [
  paid("2025-07-04", -1200),
  paid("2026-05-09", -300, { txid: "b" }),
  paid("2026-05-09", 1000, { txid: "c" }),
  paid("2026-05-09", -300, { txid: "a" }),
  paid("2026-03-31", -2500),
];
const { spending, income, expenses, transactions: told } = nonrecurringOf(transactions, snapshotWith());
const amounts = (...placed: [string, number][]) =>
  months.map((month) => ({ month, amountMinor: new Map(placed).get(month) ?? null }));

test("what lies in the window is told, the latest first", (t) => {
  t.deepEqual(
    told.map(({ txid }) => txid),
    ["c", "b", "a", "2026-03-31", "2025-07-04"],
  );
  const outside = nonrecurringOf(
    [paid("2025-05-31", -1), paid("2025-06-01", -1), paid("2026-06-01", -1)],
    snapshotWith(),
  );
  t.deepEqual(
    outside.transactions.map(({ txid }) => txid),
    ["2025-06-01"],
  );
});

test("expenses are what left, income what came, and spending the difference", (t) => {
  const [july, march] = [
    ["2025-07", 1200],
    ["2026-03", 2500],
  ] as const;
  t.deepEqual(expenses.averages.months, amounts([...july], [...march], ["2026-05", 600]));
  t.deepEqual(income.averages.months, amounts(["2026-05", 1000]));
  t.deepEqual(spending.averages.months, amounts([...july], [...march], ["2026-05", -400]));
});

test("means, lowest and highest months are those of the window, an empty month as nothing", (t) => {
  const figures = ({ lastMonthMinor, lastThreeMonthsMinor, lastTwelveMonthsMinor }: typeof expenses.averages) => [
    lastMonthMinor,
    lastThreeMonthsMinor,
    lastTwelveMonthsMinor,
  ];
  // 3,100 / 3 = 1,033.33…; 4,300 / 12 = 358.33….
  t.deepEqual([expenses.averages, expenses.lows, expenses.highs].map(figures), [
    [600, 1033, 358],
    [600, 0, 0],
    [600, 2500, 2500],
  ]);
  t.deepEqual([income.averages, income.lows, income.highs].map(figures), [
    [1000, 333, 83],
    [1000, 0, 0],
    [1000, 1000, 1000],
  ]);
  // (2,500 − 400) / 3; (1,200 + 2,500 − 400) / 12.
  t.deepEqual([spending.averages, spending.lows, spending.highs].map(figures), [
    [-400, 700, 275],
    [-400, -400, -400],
    [-400, 2500, 2500],
  ]);
});

test("a transaction of nothing is neither an expense nor an income", (t) => {
  const { income, expenses, spending } = nonrecurringOf([paid("2026-05-09", 0)], snapshotWith());
  t.is(income.averages.months.at(-1)?.amountMinor, null);
  t.is(expenses.averages.months.at(-1)?.amountMinor, null);
  t.is(spending.averages.months.at(-1)?.amountMinor, 0);
});

test("an øre is an expense or an income", (t) => {
  const { income, expenses } = nonrecurringOf([paid("2026-05-09", 1), paid("2026-05-10", -1)], snapshotWith());
  t.deepEqual([income.averages.lastMonthMinor, expenses.averages.lastMonthMinor], [1, 1]);
});

test("a window that the data do not reach back over says nothing", (t) => {
  const reaching = (covered: number) => {
    const { averages } = nonrecurringOf(transactions, snapshotWith({ covered })).expenses;
    return [averages.lastMonthMinor, averages.lastThreeMonthsMinor, averages.lastTwelveMonthsMinor];
  };
  t.deepEqual(
    [reaching(2), reaching(3), reaching(11)],
    [
      [600, null, null],
      [600, 1033, null],
      [600, 1033, null],
    ],
  );
});

test("a last month without any is nothing, and each window has all twelve months", (t) => {
  const { averages, lows, highs } = nonrecurringOf([paid("2026-04-30", -500)], snapshotWith()).expenses;
  t.deepEqual([averages.lastMonthMinor, averages.lastThreeMonthsMinor], [0, 167]);
  t.deepEqual(lows.months, amounts(["2026-04", 500]));
  t.deepEqual(highs.months, amounts(["2026-04", 500]));
});

test("of a budget of which nothing is known nothing is told", (t) => {
  const none = { lastMonthMinor: 0, lastThreeMonthsMinor: null, lastTwelveMonthsMinor: null, months: [] };
  t.deepEqual(nothing, { averages: none, lows: none, highs: none });
});
