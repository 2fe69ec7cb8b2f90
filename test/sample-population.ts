/**
 * A fixed population: households of four countries and every stage of life, with sixteen months of payments each. The
 * same rows on any machine. What the algorithms make of it is held against a stored digest (results-digest.ts).
 */
import { usualPercents } from "../src/recognition/search/confidence.ts";
import { generatePopulation } from "../fixtures/population.ts";
import type { KnownAccount } from "../src/budgets/engine/accounts.ts";
import type { Day } from "../src/time/calendar.ts";
import type { LedgerTransaction } from "../src/ledger/history.ts";
import type { Money } from "../src/money.ts";
import { historyTransaction, homeOf } from "../src/payments/history-file.ts";
import { uuidVersion5 } from "../src/recognition/services/identity.ts";
import type { RecognisedUser } from "../src/recognition/claimed.ts";

/** One after the other: of twenty, each stage of life is one at least. */
const households = 30;
export const sampleDay: Day = "2026-06-15";

export type SampleUser = {
  user: RecognisedUser;
  history: readonly LedgerTransaction[];
  accounts: readonly KnownAccount[];
};

export function* sampleUsers(): Generator<SampleUser> {
  let id = 0;
  for (const { country, transactions } of generatePopulation({
    users: households,
    months: 16,
    seed: 62,
    until: sampleDay,
  })) {
    const rows = transactions.flatMap((record) => (record.tx ? (historyTransaction(record, record.tx) ?? []) : []));
    const history = rows.map((row, at): LedgerTransaction => ({ ...row, id: at + 1 }));
    const user: RecognisedUser = {
      id: ++id,
      subject: uuidVersion5("6ba7b810-9dad-11d1-80b4-00c04fd430c8", `sample:${id}`),
      ...homeOf(history, { country }),
      timeZone: "Europe/Copenhagen",
      hiddenProductIds: [],
      percents: usualPercents,
      importCompletedOn: sampleDay,
      algorithmVersion: null,
    };
    const ibans = new Map(
      history.flatMap(({ accountId, iban }) => (accountId === null ? [] : [[accountId, iban] as const])),
    );
    yield {
      user,
      history,
      accounts: [...ibans].map(([account, iban]) => ({ id: account, name: account, iban, isRemoved: false })),
    };
  }
}

/** What one unit is worth in Danish kroner, every day: the sample needs no rates of a day. */
const worth: Readonly<Record<string, number>> = {
  DKK: 1,
  EUR: 7.46,
  SEK: 0.67,
  NOK: 0.64,
  USD: 6.5,
  GBP: 8.7,
  PLN: 1.75,
};

/** Null for a currency of which no rate is known. */
export function convertSample({ minor, currency }: Money, into: string): Money | null {
  const [from, to] = [worth[currency], worth[into]];
  return from === undefined || to === undefined ? null : { minor: Math.round((minor * from) / to), currency: into };
}
