/** The questions that a budget still has. */
import test from "ava";
import type { CategoryNode, Item, Question } from "../../../src/budgets/budget.ts";
import { missingQuestionId } from "../../../src/budgets/fold/notes.ts";
import { type QuestionContext, questionsOf } from "../../../src/budgets/fold/questions.ts";
import { budgetId, decisionsWith, groupWith, inForce, itemWith, nodeWith, noteWith, phone } from "./parts.ts";

const context: QuestionContext = {
  budgetId,
  language: "en",
  currency: "DKK",
  decisions: decisionsWith(),
  uncategorized: [],
  expenses: [],
  categories: [],
  income: [],
  averageExpensesMinor: 1_000_000,
  isTargetMet: false,
};
const ask = (more: Partial<QuestionContext>): Question[] => questionsOf({ ...context, ...more });
const unknown = (name: string, monthlyMinor: number, more: Partial<Item> = {}): Item =>
  itemWith({
    key: `payee:${name}:`,
    subject: `payee:${name}`,
    title: name,
    type: "RAW",
    categories: [],
    rule: "NONE",
    confidence: 0,
    monthsSeen: 3,
    paymentCostMonthlyMinor: monthlyMinor,
    ...more,
  });
const guessed = (confidence: number, monthlyMinor: number, more: Partial<Item> = {}): Item =>
  itemWith({ confidence, paymentCostMonthlyMinor: monthlyMinor, ...more });
const expected = (id: string, name: string, severity: "LOW" | "MEDIUM" | "HIGH"): CategoryNode =>
  nodeWith(id, 0, { name, notes: [noteWith("EXPECTED_NONEMPTY", severity)] });
const titles = (questions: readonly Question[]) => questions.map(({ title }) => title);

test("a budget of which all is known asks nothing", (t) => {
  t.deepEqual(ask({ expenses: [itemWith()] }), []);
});

test("a payee without a category is asked about, with what goes to it and what it may be", (t) => {
  const item = unknown("ZORBO", 25_000);
  t.deepEqual(ask({ uncategorized: [item] }), [
    {
      id: "4ed57a24-af50-554e-a25d-99307102b5bd",
      type: "RECATEGORIZATION",
      title: "What is ZORBO?",
      content: "About DKK\u00a0250 a month goes to ZORBO. Which category is it?",
      skipped: false,
      open: true,
      item,
      potentialCategories: [
        "FOOD_RESTAURANTS",
        "HOME_FURNITURE",
        "LEISURE_CULTURE_EVENTS",
        "OTHER_TRANSFERS",
        "OTHER_EXPENSES",
      ],
      category: null,
      weightMinor: 25_000,
    },
  ]);
});

test("a payee is worth a question from a hundredth of the expenses on, and from about five euro", (t) => {
  const asked = (monthlyMinor: number, more: Partial<QuestionContext> = {}) =>
    ask({ uncategorized: [unknown("ZORBO", monthlyMinor)], ...more }).length;
  t.deepEqual([asked(9999), asked(10_000)], [0, 1]);
  t.deepEqual([asked(3999, { averageExpensesMinor: 0 }), asked(4000, { averageExpensesMinor: 0 })], [0, 1]);
});

test("five euro are so much of each currency, five of one that is not listed", (t) => {
  const leasts: [string, number][] = [
    ["EUR", 500],
    ["GBP", 500],
    ["USD", 500],
    ["CHF", 500],
    ["DKK", 4000],
    ["NOK", 6000],
    ["SEK", 6000],
    ["PLN", 2000],
    ["CZK", 12_500],
    ["ISK", 700],
    ["HUF", 200_000],
    ["AUD", 500],
    ["JPY", 5],
  ];
  for (const [currency, least] of leasts) {
    const asked = (minor: number) =>
      ask({ currency, averageExpensesMinor: 0, uncategorized: [unknown("ZORBO", minor)] }).length;
    t.deepEqual([asked(least - 1), asked(least)], [0, 1], currency);
  }
});

test("a guess is asked about when it is neither good nor bad, and takes three hundredths of the expenses", (t) => {
  const asked = (confidence: number, monthlyMinor: number) =>
    ask({ expenses: [guessed(confidence, monthlyMinor)] }).length;
  t.deepEqual([asked(0.39, 30_000), asked(0.4, 30_000), asked(0.59, 30_000), asked(0.6, 30_000)], [0, 1, 1, 0]);
  t.deepEqual([asked(0.5, 29_999), asked(0.5, 30_000)], [0, 1]);
});

