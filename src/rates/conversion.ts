/** Conversion over the table as it is, for those who convert much: the rates are kept in memory while they stay. */
import type { Queryable } from "../database/database.ts";
import type { Day } from "../time/calendar.ts";
import { type Convert, convertAt, type Rates } from "./rates.ts";
import { loadRates, ratesVersion } from "./table.ts";

/** version: of the rates at which it converts. until: their newest day; null: there are none. */
export type CurrentConversion = { convert: Convert; version: number; until: Day | null };

export type Conversion = {
  /** At the rates as they are now. One small query; when rates have changed, they are read. */
  current(): Promise<CurrentConversion>;
  /** At the rates as last known: looks for newer ones behind a call now and then. */
  convert: Convert;
};

/** A minute after a load, every call knows. */
const lookEveryMs = 10_000;

export async function openConversion(database: Queryable): Promise<Conversion> {
  let known = await readRates(database);
  let lookedAt = performance.now();
  const refresh = async (): Promise<typeof known> => {
    if ((await ratesVersion(database)) !== known.version) known = await readRates(database);
    return known;
  };
  return {
    async current() {
      const { rates, version } = await refresh();
      const until = rates.days.at(-1) ?? null;
      return { version, until, convert: (money, currency, day) => convertAt(rates, money, currency, day) };
    },
    convert(money, currency, day) {
      if (performance.now() - lookedAt > lookEveryMs) {
        lookedAt = performance.now();
        // What is known serves on; the next look may succeed.
        refresh().catch(() => undefined);
      }
      return convertAt(known.rates, money, currency, day);
    },
  };
}

/** The version first: what is loaded between the two reads is read again, never missed. */
async function readRates(database: Queryable): Promise<{ rates: Rates; version: number }> {
  const version = await ratesVersion(database);
  return { version, rates: await loadRates(database) };
}
