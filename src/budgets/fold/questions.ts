/**
 * The questions that a budget still has: payees without a category, biggest first, then what should be there and is
 * not. Pure.
 */
import { exponentOf } from "../../money.ts";
import { uuidVersion5 } from "../../recognition/services/identity.ts";
import type { CategoryNode, Item, Question, Severity } from "../budget.ts";
import { confidenceMin } from "../../categories/categorised.ts";
import { categoryById, findCategory, isLeaf, nameOf } from "../../categories/tree.ts";
import { amountText, budgetTexts, fill } from "./wording.ts";
import type { Decisions } from "./decisions.ts";
import { inSentence, missingQuestionId, noted } from "./notes.ts";
import type { Language } from "../../texts/languages.ts";

export type QuestionContext = {
  budgetId: string;
  language: Language;
  currency: string;
  decisions: Decisions;
  uncategorized: readonly Item[];
  /** Those that stand in a category. */
  expenses: readonly Item[];
  categories: readonly CategoryNode[];
  income: readonly CategoryNode[];
  averageExpensesMinor: number;
  isTargetMet: boolean;
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
const potentialMin = 2;
const potentialMax = 5;
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

/** One a payee or service: its largest expense stands for it. */
function recategorizations(context: QuestionContext): Question[] {
  const { averageExpensesMinor, uncategorized, expenses, isTargetMet } = context;
  const least = Math.max(askedShare * averageExpensesMinor, leastAsked(context.currency));
  const unsure = expenses.filter(
    (item) =>
      item.confidence >= unsureConfidenceMin &&
      item.confidence < confidenceMin &&
      item.paymentCostMonthlyMinor >= unsureShare * averageExpensesMinor,
  );
  const asked = [...uncategorized.filter((item) => item.paymentCostMonthlyMinor >= least), ...unsure];
  const bySubject = Map.groupBy(asked, ({ subject }) => subject);
  return [...bySubject]
    .flatMap(([subject, items]) =>
      subject === null
        ? []
        : [
            recategorization(
              subject,
              items.reduce((a, b) => (b.paymentCostMonthlyMinor > a.paymentCostMonthlyMinor ? b : a)),
              context,
            ),
          ],
    )
    .map((question) => ({
      ...question,
      open: !isTargetMet || question.weightMinor >= alwaysAskedShare * averageExpensesMinor,
    }))
    .sort((a, b) => b.weightMinor - a.weightMinor || (a.id < b.id ? -1 : 1));
}

function leastAsked(currency: string): number {
  return (askedMin[currency] ?? askedMinDefault) * 10 ** exponentOf(currency);
}

function recategorization(
  subject: string,
  item: Item,
  { budgetId, language, currency, decisions }: QuestionContext,
): Question {
  const texts = budgetTexts[language];
  const id = uuidVersion5(budgetId, `RECATEGORIZATION:${subject}`);
  const guess = item.categories[0];
  const values = { payee: item.title, amount: amountText(item.paymentCostMonthlyMinor, currency, language) };
  const content =
    guess === undefined
      ? fill(texts.questions.recategorization, values)
      : fill(texts.questions.recategorizationUnsure, {
          ...values,
          category: inSentence(nameOf(categoryById(guess), language)),
        });
  return {
    id,
    type: "RECATEGORIZATION",
    title: fill(texts.questions.recategorizationTitle, values),
    content,
    skipped: decisions.skips.has(id),
    open: true,
    item,
    potentialCategories: potentialOf(item),
    category: null,
    weightMinor: item.paymentCostMonthlyMinor,
  };
}

/** What a regular and a casual payee without any hint most often are. */
const regularGuesses = [
  "HOUSING_RENT",
  "DEBT_CONSUMER_LOAN",
  "SAVINGS_INVESTMENT",
  "OTHER_TRANSFERS",
  "OTHER_EXPENSES",
];
const casualGuesses = [
  "FOOD_RESTAURANTS",
  "HOME_FURNITURE",
  "LEISURE_CULTURE_EVENTS",
  "OTHER_TRANSFERS",
  "OTHER_EXPENSES",
];
const regularMonthsMin = 6;

function potentialOf(item: Item): string[] {
  const scored = item.candidates.toSorted((a, b) => b.confidence - a.confidence).map(({ categoryId }) => categoryId);
  const known = [...new Set([...item.categories, ...scored])]
    .filter((id) => isLeaf(id) && findCategory(id)?.kind === "EXPENSE")
    .slice(0, potentialMax);
  if (known.length >= potentialMin) return known;
  if (known.length === 1 && known[0] !== "OTHER_EXPENSES") return [...known, "OTHER_EXPENSES"];
  return item.service !== null || item.monthsSeen >= regularMonthsMin ? regularGuesses : casualGuesses;
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
  const text = categoryById(node.id).kind === "INCOME" ? questions.missingIncome : questions.missing;
  return {
    id,
    type: "MISSING_CATEGORY",
    title: fill(questions.missingTitle, values),
    content: fill(text, values),
    skipped: decisions.skips.has(id),
    open: true,
    item: null,
    potentialCategories: null,
    category: node.id,
    weightMinor: 0,
  };
}
