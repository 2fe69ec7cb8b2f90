/**
 * Budgets of users about whom nothing is stored: how much finds a category by itself, how many questions are left until
 * the budget can be used, and what an adviser is alerted to. Pure.
 */
import { usualPercents } from "../recognition/search/confidence.ts";
import { createHash } from "node:crypto";
import type { KnownPurpose } from "../../fixtures/purpose.ts";
import { renderTransactionId } from "../ledger/transaction-id.ts";
import type { LedgerTransaction } from "../ledger/history.ts";
import { assess } from "../recognition/assess.ts";
import type { Service } from "../interface/services.ts";
import type { FoldedBudget, Question } from "../budgets/budget.ts";
import { buildSnapshot } from "../budgets/engine/build-snapshot.ts";
import { merchantOf } from "../payments/merchant.ts";
import type { KnownService } from "../budgets/engine/parts.ts";
import type { BudgetSnapshot } from "../budgets/engine/snapshot.ts";
import type { BudgetEvent, LoggedEvent } from "../budgets/events.ts";
import { foldBudget } from "../budgets/fold/fold.ts";
import type { BudgetFacts } from "../budgets/fold/facts.ts";
import { nothingRemembered } from "../recognition/remembered.ts";
import { uuidVersion5 } from "../recognition/services/identity.ts";
import type { LabelledUser } from "./labelled.ts";

export type BudgetedUser = {
  uid: string;
  /** Before anything was answered. */
  budget: FoldedBudget;
  /** Of the average expenses, by the engine alone. */
  categorizedShare: number;
  /** Answered until the budget was ready. */
  questions: number;
  /** Then; without it the budget was ready because no question was left. */
  isTargetMet: boolean;
  /** Of the questions before any was answered about whose payments something is known. */
  lists: readonly CandidateList[];
};

/** offered: what a question lets choose from; known: what may stand of its payments, most of the money first. */
export type CandidateList = { title: string; offered: readonly string[]; known: readonly string[] };

/** Histories of files are in the account's currency; what is foreign in them keeps its own. */
const convert = (): null => null;
const namespace = "5b0f6a3c-92b1-4f0e-8a7d-1d2c3b4a5968";
/** What is worth less of a payee's money than this is not what a question about it is about. */
const mainShareMin = 0.5;
/** More than a budget ever asks. */
const questionsMax = 100;

export function budgetUser(user: LabelledUser): BudgetedUser {
  const history = user.history
    .filter(({ day }) => day <= user.asOf)
    .map((row, at): LedgerTransaction => ({ ...row, id: at + 1 }));
  const snapshot = buildSnapshot({
    history,
    services: servicesOf(user, history),
    accounts: accountsOf(history),
    brand: { id: user.uid, country: user.country, currency: user.currency },
    asOf: user.asOf,
    baseUrl: "https://localhost",
    convert,
  });
  const facts: BudgetFacts = {
    id: uuidVersion5(namespace, user.uid),
    createdTime: `${user.asOf}T00:00:00`,
    language: "en",
    country: user.country,
    currency: user.currency,
    revision: 0,
    showsIncome: true,
    showsRiskIndicators: true,
    targetPercent: 90,
    irregularPercent: 80,
    baseUrl: "https://localhost",
  };
  const budget = foldBudget(facts, snapshot, []);
  const purposes = new Map(history.map(({ id, txid }) => [renderTransactionId(id), user.purposes?.get(txid)]));
  const knownOf = (question: Question): readonly string[] => knownCategories(question, purposes);
  const log = answerAll(facts, snapshot, knownOf);
  const ready = foldBudget(facts, snapshot, log);
  return {
    uid: user.uid,
    budget,
    categorizedShare: shareOf(budget),
    questions: log.length,
    isTargetMet: ready.amountCategorizedMinor >= ready.categorizationTargetMinor,
    lists: budget.questions.flatMap((question) => {
      const known = knownOf(question);
      return known.length === 0 ? [] : [{ title: question.title, offered: question.potentialCategories ?? [], known }];
    }),
  };
}

