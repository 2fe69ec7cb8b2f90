/**
 * Which payments of a category are its everyday spending, and which are one-offs: a purchase of more than a fifth of
 * what leaves the accounts in a month, and of more than three ordinary months of its category. Fixed costs and debts
 * have no one-offs but what a loan is settled with: what is paid once a year is a twelfth a month. Over a hundred generated users, the second condition
 * alone took furniture, dentists, travel and cash out of half of the budgets, which then could not reach their target.
 */
import { findCategory } from "../../categories/tree.ts";
import { divisorOf, isCovered, monthsMax, monthIndexOf, type Window } from "../window.ts";
import { settlementTimes } from "./lapse.ts";
import type { Part, PartTransaction } from "./snapshot.ts";

const ordinaryMonths = 3;
const largeShare = 0.2;
/** A flight is no everyday thing where the week's lodging was none. */
const alikeShare = 0.5;

/** The same parts with every one-off marked. */
export function markOneOffs(parts: readonly Part[], window: Window): Part[] {
  const oneOffs = new Set<PartTransaction>();
  const large = largeShare * monthlyExpenses(parts, window);
  for (const [categoryId, group] of Map.groupBy(parts.filter(isEveryday), (part) => part.categoryId)) {
    if (categoryId !== null && !isFixed(categoryId))
      for (const one of oneOffsOf(group, window, large)) oneOffs.add(one);
  }
  for (const one of settlementsOf(parts)) oneOffs.add(one);
  return parts.map((part) => {
    const hasAny = part.transactions.some((one) => oneOffs.has(one));
    return hasAny
      ? { ...part, transactions: part.transactions.map((one) => (oneOffs.has(one) ? { ...one, oneOff: true } : one)) }
      : part;
  });
}

/** What a loan that was paid off was settled with: a debt has no other one-offs. */
function settlementsOf(parts: readonly Part[]): PartTransaction[] {
  return parts
    .filter(({ ended }) => ended?.reason === "PAID_OFF")
    .flatMap(({ payeeKey, paymentCostMinor }) =>
      parts
        .filter((part) => isEveryday(part) && part.payeeKey === payeeKey)
        .flatMap(({ transactions }) =>
          transactions.filter(({ minor }) => -minor >= settlementTimes * paymentCostMinor),
        ),
    );
}

/** A fixed cost or a debt. */
export function isFixed(categoryId: string): boolean {
  const costType = findCategory(categoryId)?.costType;
  return costType === "FIXED" || costType === "FINANCIAL";
}

function isEveryday(part: Part): boolean {
  return part.standing === "PAYEE" && part.side === "EXPENSE";
}

/** Everything that leaves, per covered month. */
function monthlyExpenses(parts: readonly Part[], window: Window): number {
  const paid = coveredOf(
    parts.filter(({ side }) => side === "EXPENSE"),
    window,
  );
  return paid.reduce((total, { minor }) => total - minor, 0) / divisorOf(window, monthsMax);
}

function coveredOf(parts: readonly Part[], window: Window): PartTransaction[] {
  return parts
    .flatMap(({ transactions }) => transactions)
    .filter(({ document }) => isCovered(window, monthIndexOf(window, document.transactionDate)));
}

/** Largest first, each judged by what is left without it. */
function oneOffsOf(parts: readonly Part[], window: Window, large: number): PartTransaction[] {
  const paid = coveredOf(parts, window).toSorted((a, b) => a.minor - b.minor || (a.txid < b.txid ? -1 : 1));
  let rest = paid.reduce((total, { minor }) => total - minor, 0);
  const found: PartTransaction[] = [];
  for (const one of paid) {
    const others = rest + one.minor;
    // What is as large as half of a one-off of its category is judged as that one was.
    const least = Math.min(large, alikeShare * -(found.at(-1)?.minor ?? -Infinity));
    if (-one.minor <= least || -one.minor * window.covered <= ordinaryMonths * others) break;
    found.push(one);
    rest = others;
  }
  return found;
}
