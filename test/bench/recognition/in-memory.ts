/** The pure part alone over long histories, by its stages: what a search costs, and what stands around it. */
import { generatePopulation } from "../../../fixtures/population.ts";
import { groupByPayee } from "../../../src/payments/payee.ts";
import { historyTransaction } from "../../../src/payments/history-file.ts";
import { ownTransfers } from "../../../src/payments/own-transfer.ts";
import type { HistoryTransaction } from "../../../src/payments/payment.ts";
import { prepare } from "../../../src/payments/history.ts";
import { recognise } from "../../../src/recognition/recognise.ts";
import { outgoingOf } from "../../../src/recognition/search/follower.ts";
import { kinshipOf } from "../../../src/recognition/search/kinship.ts";
import { searchAll } from "../../../src/recognition/search/search.ts";
import { asOf } from "./arrivals.ts";

/** Histories of so many months each: what grows faster than the rows shows in the longer ones. */
const messyCountry = "DE";
const messyMonths = [12, 24, 48];
const messyHouseholds = 6;

/** Months that make about a thousand transactions; so many households. */
const longMonths = 18;
const longHouseholds = 60;
/** As a thread that has recognised some users before: until then much of the time goes into compiling. */
const warmRows = 100_000;

/** Of the thread, once warm. */
export function tellInMemory(): void {
  tellPopulation("tidy", historiesOf(longHouseholds, longMonths, null), "DK");
  for (const months of messyMonths)
    tellPopulation(`messy, ${months} months`, historiesOf(messyHouseholds, months, messyCountry), messyCountry);
}

type Histories = readonly (readonly HistoryTransaction[])[];

function historiesOf(users: number, months: number, messy: string | null): Histories {
  return [...generatePopulation({ users, months, messy, seed: 271_828, until: asOf })].map(({ transactions }) =>
    transactions.flatMap((record) => (record.tx ? (historyTransaction(record, record.tx) ?? []) : [])),
  );
}

function tellPopulation(what: string, histories: Histories, country: string): void {
  const rows = histories.reduce((sum, history) => sum + history.length, 0);
  let times: Record<string, number> = {};
  for (let warm = 0; warm <= warmRows; warm += rows) times = stagesOver(histories, country);
  const told = Object.entries(times).map(([stage, ms]) => `${stage} ${((ms * 1000) / rows).toFixed(2)}`);
  console.log(
    `in memory, one thread, ${what}, ${(rows / histories.length).toFixed(0)} rows a user: processor milliseconds for 1,000 rows: ${told.join(", ")}`,
  );
}

function stagesOver(histories: Histories, country: string): Record<string, number> {
  const times = { preparing: 0, "own transfers": 0, grouping: 0, searching: 0, "all of recognition": 0 };
  const timed = <Made>(stage: keyof typeof times, make: () => Made): Made => {
    const before = process.threadCpuUsage();
    const made = make();
    const { user, system } = process.threadCpuUsage(before);
    times[stage] += (user + system) / 1000;
    return made;
  };
  for (const history of histories) {
    const payments = timed("preparing", () => prepare(history, asOf));
    const own = timed("own transfers", () => ownTransfers(payments.map(({ transaction }) => transaction)));
    const others = payments.filter(({ transaction }) => !own.has(transaction.txid));
    const payees = timed("grouping", () => groupByPayee(others, country));
    timed("searching", () => searchAll(payees, outgoingOf(payments), kinshipOf(payees), country));
    timed("all of recognition", () => recognise(history, { asOf, country, currency: currencyOf(history) }));
  }
  return times;
}

function currencyOf(history: readonly HistoryTransaction[]): string {
  return history[0]?.currency ?? "DKK";
}
