/**
 * The category tree of budgets: config/category-tree.json, named by the texts of each language. Two levels; ids are
 * opaque, never used again, and unique over expenses and income, so one list of adjustments serves both.
 */
import tree from "../../config/category-tree.json" with { type: "json" };
import { type Language, languageCodes, textsOf } from "../texts/languages.ts";

export type CategoryKind = "EXPENSE" | "INCOME";
/** What a cost is to a household; the report and the reference check use it, the API's sums never do. */
export type CostType = "FIXED" | "VARIABLE" | "DISCRETIONARY" | "FINANCIAL" | "SAVINGS";

export type Category = {
  id: string;
  kind: CategoryKind;
  /** Null for a group. */
  parent: string | null;
  names: Readonly<Record<Language, string>>;
  /** Code of the statistical classification COICOP 2018; null for income and for what it does not know. */
  coicop2018: string | null;
  /** Null for income. */
  costType: CostType | null;
  /** False for income. */
  essential: boolean;
};

type Entry = {
  id: string;
  parent: string | null;
  coicop2018?: string | null;
  costType?: string;
  essential?: boolean;
};

const names: Readonly<Record<Language, Readonly<Record<string, string>>>> = textsOf("categories");

/** Changes when an id is added or a name is reworded. */
export const treeVersion: string = tree.version;
/** Groups and leaves in tree order, each group before its leaves. */
export const expenseCategories: readonly Category[] = tree.expense.map((entry) => categoryOf("EXPENSE", entry));
export const incomeCategories: readonly Category[] = tree.income.map((entry) => categoryOf("INCOME", entry));
/** Groups, in tree order. */
export const expenseRoots: readonly Category[] = expenseCategories.filter(({ parent }) => parent === null);
export const incomeRoots: readonly Category[] = incomeCategories.filter(({ parent }) => parent === null);

const byId: ReadonlyMap<string, Category> = new Map(
  [...expenseCategories, ...incomeCategories].map((category) => [category.id, category]),
);
const byParent: ReadonlyMap<string, readonly Category[]> = Map.groupBy(
  [...byId.values()],
  ({ parent }) => parent ?? "",
);
const order: ReadonlyMap<string, number> = new Map([...byId.keys()].map((id, at) => [id, at]));

/** Null when the tree has no such id. */
export function findCategory(id: string): Category | null {
  return byId.get(id) ?? null;
}

/** A category that is known to be there. @throws RangeError for another id: a bug, or a document of a newer tree. */
export function categoryById(id: string): Category {
  const category = byId.get(id);
  if (category === undefined) throw new RangeError(`the category tree has no ${id}`);
  return category;
}

/** Leaves of a group in tree order; empty for a leaf and for an unknown id. */
export function childrenOf(id: string): readonly Category[] {
  return byParent.get(id) ?? [];
}

export function isLeaf(id: string): boolean {
  return byId.get(id)?.parent != null;
}

/** The group of a leaf, a group itself, null for an unknown id. */
export function groupOf(id: string): string | null {
  const category = byId.get(id);
  return category === undefined ? null : (category.parent ?? category.id);
}

/** Rank in tree order, expenses before income; what the tree does not know comes last. */
export function treePosition(id: string): number {
  return order.get(id) ?? order.size;
}

export function nameOf(category: Category, language: Language): string {
  return category.names[language];
}

/** @throws RangeError for a category without a name: the service must not start with half a tree */
function namesOf(id: string): Readonly<Record<Language, string>> {
  const nameIn = (language: Language): string => {
    const name = names[language][id];
    if (name === undefined) throw new RangeError(`no name of the category ${id} in ${language}`);
    return name;
  };
  return Object.fromEntries(languageCodes.map((code) => [code, nameIn(code)])) as Record<Language, string>;
}

function categoryOf(kind: CategoryKind, { id, parent, coicop2018, costType, essential }: Entry): Category {
  return {
    id,
    kind,
    parent,
    names: namesOf(id),
    coicop2018: coicop2018 ?? null,
    costType: (costType as CostType | undefined) ?? null,
    essential: essential ?? false,
  };
}
