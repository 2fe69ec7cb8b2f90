/** From one user's ledger and services to the snapshot of which the user's budgets are folded. Pure. */
import type { Day } from "../../time/calendar.ts";
import type { LedgerTransaction } from "../../ledger/history.ts";
import { recognise } from "../../recognition/recognise.ts";
import type { RecognisedSeries } from "../../categories/budget-history.ts";
import { seriesOf } from "../../recognition/recognised-series.ts";
import { type Categorised, categorise } from "../../categories/categorised.ts";
import { rulesVersion } from "../version.ts";
import { windowOf } from "../window.ts";
import { accountsOf, type KnownAccount, signalsOf } from "./accounts.ts";
import { type Convert, inCurrency } from "./convert.ts";
import { markOneOffs } from "./everyday.ts";
import { type Counted, type KnownService, partsOf } from "./parts.ts";
import type { BudgetSnapshot } from "./snapshot.ts";
import { firstOf, itemAt } from "../../present.ts";

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
};

export function buildSnapshot(input: SnapshotInput): BudgetSnapshot {
  const { brand, asOf, convert } = input;
  const history = input.history.filter(({ day }) => day <= asOf);
  const recognised = recognise(history, { asOf, country: brand.country, currency: brand.currency });
  const categorised = categoriseAll(input, history, seriesOf(recognised));
  const rows = history.map((row, at) => ({ row, categorised: itemAt(categorised, at) }));
  const included = rows.filter((one) => one.categorised.exclusion === null);
  const counted = included.flatMap(({ row, categorised: by }): Counted[] => {
    const minor = inCurrency(row, brand.currency, convert);
    return minor === null || minor === 0 ? [] : [{ row, minor, categorised: by }];
  });
  const window = windowOf(asOf, firstDayOf(history));
  const excluded = new Set(rows.flatMap((one) => (one.categorised.exclusion === null ? [] : [one.row.txid])));
  const parts = partsOf(counted, input.services, recognised.income, {
    currency: brand.currency,
    baseUrl: input.baseUrl,
    from: `${firstOf(window.months)}-01`,
    excluded,
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
    unconvertedTransactions: included.filter(({ row }) => inCurrency(row, brand.currency, convert) === null).length,
  };
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

function firstDayOf(history: readonly LedgerTransaction[]): Day | null {
  return history.reduce<Day | null>((first, { day }) => (first === null || day < first ? day : first), null);
}
