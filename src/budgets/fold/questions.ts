/**
 * The questions that a budget still has: payees without a category, biggest first, then what should be there and is
 * not. Pure.
 */
import { exponentOf } from "../../money.ts";
import { uuidVersion5 } from "../../recognition/services/identity.ts";
import type { CategoryNode, Item, Question, Severity } from "../budget.ts";
import { confidenceMin } from "../../categories/candidate.ts";
import { categoryById, nameOf } from "../../categories/tree.ts";
import { currencyDisplayOf, languages } from "../../texts/languages.ts";
import { payeeSubject } from "./categorised-parts.ts";
import { expectationsOf } from "./expectations.ts";
import { potentialCategories, type PotentialContext } from "./potential-categories.ts";
import { amountText, budgetTexts, fill } from "./wording.ts";
import type { Decisions } from "./decisions.ts";
import { inSentence, missingQuestionId, noted } from "./notes.ts";
import type { Language } from "../../texts/languages.ts";

export type QuestionContext = {
  budgetId: string;
  country: string;
  language: Language;
  currency: string;
  decisions: Decisions;
  uncategorized: readonly Item[];
  /** Those that stand in a category. */
  expenses: readonly Item[];
  categories: readonly CategoryNode[];
  income: readonly CategoryNode[];
  averageExpensesMinor: number;
  /** What more must have a category before the target is met; nought or less: it is met. */
  missingMinor: number;
};

const openMax = 20;
/**
 * Of the average monthly expenses: what is worth asking, what is worth it when the engine has a guess, and what is
 * worth it when enough is known.
 */
const askedShare = 0.01;
const unsureShare = 0.03;
const alwaysAskedShare = 0.05;
const unsureConfidenceMin = 0.4;
/** What takes a twentieth of the expenses is asked about, though the engine is sure enough of anything smaller. */
const askedConfidenceMax = 0.75;
/** About five euro: less is not worth a question. */
const askedMin: Readonly<Record<string, number>> = {
  EUR: 5,
  GBP: 5,
  USD: 5,
  CHF: 5,
  DKK: 40,
  NOK: 60,
  SEK: 60,
  PLN: 20,
  CZK: 125,
  ISK: 700,
  HUF: 2000,
};
const askedMinDefault = 5;
const severities: readonly Severity[] = ["HIGH", "MEDIUM", "LOW"];

/**
 * In the order in which they are asked: skipped ones last, the oldest skip first. Answered and closed ones are not
 * among them.
 */
export function questionsOf(context: QuestionContext): Question[] {
  const { decisions } = context;
  const asked = [...recategorizations(context), ...missing(context)].filter(
    ({ id }) => !decisions.answers.has(id) && !decisions.notApplicable.has(id),
  );
  let open = 0;
  const limited = asked.map((question) => ({ ...question, open: question.open && ++open <= openMax }));
  const skippedAt = ({ id }: Question): number => decisions.skips.get(id) ?? 0;
  return limited.toSorted((a, b) => skippedAt(a) - skippedAt(b));
}

/** One a payee: its largest expense stands for it. As many are open as the target needs, and those that matter anyway. */
function recategorizations(context: QuestionContext): Question[] {
  const { averageExpensesMinor, uncategorized, expenses } = context;
  const least = Math.max(askedShare * averageExpensesMinor, leastAsked(context.currency));
  const asked = [
    ...uncategorized.filter((item) => item.paymentCostMonthlyMinor >= least),
    ...expenses.filter((item) => isUnsure(item, averageExpensesMinor)),
  ].filter(({ subject }) => subject !== null);
  const potential = potentialContextOf(context);
  const ordered = byPayee(asked)
    .map((items) => recategorization(items, context, potential))
    .sort((a, b) => b.weightMinor - a.weightMinor || (a.id < b.id ? -1 : 1));
  let missing = context.missingMinor;
  return ordered.map((question) => {
    const open = missing > 0 || question.weightMinor >= alwaysAskedShare * averageExpensesMinor;
    if (question.item?.categories.length === 0) missing -= question.weightMinor;
    return { ...question, open };
  });
}

function isUnsure({ confidence, paymentCostMonthlyMinor: cost }: Item, averageExpensesMinor: number): boolean {
  if (confidence < unsureConfidenceMin || confidence >= askedConfidenceMax) return false;
  return cost >= (confidence < confidenceMin ? unsureShare : alwaysAskedShare) * averageExpensesMinor;
}

