/**
 * Recognition over a file of RawTransaction objects, without a database: JSON Lines or one JSON array, plain or gzip.
 * Writes one service a line.
 */
import { type Day, addDays } from "../../time/calendar.ts";
import { toNumber } from "../../money.ts";
import { homeOf, readHistories } from "../../payments/history-file.ts";
import { type HistoryTransaction, type RecognisedService, recognise } from "../../recognition/recognise.ts";
import { yearDays, yearlyCost } from "../../recognition/services/cost.ts";
import { factsOf } from "../../recognition/services/facts.ts";
import { countOf } from "../terminal/result.ts";
import { toldLeftOut } from "./left-out.ts";
import { type AsOf, asOfDays } from "./as-of.ts";
import { write } from "./write.ts";

export type RecogniseFileOptions = {
  file: string;
  /** A day for all users, or the path of a JSON object uid → day; default: each user's last transaction day. */
  asOf?: string;
  /**
   * Brand of the users; default: the currency of most of a user's transactions, and that currency's country. The country
   * that a user's records name comes before both.
   */
  country?: string;
  currency?: string;
  out: NodeJS.WritableStream;
  /** Called with one line of progress or result. */
  progress: (line: string) => void;
};

const progressEveryUsers = 500;

/**
 * Records that are no transaction are left out and counted. @throws Fault SOURCE_INVALID for what is no file of records
 */
export async function recogniseFile(options: RecogniseFileOptions): Promise<{ users: number; services: number }> {
  const asOf = await asOfDays(options.asOf);
  const { histories, countries, leftOut } = await readHistories(options.file);
  let services = 0;
  let users = 0;
  for (const [uid, history] of histories) {
    const found = recogniseUser(uid, history, asOf, { ...options, ...homeNamed(countries.get(uid)) });
    services += found.length;
    for (const service of found) await write(options.out, `${JSON.stringify(service)}\n`);
    if (++users % progressEveryUsers === 0) options.progress(`${users} of ${histories.size} users`);
  }
  options.progress([countOf(users, "user"), countOf(services, "service"), ...toldLeftOut(leftOut)].join(", "));
  return { users, services };
}

function homeNamed(country: string | undefined): { country?: string } {
  return country === undefined ? {} : { country };
}

function recogniseUser(
  uid: string,
  history: readonly HistoryTransaction[],
  asOf: AsOf,
  options: RecogniseFileOptions,
): object[] {
  const { country, currency } = homeOf(history, options);
  const lastDay = history.reduce((last, { day }) => (day > last ? day : last), "");
  const day = asOf(uid) ?? lastDay;
  const { services, income } = recognise(history, { asOf: day, country, currency });
  return [...services, ...income].map((service) => lineOf(uid, service, day));
}

/** The shape in which detections are measured: currency units, bank's sign. */
function lineOf(uid: string, service: RecognisedService, asOf: Day): object {
  const sign = service.direction === "OUT" ? -1 : 1;
  const { currency } = service;
  const units = (minor: number): number => toNumber({ minor, currency });
  const { lastAmountMinor, amountRange, priceChange, ...facts } = factsOf(service, asOf);
  const lastYear = service.payments.filter(({ day }) => day > addDays(asOf, -yearDays));
  const total = lastYear.reduce((sum, { amountMinor }) => sum + Math.abs(amountMinor), 0);
  return {
    uid,
    id: service.key,
    title: service.title,
    status: service.status,
    visibility: service.visibility,
    paymentFrequency: service.paymentFrequency,
    nextExpectedTransactionDate: service.nextExpectedDay,
    nextExpectedAmount: sign * units(service.expectedAmountMinor),
    currency,
    yearlyCost: yearlyCost(service, { minor: service.expectedAmountMinor, currency }, { minor: total, currency }, asOf),
    ...facts,
    lastAmount: units(lastAmountMinor),
    amountRange:
      amountRange === null
        ? null
        : { low: units(amountRange.low), median: units(amountRange.median), high: units(amountRange.high) },
    priceChange:
      priceChange === null
        ? null
        : { from: units(priceChange.from), to: units(priceChange.to), date: priceChange.date },
    payments: service.payments.map(({ txid, day, amountMinor, currency }) => ({
      sourceTransactionId: txid,
      date: day,
      amount: toNumber({ minor: amountMinor, currency }),
    })),
  };
}
