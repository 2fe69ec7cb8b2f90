/** Notes on categories: payments that cover several, and figures that do not fit the household. Pure. */
import { uuidVersion5 } from "../../recognition/services/identity.ts";
import type { CategoryNode, Item, Note, Severity } from "../budget.ts";
import { categoryById, nameOf, treePosition } from "../../categories/tree.ts";
import { budgetTexts, fill, listOf } from "./wording.ts";
import type { BudgetTexts } from "../../texts/wording.ts";
import type { Decisions } from "./decisions.ts";
import { type Expectations, expectationsOf, isAlwaysExpected } from "./expectations.ts";
import { effectiveOf } from "./nodes.ts";
import type { Language } from "../../texts/languages.ts";
import { firstOf } from "../../present.ts";

export type NoteContext = {
  country: string;
  budgetId: string;
  language: Language;
  decisions: Decisions;
  items: readonly Item[];
};

/** The id of the question about a category of which nothing is known. */
export function missingQuestionId(budgetId: string, categoryId: string): string {
  return uuidVersion5(budgetId, `MISSING_CATEGORY:${categoryId}`);
}

/** The nodes of both trees with their notes. */
export function annotate(nodes: readonly CategoryNode[], context: NoteContext): CategoryNode[] {
  const expectations = expectationsOf(context.decisions.userData, context.country);
  const grouped = context.items.filter(({ categories }) => categories.length > 1);
  return nodes.map((node) => annotateNode(node, grouped, expectations, context));
}

function annotateNode(
  node: CategoryNode,
  grouped: readonly Item[],
  expectations: Expectations,
  context: NoteContext,
): CategoryNode {
  const notes = [
    ...groupingNotes(node.id, grouped, context.language),
    ...expectationNotes(node, grouped, expectations, context),
  ];
  return {
    ...node,
    notes,
    children: node.children.map((child) => annotateNode(child, grouped, expectations, context)),
  };
}

function groupingNotes(id: string, grouped: readonly Item[], language: Language): Note[] {
  const { notes } = budgetTexts[language];
  const included = grouped
    .filter(({ categories }) => categories[0] === id)
    .flatMap(({ categories }) => categories.slice(1));
  const carriers = grouped
    .filter(({ categories }) => categories.indexOf(id) > 0)
    .map(({ categories }) => firstOf(categories));
  return [
    groupingNote("INCLUDES_OTHERS", notes.includesOthers, included, language),
    groupingNote("INCLUDED_IN_OTHERS", notes.includedInOthers, carriers, language),
  ].flat();
}

function groupingNote(type: Note["type"], text: string, ids: readonly string[], language: Language): Note[] {
  const categories = [...new Set(ids)].toSorted((a, b) => treePosition(a) - treePosition(b));
  if (categories.length === 0) return [];
  return [{ type, message: fill(text, { categories: namesOf(categories, language) }), categories, severity: "LOW" }];
}

function expectationNotes(
  node: CategoryNode,
  grouped: readonly Item[],
  { nonempty, empty }: Expectations,
  { language, decisions, budgetId }: NoteContext,
): Note[] {
  const severity = nonempty.get(node.id);
  const isIncluded = grouped.some(({ categories }) => categories.indexOf(node.id) > 0);
  const isDismissed = decisions.notApplicable.has(missingQuestionId(budgetId, node.id));
  const amount = effectiveOf(node);
  if (severity !== undefined && amount === 0 && !isIncluded && !isDismissed)
    return [expectationNote("EXPECTED_NONEMPTY", node, severity, language)];
  return empty.has(node.id) && amount > 0 ? [expectationNote("EXPECTED_EMPTY", node, "LOW", language)] : [];
}

function expectationNote(
  type: "EXPECTED_EMPTY" | "EXPECTED_NONEMPTY",
  { id, name }: CategoryNode,
  severity: Severity,
  language: Language,
): Note {
  const { notes } = budgetTexts[language];
  const text = type === "EXPECTED_EMPTY" ? notes.expectedEmpty : nonemptyText(id, notes);
  return { type, message: fill(text, { category: inSentence(name) }), categories: null, severity };
}

/** What every household pays is not told as if this one had said so. */
function nonemptyText(id: string, notes: BudgetTexts["notes"]): string {
  if (categoryById(id).kind === "INCOME") return notes.expectedIncome;
  return isAlwaysExpected(id) ? notes.expectedAlways : notes.expectedNonempty;
}

export function namesOf(ids: readonly string[], language: Language): string {
  return listOf(
    ids.map((id) => inSentence(nameOf(categoryById(id), language))),
    budgetTexts[language],
  );
}

/** Names begin with a capital as titles do; inside a sentence they do not, unless they are abbreviations. */
export function inSentence(name: string): string {
  const [first = "", second = ""] = name;
  return /\p{Lu}/u.test(second) ? name : first.toLowerCase() + name.slice(1);
}

/** Nodes that have a note of a type, in tree order, with how much the note matters. */
export function noted(nodes: readonly CategoryNode[], type: Note["type"]): { node: CategoryNode; note: Note }[] {
  return nodes.flatMap((node) => [
    ...node.notes.filter((note) => note.type === type).map((note) => ({ node, note })),
    ...noted(node.children, type),
  ]);
}
