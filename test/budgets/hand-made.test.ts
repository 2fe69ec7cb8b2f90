/** Households that a budget once got wrong, each small enough to be worked out by hand. */
import test from "ava";
import { leavesOf } from "../../src/budgets/documents.ts";
import type { BudgetEvent, FoldedBudget } from "../../src/budgets/budget.ts";
import { type BudgetFacts, foldBudget } from "../../src/budgets/fold/fold.ts";
import type { UserData } from "../../src/interface/user-data.ts";
import { facts, ledgerOf, logOf, monthly, type Paid, snapshotOf, userData } from "./household.ts";

const salary = monthly("2025-05", "2026-05", "28", {
  name: "LØNOVERFØRSEL Nordfirma",
  amount: "30000.00",
  type: "SALARY",
});
const food = monthly("2025-05", "2026-05", "05", { name: "Kobmand Holm", amount: "-2500.00", mcc: 5411 });
const budgetOf = (
  paid: readonly Paid[],
  events: readonly BudgetEvent[] = [],
  given: Partial<BudgetFacts> = {},
): FoldedBudget =>
  foldBudget({ ...facts, ...given }, snapshotOf(ledgerOf([...salary, ...food, ...paid])), logOf(events));
const saying = (change: (data: UserData) => void): BudgetEvent => {
  const said = structuredClone(userData);
  change(said);
  return { type: "USER_DATA_SET", userData: said };
};
const leaf = (budget: FoldedBudget, id: string): number =>
  leavesOf(budget.categories).find((one) => one.id === id)!.totalMonthlyMinor / 100;
const notesOf = (budget: FoldedBudget): string[] =>
  leavesOf(budget.categories).flatMap(({ id, notes }) => notes.map(({ type }) => `${id} ${type}`));

test("an owner in Denmark is not asked for property tax, which comes with the tax; one in Norway is", (t) => {
  const owner = saying(({ residence }) => Object.assign(residence, { ownership: "HOMEOWNER", type: "HOUSE" }));
  const [denmark, norway] = [budgetOf([], [owner]), budgetOf([], [owner], { country: "NO" })];
  t.false(notesOf(denmark).includes("HOUSING_PROPERTY_TAX EXPECTED_NONEMPTY"));
  t.false(denmark.questions.some(({ category }) => category === "HOUSING_PROPERTY_TAX"));
  t.true(notesOf(norway).includes("HOUSING_PROPERTY_TAX EXPECTED_NONEMPTY"));
});

test("the words of a bill come before its payee's product: a house is insured, and nothing is missing", (t) => {
  const owner = saying(({ residence }) => Object.assign(residence, { ownership: "HOMEOWNER", type: "HOUSE" }));
  const insured = monthly("2025-05", "2026-06", "03", {
    name: "TRYG FORSIKRING HUS OG INDBO",
    amount: "-489.00",
    type: "DIRECT_DEBIT",
  });
  const budget = budgetOf(insured, [owner]);
  t.deepEqual([leaf(budget, "INSURANCE_HOME"), leaf(budget, "INSURANCE_OTHER")], [489, 0]);
  t.false(notesOf(budget).includes("INSURANCE_HOME EXPECTED_NONEMPTY"));
  t.true(notesOf(budgetOf([], [owner])).includes("INSURANCE_HOME EXPECTED_NONEMPTY"));
});

test("one purchase, and months that are few, make no budget ready", (t) => {
  const statusOf = (paid: readonly Paid[]) => {
    const { status, statusReason } = foldBudget(facts, snapshotOf(ledgerOf(paid)), []);
    return [status, statusReason];
  };
  t.deepEqual(statusOf([{ day: "2026-05-12", name: "Kobmand Holm", amount: "-212.00", mcc: 5411 }]), [
    "DRAFT",
    "TOO_FEW_MONTHS",
  ]);
  t.deepEqual(statusOf([...salary, ...food]), ["READY", null]);
});

test("a married couple needs what two adults need, and the budget says that it assumes them", (t) => {
  const [single, married] = [
    budgetOf([]),
    budgetOf([], [saying(({ personal }) => Object.assign(personal, { maritalStatus: "MARRIED" }))]),
  ];
  t.like(single.reference, { adults: 1, isHouseholdAssumed: false, referenceMinor: 724_000 });
  // 7,240.00 and 5,040.00 for the second adult.
  t.like(married.reference, { adults: 2, isHouseholdAssumed: true, referenceMinor: 1_228_000 });
  const shared = budgetOf(
    [],
    [
      saying(({ personal }) => Object.assign(personal, { maritalStatus: "MARRIED" })),
      { type: "COAPPLICANT_SET", applicantType: "SHARED_FINANCES", budgetId: null },
    ],
  );
  t.like(shared.reference, { adults: 2, isHouseholdAssumed: false });
});

test("the alert on the reference and the summary compare one figure, with the values that were given", (t) => {
  const budget = budgetOf(
    [],
    [{ type: "ADJUSTED", categoryId: "FOOD_GROCERIES", amountMinor: 300_000, frequency: "MONTHLY" }],
  );
  t.like(budget.reference, { budgetMinor: 300_000, referenceMinor: 724_000 });
  t.is(
    budget.alerts.find(({ type }) => type === "REFERENCE_MISMATCH")?.message.split(" for ")[0],
    "DKK\u00a03,000 a month",
  );
});

test("what is bought once is budgeted nowhere, whatever it is for, and each is among the one-offs", (t) => {
  const budget = budgetOf([
    { day: "2026-02-11", name: "Tandlaege Ib", amount: "-2340.00", mcc: 8021 },
    { day: "2025-07-03", name: "SAS", amount: "-6480.00", mcc: 4511 },
    { day: "2025-07-12", name: "Airbnb", amount: "-8977.00", mcc: 7011 },
  ]);
  t.deepEqual([leaf(budget, "HEALTH_CARE"), leaf(budget, "LEISURE_TRAVEL")], [0, 0]);
  // 2,340.00 + 6,480.00 + 8,977.00 = 17,797.00; a twelfth is 1,483.08.
  t.is(budget.reconciliation!.oneOffExpenses.minor, 1_779_700);
  t.is(budget.nonrecurringExpenses.averages.lastTwelveMonthsMinor, 148_308);
});

test("a bill that follows the seasons counts as the mean of its year, not of its last half", (t) => {
  const amounts = [1210, 640, 520, 560, 720, 960, 1240, 1580, 1790, 1650, 1320, 1015, 880];
  const bills = amounts.map((amount, at): Paid => {
    const month = at < 8 ? `2025-${String(at + 5).padStart(2, "0")}` : `2026-${String(at - 7).padStart(2, "0")}`;
    return { day: `${month}-15`, name: "Hafslund Strøm", amount: `-${amount}.00`, type: "DIRECT_DEBIT" };
  });
  // June 2025 to May 2026: 12,875.00 / 12 = 1,072.92. The last six are 8,235.00 / 6 = 1,372.50.
  t.is(leaf(budgetOf(bills), "UTILITIES_ELECTRICITY"), 1072.92);
});
