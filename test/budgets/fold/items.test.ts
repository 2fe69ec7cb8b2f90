/** Expenses and incomes: what is budgeted, at what cost, with which payments under it. */
import test from "ava";
import type { Item } from "../../../src/budgets/budget.ts";
import type { Part } from "../../../src/budgets/engine/snapshot.ts";
import type { Answer } from "../../../src/budgets/events.ts";
import { isSplit, itemsOf } from "../../../src/budgets/fold/items.ts";
import {
  budgetId,
  inForce,
  paid,
  paidInLast,
  paidMonthly,
  partWith,
  phone,
  placed,
  salaryPart,
  servicePart,
  snapshotWith,
  unknownPart,
} from "./parts.ts";

const snapshot = snapshotWith();
const itemsFor = (part: Part, answer?: Partial<Answer>, of = snapshot): Item[] =>
  itemsOf(placed(part, answer === undefined ? null : inForce(answer)), budgetId, of);
const itemFor = (part: Part, answer?: Partial<Answer>, of = snapshot): Item => itemsFor(part, answer, of)[0]!;
const costOf = ({ paymentCostMinor, paymentFrequency, paymentCostMonthlyMinor }: Item) => [
  paymentCostMinor,
  paymentFrequency,
  paymentCostMonthlyMinor,
];
const daysOf = ({ transactions }: Item) => transactions.map(({ transactionDate }) => transactionDate);
const split = (...parts: [string, number][]): Answer["categories"] =>
  parts.map(([id, amountMinor]) => ({ id, amountMinor }));
const together = (...ids: string[]): Answer["categories"] => ids.map((id) => ({ id, amountMinor: null }));

test("a running service costs its price at its frequency, and shows its payments and their means", (t) => {
  const transactions = [
    paid("2025-08-10", -27_000),
    paid("2025-11-10", -27_000),
    paid("2026-02-10", -27_000),
    paid("2026-05-10", -30_000),
    paid("2026-06-12", -30_000),
  ];
  const part = servicePart({
    paymentCostMinor: 30_000,
    paymentFrequency: "QUARTERLY",
    transactions,
    candidates: [{ categoryId: "COMMUNICATION_MOBILE", rule: "PRODUCT", confidence: 0.95 }],
  });
  t.deepEqual(itemsFor(part), [
    {
      id: "573baf22-ddad-5b68-9e99-50396404311f",
      key: `service:${phone.id}`,
      subject: `service:${phone.id}`,
      payeeKey: "FJORDTEL",
      title: "Fjordtel",
      imageUrl: "https://bank.example/fjordtel.svg",
      source: "ENGINE",
      type: "SERVICE",
      paymentCostMinor: 30_000,
      paymentFrequency: "QUARTERLY",
      // 300.00 / 3; 300.00 / 3; 1,110.00 / 12: the running month is in no mean.
      paymentCostMonthlyMinor: 10_000,
      averageLastThreeMonthsMinor: 10_000,
      averageLastTwelveMonthsMinor: 9250,
      service: phone,
      categories: ["COMMUNICATION_MOBILE"],
      transactions: transactions.map(({ document }) => document),
      rule: "PRODUCT",
      confidence: 0.95,
      candidates: [{ categoryId: "COMMUNICATION_MOBILE", rule: "PRODUCT", confidence: 0.95 }],
      monthsSeen: 4,
      overdue: null,
      income: null,
      remainingPayments: null,
    },
  ]);
});

test("a service of no known frequency costs a month what it cost over the covered months", (t) => {
  const part = servicePart({
    paymentCostMinor: 20_000,
    paymentFrequency: "UNKNOWN",
    transactions: [paid("2025-09-01", -16_000), paid("2026-02-01", -20_000)],
  });
  // 360.00 / 12; of the latest four months 200.00 / 4.
  t.deepEqual(costOf(itemFor(part)), [20_000, "UNKNOWN", 3000]);
  t.deepEqual(costOf(itemFor(part, undefined, snapshotWith({ covered: 4 }))), [20_000, "UNKNOWN", 5000]);
});

