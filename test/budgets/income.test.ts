/** Income in three figures: certain, irregular, excluded. */
import test from "ava";
import { foldBudget } from "../../src/budgets/fold/fold.ts";
import { leavesOf } from "../../src/budgets/documents.ts";
import type { BudgetEvent, FoldedBudget } from "../../src/budgets/budget.ts";
import type { BudgetFacts } from "../../src/budgets/fold/fold.ts";
import { facts, ledgerOf, logOf, monthly, type Paid, snapshotOf } from "./household.ts";

const budgetOf = (
  paid: readonly Paid[],
  events: readonly BudgetEvent[] = [],
  given: Partial<BudgetFacts> = {},
): FoldedBudget => foldBudget({ ...facts, ...given }, snapshotOf(ledgerOf(paid)), logOf(events));
const kroner = (minor: number | null | undefined) => (minor == null ? null : minor / 100);
const items = (budget: FoldedBudget) => leavesOf(budget.income ?? []).flatMap((leaf) => leaf.items);
const told = (budget: FoldedBudget) =>
  items(budget).map((item) => [
    item.title,
    item.categories[0],
    item.income?.class,
    kroner(item.paymentCostMonthlyMinor),
  ]);
const pay = (from: string, until: string, amount = "40000.00", name = "Løn Fjordfirma A/S") =>
  monthly(from, until, "28", { name, amount, type: "ACCOUNT_TRANSFER" });

/** Ten payments in ten of the twelve months, on no certain days. */
const gig: Paid[] = (
  [
    ["2025-06-03", "14200.00"],
    ["2025-07-05", "22150.00"],
    ["2025-08-07", "9800.00"],
    ["2025-10-09", "18300.00"],
    ["2025-11-11", "20150.00"],
    ["2026-01-13", "16900.00"],
    ["2026-02-15", "23400.00"],
    ["2026-03-17", "12750.00"],
    ["2026-04-19", "19500.00"],
    ["2026-05-21", "21000.00"],
  ] as const
).map(([day, amount]) => ({ day, amount, name: "Udbetaling Wolt Danmark", type: "ACCOUNT_TRANSFER" }));

test("a payer without a cadence counts for four fifths of the lower of its two means, and shows its empty months", (t) => {
  const budget = budgetOf(gig);
  // 178,150.00 / 12 = 14,845.83 over the year, 53,250.00 / 3 = 17,750.00 over the last three; 0.8 × 14,845.83 = 11,876.66.
  t.deepEqual(told(budget), [["Udbetaling Wolt Danmark", "INCOME_UNSPECIFIED", "IRREGULAR", 11_876.66]]);
  t.deepEqual([kroner(budget.incomeCertainMinor), kroner(budget.incomeIrregularMinor)], [0, 11_876.66]);
  t.like(items(budget)[0], {
    monthsSeen: 10,
    averageLastTwelveMonthsMinor: 1_484_583,
    averageLastThreeMonthsMinor: 1_775_000,
    income: {
      since: "2025-06-03",
      monthsEmpty: 2,
      // 0, 0, 9,800, 12,750, 14,200, 16,900 | 18,300, 19,500, 20,150, 21,000, 22,150, 23,400: (16,900.00 + 18,300.00) / 2
      medianMonthMinor: 1_760_000,
      // (0 + 0 + 9,800.00) / 3
      lowestThreeMonthsMinor: 326_667,
      longestGapMonths: 1,
    },
  });
});

test("the brand says which share of it counts, and the adviser may give another figure, which is logged", (t) => {
  t.is(kroner(budgetOf(gig, [], { irregularPercent: 100 }).incomeIrregularMinor), 14_845.83);
  const chosen = budgetOf(gig, [
    { type: "ADJUSTED", categoryId: "INCOME_UNSPECIFIED", amountMinor: 1_500_000, frequency: "MONTHLY" },
  ]);
  t.deepEqual([kroner(chosen.totalMonthlyIncomeUserProvidedMinor), chosen.log.length], [15_000, 1]);
});

test("pay in five months of twelve is no income, and is told with its payer", (t) => {
  const food = monthly("2025-05", "2026-05", "03", { name: "Kobmand Holm", amount: "-2500.00", mcc: 5411 });
  const budget = budgetOf([...food, ...gig.slice(0, 5)]);
  t.deepEqual([told(budget), kroner(budget.totalMonthlyIncomeMinor)], [[], 0]);
  // 14,200 + 22,150 + 9,800 + 18,300 + 20,150
  t.deepEqual(
    budget.uncountedPayers.map(({ title, months, minor }) => [title, months, kroner(minor)]),
    [["Udbetaling Wolt Danmark", 5, 84_600]],
  );
});

