/**
 * The budget: the engine's snapshot with everything that was done to it. Pure, so an undo is a fold without the undone
 * event, in whatever order things were done.
 */
import type {
  AdditionalRiskIndicator,
  BudgetMonth,
  BudgetStatus,
  CategoryNode,
  CreditView,
  FoldedBudget,
  Item,
  StatusReason,
} from "../budget.ts";
import type { BudgetSnapshot } from "../engine/snapshot.ts";
import type { LoggedEvent } from "../events.ts";
import { isSpecial } from "../kinds.ts";
import { isCovered } from "../window.ts";
import { alertsOf } from "./alerts.ts";
import { byMonth } from "./amounts.ts";
import { type Decisions, decide } from "./decisions.ts";
import type { BudgetFacts } from "./facts.ts";
import { nonrecurringOf, nothing } from "./nonrecurring.ts";
import { annotate } from "./notes.ts";
import { type CategorisedPart, categoriseParts } from "./categorised-parts.ts";
import { questionsOf } from "./questions.ts";
import { checkReference, householdOf } from "./reference.ts";
import { incomeSums, uncountedPayersOf } from "./income.ts";
import { compare, reconcile } from "./reconciliation.ts";
import { additionalRisksOf } from "./credit/additional-risks.ts";
import { creditOf } from "./credit/credit.ts";
import { riskIndicatorsOf, withCoverage } from "./risks.ts";
import { type Sides, sideOf, uncategorizedOf, notBudgeted } from "./sides.ts";
import { stoppedOf } from "./stopped.ts";
import { type Totals, totalsOf } from "./totals.ts";
import { itemAt } from "../../present.ts";

export type { BudgetFacts } from "./facts.ts";

/** @param snapshot null until the user's data are complete */
export function foldBudget(
  facts: BudgetFacts,
  snapshot: BudgetSnapshot | null,
  log: readonly LoggedEvent[],
): FoldedBudget {
  const decisions = decide(log);
  const stated = state(facts, snapshot, decisions);
  const engine = snapshot === null ? unknown : judge(facts, snapshot, decisions, stated);
  const { income, ...rest } = stated.documents;
  return {
    id: facts.id,
    ...statusOf(decisions, snapshot, stated.isTargetMet, engine.questions),
    createdTime: facts.createdTime,
    language: facts.language,
    country: facts.country,
    currency: facts.currency,
    revision: facts.revision,
    asOf: snapshot?.asOf ?? null,
    rulesVersion: snapshot?.rulesVersion ?? null,
    accounts: snapshot?.accounts ?? [],
    coveredMonths: snapshot?.covered ?? 0,
    unconvertedTransactions: snapshot?.unconvertedTransactions ?? 0,
    ...stated.totals,
    specialTransactionIds: specialsOf(stated.categorised),
    ...rest,
    income: facts.showsIncome ? income : null,
    ...incomeParts(stated.sides),
    uncategorized: stated.uncategorized,
    ...engine,
    riskIndicators: facts.showsRiskIndicators ? risksOf(facts, snapshot, stated, engine) : null,
    additionalRiskIndicators: facts.showsRiskIndicators ? additionalOf(facts, snapshot, stated, engine.credit) : null,
    userData: decisions.userData,
    userDataAt: decisions.userDataAt,
    userDataBy: decisions.userDataBy,
    comment: decisions.comment,
    coapplicant: decisions.coapplicant,
    adjustments: adjustmentsOf(decisions, [...rest.categories, ...income]),
    log,
  };
}

function incomeParts({ income }: Sides): Pick<FoldedBudget, "incomeCertainMinor" | "incomeIrregularMinor"> {
  const { certainMinor, irregularMinor } = incomeSums(income.items);
  return { incomeCertainMinor: certainMinor, incomeIrregularMinor: irregularMinor };
}

/** Ids of payments in special categories, by the engine's word or by an answer's. */
function specialsOf(categorised: readonly CategorisedPart[]): Set<string> {
  return new Set(
    categorised
      .filter(({ part, categories }) => isSpecial(part.categoryId ?? "") || categories.some(({ id }) => isSpecial(id)))
      .flatMap(({ part }) => part.transactions.map(({ document }) => document.id)),
  );
}