test("a payee costs the monthly mean of its everyday payments; its one-offs are in what was observed alone", (t) => {
  const transactions = [
    paid("2025-05-20", -1000),
    paid("2025-10-10", -8000),
    paid("2026-03-10", -4000),
    paid("2026-04-04", -60_000, { oneOff: true }),
  ];
  const item = itemFor(partWith({ transactions }));
  // 120.00 / 12; 640.00 / 3 = 213.333…; 720.00 / 12.
  t.deepEqual(costOf(item), [1000, "MONTHLY", 1000]);
  t.like(item, {
    source: "DERIVED_FROM_TRANSACTIONS",
    type: "DERIVED_FROM_TRANSACTIONS",
    averageLastThreeMonthsMinor: 21_333,
    averageLastTwelveMonthsMinor: 6000,
    monthsSeen: 3,
    rule: "MERCHANT",
    confidence: 0.9,
    service: null,
  });
  t.deepEqual(daysOf(item), ["2025-10-10", "2026-03-10"]);
});

test("what a payee's part says of a price does not count: it is no recurring payment", (t) => {
  t.deepEqual(
    costOf(itemFor(partWith({ paymentCostMinor: 99, paymentFrequency: "WEEKLY", transactions: paidMonthly(-2400) }))),
    [2400, "MONTHLY", 2400],
  );
});

test("a payee of no known category costs the middle one of its last six payments, as often as nobody knows", (t) => {
  const days = ["2025-07-01", "2025-08-01", "2025-09-01", "2025-10-01", "2025-11-01", "2025-12-01", "2026-01-01"];
  const amounts = [1000, 200, 300, 400, 500, 600, 700];
  const item = itemFor(
    unknownPart(
      "ZORBO",
      days.map((day, at) => paid(day, 0 - amounts[at]!)),
    ),
  );
  // Between 400 and 500; all of 3,700 over twelve months is 308.33…
  t.deepEqual(costOf(item), [450, "UNKNOWN", 308]);
  t.like(item, { source: "DERIVED_FROM_TRANSACTIONS", type: "RAW", categories: [], rule: "NONE", monthsSeen: 7 });
});

test("a payee with nothing but one-offs shows the latest", (t) => {
  const item = itemFor(
    unknownPart("ZORBO", [
      paid("2025-11-10", -6000, { oneOff: true }),
      paid("2025-12-10", -6000, { oneOff: true }),
      paid("2026-04-10", -24_000, { oneOff: true }),
    ]),
  );
  t.deepEqual(costOf(item), [24_000, "UNKNOWN", 2000]);
  t.deepEqual(daysOf(item), ["2026-04-10"]);
  t.is(item.averageLastTwelveMonthsMinor, 3000);
});

test("one everyday payment is enough to be shown, though a one-off came later", (t) => {
  const part = partWith({ transactions: [paid("2025-10-10", -1200), paid("2026-04-04", -60_000, { oneOff: true })] });
  t.deepEqual(daysOf(itemFor(part)), ["2025-10-10"]);
  t.deepEqual(costOf(itemFor(part)), [100, "MONTHLY", 100]);
});

test("a regular income is the engine's, derived from its transactions, and raw without a category", (t) => {
  t.like(itemFor(salaryPart()), {
    source: "ENGINE",
    type: "DERIVED_FROM_TRANSACTIONS",
    paymentCostMonthlyMinor: 2_500_000,
    averageLastThreeMonthsMinor: 2_500_000,
  });
  t.like(itemFor(salaryPart({ categoryId: null })), {
    source: "ENGINE",
    type: "RAW",
    paymentCostMonthlyMinor: 2_500_000,
  });
});

