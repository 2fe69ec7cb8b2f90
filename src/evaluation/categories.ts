/** Categorising held against known purposes: precision and coverage by group of the tree. */
import { generatePopulation, type PopulationOptions } from "../../fixtures/population.ts";
import type { KnownPurpose } from "../../fixtures/purpose.ts";
import { seriesOf } from "../recognition/recognised-series.ts";
import { type Categorised, categorise } from "../categories/categorised.ts";
import { groupOf } from "../categories/tree.ts";
import type { Day } from "../time/calendar.ts";
import { historyTransaction, homeOf } from "../payments/history-file.ts";
import { type HistoryTransaction, recognise } from "../recognition/recognise.ts";
import { readLabelled } from "./labelled.ts";
import { kindOf } from "../payments/history.ts";
import { itemAt } from "../present.ts";

export type CategorisedUser = {
  uid: string;
  country: string;
  history: readonly HistoryTransaction[];
  categorised: readonly Categorised[];
  known: ReadonlyMap<string, KnownPurpose>;
};

/** known: with a category to tell; given: got one, or left out; right: one that may stand; missed: left without. */
export type GroupTally = { known: number; given: number; right: number; missed: number };
/**
 * Of payments with a known purpose: right, wrong, or left to be asked about; by count, and by money, where all that a
 * user moved counts as one, whatever the currency.
 */
export type Outcome = "right" | "wrong" | "asked";
export type SliceTally = { payments: Record<Outcome, number>; money: Record<Outcome, number> };
export type CategoryTally = {
  users: number;
  transactions: number;
  /** With a category or left out on purpose. */
  decided: number;
  outgoing: number;
  outgoingDecided: number;
  groups: Record<string, GroupTally>;
  /** By country, direction and kind of payment, named so. */
  slices: Record<string, SliceTally>;
  rules: Record<string, number>;
  /** known category → given category, where that may not stand. */
  confusions: Record<string, number>;
};

export function emptyCategoryTally(): CategoryTally {
  return {
    users: 0,
    transactions: 0,
    decided: 0,
    outgoing: 0,
    outgoingDecided: 0,
    groups: {},
    slices: {},
    rules: {},
    confusions: {},
  };
}

export function* generateCategorised(options: PopulationOptions): Generator<CategorisedUser> {
  for (const { user, country, transactions, purposes, asOf } of generatePopulation(options)) {
    const history = transactions.flatMap((record) =>
      record.tx === undefined ? [] : (historyTransaction(record, record.tx) ?? []),
    );
    const categorised = categoriseHistory(history, asOf, country, homeOf(history).currency);
    yield {
      uid: user.bankUserId,
      country,
      history,
      categorised,
      known: new Map(purposes.map((one) => [one.txid, one])),
    };
  }
}

/** A labelled folder knows no purposes: only what got a category can be told. */
export async function* readCategorised(folder: string): AsyncGenerator<CategorisedUser> {
  for await (const { uid, asOf, history, country, currency } of readLabelled(folder)) {
    yield { uid, country, history, categorised: categoriseHistory(history, asOf, country, currency), known: new Map() };
  }
}

/** One user's rows, decided together by what recognition finds in them; the accounts are those of the rows. */
export function categoriseHistory(
  transactions: readonly HistoryTransaction[],
  asOf: Day,
  country: string,
  currency: string,
): Categorised[] {
  const series = seriesOf(recognise(transactions, { asOf, country, currency }));
  return categorise({ transactions, series, ownAccounts: [], country, asOf, userRules: new Map() });
}

export function addCategorised(tally: CategoryTally, { country, history, categorised, known }: CategorisedUser): void {
  tally.users++;
  const moved = history.reduce((sum, { amountMinor }) => sum + Math.abs(amountMinor), 0);
  for (const [at, one] of categorised.entries()) {
    const isDecided = one.categoryId !== null || one.exclusion !== null;
    tally.transactions++;
    if (isDecided) tally.decided++;
    if (itemAt(history, at).amountMinor < 0) {
      tally.outgoing++;
      if (isDecided) tally.outgoingDecided++;
    }
    tally.rules[one.rule] = (tally.rules[one.rule] ?? 0) + 1;
    const purpose = known.get(one.transactionId);
    if (purpose === undefined) continue;
    judge(tally, one, purpose);
    addToSlices(tally, itemAt(history, at), country, moved, outcomeOf(one, purpose));
  }
}

function addToSlices(
  { slices }: CategoryTally,
  { amountMinor, rawType }: HistoryTransaction,
  country: string,
  moved: number,
  outcome: Outcome | null,
): void {
  if (outcome === null) return;
  const names = [`country ${country}`, `direction ${amountMinor < 0 ? "out" : "in"}`, `kind ${kindOf(rawType)}`];
  for (const name of ["all", ...names]) {
    const slice = (slices[name] ??= {
      payments: { right: 0, wrong: 0, asked: 0 },
      money: { right: 0, wrong: 0, asked: 0 },
    });
    slice.payments[outcome]++;
    slice.money[outcome] += Math.abs(amountMinor) / moved;
  }
}

/** Null where no purpose is known. */
function outcomeOf(one: Categorised, { exclusion, categories }: KnownPurpose): Outcome | null {
  if (exclusion === null && categories.length === 0) return null;
  const given = one.exclusion ?? one.categoryId;
  if (given === null) return "asked";
  const isRight = exclusion === null ? categories.includes(given) : given === exclusion || isRepaid(exclusion, given);
  return isRight ? "right" : "wrong";
}

function judge(tally: CategoryTally, one: Categorised, known: KnownPurpose): void {
  const { exclusion, categories, purpose } = known;
  const [first] = categories;
  const name = exclusion ?? first;
  if (name === undefined) return;
  const group = (tally.groups[exclusion === null ? (groupOf(name) ?? name) : name] ??= {
    known: 0,
    given: 0,
    right: 0,
    missed: 0,
  });
  const given = one.exclusion ?? one.categoryId;
  group.known++;
  if (given === null) group.missed++;
  else group.given++;
  if (outcomeOf(one, known) === "right") group.right++;
  else {
    const confusion = `${purpose}: ${name} → ${given ?? "none"}`;
    tally.confusions[confusion] = (tally.confusions[confusion] ?? 0) + 1;
  }
}

/** A card's bill whose purchases lie before the window repays a debt. */
function isRepaid(exclusion: string, given: string): boolean {
  return exclusion === "CARD_SETTLEMENT" && given === "DEBT_CREDIT_CARD";
}
