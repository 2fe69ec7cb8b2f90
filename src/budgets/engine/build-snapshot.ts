/** From one user's ledger and services to the snapshot of which the user's budgets are folded. Pure. */
import type { Day } from "../../time/calendar.ts";
import type { LedgerTransaction } from "../../ledger/history.ts";
import { recognise } from "../../recognition/recognise.ts";
import type { RecognisedSeries } from "../../categories/budget-history.ts";
import { seriesOf } from "../../recognition/recognised-series.ts";
import { type Categorised, categorise } from "../../categories/categorised.ts";
import { rulesVersion } from "../version.ts";
import { firstDayOf, isDayCovered, sum, type Window, windowOf } from "../window.ts";
import { accountEventsOf } from "./account-events.ts";
import { accountsOf, type KnownAccount, signalsOf } from "./accounts.ts";
import { balancesOf, type Moved, type ObservedBalance } from "./balances.ts";
import { partTransaction } from "./convert.ts";
import { inCurrency } from "../../payments/converted.ts";
import type { Convert } from "../../rates/rates.ts";
import { markOneOffs } from "./everyday.ts";
import type { Counted } from "./counted.ts";
import { type KnownService, partsOf } from "./parts.ts";
import type { ExcludedReason } from "../budget.ts";
import { type BudgetSnapshot, nothingExcluded, type PartTransaction } from "./snapshot.ts";
import { winningsOf } from "./winnings.ts";
import { itemAt } from "../../present.ts";

export type SnapshotInput = {
  /** All of it that lies on accounts the user lets us see. */
  history: readonly LedgerTransaction[];
  /** Those that recognition finds now, with their documents. */
  services: readonly KnownService[];
  accounts: readonly KnownAccount[];
  brand: { id: string; country: string; currency: string };
  asOf: Day;
  /** The API's base address without trailing slash. */
  baseUrl: string;
  convert: Convert;
  /** By account, oldest first; none where the partner tells no balances. */
  balances?: ReadonlyMap<string, readonly ObservedBalance[]>;
};

export function buildSnapshot(input: SnapshotInput): BudgetSnapshot {
  const { brand, asOf } = input;
  const history = input.history.filter(({ day }) => day <= asOf);
  const recognised = recognise(history, { asOf, country: brand.country, currency: brand.currency });
  const categorised = categoriseAll(input, history, seriesOf(recognised));
  const rows = history.map((row, at) => ({ row, categorised: itemAt(categorised, at) }));
  const converted = convertedOf(rows, input);
  const window = windowOf(asOf, earliestOf(history));
  const { counted, excluded } = sortOut(converted, brand, window);
  const parts = partsOf(counted, input.services, recognised.income, {
    currency: brand.currency,
    baseUrl: input.baseUrl,
    from: firstDayOf(window),
    excluded: new Set(rows.flatMap((one) => (one.categorised.exclusion === null ? [] : [one.row.txid]))),
    window,
  });
  return {
    rulesVersion,
    asOf,
    country: brand.country,
    currency: brand.currency,
    months: window.months,
    covered: window.covered,
    parts: markOneOffs(parts, window),
    accounts: accountsOf(input.accounts, rows, brand.id),
    signals: signalsOf(rows, asOf),
    excluded,
    bankTotalMinor: sum(converted.filter(({ row }) => isDayCovered(window, row.day)).map(({ minor }) => minor)),
    accountEvents: accountEventsOf(converted.filter(isRecent(window)), brand.currency),
    balances: balancesOf(input.accounts, input.balances ?? new Map(), movedOf(input), window),
    unconvertedTransactions: rows.filter(isCounted).length - converted.filter(isCounted).length,
  };
}

type Row = { row: LedgerTransaction; categorised: Categorised };

function isCounted({ categorised }: Row): boolean {
  return categorised.exclusion === null;
}

/** Rows in the brand's currency; what no rate is known for is left out. */
function convertedOf(rows: readonly Row[], { brand, convert }: SnapshotInput): Counted[] {
  return rows.flatMap(({ row, categorised }): Counted[] => {
    const converted = inCurrency(row, brand.currency, convert);
    if (converted === null) return [];
    const { minor, rateDate } = converted;
    return [{ row, minor, categorised, ...(rateDate === undefined ? {} : { rateDate }) }];
  });
}

/** What is spent and earned, and the rest of the window by why it is neither. */
function sortOut(
  converted: readonly Counted[],
  brand: SnapshotInput["brand"],
  window: Window,
): { counted: Counted[]; excluded: BudgetSnapshot["excluded"] } {
  const open = converted.filter(({ minor, categorised }) => categorised.exclusion === null && minor !== 0);
  const winnings = winningsOf(open, brand.country);
  const whyOf = ({ row, categorised }: Counted): ExcludedReason | null =>
    categorised.exclusion ?? (winnings.has(row.txid) ? "WINNINGS" : null);
  const byReason = Map.groupBy(converted.filter(isRecent(window)), whyOf);
  const excluded = Object.fromEntries(
    Object.keys(nothingExcluded).map((reason) => [
      reason,
      (byReason.get(reason as ExcludedReason) ?? [])
        .toSorted((a, b) => (a.row.day + a.row.txid < b.row.day + b.row.txid ? -1 : 1))
        .map((one) => partTransaction(one, brand.currency, null)),
    ]),
  ) as Record<ExcludedReason, PartTransaction[]>;
  return { counted: open.filter(({ row }) => !winnings.has(row.txid)), excluded };
}

function isRecent(window: Window) {
  return ({ row }: Counted): boolean => row.day >= firstDayOf(window);
}

/** All rows of the accounts, those after the business day too: a balance may be younger than it. */
function movedOf({ history, brand, convert }: SnapshotInput): Moved[] {
  return history.flatMap((row) => {
    const converted = inCurrency(row, brand.currency, convert);
    return converted === null ? [] : [{ accountId: row.accountId, day: row.day, minor: converted.minor }];
  });
}

/** Services that only the user's word made are not among what is recognised. */
function categoriseAll(
  { services, accounts, brand, asOf }: SnapshotInput,
  transactions: readonly LedgerTransaction[],
  series: readonly RecognisedSeries[],
): Categorised[] {
  const known = new Set(series.flatMap(({ txids }) => txids));
  const submitted = services
    .filter(({ txids }) => !txids.some((txid) => known.has(txid)))
    .map(({ txids, document }): RecognisedSeries => ({
      direction: "OUT",
      productId: null,
      paymentFrequency: document.paymentFrequency,
      txids,
    }));
  return categorise({
    transactions,
    series: [...series, ...submitted],
    ownAccounts: accounts.map(({ id, iban }) => ({ id, iban })),
    country: brand.country,
    asOf,
    userRules: new Map(),
  });
}

function earliestOf(history: readonly LedgerTransaction[]): Day | null {
  return history.reduce<Day | null>((first, { day }) => (first === null || day < first ? day : first), null);
}
