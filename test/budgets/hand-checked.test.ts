/** The budget of one household agrees with the figures worked out for it by hand. */
import test from "ava";
import { budgetDocument, detailsDocument, leavesOf } from "../../src/budgets/documents.ts";
import { foldBudget } from "../../src/budgets/fold/fold.ts";
import type { BudgetEvent } from "../../src/budgets/events.ts";
import { facts, logOf, snapshotOf, userData } from "./household.ts";
import { handChecked } from "./hand-checked.ts";

const snapshot = snapshotOf(handChecked);
const fold = (...events: BudgetEvent[]) => foldBudget(facts, snapshot, logOf(events));
const kroner = (minor: number | null | undefined) => (minor == null ? minor : minor / 100);

function leaf(budget: ReturnType<typeof fold>, id: string) {
  const node = leavesOf([...budget.categories, ...(budget.income ?? [])]).find((one) => one.id === id)!;
  return {
    total: kroner(node.totalMonthlyMinor),
    user: kroner(node.totalMonthlyUserProvidedMinor),
    three: kroner(node.averageLastThreeMonthsMinor),
    twelve: kroner(node.averageLastTwelveMonthsMinor),
    items: node.items.map(
      (item) => `${item.title}: ${kroner(item.paymentCostMinor)} ${item.paymentFrequency}, ${item.type}`,
    ),
  };
}

test("the window is the twelve complete months before the business day, all covered", (t) => {
  t.deepEqual(
    [snapshot.months[0], snapshot.months.at(-1), snapshot.months.length, snapshot.covered],
    ["2025-06", "2026-05", 12, 12],
  );
});

test("each category's figures are what its payments come to", (t) => {
  const budget = fold();
  // 8,000.00 on the first of every month.
  t.deepEqual(leaf(budget, "HOUSING_RENT"), {
    total: 8000,
    user: null,
    three: 8000,
    twelve: 8000,
    items: ["Boligselskabet Nord: 8000 MONTHLY, SERVICE"],
  });
  // The latest price is 159.00. Observed: seven months at 149.00 and five at 159.00, (1,043.00 + 795.00) / 12 =
  // 153.1666….
  t.deepEqual(leaf(budget, "COMMUNICATION_MOBILE"), {
    total: 159,
    user: null,
    three: 159,
    twelve: 153.17,
    items: ["Fjordtel: 159 MONTHLY, SERVICE"],
  });
  // 2,500.00 in each month; those of the thirteenth month before lie outside the window.
  t.deepEqual(leaf(budget, "FOOD_GROCERIES"), {
    total: 2500,
    user: null,
    three: 2500,
    twelve: 2500,
    items: ["Kobmand Holm: 2500 MONTHLY, DERIVED_FROM_TRANSACTIONS"],
  });
  // Eight meals of 200.00 at places seen in two months each: 1,600.00 / 12 = 133.3333…; two of them in March to May:
  // 400.00 / 3 = 133.3333….
  t.deepEqual(leaf(budget, "FOOD_RESTAURANTS"), {
    total: 133.33,
    user: null,
    three: 133.33,
    twelve: 133.33,
    items: ["Other: restaurants and takeaway: 133.33 MONTHLY, DERIVED_FROM_TRANSACTIONS"],
  });
  // 3,600.00 a year is 300.00 a month, also when none was paid in March to May.
  t.deepEqual(leaf(budget, "INSURANCE_OTHER"), {
    total: 300,
    user: null,
    three: 0,
    twelve: 300,
    items: ["Tryghed: 3600 YEARLY, SERVICE"],
  });
  // One purchase of 6,000.00, which is all that the category has: a one-off. It is observed, 6,000.00 / 12, and not
  // budgeted.
  t.deepEqual(leaf(budget, "HOME_FURNITURE"), { total: 0, user: null, three: 0, twelve: 500, items: [] });
});

test("what nobody knows is listed with the middle of its payments and the mean of its months", (t) => {
  // 300.00, 410.00, 290.00, 200.00: the middle is (290.00 + 300.00) / 2, the mean 1,200.00 / 12, of March to May 200.00
  // / 3.
  const [unknown, ...more] = budgetDocument(fold()).uncategorized;
  t.deepEqual(more, []);
  t.like(unknown, {
    title: "XQ Zorbo",
    type: "RAW",
    source: "DERIVED_FROM_TRANSACTIONS",
    paymentFrequency: "UNKNOWN",
    paymentCost: 295,
    paymentCostMonthly: 100,
    averageLastThreeMonths: 66.67,
    averageLastTwelveMonths: 100,
    categories: [],
    transactions: [],
  });
});

