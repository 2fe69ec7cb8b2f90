/**
 * What a payee may be, to ask the user: what is known of it first, then what payments of its kind most often are. A
 * purchase with a card in a shop is no rent and no loan, and what is collected or sent is no supermarket. Pure.
 */
import { findCategory, groupOf, isLeaf } from "../../categories/tree.ts";
import type { Item } from "../budget.ts";

const potentialMax = 5;
/** Seen in so many months, a payee is paid regularly. */
const regularMonthsMin = 6;

/** How it is paid, as far as that says what it may be. */
type PaymentKind = "CARD" | "BILL" | "TRANSFER" | "ANY";

const last = "OTHER_EXPENSES";
/** By kind, of a regular and of a casual payee, the likeliest first. */
const guesses: Readonly<Record<PaymentKind, { regular: readonly string[]; casual: readonly string[] }>> = {
  CARD: {
    regular: ["FOOD_GROCERIES", "FOOD_RESTAURANTS", "LEISURE_STREAMING", "PERSONAL_CLOTHING"],
    casual: ["FOOD_RESTAURANTS", "HOME_FURNITURE", "PERSONAL_CLOTHING", "LEISURE_CULTURE_EVENTS"],
  },
  BILL: {
    regular: ["HOUSING_RENT", "UTILITIES_ELECTRICITY", "INSURANCE_OTHER", "DEBT_CONSUMER_LOAN"],
    casual: ["HOUSING_MAINTENANCE", "UTILITIES_ELECTRICITY", "INSURANCE_OTHER", "FEES_TAX"],
  },
  TRANSFER: {
    regular: ["HOUSING_RENT", "SAVINGS_INVESTMENT", "DEBT_CONSUMER_LOAN", "OTHER_TRANSFERS"],
    casual: ["OTHER_TRANSFERS", "SAVINGS_INVESTMENT", "LEISURE_TRAVEL", "HOUSING_MAINTENANCE"],
  },
  ANY: {
    regular: ["HOUSING_RENT", "DEBT_CONSUMER_LOAN", "SAVINGS_INVESTMENT", "OTHER_TRANSFERS"],
    casual: ["FOOD_RESTAURANTS", "HOME_FURNITURE", "LEISURE_CULTURE_EVENTS", "OTHER_TRANSFERS"],
  },
};

const byType: Readonly<Record<string, PaymentKind>> = {
  CARD_PURCHASE: "CARD",
  DIRECT_DEBIT: "BILL",
  INVOICE: "BILL",
  ACCOUNT_TRANSFER: "TRANSFER",
};

/** What nobody pays with a card in a shop. */
const notByCardGroups: ReadonlySet<string> = new Set(["DEBT", "SAVINGS"]);
const notByCard: ReadonlySet<string> = new Set([
  "HOUSING_RENT",
  "HOUSING_MORTGAGE",
  "HOUSING_COOPERATIVE_FEE",
  "HOUSING_PROPERTY_TAX",
  "CHILDREN_MAINTENANCE_PAID",
  "OTHER_TRANSFERS",
  "OTHER_CASH",
]);
/** What nobody sends or has collected. */
const onlyInShops: ReadonlySet<string> = new Set(["FOOD_GROCERIES", "FOOD_ALCOHOL_TOBACCO", "OTHER_CASH"]);

/** Two to five leaves of expenses, the likeliest first, each once. */
export function potentialCategories(item: Item): string[] {
  const kind = kindOf(item);
  const scored = item.candidates.toSorted((a, b) => b.confidence - a.confidence).map(({ categoryId }) => categoryId);
  const isRegular = item.service !== null || item.monthsSeen >= regularMonthsMin;
  const { regular, casual } = guesses[kind];
  const fit = [...new Set([...item.categories, ...scored, ...(isRegular ? regular : casual)])].filter(
    (id) => id !== last && isLeaf(id) && findCategory(id)?.kind === "EXPENSE" && fits(id, kind),
  );
  return [...fit.slice(0, potentialMax - 1), last];
}

/** Of its latest payment. */
function kindOf({ transactions }: Item): PaymentKind {
  return byType[transactions.at(-1)?.type ?? ""] ?? "ANY";
}

function fits(categoryId: string, kind: PaymentKind): boolean {
  if (kind === "CARD") return !notByCard.has(categoryId) && !notByCardGroups.has(groupOf(categoryId) ?? "");
  return kind === "ANY" || !onlyInShops.has(categoryId);
}
