/** Whatever a user answers, adjusts and undoes, in any order, printed columns add up and what was observed stays. */
import test from "ava";
import type { CategoryNode, FoldedBudget } from "../../src/budgets/budget.ts";
import { expenseCategories, incomeCategories, isLeaf } from "../../src/categories/tree.ts";
import { budgetDocument, detailsDocument, leavesOf } from "../../src/budgets/documents.ts";
import type { Answer, BudgetEvent } from "../../src/budgets/events.ts";
import { foldBudget } from "../../src/budgets/fold/fold.ts";
import { subjectOf } from "../../src/budgets/fold/categorised-parts.ts";
import fc, { runs } from "../property.ts";
import { facts, logOf, snapshotOf, userData } from "./household.ts";
import { handChecked } from "./hand-checked.ts";

const snapshot = snapshotOf(handChecked);
const fold = (events: readonly BudgetEvent[]): FoldedBudget => foldBudget(facts, snapshot, logOf(events));
const textOf = (budget: FoldedBudget): string =>
  JSON.stringify([budgetDocument(budget), detailsDocument(budget), budget.questions]);

const expenseLeaves = expenseCategories.filter(({ id }) => isLeaf(id)).map(({ id }) => id);
const subjects = [
  ...new Set(snapshot.parts.filter(({ side, standing }) => side === "EXPENSE" && standing !== "ENDED").map(subjectOf)),
];
const frequency = fc.constantFrom(
  "DAILY",
  "WEEKLY",
  "BIWEEKLY",
  "MONTHLY",
  "BIMONTHLY",
  "QUARTERLY",
  "HALFYEARLY",
  "YEARLY",
);

/** An action's id stands for its subject: a question is about one thing. */
const actionOf = (subject: string): string =>
  `00000000-0000-5000-8000-${String(subjects.indexOf(subject)).padStart(12, "0")}`;

const categories = fc
  .uniqueArray(fc.constantFrom(...expenseLeaves), { minLength: 1, maxLength: 4 })
  .chain((ids) =>
    fc
      .tuple(...ids.map((id) => fc.record({ id: fc.constant(id), amountMinor: fc.integer({ min: 1, max: 500_000 }) })))
      .chain((split) =>
        fc
          .boolean()
          .map((isSplit) => (isSplit && split.length > 1 ? split : split.map(({ id }) => ({ id, amountMinor: null })))),
      ),
  );
const answerTo = (subject: string): fc.Arbitrary<Answer> =>
  fc.record({
    type: fc.constantFrom("RAW", "DERIVED_FROM_TRANSACTIONS", "USER_PROVIDED"),
    categories,
    subject: fc.constant(subject),
    txid: fc.constant(null),
    amountMinor: fc.integer({ min: 0, max: 2_000_000 }),
    frequency,
    title: fc.constant(null),
  });
const answered = fc
  .subarray(subjects)
  .chain((chosen) =>
    fc.tuple(
      ...chosen.map((subject) =>
        answerTo(subject).map((answer): BudgetEvent => ({ type: "ANSWERED", actionId: actionOf(subject), answer })),
      ),
    ),
  );
const adjusted = fc
  .uniqueArray(fc.constantFrom(...[...expenseCategories, ...incomeCategories].map(({ id }) => id)), { maxLength: 6 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((categoryId) =>
        fc.record({
          type: fc.constant("ADJUSTED" as const),
          categoryId: fc.constant(categoryId),
          amountMinor: fc.integer({ min: 0, max: 5_000_000 }),
          frequency,
        }),
      ),
    ),
  );
const shuffled = <Value>(values: readonly Value[]): fc.Arbitrary<Value[]> =>
  fc.shuffledSubarray([...values], { minLength: values.length });