test("the totals are the sums of what is printed", (t) => {
  t.like(budgetDocument(fold()), {
    status: "READY",
    createdTime: "2026-06-15T09:30:00",
    // 8,000.00 + 159.00 + 2,500.00 + 133.33 + 300.00
    amountCategorized: 11_092.33,
    // and 100.00 that has no category
    totalMonthlyAmount: 11_192.33,
    // 8,000.00 + 153.17 + 2,500.00 + 133.33 + 300.00 + 500.00 + 100.00
    averageExpensesLastTwelveMonths: 11_686.5,
    // 8,000.00 + 159.00 + 2,500.00 + 133.33 + 0.00 + 0.00 + 66.67
    averageExpensesLastThreeMonths: 10_859,
    // 0.90 × 11,686.50
    categorizationTarget: 10_517.85,
    totalMonthlyAmountUserProvided: null,
    amountCategorizedUserProvided: null,
    totalMonthlyIncomeUserProvided: null,
    disposableIncomeUserProvided: null,
    userData: null,
    comment: "",
  });
});

test("income is the salary; a payment that came once is observed and not budgeted", (t) => {
  t.like(budgetDocument(fold()), {
    totalMonthlyIncome: 25_000,
    averageIncomeLastThreeMonths: 25_000,
    // 25,000.00 and 1,000.00 / 12
    averageIncomeLastTwelveMonths: 25_083.33,
    // 25,000.00 − 11,092.33
    disposableIncome: 13_907.67,
  });
  t.like(leaf(fold(), "INCOME_SALARY"), {
    total: 25_000,
    items: ["Lønoverførsel: 25000 MONTHLY, DERIVED_FROM_TRANSACTIONS"],
  });
});

test("what is neither recurring nor everyday is nonrecurring, month by month", (t) => {
  const { nonrecurringTransactions, nonrecurringExpenses, nonrecurringIncome, nonrecurringSpending } =
    detailsDocument(fold());
  t.deepEqual(
    nonrecurringTransactions.map(({ transactionDate, amount }) => `${transactionDate} ${amount}`),
    ["2026-03-09 -200", "2026-02-10 1000", "2026-01-28 -290", "2025-11-15 -6000", "2025-09-17 -410", "2025-07-03 -300"],
  );
  const months = (
    [
      ["2025-06", null],
      ["2025-07", 300],
      ["2025-08", null],
      ["2025-09", 410],
      ["2025-10", null],
      ["2025-11", 6000],
      ["2025-12", null],
      ["2026-01", 290],
      ["2026-02", null],
      ["2026-03", 200],
      ["2026-04", null],
      ["2026-05", null],
    ] as const
  ).map(([month, amount]) => ({ month, amount }));
  // 7,200.00 / 12 and 200.00 / 3; an empty covered month counts as nothing.
  t.deepEqual(nonrecurringExpenses, {
    averages: { lastMonth: 0, lastThreeMonths: 66.67, lastTwelveMonths: 600, months },
    lows: { lastMonth: 0, lastThreeMonths: 0, lastTwelveMonths: 0, months },
    highs: { lastMonth: 0, lastThreeMonths: 200, lastTwelveMonths: 6000, months },
  });
  t.like(nonrecurringIncome.averages, { lastMonth: 0, lastThreeMonths: 0, lastTwelveMonths: 83.33 });
  t.is(nonrecurringIncome.highs.lastTwelveMonths, 1000);
  // (7,200.00 − 1,000.00) / 12; the least month is February, in which money only came.
  t.deepEqual(
    [
      nonrecurringSpending.averages.lastTwelveMonths,
      nonrecurringSpending.lows.lastTwelveMonths,
      nonrecurringSpending.highs.lastTwelveMonths,
    ],
    [516.67, -1000, 6000],
  );
});

test("an adjusted group hides what was adjusted under it, until it is taken back", (t) => {
  const rentOnly: BudgetEvent = {
    type: "ADJUSTED",
    categoryId: "HOUSING_RENT",
    amountMinor: 850_000,
    frequency: "MONTHLY",
  };
  const housing: BudgetEvent = {
    type: "ADJUSTED",
    categoryId: "HOUSING",
    amountMinor: 2_400_000,
    frequency: "QUARTERLY",
  };
  const figures = (...events: BudgetEvent[]) => {
    const {
      amountCategorizedUserProvided,
      totalMonthlyAmountUserProvided,
      disposableIncomeUserProvided,
      amountCategorized,
    } = budgetDocument(fold(...events));
    return {
      amountCategorizedUserProvided,
      totalMonthlyAmountUserProvided,
      disposableIncomeUserProvided,
      amountCategorized,
    };
  };
  // 11,092.33 + 500.00; what is earned less that.
  const adjusted = {
    amountCategorizedUserProvided: 11_592.33,
    totalMonthlyAmountUserProvided: 11_692.33,
    disposableIncomeUserProvided: 13_407.67,
    amountCategorized: 11_092.33,
  };
  t.deepEqual(figures(rentOnly), adjusted);
  // 24,000.00 a quarter is 8,000.00 a month, for the whole group.
  t.is(figures(rentOnly, housing).amountCategorizedUserProvided, 11_092.33);
  t.is(leaf(fold(rentOnly, housing), "HOUSING_RENT").user, 8500);
  t.deepEqual(figures(rentOnly, housing, { type: "ADJUSTMENT_REMOVED", categoryId: "HOUSING" }), adjusted);
  const [alert] = budgetDocument(fold(rentOnly)).alerts.filter(({ type }) => type === "USER_PROVIDED_EXPENSES");
  t.deepEqual(alert, {
    type: "USER_PROVIDED_EXPENSES",
    severity: "LOW",
    message: "The amounts given come to DKK\u00a011,692 a month, what was observed to DKK\u00a011,192.",
  });
});

