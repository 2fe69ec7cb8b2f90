/** An obligation that is due and not paid stays in the budget, until its end is known or its kind lets it go. */
import test from "ava";
import { foldBudget } from "../../src/budgets/fold/fold.ts";
import { leavesOf } from "../../src/budgets/documents.ts";
import type { FoldedBudget } from "../../src/budgets/budget.ts";
import { facts, ledgerOf, monthly, type Paid, snapshotOf } from "./household.ts";

const salary = monthly("2025-05", "2026-05", "28", {
  name: "LØNOVERFØRSEL Nordfirma",
  amount: "30000.00",
  type: "SALARY",
});
const food = monthly("2025-05", "2026-05", "05", { name: "Kobmand Holm", amount: "-2500.00", mcc: 5411 });
const rent = (until: string, name = "Husleje Boligselskabet Nord", from = "2025-05", amount = "-8000.00") =>
  monthly(from, until, "01", { name, amount, type: "DIRECT_DEBIT" });
const loan = (until: string, name = "Ydelse banklån Nordbank", from = "2025-05", amount = "-4500.00") =>
  monthly(from, until, "02", { name, amount, type: "DIRECT_DEBIT" });
const budgetOf = (...paid: Paid[]): FoldedBudget =>
  foldBudget(facts, snapshotOf(ledgerOf([...salary, ...food, ...paid])), []);
const kroner = (minor: number | null) => (minor === null ? null : minor / 100);
const leaf = (budget: FoldedBudget, id: string) =>
  kroner(leavesOf(budget.categories).find((one) => one.id === id)!.totalMonthlyMinor);
const overdue = (budget: FoldedBudget) =>
  leavesOf(budget.categories)
    .flatMap(({ items }) => items)
    .flatMap((item) => (item.overdue === null ? [] : [[item.title, item.overdue.since, item.overdue.isArrears]]));
const stopped = (budget: FoldedBudget) =>
  budget.stopped.map(({ title, reason, since, lastPaidOn, monthlyMinor }) => [
    title,
    reason,
    since,
    lastPaidOn,
    kroner(monthlyMinor),
  ]);

test("who does not pay rent and loan has no more left than who pays them", (t) => {
  // 30,000.00 − 2,500.00 − 8,000.00 − 4,500.00 = 15,000.00, paid in June or not.
  const [pays, owes] = [
    budgetOf(...rent("2026-06"), ...loan("2026-06")),
    budgetOf(...rent("2026-05"), ...loan("2026-05")),
  ];
  t.deepEqual([kroner(pays.disposableIncomeMinor), kroner(owes.disposableIncomeMinor)], [15_000, 15_000]);
  t.deepEqual(overdue(pays), []);
  t.deepEqual(overdue(owes), [
    ["Husleje Boligselskabet Nord", "2026-06-01", true],
    ["Ydelse Banklån Nordbank", "2026-06-02", true],
  ]);
  // Neither is averaged: the current month never is. 8,000.00 + 4,500.00 + 2,500.00.
  t.deepEqual(
    [kroner(pays.averageExpensesLastTwelveMonthsMinor), kroner(owes.averageExpensesLastTwelveMonthsMinor)],
    [15_000, 15_000],
  );
  t.deepEqual(stopped(owes), []);
});

test("a rent that was missed in a whole month is observed as missed and budgeted at its price", (t) => {
  const owes = budgetOf(...rent("2026-04"), ...loan("2026-06"));
  t.is(leaf(owes, "HOUSING_RENT"), 8000);
  // Eleven rents of twelve: (11 × 8,000.00) / 12 = 7,333.33; with 4,500.00 and 2,500.00.
  t.is(kroner(owes.averageExpensesLastTwelveMonthsMinor), 14_333.33);
  t.deepEqual(overdue(owes), [["Husleje Boligselskabet Nord", "2026-05-01", true]]);
});

test("a bill that varies is owed at the mean of its last year, not of a year with a hole in it", (t) => {
  const bills = [
    "2025-05",
    "2025-06",
    "2025-07",
    "2025-08",
    "2025-09",
    "2025-10",
    "2025-11",
    "2025-12",
    "2026-01",
    "2026-02",
    "2026-03",
    "2026-04",
  ].map((month, at): Paid => ({
    day: `${month}-15`,
    name: "Elregning Sydstrøm",
    amount: `-${500 + at * 10}.00`,
    type: "DIRECT_DEBIT",
  }));
  // The year to the last payment: 12 × 500.00 + 10.00 × (0 + 1 + … + 11) = 6,660.00; a twelfth is 555.00.
  const budget = budgetOf(...bills);
  t.is(leaf(budget, "UTILITIES_ELECTRICITY"), 555);
  t.deepEqual(
    overdue(budget).map(([, since, isArrears]) => [since, isArrears]),
    [["2026-05-15", true]],
  );
});