test("printed columns add up, whatever was answered and adjusted", (t) => {
  fc.assert(
    fc.property(answered, adjusted, (answers, adjustments) => {
      const budget = fold([...answers, ...adjustments]);
      for (const group of [...budget.categories, ...(budget.income ?? [])]) assertGroup(t, group);
      const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
      t.is(budget.amountCategorizedMinor, sum(budget.categories.map((one) => one.totalMonthlyMinor)));
      t.is(
        budget.totalMonthlyMinor,
        budget.amountCategorizedMinor + sum(budget.uncategorized.map((one) => one.paymentCostMonthlyMinor)),
      );
      t.is(budget.totalMonthlyIncomeMinor, sum((budget.income ?? []).map((one) => one.totalMonthlyMinor)));
      const given = [
        ...answers.filter((one) => "answer" in one && one.answer.type === "USER_PROVIDED"),
        ...adjustments.filter(({ categoryId }) => !categoryId.startsWith("INCOME")),
      ];
      t.is(
        budget.amountCategorizedUserProvidedMinor,
        given.length === 0 ? null : sum(budget.categories.map(effective)),
      );
      t.is(
        budget.totalMonthlyUserProvidedMinor,
        given.length === 0
          ? null
          : sum(budget.categories.map(effective)) + sum(budget.uncategorized.map((one) => one.paymentCostMonthlyMinor)),
      );
      t.is(budget.disposableIncomeMinor, budget.totalMonthlyIncomeMinor - budget.amountCategorizedMinor);
      // What has no category is the only line that is not printed among the categories' averages.
      const printed = sum(budget.categories.map((one) => one.averageLastTwelveMonthsMinor));
      t.is(
        budget.averageExpensesLastTwelveMonthsMinor - printed,
        answers.some((one) => "answer" in one && one.answer.subject === "payee:XQ ZORBO") ? 0 : 10_000,
      );
    }),
    runs(60),
  );
});

const effective = (node: CategoryNode): number => node.totalMonthlyUserProvidedMinor ?? node.totalMonthlyMinor;

function assertGroup(t: { is(actual: unknown, expected: unknown): unknown }, group: CategoryNode): void {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  t.is(group.totalMonthlyMinor, sum(group.children.map((leaf) => leaf.totalMonthlyMinor)));
  t.is(group.averageLastTwelveMonthsMinor, sum(group.children.map((leaf) => leaf.averageLastTwelveMonthsMinor)));
  t.is(group.averageLastThreeMonthsMinor, sum(group.children.map((leaf) => leaf.averageLastThreeMonthsMinor)));
  for (const leaf of group.children)
    t.is(leaf.totalMonthlyMinor, sum(leaf.items.map((item) => item.paymentCostMonthlyMinor)));
}

test("what was observed is the same however payments are moved about", (t) => {
  const before = fold([]);
  fc.assert(
    fc.property(answered, (answers) => {
      const after = fold(answers);
      // Each leaf rounds by itself, so moving a payment may move a total by an øre a leaf.
      t.true(
        Math.abs(after.averageExpensesLastTwelveMonthsMinor - before.averageExpensesLastTwelveMonthsMinor) <=
          expenseLeaves.length,
      );
      t.deepEqual(after.months, before.months);
      t.is(after.averageIncomeLastTwelveMonthsMinor, before.averageIncomeLastTwelveMonthsMinor);
    }),
    runs(40),
  );
});

test("undoing everything, in any order, gives back the first budget byte for byte", (t) => {
  const first = textOf(fold([]));
  const undone = fc.tuple(answered, adjusted).chain(([answers, adjustments]) => {
    const done: BudgetEvent[] = [...answers, ...adjustments];
    const undo = done.map((one): BudgetEvent =>
      one.type === "ANSWERED"
        ? { type: "REVOKED", actionId: one.actionId, notApplicable: false }
        : { type: "ADJUSTMENT_REMOVED", categoryId: (one as { categoryId: string }).categoryId },
    );
    return fc.tuple(shuffled(done), shuffled(undo));
  });
  fc.assert(
    fc.property(undone, ([done, undo]) => {
      t.is(textOf(fold([...done, ...undo])), first);
    }),
    runs(40),
  );
});

test("answers to different subjects give the same budget in any order", (t) => {
  const orders = fc
    .tuple(answered, adjusted)
    .chain(([answers, adjustments]) =>
      fc.tuple(
        shuffled<BudgetEvent>([...answers, ...adjustments]),
        shuffled<BudgetEvent>([...answers, ...adjustments]),
      ),
    );
  fc.assert(
    fc.property(orders, ([one, other]) => {
      t.is(textOf(fold(one)), textOf(fold(other)));
    }),
    runs(40),
  );
});