/** A payee is known by its key, and by its name where services go under others. */
function byPayee(items: readonly Item[]): Item[][] {
  const groups: Item[][] = [];
  for (const item of items) {
    const known = groups.find((group) => group.some((other) => isSamePayee(item, other)));
    if (known === undefined) groups.push([item]);
    else known.push(item);
  }
  return groups;
}

function isSamePayee(a: Item, b: Item): boolean {
  return (
    a.subject === b.subject ||
    (a.payeeKey !== null && a.payeeKey === b.payeeKey) ||
    a.title.toUpperCase() === b.title.toUpperCase()
  );
}

function leastAsked(currency: string): number {
  return (askedMin[currency] ?? askedMinDefault) * 10 ** exponentOf(currency);
}

/** What the household pays already, and what it should and should not by what it says of itself. */
function potentialContextOf({ expenses, decisions, country, averageExpensesMinor, currency }: QuestionContext) {
  const { nonempty, empty } = expectationsOf(decisions.userData, country);
  return {
    country,
    currency,
    averageMinor: averageExpensesMinor,
    scale: 10 ** exponentOf(currency),
    filled: new Set(expenses.flatMap(({ categories }) => categories)),
    expected: new Set(nonempty.keys()),
    unexpected: empty,
  } satisfies PotentialContext;
}

function recategorization(items: readonly Item[], context: QuestionContext, potential: PotentialContext): Question {
  const { budgetId, language, currency, decisions } = context;
  const { questions } = budgetTexts[language];
  const item = items.reduce((a, b) => (b.paymentCostMonthlyMinor > a.paymentCostMonthlyMinor ? b : a));
  const subjects = new Set(items.map(({ subject }) => subject));
  // Several things of one payee are answered about together.
  const subject =
    subjects.size > 1 && item.payeeKey !== null ? payeeSubject({ payeeKey: item.payeeKey }) : item.subject;
  const id = uuidVersion5(budgetId, `RECATEGORIZATION:${subject}`);
  const guess = item.categories[0];
  const monthly = items.reduce((total, one) => total + one.paymentCostMonthlyMinor, 0);
  const values = { payee: item.title, amount: amountText(monthly, currency, language) };
  const asked =
    guess === undefined
      ? fill(questions.recategorization, values)
      : fill(questions.recategorizationUnsure, {
          ...values,
          category: inSentence(nameOf(categoryById(guess), language)),
        });
  const lines = linesOf(items, context);
  return {
    id,
    type: "RECATEGORIZATION",
    title: fill(questions.recategorizationTitle, values),
    content: lines === "" ? asked : `${asked} ${fill(questions.lines, { lines })}`,
    skipped: decisions.skips.has(id),
    open: true,
    item,
    subject,
    potentialCategories: potentialCategories(item, potential),
    category: null,
    weightMinor: monthly,
  };
}

const linesMax = 3;

/** The payee's latest payments: day, text, amount. */
function linesOf(items: readonly Item[], { currency, language }: QuestionContext): string {
  const { locale } = languages[language];
  const days = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const amounts = new Intl.NumberFormat(locale, {
    style: "currency",
    currencyDisplay: currencyDisplayOf(language, currency),
    currency,
  });
  return items
    .flatMap(({ transactions }) => transactions)
    .toSorted((a, b) => (a.transactionDate < b.transactionDate ? 1 : -1))
    .slice(0, linesMax)
    .map(({ transactionDate, merchantName, amount }) =>
      [days.format(new Date(`${transactionDate}T00:00:00Z`)), merchantName, amounts.format(amount)].join(" "),
    )
    .join("; ");
}

function missing(context: QuestionContext): Question[] {
  const expected = [...noted(context.categories, "EXPECTED_NONEMPTY"), ...noted(context.income, "EXPECTED_NONEMPTY")];
  return expected
    .toSorted((a, b) => severities.indexOf(a.note.severity) - severities.indexOf(b.note.severity))
    .map(({ node }) => missingCategory(node, context));
}

function missingCategory(node: CategoryNode, { budgetId, language, decisions }: QuestionContext): Question {
  const { questions } = budgetTexts[language];
  const id = missingQuestionId(budgetId, node.id);
  const values = { category: inSentence(node.name) };
  const [title, text] =
    categoryById(node.id).kind === "INCOME"
      ? [questions.missingIncomeTitle, questions.missingIncome]
      : [questions.missingTitle, questions.missing];
  return {
    id,
    type: "MISSING_CATEGORY",
    title: fill(title, values),
    content: fill(text, values),
    skipped: decisions.skips.has(id),
    open: true,
    item: null,
    subject: null,
    potentialCategories: null,
    category: node.id,
    weightMinor: 0,
  };
}