test("a subscription leaves after its grace and one period, is listed as stopped, and is no sign of risk", (t) => {
  const phone = (until: string) => monthly("2025-05", until, "10", { name: "Fjordtel", amount: "-149.00", mcc: 4814 });
  // Due on 10 May: grace 12 days and a month of 31 days, until 22 June.
  const waiting = budgetOf(...phone("2026-04"));
  t.is(leaf(waiting, "COMMUNICATION_MOBILE"), 149);
  t.deepEqual(overdue(waiting), [["Fjordtel", "2026-05-10", false]]);
  // Due on 10 April, a Friday: until 23 May.
  const gone = budgetOf(...phone("2026-03"));
  t.is(leaf(gone, "COMMUNICATION_MOBILE"), 0);
  t.deepEqual(stopped(gone), [["Fjordtel", "STOPPED", "2026-04-10", "2026-03-10", 149]]);
  t.deepEqual([overdue(gone), gone.status], [[], "READY"]);
});

test("a home that another one replaces was left, and what belonged to it went with it", (t) => {
  const power = monthly("2025-05", "2026-03", "15", {
    name: "Elregning Sydstrøm",
    amount: "-600.00",
    type: "DIRECT_DEBIT",
  });
  const moved = budgetOf(
    ...rent("2026-03"),
    ...rent("2026-06", "Husleje Havnegade 4", "2026-04", "-9500.00"),
    ...power,
  );
  t.is(leaf(moved, "HOUSING_RENT"), 9500);
  t.is(leaf(moved, "UTILITIES_ELECTRICITY"), 0);
  t.deepEqual(
    stopped(moved).map(([title, reason]) => [title, reason]),
    [["Elregning Sydstrøm", "MOVED"]],
  );
  t.deepEqual(overdue(moved), []);
});

test("an insurer that another one replaces is owed nothing, one that nobody replaces is", (t) => {
  const tryg = (until: string) =>
    monthly("2025-05", until, "03", { name: "Tryg forsikring", amount: "-310.00", type: "DIRECT_DEBIT" });
  const topdanmark = monthly("2026-05", "2026-06", "03", {
    name: "Topdanmark forsikring",
    amount: "-290.00",
    type: "DIRECT_DEBIT",
  });
  t.deepEqual(
    stopped(budgetOf(...tryg("2026-04"), ...topdanmark)).map(([, reason]) => reason),
    ["REPLACED"],
  );
  t.deepEqual(
    overdue(budgetOf(...tryg("2026-04"))).map(([, , isArrears]) => isArrears),
    [true],
  );
});

test("a second film club replaces none", (t) => {
  const club = (name: string, from: string, until: string, day: string, amount: string) =>
    monthly(from, until, day, { name, amount, mcc: 7841 });
  const budget = budgetOf(
    ...club("Kinovest", "2025-05", "2026-02", "08", "-99.00"),
    ...club("Lysbio Online", "2026-03", "2026-06", "11", "-179.00"),
  );
  t.deepEqual(
    stopped(budget).map(([title, reason]) => [title, reason]),
    [["Kinovest", "STOPPED"]],
  );
});

test("a loan ends with its last instalment, or with a settlement, and never silently", (t) => {
  const counted = Array.from({ length: 12 }, (_, at): Paid => {
    const month = at < 8 ? `2025-${String(at + 5).padStart(2, "0")}` : `2026-${String(at - 7).padStart(2, "0")}`;
    return {
      day: `${month}-02`,
      name: "Ydelse banklån Nordbank",
      description: `Ydelse banklån Nordbank rate ${at + 1}/12`,
      amount: "-4500.00",
      type: "DIRECT_DEBIT",
    };
  });
  t.deepEqual(stopped(budgetOf(...counted)), [
    ["Ydelse Banklån Nordbank Rate", "PAID_OFF", "2026-05-02", "2026-04-02", 4500],
  ]);
  // Three instalments' worth or more to the same lender.
  const settled = [
    ...loan("2026-04"),
    { day: "2026-04-20", name: "Ydelse banklån Nordbank", amount: "-61250.00", type: "ACCOUNT_TRANSFER" },
  ];
  t.deepEqual(
    stopped(budgetOf(...settled)).map(([, reason]) => reason),
    ["PAID_OFF"],
  );
  // The settlement is a one-off: it is no part of what a month costs.
  t.is(leaf(budgetOf(...settled), "DEBT_CONSUMER_LOAN"), 0);
  const owed = budgetOf(...loan("2025-09", "Ydelse banklån Nordbank", "2025-01"));
  t.deepEqual(
    [overdue(owed), leaf(owed, "DEBT_CONSUMER_LOAN")],
    [[["Ydelse Banklån Nordbank", "2025-10-02", true]], 4500],
  );
  // Eight months later it is still owed; after more than a year without a payment the document says that it left.
  const long = foldBudget(
    facts,
    snapshotOf(ledgerOf([...salary, ...food, ...loan("2025-05", "Ydelse banklån Nordbank", "2024-09")])),
    [],
  );
  t.deepEqual(stopped(long), [["Ydelse Banklån Nordbank", "TIME", "2025-06-02", "2025-05-02", 4500]]);
});
