/** Averages, months and services are counted over what the data cover, and nothing counts twice or without a rate. */
import test from "ava";
import type { Part } from "../../../src/budgets/engine/snapshot.ts";
import { detailsDocument, budgetDocument, leavesOf } from "../../../src/budgets/documents.ts";
import { accountIdOf } from "../../../src/ledger/account-id.ts";
import { foldBudget } from "../../../src/budgets/fold/fold.ts";
import { handChecked } from "../hand-checked.ts";
import { facts, ledgerOf, monthly, type Paid, snapshotOf } from "../household.ts";

const groceries = (from: string, to: string): Paid[] => [
  ...monthly(from, to, "04", { name: "Kobmand Holm", amount: "-911.20", mcc: 5411 }),
  ...monthly(from, to, "19", { name: "Kobmand Holm", amount: "-588.80", mcc: 5411 }),
];
const budgetOf = (paid: readonly Paid[], more: Parameters<typeof snapshotOf>[1] = {}) =>
  foldBudget(facts, snapshotOf(ledgerOf(paid), more), []);
const partOf = (paid: readonly Paid[], name: string): Part | undefined =>
  snapshotOf(ledgerOf(paid)).parts.find(({ transactions }) => transactions[0]?.document.merchantName === name);

test("a month counts when the data begin in its first three days; averages divide by the months that count", (t) => {
  // 1,500.00 a month; from 4 March on, March is not whole.
  const late = budgetOf(groceries("2026-03", "2026-05").filter(({ day }) => day !== "2026-03-03"));
  t.is(late.coveredMonths, 2);
  t.is(late.averageExpensesLastTwelveMonthsMinor, 150_000);
  t.is(late.averageExpensesLastThreeMonthsMinor, 150_000);
  t.is(
    budgetOf([
      { day: "2026-03-03", name: "Kobmand Holm", amount: "-10.00", mcc: 5411 },
      ...groceries("2026-03", "2026-05"),
    ]).coveredMonths,
    3,
  );
});

test("windows that the data do not reach back over say nothing of what is nonrecurring", (t) => {
  const sofa: Paid = { day: "2026-05-20", name: "Sofahuset", amount: "-9000.00", mcc: 5712 };
  const { nonrecurringExpenses } = detailsDocument(budgetOf([...groceries("2026-04", "2026-05"), sofa]));
  t.like(nonrecurringExpenses.averages, { lastMonth: 9000, lastThreeMonths: null, lastTwelveMonths: null });
  t.is(nonrecurringExpenses.averages.months.length, 12);
  t.deepEqual(nonrecurringExpenses.averages.months.at(-1), { month: "2026-05", amount: 9000 });
  t.like(
    detailsDocument(
      budgetOf([
        ...groceries("2026-03", "2026-05").map((one) => ({ ...one, day: one.day.replace("-04", "-02") })),
        sofa,
      ]),
    ).nonrecurringExpenses.averages,
    { lastThreeMonths: 3000, lastTwelveMonths: null },
  );
});

test("without any data every figure is nought and nothing fails", (t) => {
  const budget = budgetOf([]);
  t.deepEqual([budget.coveredMonths, budget.totalMonthlyMinor, budget.averageExpensesLastTwelveMonthsMinor], [0, 0, 0]);
  t.is(detailsDocument(budget).nonrecurringSpending.averages.months.length, 12);
});

test("the running month is in no average", (t) => {
  const before = budgetOf(groceries("2025-05", "2026-05"));
  const after = budgetOf([
    ...groceries("2025-05", "2026-05"),
    { day: "2026-06-10", name: "Kobmand Holm", amount: "-4000.00", mcc: 5411 },
  ]);
  t.is(after.averageExpensesLastTwelveMonthsMinor, before.averageExpensesLastTwelveMonthsMinor);
  t.is(after.amountCategorizedMinor, before.amountCategorizedMinor);
});

