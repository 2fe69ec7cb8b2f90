/** The trees: what stands in each leaf and each group, by the engine's word and by the user's. */
import test from "ava";
import type { Item } from "../../../src/budgets/budget.ts";
import { categoryById } from "../../../src/categories/tree.ts";
import {
  costliestFirst,
  effectiveOf,
  type NodeContext,
  nodesOf,
  observedByCategory,
  userTotal,
} from "../../../src/budgets/fold/nodes.ts";
import {
  decisionsWith,
  inForce,
  itemWith,
  nodeWith,
  paid,
  partWith,
  placed,
  salaryPart,
  snapshotWith,
  unknownPart,
} from "./parts.ts";

const food = (more: Partial<NodeContext> = {}) => {
  const context: NodeContext = {
    items: [],
    observed: new Map(),
    decisions: decisionsWith(),
    language: "en",
    snapshot: snapshotWith(),
    ...more,
  };
  const [group] = nodesOf([categoryById("FOOD")], context);
  return group!;
};
const leafOf = (id: string, more: Partial<NodeContext> = {}) => food(more).children.find((leaf) => leaf.id === id)!;
const monthly = (amountMinor: number) => ({ amountMinor, frequency: "MONTHLY" }) as const;

test("what was observed is added up by category, what has none under no name, one-offs included", (t) => {
  const observed = observedByCategory(
    [
      placed(partWith({ transactions: [paid("2025-06-10", -100), paid("2026-05-10", -200)] })),
      placed(partWith({ key: "payee:OTHER", transactions: [paid("2026-05-11", -50, { oneOff: true })] })),
      placed(unknownPart("ZORBO", [paid("2025-07-10", -30)])),
      placed(salaryPart({ transactions: [paid("2025-08-10", 900)] })),
    ],
    "EXPENSE",
    snapshotWith(),
  );
  t.deepEqual(
    observed,
    new Map([
      ["FOOD_GROCERIES", [100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 250]],
      ["", [0, 30, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]],
    ]),
  );
});

test("the income's tree has what came in", (t) => {
  const observed = observedByCategory(
    [
      placed(partWith({ transactions: [paid("2025-06-10", -100)] })),
      placed(salaryPart({ transactions: [paid("2025-08-10", 900)] })),
    ],
    "INCOME",
    snapshotWith(),
  );
  t.deepEqual(observed, new Map([["INCOME_SALARY", [0, 0, 900, 0, 0, 0, 0, 0, 0, 0, 0, 0]]]));
});

test("a payment that covers several categories is its carrier's; a split one is divided month by month", (t) => {
  const part = partWith({ transactions: [paid("2025-06-10", -101), paid("2026-05-10", -10)] });
  const observedOf = (categories: { id: string; amountMinor: number | null }[]) =>
    observedByCategory([placed(part, inForce({ categories }))], "EXPENSE", snapshotWith());
  t.deepEqual(
    observedOf([
      { id: "HOUSING_RENT", amountMinor: null },
      { id: "UTILITIES_HEATING", amountMinor: null },
    ]),
    new Map([["HOUSING_RENT", [101, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 10]]]),
  );
  // 60.6 and 40.4 of 101; 6 and 4 of 10.
  t.deepEqual(
    observedOf([
      { id: "HOUSING_RENT", amountMinor: 3 },
      { id: "UTILITIES_HEATING", amountMinor: 2 },
    ]),
    new Map([
      ["HOUSING_RENT", [61, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 6]],
      ["UTILITIES_HEATING", [40, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4]],
    ]),
  );
});

test("a group has its leaves in tree order, empty ones too, named in the language", (t) => {
  t.deepEqual(food({ language: "da" }), {
    ...nodeWith("FOOD", 0, { name: "Mad og husholdning" }),
    children: [
      nodeWith("FOOD_GROCERIES", 0, { name: "Dagligvarer" }),
      nodeWith("FOOD_RESTAURANTS", 0, { name: "Restaurant og takeaway" }),
      nodeWith("FOOD_ALCOHOL_TOBACCO", 0, { name: "Alkohol og tobak" }),
    ],
  });
});

test("a leaf has the items that it carries, costliest first, and comes to their sum; a group to its leaves'", (t) => {
  const small = itemWith({ key: "a", paymentCostMonthlyMinor: 300 });
  const large = itemWith({ key: "b", paymentCostMonthlyMinor: 500 });
  const eating = itemWith({
    key: "c",
    paymentCostMonthlyMinor: 70,
    categories: ["FOOD_RESTAURANTS", "FOOD_GROCERIES"],
  });
  const group = food({ items: [small, large, eating] });
  t.deepEqual(
    group.children.map(({ id, totalMonthlyMinor, items }) => [id, totalMonthlyMinor, items]),
    [
      ["FOOD_GROCERIES", 800, [large, small]],
      ["FOOD_RESTAURANTS", 70, [eating]],
      ["FOOD_ALCOHOL_TOBACCO", 0, []],
    ],
  );
  t.deepEqual([group.totalMonthlyMinor, group.totalMonthlyUserProvidedMinor, group.items], [870, null, []]);
});