test("a question about a guess names it, and offers it first", (t) => {
  const [question] = ask({
    expenses: [
      guessed(0.5, 30_000, { candidates: [{ categoryId: "HOME_FURNITURE", rule: "TEXT", confidence: 0.45 }] }),
    ],
  });
  t.is(question?.content, "About DKK\u00a0300 a month goes to Shop. We think that it is groceries. Is it?");
  t.deepEqual(question?.potentialCategories, ["FOOD_GROCERIES", "HOME_FURNITURE"]);
});

test("a payee is asked about once, for its largest expense; what cannot be answered about is not asked", (t) => {
  const [small, large] = [
    unknown("ZORBO", 20_000),
    guessed(0.5, 30_000, { subject: "payee:ZORBO", title: "Zorbo kiosk" }),
  ];
  t.deepEqual(titles(ask({ uncategorized: [small], expenses: [large] })), ["What is Zorbo kiosk?"]);
  t.deepEqual(titles(ask({ uncategorized: [unknown("ZORBO", 40_000)], expenses: [large] })), ["What is ZORBO?"]);
  // Of two that cost the same the one without any category stands for both.
  t.deepEqual(titles(ask({ uncategorized: [unknown("ZORBO", 30_000)], expenses: [large] })), ["What is ZORBO?"]);
  t.deepEqual(ask({ expenses: [guessed(0.5, 30_000, { subject: null })] }), []);
});

test("payees are asked about biggest first, by their ids where they cost the same", (t) => {
  const [a, b, c] = ["A", "B", "C"].map((name) => unknown(name, name === "C" ? 20_000 : 15_000)) as [Item, Item, Item];
  const order = titles(ask({ uncategorized: [a, b, c] }));
  t.is(order[0], "What is C?");
  t.deepEqual(titles(ask({ uncategorized: [c, b, a] })), order);
  const ids = ask({ uncategorized: [a, b] }).map(({ id }) => id);
  t.deepEqual(ids, ids.toSorted());
  t.deepEqual(
    ask({ uncategorized: [b, a] }).map(({ id }) => id),
    ids,
  );
});

test("what is known of a payee's category is offered best first: expense leaves, each once, five at most", (t) => {
  const offered = (...candidates: [string, number][]) =>
    ask({
      uncategorized: [
        unknown("ZORBO", 25_000, {
          candidates: candidates.map(([categoryId, confidence]) => ({ categoryId, rule: "TEXT", confidence })),
        }),
      ],
    })[0]?.potentialCategories;
  t.deepEqual(offered(["LEISURE_PETS", 0.2], ["HOME_FURNITURE", 0.5]), ["HOME_FURNITURE", "LEISURE_PETS"]);
  t.deepEqual(offered(["LEISURE_PETS", 0.2], ["LEISURE", 0.5], ["INCOME_SALARY", 0.5], ["GONE", 0.5]), [
    "LEISURE_PETS",
    "OTHER_EXPENSES",
  ]);
  t.deepEqual(offered(["LEISURE_PETS", 0.5], ["LEISURE_PETS", 0.4]), ["LEISURE_PETS", "OTHER_EXPENSES"]);
  t.deepEqual(
    offered(
      ["LEISURE_PETS", 0.6],
      ["HOME_FURNITURE", 0.5],
      ["FOOD_GROCERIES", 0.4],
      ["HEALTH_CARE", 0.3],
      ["OTHER_CASH", 0.2],
      ["FEES_TAX", 0.1],
    ),
    ["LEISURE_PETS", "HOME_FURNITURE", "FOOD_GROCERIES", "HEALTH_CARE", "OTHER_CASH"],
  );
});

test("of a payee of which nothing is known offered is what regular and casual payees most often are", (t) => {
  const regular = ["HOUSING_RENT", "DEBT_CONSUMER_LOAN", "SAVINGS_INVESTMENT", "OTHER_TRANSFERS", "OTHER_EXPENSES"];
  const casual = ["FOOD_RESTAURANTS", "HOME_FURNITURE", "LEISURE_CULTURE_EVENTS", "OTHER_TRANSFERS", "OTHER_EXPENSES"];
  const offered = (more: Partial<Item>) =>
    ask({ uncategorized: [unknown("ZORBO", 25_000, more)] })[0]?.potentialCategories;
  t.deepEqual(
    [offered({ monthsSeen: 6 }), offered({ monthsSeen: 5 }), offered({ monthsSeen: 1, service: phone })],
    [regular, casual, regular],
  );
  // "Other" alone is no choice.
  t.deepEqual(
    offered({ monthsSeen: 5, candidates: [{ categoryId: "OTHER_EXPENSES", rule: "TYPE", confidence: 0.2 }] }),
    casual,
  );
});