test("what was paid in another currency counts at the day's rate; what has no rate is in no sum, and is counted", (t) => {
  const abroad: Paid = { day: "2026-03-10", name: "Brasserie Luc", amount: "-100.00", mcc: 5812, currency: "EUR" };
  const rate = {
    convert: (money: { minor: number; currency: string }, currency: string) => ({
      minor: Math.round(money.minor * 7.46),
      currency,
    }),
  };
  // 746.00 / 12 = 62.1666…
  t.is(
    budgetOf([...groceries("2025-05", "2026-05"), abroad], rate).averageExpensesLastTwelveMonthsMinor,
    150_000 + 6217,
  );
  const unknown = budgetOf([...groceries("2025-05", "2026-05"), abroad]);
  t.deepEqual([unknown.averageExpensesLastTwelveMonthsMinor, unknown.unconvertedTransactions], [150_000, 1]);
});

test("a service that has ended costs nothing any more, and stays in what was observed", (t) => {
  const ended = monthly("2025-05", "2025-11", "10", { name: "Fjordtel", amount: "-240.00", mcc: 4814 });
  const budget = budgetOf([...groceries("2025-05", "2026-05"), ...ended]);
  const leaf = budget.categories.flatMap((group) => group.children).find(({ id }) => id === "COMMUNICATION_MOBILE");
  // Six payments of 240.00 in the window, over twelve months.
  t.like(leaf, { totalMonthlyMinor: 0, averageLastTwelveMonthsMinor: 12_000, items: [] });
  t.deepEqual(budget.nonrecurringTransactions, []);
});

test("a card's monthly bill is no expense where its purchases are, though those of the first bills came before the data", (t) => {
  const bills = monthly("2025-03", "2026-06", "05", {
    name: "MASTERCARD AFREGNING",
    amount: "-1500.00",
    type: "DIRECT_DEBIT",
  });
  const rows = ledgerOf([...bills, ...groceries("2025-05", "2026-05").map((paid) => ({ ...paid, account: "card" }))]);
  const snapshot = snapshotOf(rows.map((row) => (row.accountId === "card" ? { ...row, cardId: "card-1" } : row)));
  t.deepEqual(
    snapshot.parts.filter(({ standing, categoryId }) => standing === "SERVICE" && categoryId === "DEBT_CREDIT_CARD"),
    [],
  );
  t.is(foldBudget(facts, snapshot, []).amountCategorizedMinor, 150_000);
});

test("a fixed cost paid once a year is a twelfth a month; a purchase of the same size is a one-off", (t) => {
  const once = (mcc: number): Paid[] => [
    ...groceries("2025-05", "2026-05"),
    { day: "2025-10-09", name: "Hojbro 7", amount: "-3600.00", mcc },
  ];
  t.is(partOf(once(5712), "Hojbro 7")?.transactions[0]?.oneOff, true);
  t.is(partOf(once(6300), "Hojbro 7")?.transactions[0]?.oneOff, false);
  t.is(budgetOf(once(6300)).amountCategorizedMinor, 150_000 + 30_000);
  t.is(budgetOf(once(5712)).amountCategorizedMinor, 150_000);
});

test("a refund lowers what is spent at its payee", (t) => {
  const [refund] = ledgerOf([
    { day: "2026-05-28", name: "Kobmand Holm", amount: "120.00", mcc: 5411, type: "CARD_REFUND" },
  ]);
  const groceriesAlone = handChecked.filter(({ merchantName }) => merchantName === "Kobmand Holm");
  const budget = foldBudget(facts, snapshotOf([...groceriesAlone, { ...refund!, txid: "refund", id: 9999 }]), []);
  // (12 × 2,500.00 − 120.00) / 12, and of March to May (7,500.00 − 120.00) / 3.
  t.deepEqual([budget.amountCategorizedMinor, budget.averageExpensesLastThreeMonthsMinor], [249_000, 246_000]);
});

