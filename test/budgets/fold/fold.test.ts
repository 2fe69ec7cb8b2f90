/** The budget as a whole: what the modules of the fold are given, and what is told where. */
import test from "ava";
import type { BudgetSnapshot, Part } from "../../../src/budgets/engine/snapshot.ts";
import type { BudgetEvent } from "../../../src/budgets/events.ts";
import { type BudgetFacts, foldBudget } from "../../../src/budgets/fold/fold.ts";
import { facts, logOf, userData } from "../household.ts";
import {
  answerWith,
  months,
  paid,
  paidMonthly,
  partWith,
  phone,
  salaryPart,
  servicePart,
  snapshotWith,
  unknownPart,
} from "./parts.ts";

type Given = {
  parts?: readonly Part[];
  events?: readonly BudgetEvent[];
  facts?: Partial<BudgetFacts>;
  snapshot?: Partial<BudgetSnapshot>;
};

/** 3,000.00 of groceries a month, a phone for 159.00, a salary of 25,000.00. */
const household = [partWith({ transactions: paidMonthly(-300_000) }), servicePart(), salaryPart()];
const fold = ({ parts = household, events = [], facts: more = {}, snapshot = {} }: Given = {}) =>
  foldBudget({ ...facts, ...more }, snapshotWith({ parts, ...snapshot }), logOf(events));
const alertTypes = (given: Given) => fold(given).alerts.map(({ type }) => type);
const adjust = (categoryId: string, amountMinor: number): BudgetEvent => ({
  type: "ADJUSTED",
  categoryId,
  amountMinor,
  frequency: "MONTHLY",
});
const zorbo = (monthlyMinor: number) => unknownPart("ZORBO", paidMonthly(-monthlyMinor));

test("a budget tells whose it is, what it was made of, and everything that was done to it", (t) => {
  const accounts = [
    {
      providerId: "north-dk",
      name: "Salary",
      iban: null,
      bban: null,
      selectedStatus: "SELECTED",
      firstDay: null,
      lastDay: null,
    },
  ] as const;
  const events: BudgetEvent[] = [
    { type: "USER_DATA_SET", userData },
    { type: "COMMENTED", comment: "ok" },
    { type: "COAPPLICANT_SET", applicantType: "SHARED_FINANCES", budgetId: null },
  ];
  const budget = fold({
    events,
    facts: { revision: 2 },
    snapshot: { accounts, covered: 11, unconvertedTransactions: 4 },
  });
  t.like(budget, {
    id: facts.id,
    createdTime: "2026-06-15T09:30:00",
    language: "en",
    country: "DK",
    currency: "DKK",
    revision: 2,
    asOf: "2026-06-15",
    rulesVersion: "rules of the test",
    accounts,
    coveredMonths: 11,
    unconvertedTransactions: 4,
    userData,
    userDataAt: "2026-06-15T08:00:00.000Z",
    userDataBy: null,
    comment: "ok",
    coapplicant: { type: "SHARED_FINANCES", budgetId: null },
    log: logOf(events),
  });
});

test("its figures, trees and items are those of its parts", (t) => {
  const budget = fold({ parts: [...household, zorbo(500)] });
  t.like(budget, {
    amountCategorizedMinor: 315_900,
    totalMonthlyMinor: 316_400,
    totalMonthlyIncomeMinor: 2_500_000,
    disposableIncomeMinor: 2_184_100,
    averageExpensesLastTwelveMonthsMinor: 316_400,
  });
  t.deepEqual(
    budget.uncategorized.map(({ title }) => title),
    ["ZORBO"],
  );
  t.deepEqual([budget.categories.length, budget.income?.length], [17, 4]);
  t.is(budget.categories.find(({ id }) => id === "COMMUNICATION")?.totalMonthlyMinor, 15_900);
  t.is(budget.income?.[0]?.totalMonthlyMinor, 2_500_000);
});