test("what a household says of itself makes notes, an alert and questions, worst first", (t) => {
  const budget = fold({ type: "USER_DATA_SET", userData });
  const document = budgetDocument(budget);
  const notes = document.categories
    .flatMap((group) => group.categories)
    .flatMap(({ id, notes: own }) => (own ?? []).map(({ type }) => `${id} ${type}`));
  t.deepEqual(notes, ["UTILITIES_ELECTRICITY EXPECTED_NONEMPTY", "INSURANCE_HOME EXPECTED_NONEMPTY"]);
  t.deepEqual(
    document.alerts.find(({ type }) => type === "MISSING_EXPENSES"),
    {
      type: "MISSING_EXPENSES",
      severity: "MEDIUM",
      message: "Nothing is budgeted for electricity and home and contents insurance.",
    },
  );
  t.deepEqual(
    budget.questions.map(({ type, category }) => [type, category]),
    [
      ["MISSING_CATEGORY", "UTILITIES_ELECTRICITY"],
      ["MISSING_CATEGORY", "INSURANCE_HOME"],
    ],
  );
  const [electricity] = budget.questions;
  // Closed for good: the note and the question are gone.
  const closed = fold(
    { type: "USER_DATA_SET", userData },
    { type: "REVOKED", actionId: electricity!.id, notApplicable: true },
  );
  t.deepEqual(
    closed.questions.map(({ category }) => category),
    ["INSURANCE_HOME"],
  );
  t.is(
    closed.alerts.find(({ type }) => type === "MISSING_EXPENSES")?.message,
    "Nothing is budgeted for home and contents insurance.",
  );
});

test("one payment for several categories stands in the first, and the others say so", (t) => {
  const rent = fold().categories[0]!.children[0]!.items[0]!;
  const answer = {
    type: "SERVICE",
    categories: [
      { id: "HOUSING_RENT", amountMinor: null },
      { id: "UTILITIES_ELECTRICITY", amountMinor: null },
    ],
    subject: rent.subject,
    txid: null,
    amountMinor: null,
    frequency: null,
    title: null,
  } as const;
  const document = budgetDocument(
    fold(
      { type: "USER_DATA_SET", userData },
      { type: "ANSWERED", actionId: "7b6f5c7e-1f0e-5d0f-8f4f-2a3b4c5d6e7f", answer },
    ),
  );
  const leaves = new Map(document.categories.flatMap((group) => group.categories).map((one) => [one.id, one]));
  t.deepEqual(leaves.get("HOUSING_RENT")?.notes, [
    { type: "INCLUDES_OTHERS", message: "This amount also covers electricity.", categories: ["UTILITIES_ELECTRICITY"] },
  ]);
  t.deepEqual(leaves.get("UTILITIES_ELECTRICITY")?.notes, [
    { type: "INCLUDED_IN_OTHERS", message: "Paid together with rent.", categories: ["HOUSING_RENT"] },
  ]);
  t.deepEqual(
    [leaves.get("HOUSING_RENT")?.totalMonthlyAmount, leaves.get("UTILITIES_ELECTRICITY")?.totalMonthlyAmount],
    [8000, 0],
  );
  t.true(document.alerts.some(({ type, severity }) => type === "GROUPED_CATEGORIES" && severity === "LOW"));
});

test("a split payment is divided to the øre, cost, month and averages alike", (t) => {
  const rent = fold().categories[0]!.children[0]!.items[0]!;
  const answer = {
    type: "SERVICE",
    categories: [
      { id: "HOUSING_RENT", amountMinor: 700_000 },
      { id: "UTILITIES_HEATING", amountMinor: 100_000 },
    ],
    subject: rent.subject,
    txid: null,
    amountMinor: null,
    frequency: null,
    title: null,
  } as const;
  const split = fold({ type: "ANSWERED", actionId: "7b6f5c7e-1f0e-5d0f-8f4f-2a3b4c5d6e7f", answer });
  t.like(leaf(split, "HOUSING_RENT"), { total: 7000, three: 7000, twelve: 7000 });
  t.like(leaf(split, "UTILITIES_HEATING"), { total: 1000, three: 1000, twelve: 1000 });
  t.is(budgetDocument(split).amountCategorized, 11_092.33);
});

test("a household is told when its living costs are below a public table, by which table, and that it is old", (t) => {
  // 2,500.00 + 133.33 + 159.00 + 300.00 of 7,240.00, which one adult needs by the rates of 2024: 42.7 %.
  t.deepEqual(
    budgetDocument(fold()).alerts.filter(({ type }) => type === "REFERENCE_MISMATCH"),
    [
      {
        type: "REFERENCE_MISMATCH",
        severity: "HIGH",
        message:
          "DKK\u00a03,092 a month for living costs is less than DKK\u00a07,240, which is what Gældsstyrelsen (DK-DEBT-2024) says that such a household needs. That table is older than 12 months.",
      },
    ],
  );
});