test("accounts are told with their state; a removed one is in the list and in no sum", (t) => {
  const accounts = [
    { id: "main", name: "Lønkonto", iban: "DK50 0040 0440 1162 43", isRemoved: false },
    { id: "old", name: "Opsparing", iban: null, isRemoved: true },
    {
      id: accountIdOf("sandbox", { iban: "DK5000400440116244", resourceId: "1" }),
      name: "Budgetkonto",
      iban: "DK5000400440116244",
      isRemoved: false,
    },
  ];
  t.deepEqual(budgetDocument(budgetOf(groceries("2025-05", "2026-05"), { accounts })).accounts, [
    {
      providerId: "north-dk",
      name: "Lønkonto",
      iban: "DK50 0040 0440 1162 43",
      bban: "00400440116243",
      selectedStatus: "SELECTED",
    },
    { providerId: "north-dk", name: "Opsparing", selectedStatus: "DESELECTED" },
    {
      providerId: "sandbox",
      name: "Budgetkonto",
      iban: "DK5000400440116244",
      bban: "00400440116244",
      selectedStatus: "SELECTED",
    },
  ]);
});

test("keys and ids outlast another day, another payment and rows in another order", (t) => {
  const paid = [
    ...groceries("2025-05", "2026-05"),
    ...monthly("2025-05", "2026-05", "10", { name: "Fjordtel", amount: "-149.00", mcc: 4814 }),
  ];
  const ids = (rows: readonly Paid[]) =>
    budgetOf(rows)
      .categories.flatMap((group) => group.children)
      .flatMap(({ items }) => items.filter(({ type }) => type !== "SERVICE").map(({ id, key }) => `${id} ${key}`));
  t.deepEqual(ids([...paid, { day: "2026-06-02", name: "Kobmand Holm", amount: "-75.00", mcc: 5411 }]), ids(paid));
  t.deepEqual(ids(paid.toReversed()), ids(paid));
});

test("purchases of a category that are alike are one-offs alike; a dentist once a year is a twelfth a month", (t) => {
  const budget = budgetOf([
    ...monthly("2025-05", "2026-05", "04", { name: "Kobmand Holm", amount: "-3000.00", mcc: 5411 }),
    ...monthly("2025-05", "2026-05", "01", {
      name: "Boligselskabet Nord",
      amount: "-35000.00",
      mcc: 6513,
      type: "DIRECT_DEBIT",
    }),
    { day: "2025-07-02", name: "Airbnb", amount: "-8977.00", mcc: 7011 },
    { day: "2025-06-20", name: "SAS", amount: "-6480.00", mcc: 3024 },
    { day: "2026-02-11", name: "Tandlaege Ib", amount: "-2340.00", mcc: 8021 },
  ]);
  // 473,797.00 / 12 = 39,483.08 a month, of which a fifth is 7,896.62: the lodging is a one-off, and with it the flight, which is more
  // than half of it; 2,340.00 / 12 = 195.00.
  const total = (id: string) => leavesOf(budget.categories).find((one) => one.id === id)!.totalMonthlyMinor;
  t.deepEqual([total("LEISURE_TRAVEL"), total("HEALTH_CARE")], [0, 19_500]);
});

test("a user of whom three whole months are not known is a draft, and the draft says why", (t) => {
  const statusOf = (paid: readonly Paid[]) => {
    const { status, statusReason } = budgetDocument(budgetOf(paid));
    return [status, statusReason];
  };
  const food = { name: "Kobmand Holm", amount: "-1200.00", mcc: 5411 };
  t.deepEqual(statusOf([{ ...food, day: "2026-06-01" }]), ["DRAFT", "TOO_FEW_MONTHS"]);
  t.deepEqual(statusOf(monthly("2026-04", "2026-06", "03", food)), ["DRAFT", "TOO_FEW_MONTHS"]);
  t.deepEqual(statusOf(monthly("2026-03", "2026-06", "03", food)), ["READY", null]);
  const { status, statusReason } = budgetDocument(foldBudget(facts, null, []));
  t.deepEqual([status, statusReason], ["DRAFT", "NOT_INITIALISED"]);
});