test("without data it tells what was given, and is a draft of which nothing else is known", (t) => {
  const events: BudgetEvent[] = [adjust("HOUSING_RENT", 700_000), { type: "USER_DATA_SET", userData }];
  const budget = foldBudget(facts, null, logOf(events));
  const none = { lastMonthMinor: 0, lastThreeMonthsMinor: null, lastTwelveMonthsMinor: null, months: [] };
  const nothing = { averages: none, lows: none, highs: none };
  t.like(budget, {
    status: "DRAFT",
    asOf: null,
    rulesVersion: null,
    coveredMonths: 0,
    unconvertedTransactions: 0,
    reference: null,
    amountCategorizedUserProvidedMinor: 700_000,
  });
  for (const list of [
    "accounts",
    "uncategorized",
    "months",
    "nonrecurringTransactions",
    "alerts",
    "questions",
  ] as const)
    t.deepEqual(budget[list], [], list);
  for (const spending of ["nonrecurringSpending", "nonrecurringIncome", "nonrecurringExpenses"] as const)
    t.deepEqual(budget[spending], nothing, spending);
  t.deepEqual(
    budget.riskIndicators?.map(({ isMarked }) => isMarked),
    [false, false],
  );
  // What the household says of itself is noted all the same.
  t.is(budget.categories.find(({ id }) => id === "FOOD")?.children[0]?.notes.length, 1);
  t.is(budget.income?.[0]?.children[0]?.notes[0]?.type, "EXPECTED_NONEMPTY");
});

test("a budget is ready when its target is met, or when no question is open that was not skipped", (t) => {
  const statusWith = (more: Given) => fold(more).status;
  t.is(statusWith({}), "READY");
  // 3,159.00 of 4,159.00 are known, which is less than nine tenths.
  const unknown = [...household, zorbo(100_000)];
  const [question, ...rest] = fold({ parts: unknown }).questions;
  t.deepEqual([question?.open, rest], [true, []]);
  t.is(statusWith({ parts: unknown }), "DRAFT");
  t.is(statusWith({ parts: unknown, events: [{ type: "SKIPPED", actionId: question!.id }] }), "READY");
  t.is(statusWith({ parts: unknown, facts: { targetPercent: 75 } }), "READY");
});

test("one question that was skipped does not make a budget ready while another is open", (t) => {
  const [first, second] = [unknownPart("ZORBO", paidMonthly(-100_000)), unknownPart("YONDER", paidMonthly(-90_000))];
  const given = { parts: [...household, first, second] };
  const ids = fold(given).questions.map(({ id }) => id);
  const skip = (...skipped: string[]) =>
    fold({ ...given, events: skipped.map((actionId) => ({ type: "SKIPPED", actionId })) }).status;
  t.is(ids.length, 2);
  t.deepEqual([skip(ids[0]!), skip(ids[1]!), skip(...ids)], ["DRAFT", "DRAFT", "READY"]);
});

test("a question that is not offered keeps no budget from being ready", (t) => {
  // Of about 24,159.00 a month nine tenths are enough: 3,159.00 have a category, so nineteen of about 1,000.00 are offered.
  const payees = Array.from({ length: 21 }, (_, at) => unknownPart(`P${at}`, paidMonthly(-(100_000 - at))));
  const given = { parts: [...household, ...payees] };
  const open = fold(given).questions.filter((one) => one.open);
  t.is(open.length, 19);
  t.is(fold({ ...given, events: open.map(({ id }) => ({ type: "SKIPPED", actionId: id })) }).status, "READY");
});

test("the target is met from the first øre on, by the user's value where there is one", (t) => {
  const parts = (known: number) => [
    partWith({ transactions: paidMonthly(0 - known) }),
    zorbo(100_000 - known),
    servicePart(),
  ];
  // 159.00 and 891.00 of 1,159.00, of which nine tenths are 1,043.10.
  const of = (known: number, ...events: BudgetEvent[]) =>
    alertTypes({ parts: parts(known), events }).includes("CATEGORIZATION_TARGET_NOT_MET");
  t.deepEqual([of(88_409), of(88_410)], [true, false]);
  t.true(of(88_410, adjust("FOOD", 88_409)));
  t.false(of(88_409, adjust("FOOD", 88_410)));
});