type Stated = {
  categorised: readonly CategorisedPart[];
  sides: Sides;
  uncategorized: readonly Item[];
  totals: Totals;
  documents: { categories: readonly CategoryNode[]; income: readonly CategoryNode[] };
  /** The user's value, else the engine's. */
  categorizedMinor: number;
  isTargetMet: boolean;
};

/** What stands where, and what it comes to. */
function state(facts: BudgetFacts, snapshot: BudgetSnapshot | null, decisions: Decisions): Stated {
  const categorised = snapshot === null ? [] : categoriseParts(snapshot, decisions);
  const sides = {
    expenses: sideOf("EXPENSE", categorised, decisions, facts, snapshot),
    income: sideOf("INCOME", categorised, decisions, facts, snapshot),
  };
  const uncategorized = snapshot === null ? [] : uncategorizedOf(categorised, sides.expenses, facts.id, snapshot);
  const totals = totalsOf(sides, uncategorized, facts);
  const noting = {
    budgetId: facts.id,
    language: facts.language,
    country: facts.country,
    decisions,
    items: sides.expenses.items,
  };
  const categorizedMinor = totals.amountCategorizedUserProvidedMinor ?? totals.amountCategorizedMinor;
  return {
    categorised,
    sides,
    uncategorized,
    totals,
    categorizedMinor,
    isTargetMet: categorizedMinor >= totals.categorizationTargetMinor,
    documents: { categories: annotate(sides.expenses.nodes, noting), income: annotate(sides.income.nodes, noting) },
  };
}

type Judged = Pick<
  FoldedBudget,
  | "months"
  | "nonrecurringTransactions"
  | "nonrecurringSpending"
  | "nonrecurringIncome"
  | "nonrecurringExpenses"
  | "stopped"
  | "uncountedPayers"
  | "reconciliation"
  | "comparison"
  | "credit"
  | "alerts"
  | "reference"
  | "questions"
>;

const unknown: Judged = {
  months: [],
  nonrecurringTransactions: [],
  nonrecurringSpending: nothing,
  nonrecurringIncome: nothing,
  nonrecurringExpenses: nothing,
  stopped: [],
  uncountedPayers: [],
  reconciliation: null,
  comparison: null,
  credit: null,
  alerts: [],
  reference: null,
  questions: [],
};

/** What can only be said when the data are there. */
function judge(
  facts: BudgetFacts,
  snapshot: BudgetSnapshot,
  decisions: Decisions,
  { categorised, sides, uncategorized, totals, documents, categorizedMinor }: Stated,
): Judged {
  const reference = checkReference(
    facts.country,
    facts.currency,
    snapshot.asOf,
    householdOf(decisions.userData, decisions.coapplicant, snapshot.asOf),
    documents.categories,
  );
  const oneOff = notBudgeted(categorised, sides, snapshot);
  const nonrecurring = nonrecurringOf(oneOff, snapshot);
  const reconciliation = reconcile(categorised, oneOff, snapshot);
  const incomeMinor = totals.totalMonthlyIncomeUserProvidedMinor ?? totals.totalMonthlyIncomeMinor;
  return {
    months: monthsOf(snapshot),
    nonrecurringTransactions: nonrecurring.transactions.map(({ document }) => document),
    nonrecurringSpending: nonrecurring.spending,
    nonrecurringIncome: nonrecurring.income,
    nonrecurringExpenses: nonrecurring.expenses,
    stopped: stoppedOf(categorised, snapshot),
    uncountedPayers: uncountedPayersOf(categorised, sides.income.budgeted.union(sides.expenses.budgeted), snapshot),
    reconciliation,
    comparison: compare({ incomeMinor, expensesMinor: categorizedMinor }, reconciliation, snapshot),
    credit: creditOf({
      ...facts,
      snapshot,
      categorised,
      incomeMinor,
      items: sides.expenses.items,
      expensesMinor: categorizedMinor,
      debts: decisions.debts,
      calculationRateHundredths: decisions.calculationRateHundredths,
      categories: documents.categories,
      reference,
    }),
    reference,
    alerts: alertsOf({
      ...facts,
      snapshot,
      reference,
      categorizedMinor,
      categories: documents.categories,
      items: sides.expenses.items,
      hasRegularIncome: sides.income.items.some(isEarned),
      targetMinor: totals.categorizationTargetMinor,
      totalMinor: totals.totalMonthlyMinor,
      totalUserProvidedMinor: totals.totalMonthlyUserProvidedMinor,
    }),
    questions: questionsOf({
      ...facts,
      budgetId: facts.id,
      decisions,
      uncategorized,
      missingMinor: totals.categorizationTargetMinor - categorizedMinor,
      expenses: sides.expenses.items,
      categories: documents.categories,
      income: facts.showsIncome ? documents.income : [],
      averageExpensesMinor: totals.averageExpensesLastTwelveMonthsMinor,
    }),
  };
}