test("work found on a platform has a cadence by chance: five months of it are no income, twelve are irregular", (t) => {
  const food = monthly("2025-05", "2026-05", "05", { name: "Kobmand Holm", amount: "-2500.00", mcc: 5411 });
  const wolt = (days: readonly string[], amounts: readonly number[]): Paid[] =>
    days.map((day, at) => ({
      day,
      amount: `${amounts[at]}.00`,
      name: "Udbetaling Wolt Danmark",
      type: "ACCOUNT_TRANSFER",
    }));
  const five = ["2026-01-15", "2026-02-15", "2026-03-15", "2026-04-15", "2026-05-15"];
  // The middle one is 18,300, from which they differ by 3,660 on average, a fifth of it: 8,500, 4,100, 0, 1,850, 3,850.
  const paid = wolt(five, [14_200, 22_150, 9800, 18_300, 20_150]);
  const few = budgetOf([...food, ...paid]);
  t.deepEqual([told(few), kroner(few.totalMonthlyIncomeMinor)], [[], 0]);
  t.deepEqual(
    few.uncountedPayers.map(({ title, months, minor }) => [title, months, kroner(minor)]),
    // 14,200 + 22,150 + 9,800 + 18,300 + 20,150
    [["Udbetaling Wolt Danmark", 5, 84_600]],
  );
  t.true(few.alerts.some(({ message }) => message === "No regular income is seen on these accounts."));
  // A lodger who pays the same five times is regular, whoever it is.
  const lodger = budgetOf([...food, ...wolt(five, [4500, 4500, 4500, 4500, 4500])]);
  t.deepEqual([kroner(lodger.incomeCertainMinor), kroner(lodger.incomeIrregularMinor)], [4500, 0]);
  const year = wolt(
    ["06", "07", "08", "09", "10", "11", "12"].map((month) => `2025-${month}-15`).concat(five),
    [14_200, 22_150, 9800, 18_300, 20_150, 16_900, 23_400, 12_750, 19_500, 21_000, 11_000, 26_000],
  );
  // 215,150.00 / 12 = 17,929.17 over the year, (21,000 + 11,000 + 26,000) / 3 = 19,333.33: 0.8 × 17,929.17 = 14,343.34.
  const many = budgetOf([...food, ...year]);
  t.deepEqual([kroner(many.incomeCertainMinor), kroner(many.incomeIrregularMinor)], [0, 14_343.34]);
});

test("winnings are no income and make no stake smaller", (t) => {
  const budget = budgetOf([
    ...monthly("2025-06", "2026-05", "07", { name: "Bet365", amount: "-500.00", mcc: 7995 }),
    { day: "2025-09-11", name: "Bet365", amount: "12000.00", mcc: 7995 },
    { day: "2026-02-11", name: "Danske Spil udbetaling", amount: "4000.00", type: "ACCOUNT_TRANSFER" },
  ]);
  t.deepEqual([kroner(budget.totalMonthlyIncomeMinor), kroner(budget.averageIncomeLastTwelveMonthsMinor)], [0, 0]);
  t.is(kroner(leavesOf(budget.categories).find(({ id }) => id === "LEISURE_GAMBLING")!.totalMonthlyMinor), 500);
  t.is(kroner(budget.reconciliation!.excluded.find(({ reason }) => reason === "WINNINGS")!.minor), 16_000);
});

test("a thirteenth month in the line of the pay is spread over the year and shown apart", (t) => {
  const budget = budgetOf([
    ...pay("2025-05", "2025-11"),
    { ...pay("2025-12", "2025-12", "80000.00")[0]! },
    ...pay("2026-01", "2026-05"),
  ]);
  // 40,000.00 more in December: 3,333.33 a month. All of it: 520,000.00 / 12 = 43,333.33.
  t.deepEqual(told(budget), [
    ["Løn Fjordfirma", "INCOME_SALARY", "CERTAIN", 40_000],
    ["Løn Fjordfirma: Bonus and holiday pay", "INCOME_BONUS_HOLIDAY", "EXTRA", 3333.33],
  ]);
  const averages = leavesOf(budget.income!).flatMap((leaf) =>
    leaf.averageLastTwelveMonthsMinor === 0 ? [] : [[leaf.id, kroner(leaf.averageLastTwelveMonthsMinor)]],
  );
  t.deepEqual(averages, [
    ["INCOME_SALARY", 40_000],
    ["INCOME_BONUS_HOLIDAY", 3333.33],
  ]);
});

