/**
 * What categorising says of each transaction of a budget. Pure and deterministic; the order of the rows does not
 * matter.
 */
import { dayNumber } from "../time/calendar.ts";
import type { BudgetHistory, BudgetTransaction } from "./budget-history.ts";
import { exclusionsOf } from "./exclusions.ts";
import {
  type IncomeContext,
  employerCandidate,
  employersOf,
  incomeCandidates,
  regularDepositsOf,
  regularPayersOf,
} from "./income.ts";
import { type Line, lineOf, type ToldLines } from "./line.ts";
import { openingsOf } from "./openings.ts";
import { type Candidate, confidenceMin, type Exclusion, type RuleId } from "./candidate.ts";
import { acceptorsOf, spendingCandidates } from "./spending.ts";
import { findCategory } from "./tree.ts";
import { present } from "../present.ts";

export interface Categorised {
  /** The sender's txid. */
  transactionId: string;
  /** A leaf of the tree; null when nothing is sure enough, and for what is excluded. */
  categoryId: string | null;
  rule: RuleId;
  /** 0–1. Below `confidenceMin` (candidate.ts) there is no category. */
  confidence: number;
  /** Names the payee for the user's answers: stable over time, independent of the amount's sign. */
  payeeKey: string;
  exclusion: Exclusion | null;
  /** Part of a service or of a regular income. */
  regular: boolean;
  /**
   * Best first, at most five, each category once: what to ask the user; empty when excluded. The category itself is the
   * first.
   */
  candidates: readonly Candidate[];
}

const candidatesMax = 5;

/** One for each transaction of the history, in its order. */
export function categorise(history: BudgetHistory): Categorised[] {
  const lines = linesOf(history);
  const exclusions = exclusionsOf(lines, history);
  const decide = (line: Line, candidates: readonly Candidate[]): Categorised =>
    decided(line, exclusions.get(line.row.txid) ?? null, candidates);
  const spending = { acceptors: acceptorsOf(lines), known: new Map() };
  const spent = new Map(
    lines
      .filter(({ row }) => row.amountMinor < 0)
      .map((line) => [line, decide(line, [...userCandidate(line, history), ...spendingCandidates(line, spending)])]),
  );
  const context = {
    purchases: purchasesOf(spent),
    regularPayers: regularPayersOf(lines, dayNumber(history.asOf)),
    regularDeposits: regularDepositsOf(lines, dayNumber(history.asOf)),
  };
  const earned = earnedOf(
    lines.filter((line) => !spent.has(line)),
    history,
    context,
    decide,
  );
  return lines.map((line) => spent.get(line) ?? present(earned.get(line), "a line's category"));
}

/** The catalogue's product, else the cleaned name of the payee, else how the money moved. */
export function payeeKeyOf(row: BudgetTransaction, country: string): string {
  return lineOf(row, country, null).payeeKey;
}

function linesOf({ transactions, series, country }: BudgetHistory): Line[] {
  const openings = openingsOf(transactions, country);
  const told: ToldLines = new Map();
  const bySeries = new Map(series.flatMap((one) => one.txids.map((txid) => [txid, one] as const)));
  return transactions.map((row) => lineOf(row, country, bySeries.get(row.txid) ?? null, openings, told));
}

function earnedOf(
  lines: readonly Line[],
  history: BudgetHistory,
  context: IncomeContext,
  decide: (line: Line, candidates: readonly Candidate[]) => Categorised,
): Map<Line, Categorised> {
  const first = new Map(
    lines.map((line) => [line, decide(line, [...userCandidate(line, history), ...incomeCandidates(line, context)])]),
  );
  const open = [...first].filter(([, one]) => one.rule === "REGULAR" && one.exclusion === null).map(([line]) => line);
  const employers = employersOf(open, first);
  for (const line of open)
    if (employers.has(line.payeeKey) && !line.isBetweenPeople)
      first.set(line, decide(line, [employerCandidate(), ...present(first.get(line), "a line's category").candidates]));
  return first;
}

/** What a user said of a payee's bills says nothing of the payee's refunds but through the bills themselves. */
function userCandidate({ payeeKey, row, merchant }: Line, { userRules }: BudgetHistory): Candidate[] {
  const [categoryId] = userRules.get(payeeKey) ?? userRules.get(merchant.key) ?? [];
  if (categoryId === undefined) return [];
  const isIncome = findCategory(categoryId)?.kind === "INCOME";
  return isIncome === row.amountMinor > 0 ? [{ categoryId, rule: "USER", confidence: 1 }] : [];
}

function purchasesOf(spent: ReadonlyMap<Line, Categorised>): IncomeContext["purchases"] {
  const purchases = Map.groupBy(
    [...spent].filter(([, { exclusion }]) => exclusion === null),
    ([{ payeeKey }]) => payeeKey,
  );
  return new Map(
    [...purchases].map(([key, own]) => [
      key,
      own.map(([{ at }, { categoryId }]) => ({ at, categoryId })).sort((a, b) => a.at - b.at),
    ]),
  );
}

function decided(
  { row, payeeKey, series }: Line,
  exclusion: Exclusion | null,
  candidates: readonly Candidate[],
): Categorised {
  const common = { transactionId: row.txid, payeeKey, exclusion: null, regular: series !== null };
  const winner = candidates.find(({ confidence }) => confidence >= confidenceMin);
  // A user's answer comes first; but of a purchase that came back, both sides go or neither.
  const stands = exclusion === null || (winner?.rule === "USER" && exclusion !== "REFUNDED");
  if (!stands) return { ...common, exclusion, categoryId: null, rule: "EXCLUSION", confidence: 1, candidates: [] };
  const kept = bestOf(winner, candidates);
  if (winner === undefined) return { ...common, categoryId: null, rule: "NONE", confidence: 0, candidates: kept };
  return { ...common, ...winner, candidates: kept };
}

function bestOf(winner: Candidate | undefined, candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<string, Candidate>();
  const ordered = candidates.toSorted(
    (a, b) => Number(b === winner) - Number(a === winner) || b.confidence - a.confidence,
  );
  for (const one of ordered) if (!best.has(one.categoryId)) best.set(one.categoryId, one);
  return [...best.values()].slice(0, candidatesMax);
}