test("a leaf's means are those of what was observed in its category; a group's are their sums", (t) => {
  const observed = new Map([
    ["FOOD_GROCERIES", [0, 0, 0, 0, 0, 0, 0, 0, 600, 0, 0, 300]],
    ["FOOD_RESTAURANTS", [0, 0, 0, 0, 0, 0, 0, 0, 0, 30, 0, 0]],
  ]);
  const meansOf = (node: ReturnType<typeof food>) => [
    node.averageLastThreeMonthsMinor,
    node.averageLastTwelveMonthsMinor,
  ];
  // 300 / 3 and 900 / 12; 30 / 3 and 30 / 12 = 2.5.
  t.deepEqual(meansOf(leafOf("FOOD_GROCERIES", { observed })), [100, 75]);
  t.deepEqual(meansOf(leafOf("FOOD_RESTAURANTS", { observed })), [10, 3]);
  t.deepEqual(meansOf(food({ observed })), [110, 78]);
  t.deepEqual(meansOf(food({ observed, snapshot: null })), [0, 0]);
});

test("a typed amount makes a leaf's figure the user's, and the group's with it", (t) => {
  const items: Item[] = [
    itemWith({ key: "a", paymentCostMonthlyMinor: 300 }),
    itemWith({ key: "b", type: "USER_PROVIDED", paymentCostMonthlyMinor: 50 }),
    itemWith({ key: "c", categories: ["FOOD_RESTAURANTS"], paymentCostMonthlyMinor: 7 }),
  ];
  t.is(leafOf("FOOD_GROCERIES", { items }).totalMonthlyUserProvidedMinor, 350);
  t.is(leafOf("FOOD_RESTAURANTS", { items }).totalMonthlyUserProvidedMinor, null);
  t.is(food({ items }).totalMonthlyUserProvidedMinor, 357);
});

test("an adjustment is a leaf's value by the month, before anything typed there; the nearest to the root wins", (t) => {
  const items: Item[] = [
    itemWith({ type: "USER_PROVIDED", paymentCostMonthlyMinor: 50 }),
    itemWith({ key: "c", categories: ["FOOD_RESTAURANTS"], paymentCostMonthlyMinor: 7 }),
  ];
  const leafOnly = {
    items,
    decisions: decisionsWith({
      adjustments: new Map([["FOOD_GROCERIES", { amountMinor: 1200, frequency: "YEARLY" }]]),
    }),
  };
  t.is(leafOf("FOOD_GROCERIES", leafOnly).totalMonthlyUserProvidedMinor, 100);
  t.is(leafOf("FOOD_GROCERIES", leafOnly).totalMonthlyMinor, 50);
  t.is(food(leafOnly).totalMonthlyUserProvidedMinor, 107);
  const both = {
    items,
    decisions: decisionsWith({
      adjustments: new Map([
        ["FOOD_GROCERIES", monthly(100)],
        ["FOOD", monthly(0)],
      ]),
    }),
  };
  t.is(food(both).totalMonthlyUserProvidedMinor, 0);
  t.is(leafOf("FOOD_GROCERIES", both).totalMonthlyUserProvidedMinor, 100);
});

test("an adjustment of no known frequency says nothing", (t) => {
  t.is(
    food({ decisions: decisionsWith({ adjustments: new Map([["FOOD", { amountMinor: 100, frequency: "UNKNOWN" }]]) }) })
      .totalMonthlyUserProvidedMinor,
    null,
  );
});

test("the user's value counts before the engine's, nought too", (t) => {
  t.is(effectiveOf(nodeWith("FOOD", 100)), 100);
  t.is(effectiveOf(nodeWith("FOOD", 100, { totalMonthlyUserProvidedMinor: 0 })), 0);
});

test("the user's total is of all nodes as soon as the user gave one value", (t) => {
  t.is(userTotal([nodeWith("FOOD", 100), nodeWith("HOUSING", 20)]), null);
  t.is(userTotal([nodeWith("FOOD", 100, { totalMonthlyUserProvidedMinor: 30 }), nodeWith("HOUSING", 20)]), 50);
  t.is(userTotal([]), null);
});

test("items stand costliest first, and by their keys where they cost the same", (t) => {
  const [a, b, c] = [
    itemWith({ key: "a", paymentCostMonthlyMinor: 5 }),
    itemWith({ key: "b", paymentCostMonthlyMinor: 5 }),
    itemWith({ key: "c", paymentCostMonthlyMinor: 9 }),
  ];
  t.deepEqual([b, a, c].toSorted(costliestFirst), [c, a, b]);
  t.deepEqual([c, a, b].toSorted(costliestFirst), [c, a, b]);
});
