/**
 * Where each part of the snapshot belongs: by the engine's category, or by an answer about its service or its payee.
 * Pure.
 */
import { isFixed } from "../engine/everyday.ts";
import type { BudgetSnapshot, Part, PartTransaction } from "../engine/snapshot.ts";
import { findCategory } from "../../categories/tree.ts";
import type { AnsweredCategory } from "../events.ts";
import { isCovered, monthIndexOf } from "../window.ts";
import type { Decisions, InForce } from "./decisions.ts";
import { settle } from "./settle.ts";

export type CategorisedPart = {
  part: Part;
  /** What an answer about it names; null for what is only gathered. */
  subject: string | null;
  answer: InForce | null;
  /** Leaves, the first carries; empty: uncategorised. */
  categories: readonly AnsweredCategory[];
};

/** What an answer about a part names: a service by itself, everything else by its payee. */
export function subjectOf(part: Part): string {
  return part.service === null ? payeeSubject(part) : part.key;
}

/** What names all of a payee, services too. */
export function payeeSubject({ payeeKey }: Pick<Part, "payeeKey">): string {
  return `payee:${payeeKey}`;
}

/** By key. All that is left at an answered payee moves together, whatever categories the engine saw in it. */
export function categoriseParts(snapshot: BudgetSnapshot, decisions: Decisions): CategorisedPart[] {
  const unmoved: CategorisedPart[] = [];
  const moved = new Map<string, CategorisedPart[]>();
  for (const part of snapshot.parts) {
    const answer = answerFor(part, decisions);
    const categories = answer?.answer.categories ?? engineCategories(part);
    const settled = settle(part, categories[0]?.id ?? null, snapshot.asOf);
    const categorised = { part: settled, subject: subjectOf(part), answer, categories };
    if (answer === null || part.standing !== "PAYEE") unmoved.push(categorised);
    else moved.set(answer.actionId, [...(moved.get(answer.actionId) ?? []), categorised]);
  }
  return [...unmoved, ...[...moved.values()].map(merge)].sort((a, b) => (a.part.key < b.part.key ? -1 : 1));
}

/** An answer that names an income says nothing of what is paid to the same payee, and the other way round. */
function answerFor(part: Part, { bySubject }: Decisions): InForce | null {
  const found = bySubject.get(subjectOf(part)) ?? bySubject.get(payeeSubject(part)) ?? null;
  const kind = found && findCategory(found.answer.categories[0]?.id ?? "")?.kind;
  return kind === part.side ? found : null;
}

function engineCategories({ categoryId }: Part): AnsweredCategory[] {
  return categoryId === null ? [] : [{ id: categoryId, amountMinor: null }];
}

function merge(parts: readonly CategorisedPart[]): CategorisedPart {
  const [first] = parts as [CategorisedPart, ...CategorisedPart[]];
  const transactions = parts.flatMap(({ part }) => part.transactions).toSorted(chronologically);
  return { ...first, part: { ...first.part, key: payeeSubject(first.part), transactions } };
}

function chronologically(a: PartTransaction, b: PartTransaction): number {
  const [left, right] = [a.document.transactionDate, b.document.transactionDate];
  return left < right ? -1 : left > right ? 1 : a.txid < b.txid ? -1 : 1;
}

/**
 * The payments that a payee's monthly mean is made of: in covered months, one-offs left out unless an answer took them
 * in.
 */
export function everydayOf({ part, answer }: CategorisedPart, snapshot: BudgetSnapshot): PartTransaction[] {
  return part.transactions.filter(
    (one) =>
      (answer !== null || !one.oneOff) && isCovered(snapshot, monthIndexOf(snapshot, one.document.transactionDate)),
  );
}

/** In how many covered months there were payments. */
export function monthsSeen(transactions: readonly PartTransaction[], snapshot: BudgetSnapshot): number {
  const monthIndexes = transactions
    .map(({ document }) => monthIndexOf(snapshot, document.transactionDate))
    .filter((monthIndex) => isCovered(snapshot, monthIndex));
  return new Set(monthIndexes).size;
}

/** Seen in so many months, a payee is a habit. */
const habitMonths = 3;

/**
 * OWN: an expense or income of its own. GATHERED: a purchase at a payee that is seldom visited, budgeted with its like.
 * NONE: nothing that comes again.
 */
export type Budgeting = "OWN" | "GATHERED" | "NONE";

export function budgetingOf(categorised: CategorisedPart, snapshot: BudgetSnapshot): Budgeting {
  const { part, answer, categories } = categorised;
  if (part.standing === "ENDED") return "NONE";
  if (part.standing !== "PAYEE" || answer !== null) return "OWN";
  const [category] = categories;
  if (category === undefined) return "NONE";
  const everyday = everydayOf(categorised, snapshot);
  const seen = monthsSeen(everyday, snapshot);
  if (seen === 0) return "NONE";
  return isFixed(category.id) || isHabit(seen, snapshot) ? "OWN" : "GATHERED";
}

/** With less than a quarter of a year of data, what was there every month. */
export function isHabit(seen: number, { covered }: BudgetSnapshot): boolean {
  return seen >= Math.max(2, Math.min(habitMonths, covered));
}
