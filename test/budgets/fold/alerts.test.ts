/** Alerts: what an adviser should look at before the budget is trusted. */
import test from "ava";
import type { Alert, AlertType, CategoryNode, ReferenceCheck } from "../../../src/budgets/budget.ts";
import { type AlertContext, alertsOf } from "../../../src/budgets/fold/alerts.ts";
import { groupWith, itemWith, nodeWith, noteWith, snapshotWith } from "./parts.ts";

/** A budget with which nothing is wrong. */
const fine: AlertContext = {
  language: "en",
  currency: "DKK",
  snapshot: snapshotWith(),
  categories: [],
  items: [itemWith()],
  hasRegularIncome: true,
  categorizedMinor: 900_000,
  targetMinor: 900_000,
  totalMinor: 1_000_000,
  totalUserProvidedMinor: null,
  reference: null,
};
const found = (type: AlertType, more: Partial<AlertContext>): Omit<Alert, "type"> | null => {
  const alerts = alertsOf({ ...fine, ...more });
  if (alerts.length === 0) return null;
  const [{ severity, message, type: seen }] = alerts as [Alert];
  return alerts.length === 1 && seen === type
    ? { severity, message }
    : { severity, message: `${alerts.map((one) => one.type)}` };
};
const severityOf = (type: AlertType, more: Partial<AlertContext>) => found(type, more)?.severity ?? null;
const missing = (id: string, severity: "LOW" | "MEDIUM" | "HIGH") =>
  nodeWith(id, 0, { notes: [noteWith("EXPECTED_NONEMPTY", severity)] });
const unexpected = (id: string, minor: number, more: Partial<CategoryNode> = {}) =>
  nodeWith(id, minor, { notes: [noteWith("EXPECTED_EMPTY")], ...more });

test("a budget with which nothing is wrong has no alerts", (t) => {
  t.deepEqual(alertsOf(fine), []);
});

test("a target that is not met matters more the farther away it is", (t) => {
  const of = (categorizedMinor: number) =>
    severityOf("CATEGORIZATION_TARGET_NOT_MET", { categorizedMinor, targetMinor: 1000 });
  t.deepEqual(
    [of(1001), of(1000), of(999), of(800), of(799), of(500), of(499)],
    [null, null, "LOW", "LOW", "MEDIUM", "MEDIUM", "HIGH"],
  );
  t.is(
    found("CATEGORIZATION_TARGET_NOT_MET", { categorizedMinor: 700_000 })?.message,
    "DKK\u00a07,000 a month has a category; DKK\u00a09,000 would be enough to trust the budget.",
  );
});

test("missing expenses are named in one alert, as grave as the gravest of them", (t) => {
  const categories = [
    groupWith("HOUSING", [missing("HOUSING_RENT", "MEDIUM")]),
    groupWith("FOOD", [missing("FOOD_GROCERIES", "LOW")]),
  ];
  t.deepEqual(found("MISSING_EXPENSES", { categories }), {
    severity: "MEDIUM",
    message: "Nothing is budgeted for rent and groceries.",
  });
  t.is(severityOf("MISSING_EXPENSES", { categories: [...categories, missing("LEISURE", "HIGH")] }), "HIGH");
  t.is(severityOf("MISSING_EXPENSES", { categories: [missing("LEISURE", "LOW")] }), "LOW");
});

test("unexpected expenses matter from more than a twentieth of all on, by the user's value if there is one", (t) => {
  const of = (...categories: CategoryNode[]) => found("UNEXPECTED_EXPENSES", { categories });
  // 500.00 of 10,000.00.
  t.deepEqual(of(unexpected("HOUSING_MORTGAGE", 49_000), unexpected("HOUSING_PROPERTY_TAX", 1000)), {
    severity: "LOW",
    message: "There are payments for mortgage and property tax, which the household should not have.",
  });
  t.is(of(unexpected("HOUSING_MORTGAGE", 49_001), unexpected("HOUSING_PROPERTY_TAX", 1000))?.severity, "MEDIUM");
  t.is(of(unexpected("HOUSING_MORTGAGE", 49_001, { totalMonthlyUserProvidedMinor: 10 }))?.severity, "LOW");
});

test("categories that share a payment are named once each", (t) => {
  const items = [
    itemWith(),
    itemWith({ categories: ["HOUSING_RENT", "UTILITIES_HEATING"] }),
    itemWith({ categories: ["HOUSING_RENT", "UTILITIES_ELECTRICITY"] }),
  ];
  t.deepEqual(found("GROUPED_CATEGORIES", { items }), {
    severity: "LOW",
    message: "Some payments cover several categories: rent, heating and gas and electricity.",
  });
});

test("accounts are missing where income, a card's purchases or an own account is not seen or undecided", (t) => {
  const of = (more: Partial<AlertContext>) => found("MISSING_ACCOUNTS", more);
  const cardBills = "Card bills are paid whose purchases are not on these accounts.";
  const signals = (ownTransfersElsewhere: number, cardBillsWithoutPurchases: number) => ({
    snapshot: snapshotWith({ signals: { ownTransfersElsewhere, cardBillsWithoutPurchases } }),
  });
  const account = (selectedStatus: "SELECTED" | "DESELECTED" | "UNDECIDED") => ({
    providerId: "north-dk",
    name: "Salary",
    iban: null,
    bban: null,
    selectedStatus,
    firstDay: null,
    lastDay: null,
  });
  t.deepEqual(of({ hasRegularIncome: false }), {
    severity: "HIGH",
    message: "No regular income is seen on these accounts.",
  });
  t.deepEqual(of(signals(0, 1)), {
    severity: "MEDIUM",
    message: cardBills,
  });
  t.is(of(signals(1, 0)), null);
  t.deepEqual(of(signals(2, 0)), {
    severity: "LOW",
    message: "Money goes to an own account that is not among these accounts.",
  });
  t.deepEqual(of({ snapshot: snapshotWith({ accounts: [account("SELECTED"), account("UNDECIDED")] }) }), {
    severity: "LOW",
    message: "There are accounts about which nothing was decided yet.",
  });
  t.is(of({ snapshot: snapshotWith({ accounts: [account("SELECTED"), account("DESELECTED")] }) }), null);
  t.deepEqual(of(signals(2, 1)), {
    severity: "MEDIUM",
    message: `${cardBills} Money goes to an own account that is not among these accounts.`,
  });
});

