/** Each side of the budget: its items, its means, and what no item took. */
import test from "ava";
import type { Part } from "../../../src/budgets/engine/snapshot.ts";
import { decide } from "../../../src/budgets/fold/decisions.ts";
import type { CategorisedPart } from "../../../src/budgets/fold/categorised-parts.ts";
import { type Side, sideOf, uncategorizedOf, notBudgeted } from "../../../src/budgets/fold/sides.ts";
import { facts, logOf } from "../household.ts";
import {
  answerWith,
  decisionsWith,
  inForce,
  paid,
  paidInLast,
  paidMonthly,
  partWith,
  placed,
  salaryPart,
  servicePart,
  snapshotWith,
  unknownPart,
} from "./parts.ts";

const snapshot = snapshotWith();
const sideWith = (side: "EXPENSE" | "INCOME", parts: readonly CategorisedPart[], decisions = decisionsWith()) =>
  sideOf(side, parts, decisions, facts, snapshot);
const titles = ({ items }: Side) => items.map(({ title, paymentCostMonthlyMinor }) => [title, paymentCostMonthlyMinor]);
const restaurant = (name: string, more: Partial<Part> = {}) =>
  partWith({
    key: `payee:${name}:FOOD_RESTAURANTS`,
    payeeKey: name,
    title: name,
    categoryId: "FOOD_RESTAURANTS",
    transactions: paidInLast(2, -60_000),
    ...more,
  });

test("each side has its own items, costliest first", (t) => {
  const parts = [placed(servicePart()), placed(partWith({ transactions: paidMonthly(-90_000) })), placed(salaryPart())];
  t.deepEqual(titles(sideWith("EXPENSE", parts)), [
    ["Shop", 90_000],
    ["Fjordtel", 15_900],
  ]);
  t.deepEqual(titles(sideWith("INCOME", parts)), [["Employer", 2_500_000]]);
  t.deepEqual([...sideWith("INCOME", parts).budgeted], [parts[2]]);
  t.is(sideWith("EXPENSE", parts).nodes[0]?.id, "HOUSING");
  t.is(sideWith("INCOME", parts).nodes[0]?.id, "INCOME_WORK");
});

test("seldom visited payees are one item a category, named after it as in a sentence", (t) => {
  const parts = [
    placed(restaurant("AKSEL")),
    placed(restaurant("BO")),
    placed(restaurant("PET", { categoryId: "LEISURE_PETS" })),
  ];
  const side = sideWith("EXPENSE", parts);
  // 4 · 600.00 / 12; 2 · 600.00 / 12.
  t.deepEqual(titles(side), [
    ["Other: restaurants and takeaway", 20_000],
    ["Other: pets", 10_000],
  ]);
  t.deepEqual(side.budgeted, new Set(parts));
});

test("what stands in no category is no item, and what is left of nothing takes no payments", (t) => {
  const refunded = [paid("2026-04-01", -5000), paid("2026-04-20", 5000)];
  const nowhere = placed(servicePart({ categoryId: null }));
  const outweighed = placed(partWith({ categoryId: "INSURANCE_HOME", transactions: refunded }));
  const gathered = placed(restaurant("AKSEL", { transactions: refunded }));
  const pets = placed(restaurant("PET", { categoryId: "LEISURE_PETS" }));
  const side = sideWith("EXPENSE", [nowhere, outweighed, gathered, pets]);
  t.deepEqual(titles(side), [["Other: pets", 10_000]]);
  t.deepEqual([...side.budgeted], [pets]);
});

test("an amount typed for something unseen stands on its category's side, one about a payee at the payee", (t) => {
  const typed = (subject: string | null, id: string, amountMinor: number) =>
    answerWith({
      type: "USER_PROVIDED",
      subject,
      amountMinor,
      frequency: "MONTHLY",
      title: id,
      categories: [{ id, amountMinor: null }],
    });
  const decisions = decide(
    logOf([
      { type: "ANSWERED", actionId: "a", answer: typed(null, "HOUSING_RENT", 500) },
      { type: "ANSWERED", actionId: "b", answer: typed(null, "INCOME_RENTAL", 70) },
      { type: "ANSWERED", actionId: "c", answer: typed("payee:SHOP", "LEISURE_PETS", 9) },
    ]),
  );
  t.deepEqual(titles(sideWith("EXPENSE", [], decisions)), [["HOUSING_RENT", 500]]);
  t.deepEqual(titles(sideWith("INCOME", [], decisions)), [["INCOME_RENTAL", 70]]);
  const large = placed(partWith({ transactions: paidMonthly(-90_000) }));
  t.deepEqual(titles(sideWith("EXPENSE", [large], decisions)), [
    ["Shop", 90_000],
    ["HOUSING_RENT", 500],
  ]);
  t.deepEqual(titles(sideOf("EXPENSE", [large], decisions, facts, null)), [["HOUSING_RENT", 500]]);
});