test("holiday pay that takes the place of a month's pay lets that month count once", (t) => {
  const june: Paid = {
    day: "2025-06-28",
    name: "Feriepenge Fjordfirma A/S",
    amount: "50000.00",
    type: "ACCOUNT_TRANSFER",
  };
  const instead = budgetOf([...pay("2025-04", "2025-05"), june, ...pay("2025-07", "2026-05")]);
  // Eleven months of 40,000.00 and 50,000.00: 490,000.00 / 12 = 40,833.33, of which 40,000.00 is the pay.
  t.deepEqual(
    told(instead).map(([, category, kind, amount]) => [category, kind, amount]),
    [
      ["INCOME_SALARY", "CERTAIN", 40_000],
      ["INCOME_BONUS_HOLIDAY", "EXTRA", 833.33],
    ],
  );
  // Beside a whole year's pay it counts whole: 50,000.00 / 12 = 4,166.67.
  const beside = budgetOf([...pay("2025-04", "2026-05"), { ...june, day: "2025-06-10" }]);
  t.deepEqual(
    told(beside).map(([, category, kind, amount]) => [category, kind, amount]),
    [
      ["INCOME_SALARY", "CERTAIN", 40_000],
      ["INCOME_BONUS_HOLIDAY", "EXTRA", 4166.67],
    ],
  );
});

test("after a change of employer the new pay counts from its second month on, and the old one is told as stopped", (t) => {
  const budget = budgetOf([
    ...pay("2025-05", "2026-03", "30000.00", "Løn Nordfirma A/S"),
    ...pay("2026-04", "2026-05", "34000.00", "Løn Sydværk ApS"),
  ]);
  t.deepEqual(told(budget), [["Løn Sydværk", "INCOME_SALARY", "CERTAIN", 34_000]]);
  t.deepEqual(
    budget.stopped.map(({ title, side, reason }) => [title, side, reason]),
    [["Løn Nordfirma", "INCOME", "STOPPED"]],
  );
  // Half a first month: the lower one counts, for want of a third.
  const half = budgetOf([
    ...pay("2025-05", "2026-03", "30000.00", "Løn Nordfirma A/S"),
    ...pay("2026-04", "2026-04", "17000.00", "Løn Sydværk ApS"),
    ...pay("2026-05", "2026-05", "34000.00", "Løn Sydværk ApS"),
  ]);
  t.is(kroner(half.totalMonthlyIncomeMinor), 17_000);
  // One payment is not counted on, and is told.
  const one = budgetOf([
    ...pay("2025-05", "2026-03", "30000.00", "Løn Nordfirma A/S"),
    ...pay("2026-05", "2026-05", "34000.00", "Løn Sydværk ApS"),
  ]);
  t.deepEqual(
    [kroner(one.totalMonthlyIncomeMinor), one.uncountedPayers.map(({ title }) => title)],
    [0, ["Løn Sydværk"]],
  );
});

test("several employers are several incomes", (t) => {
  const budget = budgetOf([
    ...pay("2025-05", "2026-05", "18000.00", "Løn Nordfirma A/S"),
    ...monthly("2025-05", "2026-05", "15", { name: "Løn Sydværk ApS", amount: "9000.00", type: "ACCOUNT_TRANSFER" }),
  ]);
  t.deepEqual([kroner(budget.incomeCertainMinor), items(budget).length], [27_000, 2]);
});

test("hourly pay counts as the mean of the year, and without a year as the middle of the last six", (t) => {
  const hours = [
    21_300, 19_850, 22_410, 20_100, 18_990, 23_050, 21_700, 20_480, 19_320, 22_800, 21_150, 20_600, 22_050,
  ];
  const paid = hours.map((amount, at): Paid => {
    const month = at < 8 ? `2025-${String(at + 5).padStart(2, "0")}` : `2026-${String(at - 7).padStart(2, "0")}`;
    return { day: `${month}-28`, name: "Løn Nordfirma A/S", amount: `${amount}.00`, type: "ACCOUNT_TRANSFER" };
  });
  // June 2025 to May 2026: 252,500.00 / 12 = 21,041.67.
  t.is(kroner(budgetOf(paid).incomeCertainMinor), 21_041.67);
  // From October on: 23,050, 21,700, 20,480, 19,320, 22,800, 21,150, 20,600, 22,050; the last six in order are 19,320, 20,480,
  // 20,600, 21,150, 22,050, 22,800: (20,600.00 + 21,150.00) / 2.
  t.is(kroner(budgetOf(paid.slice(5)).incomeCertainMinor), 20_875);
});