test("when enough is known only what takes a twentieth of the expenses is still offered", (t) => {
  const open = (isTargetMet: boolean) =>
    ask({ isTargetMet, uncategorized: [unknown("B", 50_000), unknown("A", 49_999)] }).map((question) => question.open);
  t.deepEqual(open(true), [true, false]);
  t.deepEqual(open(false), [true, true]);
});

test("not more than twenty questions are open at once, and those that are not take no place", (t) => {
  const many = Array.from({ length: 22 }, (_, at) => unknown(`P${at}`, 60_000 - at));
  t.deepEqual(
    ask({ uncategorized: many }).map(({ open }) => open),
    [...Array.from({ length: 20 }, () => true), false, false],
  );
  const missing = [expected("FOOD_GROCERIES", "Groceries", "HIGH")];
  const [few, groceries] = [many.slice(0, 19), missingQuestionId(budgetId, "FOOD_GROCERIES")];
  const small = Array.from({ length: 5 }, (_, at) => unknown(`S${at}`, 20_000 - at));
  const asked = ask({ uncategorized: [...few, ...small], categories: missing, isTargetMet: true });
  t.is(asked.length, 25);
  t.deepEqual(
    asked.filter(({ open }) => !open).map(({ weightMinor }) => weightMinor),
    [20_000, 19_999, 19_998, 19_997, 19_996],
  );
  t.true(asked.find(({ id }) => id === groceries)?.open);
});

test("what is missing is asked after the payees, the gravest first, on both sides", (t) => {
  const categories = [
    groupWith("COMMUNICATION", [expected("COMMUNICATION_MOBILE", "Mobile phone", "LOW")]),
    groupWith("FOOD", [expected("FOOD_GROCERIES", "Groceries", "HIGH")]),
    nodeWith("INSURANCE_HOME", 0, {
      name: "Insurance",
      notes: [noteWith("EXPECTED_NONEMPTY", "MEDIUM"), noteWith("EXPECTED_EMPTY", "HIGH")],
    }),
  ];
  const asked = ask({
    categories,
    income: [expected("INCOME_SALARY", "Salary", "LOW")],
    uncategorized: [unknown("ZORBO", 25_000)],
  });
  t.deepEqual(titles(asked), [
    "What is ZORBO?",
    "Nothing is paid for groceries",
    "Nothing is paid for insurance",
    "Nothing is paid for mobile phone",
    "Nothing is paid for salary",
  ]);
  t.deepEqual(asked[1], {
    id: "c64aa151-05b4-5a2e-b97d-df4e26f510d3",
    type: "MISSING_CATEGORY",
    title: "Nothing is paid for groceries",
    content: "We expected a payment for groceries and found none. Which payment is it, or how much is it?",
    skipped: false,
    open: true,
    item: null,
    potentialCategories: null,
    category: "FOOD_GROCERIES",
    weightMinor: 0,
  });
  t.is(asked[4]?.content, "We expected salary and found none. Which payment is it, or how much is it?");
});

const both = {
  uncategorized: [unknown("ZORBO", 25_000)],
  categories: [expected("FOOD_GROCERIES", "Groceries", "HIGH"), expected("HOUSING_RENT", "Rent", "HIGH")],
};
const [zorbo, groceries, rent] = ask(both).map(({ id }) => id) as [string, string, string];

test("what was answered or closed for good is not asked", (t) => {
  const ids = (more: Parameters<typeof decisionsWith>[0]) =>
    ask({ ...both, decisions: decisionsWith(more) }).map(({ id }) => id);
  t.deepEqual(ids({ answers: new Map([[zorbo, inForce()]]) }), [groceries, rent]);
  t.deepEqual(ids({ notApplicable: new Set([groceries]) }), [zorbo, rent]);
});

test("what was skipped is asked last, the oldest skip first, and says that it was skipped", (t) => {
  const decisions = decisionsWith({
    skips: new Map([
      [zorbo, 7],
      [groceries, 3],
    ]),
  });
  t.deepEqual(
    ask({ ...both, decisions }).map(({ id, skipped }) => [id, skipped]),
    [
      [rent, false],
      [groceries, true],
      [zorbo, true],
    ],
  );
});
