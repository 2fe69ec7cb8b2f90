/**
 * What is told in the audit trail of a change to a budget, beside the call that made it: whose payments, how much, from
 * which category or figure to which. What no document names is not named here either, and no account number is whole.
 * Pure.
 */
import { formatAmount } from "../money.ts";
import type { CategoryNode, Question } from "./budget.ts";
import type { BudgetInHand } from "./change.ts";
import type { BudgetSnapshot, Part } from "./engine/snapshot.ts";
import type { Answer, AnsweredCategory, BudgetEvent } from "./events.ts";
import { payeeSubject, subjectOf } from "./fold/categorised-parts.ts";
import { decide } from "./fold/decisions.ts";
import { isSpecial } from "./kinds.ts";

/** payee: absent of a category's figure; category: of that figure, or of what was missing. */
export type Told = {
  userId: number;
  budgetId: string;
  payee?: string;
  category?: string;
  amount?: string;
  from?: string;
  to?: string;
};

const masked = "••••••";
const nothing = "none";
/** Longer titles are what somebody typed. */
const payeeLengthMax = 100;

/** @param question that the event is about; null for what is no answer. @returns null: nothing was done to a figure */
export function toldOf(event: BudgetEvent, question: Question | null, budget: BudgetInHand): Told | null {
  const told = detailsOf(event, question, budget);
  return told && { userId: budget.stored.owner.userId, budgetId: budget.stored.facts.id, ...told };
}

type Details = Omit<Told, "userId" | "budgetId">;

function detailsOf(event: BudgetEvent, question: Question | null, budget: BudgetInHand): Details | null {
  const { currency } = budget.stored.facts;
  switch (event.type) {
    case "ANSWERED": {
      const earlier = decide(budget.log).answers.get(event.actionId)?.answer;
      return answered(event.answer, earlier?.categories ?? before(event.answer, budget.snapshot), question, budget);
    }
    case "REVOKED": {
      const undone = decide(budget.log).answers.get(event.actionId)?.answer;
      if (undone === undefined)
        return { ...askedAbout(question, currency), to: event.notApplicable ? nothing : "open" };
      const back = before(undone, budget.snapshot);
      return {
        ...answered(undone, undone.categories, question, budget),
        to: categoriesText(back, currency),
      };
    }
    case "SKIPPED":
      return { ...askedAbout(question, currency), to: "skipped" };
    case "ADJUSTED": {
      const given = money(event.amountMinor, currency);
      return figure(event.categoryId, `${given} ${event.frequency}`, `${given} ${event.frequency}`, budget);
    }
    case "ADJUSTMENT_REMOVED":
      return figure(event.categoryId, undefined, "what the transactions say", budget);
    default:
      return null;
  }
}

function answered(
  answer: Answer,
  from: readonly AnsweredCategory[],
  question: Question | null,
  { stored, snapshot }: BudgetInHand,
): Details {
  const { currency } = stored.facts;
  const part = partOf(answer, snapshot);
  const payee = answer.about?.payee ?? part?.title ?? answer.title;
  const minor = answer.about?.amountMinor ?? answer.amountMinor ?? part?.paymentCostMinor ?? null;
  const isUnnamed =
    [...from, ...answer.categories].some(({ id }) => isSpecial(id)) || isSpecial(part?.categoryId ?? "");
  return {
    ...(payee === null ? {} : { payee: isUnnamed ? masked : payeeText(payee) }),
    ...(question?.category == null ? {} : { category: categoryText(question.category) }),
    ...(minor === null ? {} : { amount: `${money(minor, currency)}${frequencyText(answer)}` }),
    from: categoriesText(from, currency),
    to: categoriesText(answer.categories, currency),
  };
}

/** Where it stood without an answer. */
function before(answer: Answer, snapshot: BudgetSnapshot | null): AnsweredCategory[] {
  const found = answer.about?.from ?? [partOf(answer, snapshot)?.categoryId ?? []].flat();
  return found.map((id) => ({ id, amountMinor: null }));
}

function partOf({ subject }: Answer, snapshot: BudgetSnapshot | null): Part | null {
  return snapshot?.parts.find((part) => subjectOf(part) === subject || payeeSubject(part) === subject) ?? null;
}

/** A question that is not answered. */
function askedAbout(question: Question | null, currency: string): Details {
  if (question === null) return {};
  if (question.item === null)
    return question.category === null ? {} : { category: categoryText(question.category), from: nothing };
  const { title, categories } = question.item;
  return {
    payee: categories.some(isSpecial) ? masked : payeeText(title),
    amount: `${money(question.weightMinor, currency)} MONTHLY`,
    from: categoriesText(
      categories.map((id) => ({ id, amountMinor: null })),
      currency,
    ),
  };
}

/** Of a category's own amount: the figure that it had a month. */
function figure(
  categoryId: string,
  amount: string | undefined,
  to: string,
  { stored, log, foldOf }: BudgetInHand,
): Details {
  const { categories, income } = foldOf(log);
  const node = nodeOf([...categories, ...(income ?? [])], categoryId);
  const had = node?.totalMonthlyUserProvidedMinor ?? node?.totalMonthlyMinor ?? 0;
  return {
    category: categoryText(categoryId),
    ...(amount === undefined ? {} : { amount }),
    from: `${money(had, stored.facts.currency)} MONTHLY`,
    to,
  };
}

function nodeOf(nodes: readonly CategoryNode[], id: string): CategoryNode | null {
  return nodes.flatMap((node) => [node, ...node.children]).find((node) => node.id === id) ?? null;
}

/** What was told of the question is a month's; what was typed or chosen comes as often as was said. */
function frequencyText({ about, frequency }: Answer): string {
  if (about !== undefined) return " MONTHLY";
  return frequency === null ? "" : ` ${frequency}`;
}

function categoriesText(categories: readonly AnsweredCategory[], currency: string): string {
  if (categories.length === 0) return nothing;
  return categories
    .map(
      ({ id, amountMinor }) => `${categoryText(id)}${amountMinor === null ? "" : ` ${money(amountMinor, currency)}`}`,
    )
    .join(" + ");
}

function categoryText(id: string): string {
  return isSpecial(id) ? masked : id;
}

/** An account's or a card's number keeps its last four characters; what somebody typed moves no cursor. */
function payeeText(title: string): string {
  return title
    .slice(0, payeeLengthMax)
    .replaceAll(/\p{C}/gu, " ")
    .replaceAll(/\b[A-Z]{2}\d{2}(?: ?[A-Z\d]){8,30}\b|\d(?:[ .-]?\d){6,}/g, (number) => `•••• ${number.slice(-4)}`);
}

function money(minor: number, currency: string): string {
  return `${formatAmount({ minor, currency })} ${currency}`;
}