test("when the target is met small questions are not offered", (t) => {
  const open = (targetPercent: number) =>
    fold({ parts: [...household, zorbo(10_000)], facts: { targetPercent } }).questions.map((one) => one.open);
  t.deepEqual([open(90), open(100)], [[false], [true]]);
});

test("a completed budget stays what it was called, with or without data", (t) => {
  const completed = (status: "ACCEPTED" | "DENIED"): BudgetEvent => ({ type: "COMPLETED", status });
  t.is(fold({ events: [completed("DENIED")] }).status, "DENIED");
  t.is(fold({ parts: [...household, zorbo(100_000)], events: [completed("ACCEPTED")] }).status, "ACCEPTED");
  t.is(foldBudget(facts, null, logOf([completed("DENIED")])).status, "DENIED");
});

test("each month of the window tells what left and what came, and whether it is covered", (t) => {
  const parts = [
    partWith({ transactions: [paid("2025-06-10", -1000), paid("2026-05-10", -2000)] }),
    unknownPart("ZORBO", [paid("2026-05-11", -30)]),
    salaryPart({ transactions: [paid("2026-05-31", 900)] }),
  ];
  const told = fold({ parts, snapshot: { covered: 2 } }).months;
  t.deepEqual(
    told.map(({ month }) => month),
    months,
  );
  t.deepEqual(told[0], { month: "2025-06", covered: false, expensesMinor: 1000, incomeMinor: 0 });
  t.deepEqual(told.at(-1), { month: "2026-05", covered: true, expensesMinor: 2030, incomeMinor: 900 });
  t.deepEqual(
    told.filter(({ covered }) => covered).map(({ month }) => month),
    ["2026-04", "2026-05"],
  );
});

test("what came and went once is told apart, with its transactions", (t) => {
  const sofa = partWith({
    key: "payee:SOFA:HOME_FURNITURE",
    categoryId: "HOME_FURNITURE",
    transactions: [paid("2026-04-10", -600_000, { oneOff: true })],
  });
  const gift = partWith({
    key: "payee:AUNT:",
    side: "INCOME",
    payeeKey: "AUNT",
    categoryId: null,
    transactions: [paid("2026-05-02", 50_000)],
  });
  const budget = fold({ parts: [...household, sofa, gift] });
  t.deepEqual(
    budget.nonrecurringTransactions.map(({ id }) => id),
    ["2026-05-02", "2026-04-10"],
  );
  t.is(budget.nonrecurringExpenses.highs.lastTwelveMonthsMinor, 600_000);
  t.is(budget.nonrecurringIncome.highs.lastTwelveMonthsMinor, 50_000);
  t.is(budget.nonrecurringSpending.averages.lastThreeMonthsMinor, 183_333);
});

test("interest alone is no income to live on", (t) => {
  const interest = salaryPart({ key: "income:interest", categoryId: "INCOME_CAPITAL" });
  const [food, mobile, salary] = household as [Part, Part, Part];
  t.true(alertTypes({ parts: [food, mobile, interest] }).includes("MISSING_ACCOUNTS"));
  t.false(alertTypes({ parts: [food, mobile, interest, salary] }).includes("MISSING_ACCOUNTS"));
  t.true(alertTypes({ parts: [food, mobile] }).includes("MISSING_ACCOUNTS"));
});

test("a brand that shows no income asks for none and tells nothing left over; what was given for it stays", (t) => {
  const events: BudgetEvent[] = [{ type: "USER_DATA_SET", userData }, adjust("INCOME_BENEFITS", 100)];
  const asked = (showsIncome: boolean) =>
    fold({ parts: household.slice(0, 2), events, facts: { showsIncome } })
      .questions.map(({ category }) => category)
      .includes("INCOME_SALARY");
  t.deepEqual([asked(true), asked(false)], [true, false]);
  const budget = fold({ events, facts: { showsIncome: false } });
  t.deepEqual([budget.income, budget.disposableIncomeMinor], [null, null]);
  t.deepEqual(
    budget.adjustments.map(({ categoryId }) => categoryId),
    ["INCOME_BENEFITS"],
  );
});