test("of two answers about one subject the later holds, and undoing it brings the earlier back", (t) => {
  const [subject = ""] = subjects;
  const answer = (id: string): Answer => ({
    type: "DERIVED_FROM_TRANSACTIONS",
    categories: [{ id, amountMinor: null }],
    subject,
    txid: null,
    amountMinor: null,
    frequency: null,
    title: null,
  });
  const [first, second] = ["00000000-0000-5000-8000-00000000000a", "00000000-0000-5000-8000-00000000000b"];
  const earlier: BudgetEvent = { type: "ANSWERED", actionId: first!, answer: answer("LEISURE_PETS") };
  const later: BudgetEvent = { type: "ANSWERED", actionId: second!, answer: answer("LEISURE_TRAVEL") };
  const where = (...events: BudgetEvent[]) =>
    leavesOf(fold(events).categories)
      .filter(({ items }) => items.some((item) => item.source === "ACTION"))
      .map(({ id }) => id);
  t.deepEqual(where(earlier, later), ["LEISURE_TRAVEL"]);
  t.deepEqual(where(earlier, later, { type: "REVOKED", actionId: second!, notApplicable: false }), ["LEISURE_PETS"]);
});

test("an applicant changes no figure; of separate finances, the reference is one adult's instead of a couple's", (t) => {
  const given: BudgetEvent = {
    type: "USER_DATA_SET",
    userData: { ...userData, personal: { ...userData.personal, maritalStatus: "MARRIED" } },
  };
  const alone = fold([given]);
  const separate = fold([
    given,
    { type: "COAPPLICANT_SET", applicantType: "SEPARATE_FINANCES", budgetId: "9d1c1b5e-7f43-4a86-9b0c-3a1f5f6c2d11" },
  ]);
  const shared = fold([given, { type: "COAPPLICANT_SET", applicantType: "SHARED_FINANCES", budgetId: null }]);
  const { alerts: ___, riskIndicators: ____, ...before } = budgetDocument(alone);
  for (const one of [separate, shared]) {
    const { alerts: _, riskIndicators: __, ...figures } = budgetDocument(one);
    t.deepEqual(figures, before);
  }
  // One adult 7,240, the second 5,040; that the two share their money is assumed until one of them says so or not.
  t.deepEqual(
    [alone, separate, shared].map(({ reference }) => [reference?.referenceMinor, reference?.isHouseholdAssumed]),
    [
      [1_228_000, true],
      [724_000, false],
      [1_228_000, false],
    ],
  );
});

test("whoever applies together, no figure changes, whatever was answered and adjusted and whenever they were linked", (t) => {
  const links: readonly BudgetEvent[] = [
    { type: "COAPPLICANT_SET", applicantType: "SEPARATE_FINANCES", budgetId: "9d1c1b5e-7f43-4a86-9b0c-3a1f5f6c2d11" },
    { type: "COAPPLICANT_SET", applicantType: "SHARED_FINANCES", budgetId: null },
  ];
  const linked = fc.tuple(answered, adjusted, fc.constantFrom(...links), fc.nat());
  fc.assert(
    fc.property(linked, ([answers, adjustments, link, place]) => {
      const events: BudgetEvent[] = [
        {
          type: "USER_DATA_SET",
          userData: { ...userData, personal: { ...userData.personal, maritalStatus: "COHABITANT" } },
        },
        ...answers,
        ...adjustments,
      ];
      const [{ alerts: _, riskIndicators: __, ...alone }, { alerts: ___, riskIndicators: ____, ...together }] = [
        events,
        events.toSpliced(place % (events.length + 1), 0, link),
      ].map((log) => detailsDocument(fold(log))) as [
        ReturnType<typeof detailsDocument>,
        ReturnType<typeof detailsDocument>,
      ];
      t.deepEqual(together, alone);
    }),
    runs(40),
  );
});

test("skipped questions come last, the oldest skip first, and a budget without other questions is ready", (t) => {
  const poor = { ...facts, targetPercent: 100 };
  const given: BudgetEvent = { type: "USER_DATA_SET", userData };
  const foldPoor = (events: BudgetEvent[]) => foldBudget(poor, snapshot, logOf([given, ...events]));
  const [one, two] = foldPoor([]).questions;
  t.is(foldPoor([]).status, "DRAFT");
  const skips: BudgetEvent[] = [{ type: "SKIPPED", actionId: one!.id }];
  t.deepEqual(
    foldPoor(skips).questions.map(({ id, skipped }) => [id, skipped]),
    [
      [two!.id, false],
      [one!.id, true],
    ],
  );
  const both: BudgetEvent[] = [...skips, { type: "SKIPPED", actionId: two!.id }];
  t.deepEqual(
    foldPoor(both).questions.map(({ id }) => id),
    [one!.id, two!.id],
  );
  t.is(foldPoor(both).status, "READY");
});

