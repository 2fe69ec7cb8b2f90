/**
 * Recognition over a file of RawTransaction objects, without a database: JSON Lines or one JSON array, plain or gzip.
 * Writes one service a line.
 */
import { readFile } from "node:fs/promises";
import { Fault } from "../../errors.ts";
import { type Day, isDay } from "../../time/calendar.ts";
import { toNumber } from "../../money.ts";
import { homeOf, readHistories } from "../../payments/history-file.ts";
import { type HistoryTransaction, type RecognisedService, recognise } from "../../recognition/recognise.ts";
import { countOf } from "../terminal/result.ts";

export type RecogniseFileOptions = {
  file: string;
  /** A day for all users, or the path of a JSON object uid → day; default: each user's last transaction day. */
  asOf?: string;
  /** Brand of the users; default: the currency of most of a user's transactions, and that currency's country. */
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
  const { histories, leftOut } = await readHistories(options.file);
  let services = 0;
  let users = 0;
  for (const [uid, history] of histories) {
    const found = recogniseUser(uid, history, asOf, options);
    services += found.length;
    for (const service of found) await write(options.out, `${JSON.stringify(lineOf(uid, service))}\n`);
    if (++users % progressEveryUsers === 0) options.progress(`${users} of ${histories.size} users`);
  }
  options.progress(
    `${countOf(users, "user")}, ${countOf(services, "service")}${leftOut > 0 ? `, ${countOf(leftOut, "record")} left out` : ""}`,
  );
  return { users, services };
}

type AsOf = (uid: string) => Day | undefined;

async function asOfDays(asOf: string | undefined): Promise<AsOf> {
  if (asOf === undefined) return () => undefined;
  if (isDay(asOf)) return () => asOf;
  const days = await readDays(asOf);
  return (uid) => days[uid];
}

/** @throws Fault SOURCE_INVALID */
async function readDays(file: string): Promise<Record<string, string>> {
  try {
    const days: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof days === "object" && days !== null) return days as Record<string, string>;
  } catch (cause) {
    throw new Fault("SOURCE_INVALID", `${file} is neither a day nor a JSON object of days by user.`, { cause });
  }
  throw new Fault("SOURCE_INVALID", `${file} is neither a day nor a JSON object of days by user.`);
}

function recogniseUser(
  uid: string,
  history: readonly HistoryTransaction[],
  asOf: AsOf,
  options: RecogniseFileOptions,
): RecognisedService[] {
  const { country, currency } = homeOf(history, options);
  const lastDay = history.reduce((last, { day }) => (day > last ? day : last), "");
  const { services, income } = recognise(history, { asOf: asOf(uid) ?? lastDay, country, currency });
  return [...services, ...income];
}

/** The shape in which detections are measured: currency units, bank's sign. */
function lineOf(uid: string, service: RecognisedService): object {
  const sign = service.direction === "OUT" ? -1 : 1;
  return {
    uid,
    id: service.key,
    title: service.title,
    status: service.status,
    visibility: service.visibility,
    paymentFrequency: service.paymentFrequency,
    nextExpectedTransactionDate: service.nextExpectedDay,
    nextExpectedAmount: sign * toNumber({ minor: service.expectedAmountMinor, currency: service.currency }),
    currency: service.currency,
    confidence: service.confidence,
    payments: service.payments.map(({ txid, day, amountMinor, currency }) => ({
      sourceTransactionId: txid,
      date: day,
      amount: toNumber({ minor: amountMinor, currency }),
    })),
  };
}

async function write(out: NodeJS.WritableStream, text: string): Promise<void> {
  if (!out.write(text)) await new Promise<void>((resolve) => out.once("drain", () => resolve()));
}
