/** Items of no one part: what is gathered from seldom visited payees, and amounts typed for something unseen. */
import test from "ava";
import type { Item } from "../../../src/budgets/budget.ts";
import type { Answer } from "../../../src/budgets/events.ts";
import { gatheredItem, typedItems } from "../../../src/budgets/fold/items.ts";
import { budgetId, inForce, paid, partWith, placed, snapshotWith } from "./parts.ts";

const snapshot = snapshotWith();
const costOf = ({ paymentCostMinor, paymentFrequency, paymentCostMonthlyMinor }: Item) => [
  paymentCostMinor,
  paymentFrequency,
  paymentCostMonthlyMinor,
];
const split = (...parts: [string, number][]): Answer["categories"] =>
  parts.map(([id, amountMinor]) => ({ id, amountMinor }));
const together = (...ids: string[]): Answer["categories"] => ids.map((id) => ({ id, amountMinor: null }));

test("seldom visited payees are one expense of their category, as sure as the least sure of them", (t) => {
  const [aksel, bo] = [
    partWith({
      key: "payee:AKSEL:FOOD_RESTAURANTS",
      imageUrl: "https://bank.example/aksel.svg",
      transactions: [paid("2025-07-12", -20_000, { txid: "z" }), paid("2026-05-23", -20_000, { txid: "b" })],
    }),
    partWith({
      key: "payee:BO:FOOD_RESTAURANTS",
      rule: "MERCHANT_CATEGORY_CODE",
      confidence: 0.7,
      transactions: [paid("2026-04-01", -90_000, { oneOff: true }), paid("2026-05-23", -10_000, { txid: "a" })],
    }),
  ];
  const item = gatheredItem("FOOD_RESTAURANTS", [placed(aksel), placed(bo)], "Other: restaurants", budgetId, snapshot);
  t.deepEqual(item, {
    id: "54992a01-0b33-52be-8c66-74c18cea879a",
    key: "gathered:FOOD_RESTAURANTS",
    subject: null,
    payeeKey: null,
    title: "Other: restaurants",
    imageUrl: "https://bank.example/aksel.svg",
    source: "DERIVED_FROM_TRANSACTIONS",
    type: "DERIVED_FROM_TRANSACTIONS",
    paymentFrequency: "MONTHLY",
    // 500.00 / 12 = 41.666…; 300.00 / 3.
    paymentCostMinor: 4167,
    paymentCostMonthlyMinor: 4167,
    averageLastThreeMonthsMinor: 10_000,
    averageLastTwelveMonthsMinor: 4167,
    service: null,
    categories: ["FOOD_RESTAURANTS"],
    transactions: [
      paid("2025-07-12", -20_000, { txid: "z" }),
      paid("2026-05-23", -10_000, { txid: "a" }),
      paid("2026-05-23", -20_000, { txid: "b" }),
    ].map(({ document }) => document),
    rule: "MERCHANT",
    confidence: 0.7,
    candidates: [],
    monthsSeen: 2,
    overdue: null,
    income: null,
    remainingPayments: null,
  });
});

test("of gathered payees nothing is left where refunds come up to what was paid", (t) => {
  const gathered = (refund: number) =>
    gatheredItem(
      "FOOD_RESTAURANTS",
      [placed(partWith({ transactions: [paid("2026-04-01", -5000), paid("2026-04-20", refund)] }))],
      "",
      budgetId,
      snapshot,
    );
  t.is(gathered(5000), null);
  t.is(gathered(6200), null);
  t.is(gathered(4988)?.paymentCostMonthlyMinor, 1);
});

test("an amount typed for something unseen is an item of its own", (t) => {
  const answer = {
    type: "USER_PROVIDED",
    subject: null,
    amountMinor: 120_000,
    frequency: "YEARLY",
    categories: together("HOUSING_RENT", "UTILITIES_HEATING"),
    title: "Bo & bad",
  } as const;
  t.deepEqual(typedItems(inForce(answer), budgetId, "https://bank.example", "en"), [
    {
      id: "be41e90e-bd9b-5142-bdc2-300809218715",
      key: "typed:action:HOUSING_RENT",
      subject: null,
      payeeKey: null,
      title: "Bo & bad",
      imageUrl: "https://bank.example/assets/products/bo-bad.svg",
      source: "ACTION",
      type: "USER_PROVIDED",
      paymentCostMinor: 120_000,
      paymentFrequency: "YEARLY",
      paymentCostMonthlyMinor: 10_000,
      averageLastThreeMonthsMinor: 0,
      averageLastTwelveMonthsMinor: 0,
      service: null,
      categories: ["HOUSING_RENT", "UTILITIES_HEATING"],
      transactions: [],
      rule: "USER",
      confidence: 1,
      candidates: [],
      monthsSeen: 0,
      overdue: null,
      income: null,
      remainingPayments: null,
    },
  ]);
});

test("an amount typed part by part is one item a category, named as the category where no title was given", (t) => {
  const answer = {
    type: "USER_PROVIDED",
    subject: null,
    amountMinor: 1,
    frequency: null,
    categories: split(["HOUSING_RENT", 7000], ["UTILITIES_HEATING", 501]),
  } as const;
  const items = typedItems(inForce(answer), budgetId, "https://bank.example", "da");
  t.deepEqual(
    items.map(({ id, title, categories }) => [id, title, categories]),
    [
      ["be41e90e-bd9b-5142-bdc2-300809218715", "Husleje", ["HOUSING_RENT"]],
      ["70b829e4-afbe-59e8-85b5-b12ae7934b03", "Varme og gas", ["UTILITIES_HEATING"]],
    ],
  );
  t.deepEqual(items.map(costOf), [
    [7000, "MONTHLY", 7000],
    [501, "MONTHLY", 501],
  ]);
});

test("an amount typed without a known frequency is a month's, and none at all is nothing", (t) => {
  const typed = (more: Partial<Answer>) =>
    typedItems(inForce({ type: "USER_PROVIDED", subject: null, ...more }), budgetId, "", "en").map(costOf);
  t.deepEqual(typed({ amountMinor: 300, frequency: "UNKNOWN" }), [[300, "MONTHLY", 300]]);
  t.deepEqual(typed({ amountMinor: null, frequency: "QUARTERLY" }), [[0, "QUARTERLY", 0]]);
});

test("an amount typed for categories of which only some have a part is one item, and all of it", (t) => {
  const categories = [
    { id: "HOUSING_RENT", amountMinor: null },
    { id: "UTILITIES_HEATING", amountMinor: 501 },
  ];
  const answer = { type: "USER_PROVIDED", subject: null, amountMinor: 7000, frequency: "MONTHLY", categories } as const;
  t.deepEqual(typedItems(inForce(answer), budgetId, "", "en").map(costOf), [[7000, "MONTHLY", 7000]]);
});