test("a side's means are of everything that was seen, what has no category included", (t) => {
  const parts = [
    placed(partWith({ transactions: [paid("2025-06-10", -12_000), paid("2026-05-10", -6000)] })),
    placed(unknownPart("ZORBO", [paid("2025-07-10", -2400), paid("2026-04-10", -300)])),
    placed(salaryPart()),
  ];
  // 60.00 / 3 and 3.00 / 3; 180.00 / 12 and 27.00 / 12 = 2.25.
  t.deepEqual(sideWith("EXPENSE", parts).averages, { three: 2100, twelve: 1725 });
  t.deepEqual(sideWith("INCOME", parts).averages, { three: 2_500_000, twelve: 2_500_000 });
  t.deepEqual(sideWith("EXPENSE", [parts[0]!]).averages, { three: 2000, twelve: 1500 });
});

test("without data a side has the empty tree and no means", (t) => {
  const side = sideOf("EXPENSE", [], decisionsWith(), facts, null);
  t.deepEqual([side.items, side.averages, side.budgeted], [[], { three: 0, twelve: 0 }, new Set()]);
  t.is(side.nodes.length, 17);
});

const sideOfAverage = (twelve: number): Side => ({
  items: [],
  nodes: [],
  averages: { three: 0, twelve },
  budgeted: new Set(),
});
const listed = (parts: readonly Part[], twelve = 1_000_000) =>
  uncategorizedOf(
    parts.map((part) => placed(part)),
    sideOfAverage(twelve),
    facts.id,
    snapshot,
  ).map(({ title, paymentCostMonthlyMinor }) => [title, paymentCostMonthlyMinor]);

test("a payee without a category is listed when it is a service, a habit, or a hundredth of the expenses", (t) => {
  t.deepEqual(listed([servicePart({ categoryId: null, paymentCostMinor: 50, transactions: paidInLast(1, -50) })]), [
    ["Fjordtel", 50],
  ]);
  t.deepEqual(listed([unknownPart("THRICE", paidInLast(3, -1200))]), [["THRICE", 300]]);
  t.deepEqual(listed([unknownPart("TWICE", paidInLast(2, -1200))]), []);
  // 100.00 a month is one hundredth of 10,000.00.
  t.deepEqual(listed([unknownPart("LARGE", [paid("2026-05-10", -120_000)])]), [["LARGE", 10_000]]);
  t.deepEqual(listed([unknownPart("LARGE", [paid("2026-05-10", -120_000)])], 1_000_100), []);
});

test("listed are expenses that run and have no category, biggest first", (t) => {
  const [small, large] = [unknownPart("SMALL", paidMonthly(-100)), unknownPart("LARGE", paidMonthly(-900))];
  t.deepEqual(listed([small, large]), [
    ["LARGE", 900],
    ["SMALL", 100],
  ]);
  t.deepEqual(listed([partWith({ transactions: paidMonthly(-900) })]), []);
  t.deepEqual(listed([servicePart({ categoryId: null, standing: "ENDED" })]), []);
  t.deepEqual(listed([salaryPart({ categoryId: null })]), []);
  t.deepEqual(listed([unknownPart("REFUNDED", [paid("2026-04-01", -500), paid("2026-05-01", 900)])], 0), []);
});

test("one-offs make no habit of a payee that nobody has put anywhere", (t) => {
  t.deepEqual(
    listed([
      unknownPart("ZORBO", [
        paid("2026-03-10", -120),
        paid("2026-04-10", -120),
        paid("2026-05-10", -120, { oneOff: true }),
      ]),
    ]),
    [],
  );
});

const sidesTaking = (expenses: CategorisedPart[], income: CategorisedPart[] = []) => ({
  expenses: { ...sideOfAverage(0), budgeted: new Set(expenses) },
  income: { ...sideOfAverage(0), budgeted: new Set(income) },
});
const untakenOf = (parts: CategorisedPart[], sides: ReturnType<typeof sidesTaking>) =>
  notBudgeted(parts, sides, snapshot).map(({ txid }) => txid);

test("what no item took is nonrecurring, and so are a payee's one-offs, unless an answer took these in", (t) => {
  const transactions = [paid("2026-04-01", -500), paid("2026-04-02", -90_000, { oneOff: true })];
  const [shop, answered] = [placed(partWith({ transactions })), placed(partWith({ transactions }), inForce())];
  t.deepEqual(untakenOf([shop], sidesTaking([])), ["2026-04-01", "2026-04-02"]);
  t.deepEqual(untakenOf([shop], sidesTaking([shop])), ["2026-04-02"]);
  t.deepEqual(untakenOf([shop], sidesTaking([], [shop])), ["2026-04-02"]);
  t.deepEqual(untakenOf([answered], sidesTaking([answered])), []);
});

test("a service's payments, a regular income's and an ended one's recur, though no item took them", (t) => {
  t.deepEqual(
    untakenOf(
      [placed(servicePart()), placed(salaryPart()), placed(servicePart({ standing: "ENDED" }))],
      sidesTaking([]),
    ),
    [],
  );
});

test("what was paid before the window is not told", (t) => {
  const shop = placed(
    partWith({ transactions: [paid("2025-05-31", -1), paid("2025-06-01", -1), paid("2026-06-14", -1)] }),
  );
  t.deepEqual(untakenOf([shop], sidesTaking([])), ["2025-06-01", "2026-06-14"]);
});