/** Histories as banks deliver them that send no merchant category codes. */
export function withoutCodes(user: LabelledUser): LabelledUser {
  return { ...user, history: user.history.map((row) => ({ ...row, mcc: null })) };
}

/** The same histories with payees of whom nobody has heard: names that are in no list and mean nothing. */
export function withInventedNames(user: LabelledUser): LabelledUser {
  return {
    ...user,
    history: user.history.map((row) => {
      const name = inventedName(merchantOf(row.merchantName, row.description).key || row.rawType);
      return row.amountMinor > 0 ? row : { ...row, mcc: null, description: name, merchantName: null };
    }),
  };
}

const syllables = ["qvu", "zro", "xil", "vqe", "hwu", "zja", "qxo", "fjy"];

/** One for each name, of letters only. */
function inventedName(name: string): string {
  const bytes = [...createHash("sha256").update(name).digest().subarray(0, 4)];
  return bytes.map((byte) => `${syllables[byte % 8]}${syllables[(byte >> 3) % 8]}`).join("");
}

/** What may stand for most of the money of a question's payments; none where it is not known, or not one thing. */
function knownCategories(
  { item }: Question,
  purposes: ReadonlyMap<string, KnownPurpose | undefined>,
): readonly string[] {
  if (item === null) return [];
  const sums = new Map<string, number>();
  let all = 0;
  for (const { id, amount } of item.transactions) {
    all += Math.abs(amount);
    for (const category of purposes.get(id)?.categories ?? [])
      sums.set(category, (sums.get(category) ?? 0) + Math.abs(amount));
  }
  return [...sums]
    .filter(([, sum]) => sum >= mainShareMin * all)
    .sort((a, b) => b[1] - a[1])
    .map(([category]) => category);
}

function shareOf({ amountCategorizedMinor, averageExpensesLastTwelveMonthsMinor: all }: FoldedBudget): number {
  return all <= 0 ? 1 : amountCategorizedMinor / all;
}

function servicesOf(user: LabelledUser, history: readonly LedgerTransaction[]): KnownService[] {
  const recognised = {
    id: 1,
    subject: uuidVersion5(namespace, user.uid),
    country: user.country,
    currency: user.currency,
    timeZone: "UTC",
    hiddenProductIds: [],
    percents: usualPercents,
    importCompletedOn: user.asOf,
    algorithmVersion: null,
  };
  const { services } = assess(recognised, history, nothingRemembered, {
    today: user.asOf,
    baseUrl: "https://localhost",
    convert,
    arrived: null,
  });
  return services.flatMap(({ id, txids, document }) =>
    document === null ? [] : [{ id, txids, document: JSON.parse(document) as Service }],
  );
}

function accountsOf(history: readonly LedgerTransaction[]) {
  const known = new Map(
    history.flatMap(({ accountId, iban }) => (accountId === null ? [] : [[accountId, iban] as const])),
  );
  return [...known].map(([id, iban]) => ({ id, name: id, iban, isRemoved: false }));
}

/**
 * Answers the next question until the budget is ready: with what is known to be true where it is offered, else with its
 * first candidate; what is missing is said not to apply.
 */
function answerAll(
  facts: BudgetFacts,
  snapshot: BudgetSnapshot,
  knownOf: (question: Question) => readonly string[],
): LoggedEvent[] {
  const log: LoggedEvent[] = [];
  for (
    let budget = foldBudget(facts, snapshot, log);
    budget.status === "DRAFT" && log.length < questionsMax;
    budget = foldBudget(facts, snapshot, log)
  ) {
    const next = budget.questions.find(({ open }) => open);
    if (next === undefined) break;
    log.push({ sequence: log.length + 1, at: facts.createdTime, actor: null, event: answerTo(next, knownOf(next)) });
  }
  return log;
}

