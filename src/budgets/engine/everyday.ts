/**
 * Which payments of a category are its everyday spending, and which are one-offs: a purchase larger than three ordinary
 * months of its category, which is to say than a quarter of all else that a full year holds. Fixed costs and debts have
 * no one-offs: what is paid once a year is a twelfth a month.
 */
import { findCategory } from "../categories/tree.ts";
import { isCovered, placeOf, type Window } from "../window.ts";
import type { Part, PartTransaction } from "./snapshot.ts";

const ORDINARY_MONTHS = 3;

/** The same parts with every one-off marked. */
export function markOneOffs(parts: readonly Part[], window: Window): Part[] {
  const oneOffs = new Set<PartTransaction>();
  for (const [categoryId, group] of Map.groupBy(parts.filter(isEveryday), (part) => part.categoryId)) {
    if (categoryId !== null && !isFixed(categoryId)) for (const one of oneOffsOf(group, window)) oneOffs.add(one);
  }
  return parts.map((part) => {
    const hasAny = part.transactions.some((one) => oneOffs.has(one));
    return hasAny ? { ...part, transactions: part.transactions.map((one) => (oneOffs.has(one) ? { ...one, oneOff: true } : one)) } : part;
  });
}

/** A fixed cost or a debt. */
export function isFixed(categoryId: string): boolean {
  const costType = findCategory(categoryId)?.costType;
  return costType === "FIXED" || costType === "FINANCIAL";
}

function isEveryday(part: Part): boolean {
  return part.standing === "PAYEE" && part.side === "EXPENSE";
}

/** Largest first, each judged by what is left without it. */
function oneOffsOf(parts: readonly Part[], window: Window): PartTransaction[] {
  const paid = parts
    .flatMap(({ transactions }) => transactions)
    .filter(({ document }) => isCovered(window, placeOf(window, document.transactionDate)))
    .toSorted((a, b) => a.minor - b.minor || (a.txid < b.txid ? -1 : 1));
  let rest = paid.reduce((total, { minor }) => total - minor, 0);
  const found: PartTransaction[] = [];
  for (const one of paid) {
    const others = rest + one.minor;
    if (-one.minor * window.covered <= ORDINARY_MONTHS * others) break;
    found.push(one);
    rest = others;
  }
  return found.filter(({ minor }) => minor < 0);
}