test("adjustments are told in tree order by the month and as they were given", (t) => {
  const events: BudgetEvent[] = [
    adjust("INCOME_SALARY", 5),
    { type: "ADJUSTED", categoryId: "FOOD_GROCERIES", amountMinor: 1200, frequency: "YEARLY" },
    adjust("FOOD", 7),
    { type: "ADJUSTED", categoryId: "HOUSING", amountMinor: 9, frequency: "UNKNOWN" },
  ];
  t.deepEqual(fold({ events }).adjustments, [
    { categoryId: "HOUSING", monthlyMinor: 0, amountMinor: 9, frequency: "UNKNOWN" },
    { categoryId: "FOOD", monthlyMinor: 7, amountMinor: 7, frequency: "MONTHLY" },
    { categoryId: "FOOD_GROCERIES", monthlyMinor: 100, amountMinor: 1200, frequency: "YEARLY" },
    { categoryId: "INCOME_SALARY", monthlyMinor: 5, amountMinor: 5, frequency: "MONTHLY" },
  ]);
});

test("the household's size is that of its data and its applicant on the business day", (t) => {
  const married: BudgetEvent = {
    type: "USER_DATA_SET",
    userData: { ...userData, personal: { ...userData.personal, maritalStatus: "MARRIED" } },
  };
  const adultsOf = (...events: BudgetEvent[]) => fold({ events, snapshot: { asOf: "2024-06-15" } }).reference?.adults;
  t.deepEqual(
    [
      adultsOf(),
      adultsOf(married),
      adultsOf(married, { type: "COAPPLICANT_SET", applicantType: "SHARED_FINANCES", budgetId: null }),
    ],
    [1, 2, 2],
  );
  t.is(fold({ facts: { country: "FI", currency: "EUR" } }).reference, null);
});

test("alerts are of the expenses' items, the user's total and the notes", (t) => {
  const grouped: BudgetEvent = {
    type: "ANSWERED",
    actionId: "a",
    answer: answerWith({
      subject: `service:${phone.id}`,
      categories: ["COMMUNICATION_MOBILE", "COMMUNICATION_INTERNET_TV"].map((id) => ({ id, amountMinor: null })),
    }),
  };
  t.true(alertTypes({ events: [grouped] }).includes("GROUPED_CATEGORIES"));
  t.false(alertTypes({}).includes("GROUPED_CATEGORIES"));
  t.is(
    fold({ events: [adjust("FOOD", 1)] }).alerts.find(({ type }) => type === "USER_PROVIDED_EXPENSES")?.severity,
    "HIGH",
  );
  t.true(alertTypes({ parts: [salaryPart()] }).includes("MISSING_EXPENSES"));
});

const indicators = (parts: readonly Part[], ...events: BudgetEvent[]) =>
  fold({ parts, events }).riskIndicators!.map(({ isMarked }) => isMarked);

test("what is left over is measured by the user's values against what the account had left", (t) => {
  // 25,000.00 less 3,159.00 is left by the budget; 25,000.00 less 22,159.00 by the account.
  const parts = [...household, zorbo(1_900_000)];
  t.deepEqual(indicators(parts), [true, false]);
  // Of 7,000.00 earned 3,841.00 would be left, which 2,841.00 on the account bear out to more than the half.
  t.deepEqual(indicators(parts, adjust("INCOME_WORK", 700_000)), [false, false]);
  t.deepEqual(indicators(parts, adjust("FOOD", 2_000_000)), [false, false]);
  t.is(fold({ parts, facts: { showsRiskIndicators: false } }).riskIndicators, null);
});

test("debt collection is found among all that was paid", (t) => {
  t.deepEqual(
    indicators([
      ...household,
      partWith({ key: "payee:COLLECTOR:", categoryId: "DEBT_COLLECTION", transactions: [paid("2026-06-01", -1)] }),
    ]),
    [false, true],
  );
});