function answerTo({ id, item, potentialCategories }: Question, known: readonly string[]): BudgetEvent {
  if (item === null) return { type: "REVOKED", actionId: id, notApplicable: true };
  const offered = potentialCategories ?? [];
  const chosen = known.find((category) => offered.includes(category)) ?? offered[0] ?? "OTHER_EXPENSES";
  const categories = [{ id: chosen, amountMinor: null }];
  return {
    type: "ANSWERED",
    actionId: id,
    answer: {
      type: "DERIVED_FROM_TRANSACTIONS",
      categories,
      subject: item.subject,
      txid: null,
      amountMinor: null,
      frequency: null,
      title: null,
    },
  };
}

export type BudgetTally = {
  users: number;
  /** Ready without a question. */
  readyAtOnce: number;
  /** When ready. */
  targetMet: number;
  questions: number[];
  /** Candidate lists of questions whose answer is known, and those among them that hold it. */
  lists: number;
  listsWithTruth: number;
  /** What was offered where the truth was not: known → offered. */
  misled: Record<string, number>;
  shares: number[];
  alerts: Record<string, number>;
  risks: Record<string, number>;
};

export function emptyBudgetTally(): BudgetTally {
  return {
    users: 0,
    readyAtOnce: 0,
    targetMet: 0,
    questions: [],
    lists: 0,
    listsWithTruth: 0,
    misled: {},
    shares: [],
    alerts: {},
    risks: {},
  };
}

export function addBudget(tally: BudgetTally, user: BudgetedUser): void {
  tally.users += 1;
  if (user.questions === 0) tally.readyAtOnce += 1;
  if (user.isTargetMet) tally.targetMet += 1;
  tally.questions.push(user.questions);
  tally.shares.push(user.categorizedShare);
  for (const { offered, known } of user.lists) {
    tally.lists += 1;
    if (known.some((category) => offered.includes(category))) tally.listsWithTruth += 1;
    else count(tally.misled, `${known.join(" or ")} → ${offered.join(", ")}`);
  }
  for (const { type, severity } of user.budget.alerts) count(tally.alerts, `${type} ${severity}`);
  for (const { type, isMarked } of user.budget.riskIndicators ?? []) if (isMarked) count(tally.risks, type);
}

function count(counts: Record<string, number>, name: string): void {
  counts[name] = (counts[name] ?? 0) + 1;
}

/** Lines of a table: what, and how much. */
export function budgetRows(tally: BudgetTally): string[][] {
  const percent = (part: number): string => `${((100 * part) / Math.max(1, tally.users)).toFixed(0)} %`;
  return [
    ["USERS", String(tally.users)],
    ["categorised share, median", `${(100 * quantile(tally.shares, 0.5)).toFixed(1)} %`],
    ["categorised share, worst tenth", `${(100 * quantile(tally.shares, 0.1)).toFixed(1)} %`],
    ["ready without a question", percent(tally.readyAtOnce)],
    ["target met when ready", percent(tally.targetMet)],
    [
      "questions until ready, mean",
      (tally.questions.reduce((sum, one) => sum + one, 0) / Math.max(1, tally.questions.length)).toFixed(1),
    ],
    ["questions until ready, worst tenth", String(quantile(tally.questions, 0.9))],
    ["questions until ready, most", String(Math.max(0, ...tally.questions))],
    ...(tally.lists === 0
      ? []
      : [
          ["candidate lists whose answer is known", String(tally.lists)],
          ["that hold it", `${((100 * tally.listsWithTruth) / tally.lists).toFixed(1)} %`],
        ]),
    ...Object.entries(tally.alerts)
      .sort()
      .map(([name, users]) => [name, percent(users)]),
    ...Object.entries(tally.risks)
      .sort()
      .map(([name, users]) => [name, percent(users)]),
  ];
}

function quantile(values: readonly number[], at: number): number {
  return values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? 0;
}