test("what refunds outweigh or come up to is not budgeted, unless somebody answered about it", (t) => {
  const refunded = (amount: number) =>
    partWith({ transactions: [paid("2026-04-01", -5000), paid("2026-04-20", amount)] });
  t.deepEqual(itemsFor(refunded(5000)), []);
  t.deepEqual(itemsFor(refunded(6200)), []);
  // 12 / 12.
  t.is(itemsFor(refunded(4988))[0]?.paymentCostMonthlyMinor, 1);
  t.is(itemFor(refunded(5000), {}).paymentCostMonthlyMinor, 0);
  t.is(itemFor(refunded(6200), {}).paymentCostMonthlyMinor, -100);
});

test("an answered payee is the user's: its one-offs are taken in, and the answer's title is its own", (t) => {
  const part = partWith({ transactions: [paid("2025-10-10", -12_000), paid("2026-04-04", -60_000, { oneOff: true })] });
  const item = itemFor(part, { categories: together("LEISURE_PETS"), title: "The dog" });
  t.deepEqual(costOf(item), [6000, "MONTHLY", 6000]);
  t.like(item, { source: "ACTION", type: "DERIVED_FROM_TRANSACTIONS", title: "The dog", rule: "USER", confidence: 1 });
  t.deepEqual(item.categories, ["LEISURE_PETS"]);
  t.deepEqual(daysOf(item), ["2025-10-10", "2026-04-04"]);
  t.is(itemFor(part, {}).title, "Shop");
});

test("an answer's type is the item's; but a service stays one until its amount is typed, and no payee is one", (t) => {
  const payee = partWith({ transactions: paidMonthly(-100) });
  t.is(itemFor(payee, { type: "RAW" }).type, "RAW");
  t.is(itemFor(payee, { type: "TRANSACTION" }).type, "TRANSACTION");
  t.is(itemFor(payee, { type: "SERVICE" }).type, "DERIVED_FROM_TRANSACTIONS");
  t.is(itemFor(servicePart(), { type: "RAW" }).type, "SERVICE");
  t.is(itemFor(servicePart(), { type: "SERVICE" }).source, "ACTION");
  t.is(itemFor(servicePart(), { type: "USER_PROVIDED", amountMinor: 100, frequency: "MONTHLY" }).type, "USER_PROVIDED");
});

test("an answer that calls a payee raw leaves its frequency open", (t) => {
  t.deepEqual(
    costOf(
      itemFor(partWith({ transactions: [paid("2026-01-10", -1200), paid("2026-02-10", -3600)] }), { type: "RAW" }),
    ),
    [2400, "UNKNOWN", 400],
  );
});

test("a typed amount replaces what was seen, and shows no payments", (t) => {
  const typed = (more: Partial<Answer>) => itemFor(servicePart(), { type: "USER_PROVIDED", ...more });
  t.deepEqual(costOf(typed({ amountMinor: 24_000, frequency: "YEARLY" })), [24_000, "YEARLY", 2000]);
  t.deepEqual(typed({ amountMinor: 24_000, frequency: "YEARLY" }).transactions, []);
  t.deepEqual(costOf(typed({ amountMinor: null, frequency: "YEARLY" })), [0, "YEARLY", 0]);
  // What was observed stays what it was.
  t.is(typed({ amountMinor: 24_000, frequency: "YEARLY" }).averageLastTwelveMonthsMinor, 15_900);
});

test("an answer without a frequency leaves the cost to the engine", (t) => {
  t.deepEqual(costOf(itemFor(servicePart(), { type: "USER_PROVIDED", amountMinor: 24_000 })), [
    15_900,
    "MONTHLY",
    15_900,
  ]);
  t.deepEqual(costOf(itemFor(servicePart(), { type: "USER_PROVIDED", amountMinor: 24_000, frequency: "UNKNOWN" })), [
    15_900,
    "MONTHLY",
    15_900,
  ]);
});