const reference: ReferenceCheck = {
  setId: "DK-DEBT-2024",
  source: "Gældsstyrelsen (DK-DEBT-2024)",
  validFrom: "2024-01-01",
  validTo: "2024-12-31",
  checked: "VERIFIED",
  isOlderThanTwelveMonths: false,
  adults: 1,
  children: 0,
  isHouseholdAssumed: false,
  isOfChildren: false,
  referenceMinor: 100_000,
  budgetMinor: 60_000,
  coveredMinor: 60_000,
  byCategory: [],
  categories: [],
};

const says = "which is what Gældsstyrelsen (DK-DEBT-2024) says that";

test("living costs below the public table's matter more the farther below they are", (t) => {
  const of = (coveredMinor: number) => severityOf("REFERENCE_MISMATCH", { reference: { ...reference, coveredMinor } });
  t.deepEqual(
    [of(85_000), of(84_999), of(70_000), of(69_999), of(50_000), of(49_999)],
    [null, "LOW", "LOW", "MEDIUM", "MEDIUM", "HIGH"],
  );
});

test("a mismatch says both figures and whose table it is, and that it is old", (t) => {
  const of = (more: Partial<ReferenceCheck>) =>
    found("REFERENCE_MISMATCH", { reference: { ...reference, ...more } })?.message;
  const needs = `DKK\u00a0600 a month for living costs is less than DKK\u00a01,000, ${says} such a household needs.`;
  t.is(of({}), needs);
  t.is(of({ isOlderThanTwelveMonths: true }), `${needs} That table is older than 12 months.`);
  t.is(
    of({ isOfChildren: true }),
    `DKK\u00a0600 a month for living costs is less than DKK\u00a01,000, ${says} the children alone cost.`,
  );
});

test("a table by category names those that are short of it, beside the figures that the summary prints", (t) => {
  const byCategory = [
    { id: "FOOD_GROCERIES", referenceMinor: 10_000, budgetMinor: 8499 },
    { id: "PERSONAL_CLOTHING", referenceMinor: 10_000, budgetMinor: 8500 },
    { id: "PERSONAL_CARE", referenceMinor: 20_000, budgetMinor: 1500 },
  ];
  t.is(
    found("REFERENCE_MISMATCH", { reference: { ...reference, byCategory } })?.message,
    "DKK\u00a0600 a month is budgeted of the DKK\u00a01,000 that Gældsstyrelsen (DK-DEBT-2024) says that such a household needs; it is short for groceries and personal care.",
  );
});

test("amounts that were given are told, and matter where they come to clearly less than what was observed", (t) => {
  const of = (totalUserProvidedMinor: number | null, totalMinor = 1000) =>
    severityOf("USER_PROVIDED_EXPENSES", { totalUserProvidedMinor, totalMinor });
  t.deepEqual(
    [of(null), of(1200), of(900), of(899), of(750), of(749), of(0)],
    [null, "LOW", "LOW", "MEDIUM", "MEDIUM", "HIGH", "HIGH"],
  );
  // Nothing was observed: it cannot come to less.
  t.is(of(0, 0), "LOW");
  t.is(of(-1, 0), "LOW");
  t.is(
    found("USER_PROVIDED_EXPENSES", { totalUserProvidedMinor: 1_100_000 })?.message,
    "The amounts given come to DKK\u00a011,000 a month, what was observed to DKK\u00a010,000.",
  );
});

test("alerts of several types stand in a fixed order", (t) => {
  const all = alertsOf({
    ...fine,
    categorizedMinor: 0,
    categories: [missing("FOOD_GROCERIES", "HIGH"), unexpected("HOUSING_MORTGAGE", 1)],
    hasRegularIncome: false,
    items: [itemWith({ categories: ["HOUSING_RENT", "UTILITIES_HEATING"] })],
    reference,
    totalUserProvidedMinor: 1,
  });
  t.deepEqual(
    all.map(({ type }) => type),
    [
      "CATEGORIZATION_TARGET_NOT_MET",
      "MISSING_EXPENSES",
      "UNEXPECTED_EXPENSES",
      "GROUPED_CATEGORIES",
      "MISSING_ACCOUNTS",
      "REFERENCE_MISMATCH",
      "USER_PROVIDED_EXPENSES",
    ],
  );
});

test("alerts are told in the user's language", (t) => {
  t.is(
    found("MISSING_ACCOUNTS", { language: "sv", hasRegularIncome: false })?.message,
    "Inga regelbundna inkomster syns på kontona.",
  );
  t.is(
    found("MISSING_EXPENSES", { language: "da", categories: [missing("HOUSING_RENT", "LOW")] })?.message,
    "Der er ikke budgetteret med husleje.",
  );
});
