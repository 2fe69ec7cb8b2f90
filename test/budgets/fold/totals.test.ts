/** The figures at the head of a budget. */
import test from "ava";
import type { CategoryNode, Item } from "../../../src/budgets/budget.ts";
import type { Side } from "../../../src/budgets/fold/sides.ts";
import { totalsOf } from "../../../src/budgets/fold/totals.ts";
import { facts } from "../household.ts";
import { itemWith, nodeWith } from "./parts.ts";

const side = (nodes: CategoryNode[], three: number, twelve: number): Side => ({
  items: [],
  nodes,
  averages: { three, twelve },
  budgeted: new Set(),
});
const rent = nodeWith("HOUSING", 800_000);
const food = nodeWith("FOOD", 300_000);
const work = nodeWith("INCOME_WORK", 2_000_000);
const benefits = nodeWith("INCOME_BENEFITS", 100_000);
const unknown: Item[] = [itemWith({ paymentCostMonthlyMinor: 9000 }), itemWith({ paymentCostMonthlyMinor: 1000 })];
const given = (node: CategoryNode, totalMonthlyUserProvidedMinor: number): CategoryNode => ({
  ...node,
  totalMonthlyUserProvidedMinor,
});
const totals = (expenses: CategoryNode[], income: CategoryNode[], more: Partial<typeof facts> = {}) =>
  totalsOf({ expenses: side(expenses, 1_200_000, 1_250_005), income: side(income, 2_200_000, 2_050_000) }, unknown, {
    ...facts,
    ...more,
  });

test("without the user's values the engine's add up, and what has no category is in the total alone", (t) => {
  t.deepEqual(totals([rent, food], [work, benefits]), {
    amountCategorizedMinor: 1_100_000,
    amountCategorizedUserProvidedMinor: null,
    totalMonthlyMinor: 1_110_000,
    totalMonthlyUserProvidedMinor: null,
    totalMonthlyIncomeMinor: 2_100_000,
    totalMonthlyIncomeUserProvidedMinor: null,
    averageExpensesLastThreeMonthsMinor: 1_200_000,
    averageExpensesLastTwelveMonthsMinor: 1_250_005,
    averageIncomeLastThreeMonthsMinor: 2_200_000,
    averageIncomeLastTwelveMonthsMinor: 2_050_000,
    disposableIncomeMinor: 1_000_000,
    disposableIncomeUserProvidedMinor: null,
    // 90 % of 12,500.05 = 11,250.045, half up.
    categorizationTargetMinor: 1_125_005,
  });
});

test("a value given for an expense replaces the engine's in each of the user's figures", (t) => {
  t.like(totals([given(rent, 900_000), food], [work, benefits]), {
    amountCategorizedMinor: 1_100_000,
    amountCategorizedUserProvidedMinor: 1_200_000,
    totalMonthlyMinor: 1_110_000,
    totalMonthlyUserProvidedMinor: 1_210_000,
    totalMonthlyIncomeUserProvidedMinor: null,
    disposableIncomeMinor: 1_000_000,
    disposableIncomeUserProvidedMinor: 900_000,
  });
});

test("a value given for an income does so on that side alone", (t) => {
  t.like(totals([rent, food], [given(work, 2_500_000), benefits]), {
    amountCategorizedUserProvidedMinor: null,
    totalMonthlyUserProvidedMinor: null,
    totalMonthlyIncomeMinor: 2_100_000,
    totalMonthlyIncomeUserProvidedMinor: 2_600_000,
    disposableIncomeMinor: 1_000_000,
    disposableIncomeUserProvidedMinor: 1_500_000,
  });
});

test("values given on both sides meet in what is left over", (t) => {
  t.is(
    totals([given(rent, 900_000), food], [given(work, 2_500_000), benefits]).disposableIncomeUserProvidedMinor,
    1_400_000,
  );
});

test("a brand that shows no income says nothing of what is left over", (t) => {
  t.like(totals([given(rent, 900_000), food], [work], { showsIncome: false }), {
    totalMonthlyIncomeMinor: 2_000_000,
    disposableIncomeMinor: null,
    disposableIncomeUserProvidedMinor: null,
  });
});

test("the target is the brand's part of the twelve months' expenses", (t) => {
  t.is(totals([rent], [work], { targetPercent: 50 }).categorizationTargetMinor, 625_003);
});