test("a brand that shows no income and no risk indicators has neither, nor what follows from income", (t) => {
  const document = budgetDocument(
    foldBudget(
      { ...facts, showsIncome: false, showsRiskIndicators: false },
      snapshot,
      logOf([{ type: "ADJUSTED", categoryId: "HOUSING", amountMinor: 1, frequency: "MONTHLY" }]),
    ),
  );
  t.like(document, { income: null, riskIndicators: null, disposableIncome: null, disposableIncomeUserProvided: null });
});

test("a brand that shows no income shows no figure of it, no incoming payment, and no difference that tells it", (t) => {
  const shown = detailsDocument(foldBudget(facts, snapshot, logOf([])));
  t.true(shown.totalMonthlyIncome > 0);
  t.true(shown.averageIncomeLastTwelveMonths > 0);
  t.true(shown.nonrecurringTransactions.some(({ amount }) => amount > 0));
  const events: BudgetEvent[] = [
    { type: "ADJUSTED", categoryId: "INCOME", amountMinor: 5_000_000, frequency: "MONTHLY" },
  ];
  const folded = foldBudget({ ...facts, showsIncome: false }, snapshot, logOf(events));
  const details = detailsDocument(folded);
  const unknown = { lastMonth: 0, lastThreeMonths: null, lastTwelveMonths: null };
  t.like(budgetDocument(folded), {
    totalMonthlyIncome: 0,
    totalMonthlyIncomeUserProvided: null,
    averageIncomeLastThreeMonths: 0,
    averageIncomeLastTwelveMonths: 0,
    disposableIncome: null,
    income: null,
  });
  t.like(details, {
    totalMonthlyIncome: 0,
    totalMonthlyIncomeUserProvided: null,
    averageIncomeLastThreeMonths: 0,
    averageIncomeLastTwelveMonths: 0,
    nonrecurringIncome: { averages: unknown, lows: unknown, highs: unknown },
    nonrecurringSpending: details.nonrecurringExpenses,
    nonrecurringExpenses: shown.nonrecurringExpenses,
  });
  t.is(details.nonrecurringIncome.averages.months.length, 12);
  t.true(details.nonrecurringIncome.highs.months.every(({ amount }) => amount === null));
  t.deepEqual(
    details.nonrecurringTransactions,
    shown.nonrecurringTransactions.filter(({ amount }) => amount < 0),
  );
  t.true(
    details.riskIndicators?.every(
      ({ title, type, description }) => type !== "EXCESSIVE_DISPOSABLE_INCOME" || description === title,
    ),
  );
});

test("without data a budget says what was stored, and nothing else", (t) => {
  const document = budgetDocument(
    foldBudget(
      facts,
      null,
      logOf([
        { type: "ADJUSTED", categoryId: "HOUSING_RENT", amountMinor: 700_000, frequency: "MONTHLY" },
        { type: "COMMENTED", comment: "ok" },
      ]),
    ),
  );
  t.like(document, {
    status: "DRAFT",
    totalMonthlyAmount: 0,
    amountCategorizedUserProvided: 7000,
    comment: "ok",
    uncategorized: [],
    alerts: [],
  });
  t.is(document.categories.length, 17);
});

test("in the languages of the Nordics texts are written as there", (t) => {
  const messages = (["da", "nb", "sv"] as const).map((language) => {
    const document = budgetDocument(
      foldBudget({ ...facts, language }, snapshot, logOf([{ type: "USER_DATA_SET", userData }])),
    );
    return document.alerts.find(({ type }) => type === "MISSING_EXPENSES")?.message;
  });
  t.deepEqual(messages, [
    "Der er ikke budgetteret med el og hus- og indboforsikring.",
    "Det er ikke budsjettert med strøm og hus- og innboforsikring.",
    "Inget är budgeterat för el och hem- och villaförsäkring.",
  ]);
});