/** Interest comes to every account, and nobody lives on an account that has nothing else. */
function isEarned({ categories }: Item): boolean {
  return categories[0] !== "INCOME_CAPITAL";
}

/** A completed budget stays what it was called. */
function statusOf(
  { completion }: Decisions,
  snapshot: BudgetSnapshot | null,
  isTargetMet: boolean,
  questions: FoldedBudget["questions"],
): { status: BudgetStatus; statusReason: StatusReason | null } {
  if (completion !== null) return { status: completion, statusReason: null };
  const draft = (statusReason: StatusReason) => ({ status: "DRAFT", statusReason }) as const;
  if (snapshot === null) return draft("NOT_INITIALISED");
  if (snapshot.covered < coveredMin) return draft("TOO_FEW_MONTHS");
  const hasOpenQuestion = questions.some(({ open, skipped }) => open && !skipped);
  return isTargetMet || !hasOpenQuestion ? { status: "READY", statusReason: null } : draft("OPEN_QUESTIONS");
}

/** With fewer covered months nothing that comes monthly was seen often enough. */
const coveredMin = 3;

function risksOf(
  facts: BudgetFacts,
  snapshot: BudgetSnapshot | null,
  { categorised, totals }: Stated,
  { reference, comparison }: Judged,
) {
  const incomeMinor = totals.totalMonthlyIncomeUserProvidedMinor ?? totals.totalMonthlyIncomeMinor;
  const indicators = riskIndicatorsOf({ ...facts, snapshot, categorised, reference, incomeMinor, comparison });
  return withCoverage(indicators, { ...facts, snapshot });
}

function additionalOf(
  facts: BudgetFacts,
  snapshot: BudgetSnapshot | null,
  { sides }: Stated,
  credit: CreditView | null,
): AdditionalRiskIndicator[] {
  if (credit === null) return [];
  return withCoverage(additionalRisksOf({ ...facts, items: sides.expenses.items, credit }), { ...facts, snapshot });
}

function monthsOf(snapshot: BudgetSnapshot): BudgetMonth[] {
  const of = (side: "EXPENSE" | "INCOME") =>
    byMonth(
      snapshot.parts.filter((part) => part.side === side).flatMap(({ transactions }) => transactions),
      side,
      snapshot,
    );
  const [expenses, income] = [of("EXPENSE"), of("INCOME")];
  return snapshot.months.map((month, at) => ({
    month,
    covered: isCovered(snapshot, at),
    expensesMinor: itemAt(expenses, at),
    incomeMinor: itemAt(income, at),
  }));
}

function adjustmentsOf({ adjustments }: Decisions, roots: readonly CategoryNode[]): FoldedBudget["adjustments"] {
  return roots
    .flatMap((root) => [root, ...root.children])
    .flatMap((node) => {
      const given = adjustments.get(node.id);
      return given === undefined
        ? []
        : [{ categoryId: node.id, monthlyMinor: node.totalMonthlyUserProvidedMinor ?? 0, ...given }];
    });
}