test("one chosen transaction is budgeted by its frequency", (t) => {
  const part = partWith({
    transactions: [paid("2025-10-10", -1200), paid("2026-02-10", -3600), paid("2026-03-10", -2400)],
  });
  const chosen = (more: Partial<Answer>) => costOf(itemFor(part, { frequency: "QUARTERLY", ...more }));
  t.deepEqual(chosen({ type: "TRANSACTION", txid: "2026-02-10", amountMinor: 99 }), [3600, "QUARTERLY", 1200]);
  // One that is no longer there costs what it cost when it was chosen; without that, the mean: 72.00 / 12.
  t.deepEqual(chosen({ type: "TRANSACTION", txid: "gone", amountMinor: 900 }), [900, "QUARTERLY", 300]);
  t.deepEqual(chosen({ type: "TRANSACTION", txid: "gone" }), [600, "MONTHLY", 600]);
  t.deepEqual(chosen({ type: "DERIVED_FROM_TRANSACTIONS", txid: "2026-02-10", amountMinor: 900 }), [
    600,
    "MONTHLY",
    600,
  ]);
});

test("only several categories that all have an amount split a payment", (t) => {
  t.true(isSplit(split(["HOUSING_RENT", 1], ["UTILITIES_HEATING", 0])));
  t.false(isSplit(split(["HOUSING_RENT", 1])));
  t.false(isSplit(together("HOUSING_RENT", "UTILITIES_HEATING")));
  t.false(
    isSplit([
      { id: "HOUSING_RENT", amountMinor: 1 },
      { id: "UTILITIES_HEATING", amountMinor: null },
    ]),
  );
  t.false(isSplit([]));
});

test("a payment that covers several categories stays one, carried by the first", (t) => {
  t.deepEqual(
    itemsFor(servicePart(), { categories: together("HOUSING_RENT", "UTILITIES_HEATING") }).map(
      ({ categories }) => categories,
    ),
    [["HOUSING_RENT", "UTILITIES_HEATING"]],
  );
});

test("a split payment is one item a category, each figure divided to the last øre", (t) => {
  const part = partWith({ transactions: [...paidMonthly(-1001).slice(0, 9), ...paidInLast(3, -2002)] });
  const items = itemsFor(part, { categories: split(["FOOD_GROCERIES", 6000], ["LEISURE_PETS", 4000]) });
  t.deepEqual(
    items.map(({ id, key, categories }) => [id, key, categories]),
    [
      ["b921c6f7-aae3-5048-8bc3-d8354d056b6d", "payee:SHOP:FOOD_GROCERIES:FOOD_GROCERIES", ["FOOD_GROCERIES"]],
      ["5319be82-5946-5b0c-99a0-f4915f7c6033", "payee:SHOP:FOOD_GROCERIES:LEISURE_PETS", ["LEISURE_PETS"]],
    ],
  );
  // 15,015 / 12 = 1,251.25: 750.6 and 500.4 of 1,251.
  // Of 6,006 in three months 3,604 and 2,402; of 15,015 in twelve 9,009 and 6,006.
  t.deepEqual(items.map(costOf), [
    [751, "MONTHLY", 751],
    [500, "MONTHLY", 500],
  ]);
  t.deepEqual(
    items.map((one) => one.averageLastThreeMonthsMinor),
    [1201, 801],
  );
  t.deepEqual(
    items.map((one) => one.averageLastTwelveMonthsMinor),
    [751, 501],
  );
  t.is(items[1]?.subject, "payee:SHOP");
});

test("a split service's price and its month are divided each by itself", (t) => {
  const items = itemsFor(servicePart({ paymentCostMinor: 30_000, paymentFrequency: "QUARTERLY" }), {
    categories: split(["COMMUNICATION_MOBILE", 3], ["COMMUNICATION_INTERNET_TV", 2]),
  });
  t.deepEqual(items.map(costOf), [
    [18_000, "QUARTERLY", 6000],
    [12_000, "QUARTERLY", 4000],
  ]);
});
