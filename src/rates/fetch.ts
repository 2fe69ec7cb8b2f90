/** Fetching rates from the European Central Bank, or from where an operator keeps its files. */
import type { Database } from "../database/database.ts";
import { Fault } from "../errors.ts";
import type { Events } from "../events.ts";
import { call, type Guard, RequestFailure } from "../machine/guarded-request.ts";
import { dayIn } from "../time/clock.ts";
import { publishedBy, publisherTimeZone } from "./age.ts";
import { type DayRates, ratesBytesMax, readRatesFile } from "./read-file.ts";
import { type Added, addRates, newestDay } from "./table.ts";

export type RatesSource = { url: string; allowsPrivateAddresses: boolean };

export type Fetching = { database: Database; events: Events; now(): Date };

/** Loads the source's rates when newer ones should have been published. What fails is an event; the next round tries again. */
export async function fetchRatesDue(fetching: Fetching, source: RatesSource): Promise<void> {
  const { database, events, now } = fetching;
  const newest = await newestDay(database);
  if (newest !== null && newest >= publishedBy(now())) return;
  try {
    const added = await loadRatesFrom(database, await downloadRates(source), named(source.url), now());
    if (added.days > 0) events.emit("rates.loaded", { days: added.days, newest: added.newest ?? "" });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    events.emit("rates.fetch-failed", {
      failure: error.cause instanceof RequestFailure ? error.cause.code : error.code,
    });
  }
}

/** @throws Fault RATES_UNREADABLE, RATES_UNREACHABLE */
export async function downloadRates({ url, allowsPrivateAddresses }: RatesSource): Promise<Buffer> {
  const guard: Guard = { allowsPrivateAddresses, authority: undefined, clientCertificate: undefined };
  const { status, body } = await call(
    { method: "GET", url: new URL(url), headers: { "user-agent": "tideline" }, answerBytesMax: ratesBytesMax },
    guard,
  ).catch((error: unknown) => {
    if (!(error instanceof RequestFailure)) throw error;
    throw new Fault("RATES_UNREACHABLE", `${named(url)} cannot be fetched (${error.code}).`, { cause: error });
  });
  if (status !== 200) throw new Fault("RATES_UNREACHABLE", `${named(url)} answers with status ${status}.`);
  return body;
}

/** @throws Fault RATES_UNREADABLE, also for days that are still to come: a slip there would pass for the newest rates. */
export async function loadRatesFrom(database: Database, bytes: Uint8Array, source: string, now: Date): Promise<Added> {
  const given = readRatesFile(bytes);
  const today = dayIn(publisherTimeZone, now);
  const ahead = given.find(({ day }: DayRates) => day > today);
  if (ahead !== undefined)
    throw new Fault("RATES_UNREADABLE", `The file of exchange rates has some of ${ahead.day}, which is yet to come.`);
  return await addRates(database, given, source);
}

/** Without what an address may carry of secrets. */
function named(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
