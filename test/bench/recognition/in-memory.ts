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

const country = "DK";
/** Months that make about a thousand transactions; so many households, twice to get warm. */
const longMonths = 18;
const longHouseholds = 60;
const warmRounds = 2;

/** Milliseconds for 1,000 transactions. */
export function tellInMemory(): void {
  const histories = [
    ...generatePopulation({ users: longHouseholds, months: longMonths, seed: 271_828, until: asOf }),
  ].map(({ transactions }) =>
    transactions.flatMap((record) => (record.tx ? (historyTransaction(record, record.tx) ?? []) : [])),
  );
  const rows = histories.reduce((sum, history) => sum + history.length, 0);
  let times: Record<string, number> = {};
  for (let round = 0; round <= warmRounds; round++) times = stagesOver(histories);
  const told = Object.entries(times).map(([stage, ms]) => `${stage} ${((ms * 1000) / rows).toFixed(2)}`);
  console.log(`in memory, one thread, milliseconds for a user of 1,000 transactions: ${told.join(", ")}`);
}

function stagesOver(histories: readonly (readonly HistoryTransaction[])[]): Record<string, number> {
  const times = { preparing: 0, "own transfers": 0, grouping: 0, searching: 0, "all of recognition": 0 };
  const timed = <Made>(stage: keyof typeof times, make: () => Made): Made => {
    const startedAt = performance.now();
    const made = make();
    times[stage] += performance.now() - startedAt;
    return made;
  };
  for (const history of histories) {
    const payments = timed("preparing", () => prepare(history, asOf));
    const own = timed("own transfers", () => ownTransfers(payments.map(({ transaction }) => transaction)));
    const others = payments.filter(({ transaction }) => !own.has(transaction.txid));
    const payees = timed("grouping", () => groupByPayee(others, country));
    timed("searching", () => searchAll(payees, outgoingOf(payments), kinshipOf(payees), country));
    timed("all of recognition", () => recognise(history, { asOf, country, currency: "DKK" }));
  }
  return times;
}
