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
export type CategoryTally = {
  users: number;
  transactions: number;
  /** With a category or left out on purpose. */
  decided: number;
  outgoing: number;
  outgoingDecided: number;
  groups: Record<string, GroupTally>;
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

export function addCategorised(tally: CategoryTally, { history, categorised, known }: CategorisedUser): void {
  tally.users++;
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
    if (purpose !== undefined) judge(tally, one, purpose);
  }
}

function judge(tally: CategoryTally, one: Categorised, { exclusion, categories, purpose }: KnownPurpose): void {
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
  const isRight =
    given !== null &&
    (exclusion === null ? categories.includes(given) : given === exclusion || isRepaid(exclusion, given));
  if (isRight) group.right++;
  else {
    const confusion = `${purpose}: ${name} → ${given ?? "none"}`;
    tally.confusions[confusion] = (tally.confusions[confusion] ?? 0) + 1;
  }
}

/** A card's bill whose purchases lie before the window repays a debt. */
function isRepaid(exclusion: string, given: string): boolean {
  return exclusion === "CARD_SETTLEMENT" && given === "DEBT_CREDIT_CARD";
}
