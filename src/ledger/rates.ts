/**
 * Exchange rates: the European Central Bank's euro reference rates, one row a banking day, units of a currency for one
 * euro. Shipped from 1999 on in config/exchange-rates.csv.gz (source: European Central Bank, free to reuse with the
 * source named); the table may hold newer days.
 */
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { parse } from "csv-parse/sync";
import { type Day, daysBetween } from "../time/calendar.ts";
import type { Database, Queryable } from "../database/database.ts";
import { exponentOf, type Money } from "../money.ts";

export type Rates = {
  /** Ascending. */
  readonly days: readonly Day[];
  /** Units for one euro, in the order of `days`; a currency is absent on days without a rate. */
  readonly perEuro: readonly Readonly<Record<string, number>>[];
};

/** Over Christmas and Easter four days pass without a rate; past this the currency has ceased. */
const rateAgeDaysMax = 10;

/** Fills the table from the shipped file where that knows newer days. @returns how many days were added. */
export async function ensureRates(database: Database): Promise<number> {
  const { rows } = await database.query<{ newest: string | null }>("select max(day) as newest from exchange_rates");
  const newest = rows[0]?.newest ?? "";
  const added = (await readShippedRates()).filter(([day]) => day > newest);
  await database.query(
    `insert into exchange_rates (day, per_euro)
     select * from unnest($1::date[], $2::jsonb[])
     on conflict (day) do nothing`,
    [added.map(([day]) => day), added.map(([, perEuro]) => JSON.stringify(perEuro))],
  );
  return added.length;
}

/** All rates, for conversion in memory: about seven thousand days. */
export async function loadRates(database: Queryable): Promise<Rates> {
  const { rows } = await database.query<{ day: Day; perEuro: Record<string, number> }>(
    'select day, per_euro as "perEuro" from exchange_rates order by day',
  );
  return { days: rows.map((row) => row.day), perEuro: rows.map((row) => row.perEuro) };
}

/**
 * Converts at the reference rate of the day, or of the last day before it, crossing over the euro; rounded half away
 * from zero. Null: no rate of either currency within ten days; the caller then keeps the payment's own currency.
 */
export function convertAt(rates: Rates, money: Money, currency: string, day: Day): Money | null {
  if (money.currency === currency) return money;
  const index = lastIndexUpTo(rates.days, day);
  const from = rateAt(rates, index, money.currency, day);
  const to = rateAt(rates, index, currency, day);
  return from === null || to === null ? null : cross(money, from, to, currency);
}

/** The bank publishes once a day; the table is read again each hour. */
const ratesRememberedMs = 3_600_000;

/** Conversion over the table as it is now, refreshed behind later calls. A refresh that fails keeps what is known. */
export async function openConversion(
  database: Queryable,
): Promise<(money: Money, currency: string, day: Day) => Money | null> {
  let rates = await loadRates(database);
  let readAt = performance.now();
  return (money, currency, day) => {
    if (performance.now() - readAt > ratesRememberedMs) {
      readAt = performance.now();
      loadRates(database).then(
        (fresh) => (rates = fresh),
        () => undefined,
      );
    }
    return convertAt(rates, money, currency, day);
  };
}

function rateAt(rates: Rates, index: number, currency: string, day: Day): number | null {
  if (currency === "EUR") return 1;
  for (let at = index; at >= 0; at--) {
    const rateDay = rates.days[at];
    if (rateDay === undefined || daysBetween(rateDay, day) > rateAgeDaysMax) return null;
    const rate = rates.perEuro[at]?.[currency];
    if (rate !== undefined) return rate;
  }
  return null;
}

/** Exact: a rate's shortest decimal text is what the bank published. */
function cross(money: Money, from: number, to: number, currency: string): Money | null {
  const [fromDigits, fromScale] = decimal(from);
  const [toDigits, toScale] = decimal(to);
  const numerator = BigInt(money.minor) * toDigits * 10n ** BigInt(fromScale + exponentOf(currency));
  const denominator = fromDigits * 10n ** BigInt(toScale + exponentOf(money.currency));
  const minor = Number(divideHalfAway(numerator, denominator));
  return Number.isSafeInteger(minor) ? { minor, currency } : null;
}

function decimal(value: number): [digits: bigint, scale: number] {
  const [whole = "0", fraction = ""] = value.toFixed(10).replace(/0+$/, "").split(".");
  return [BigInt(whole + fraction), fraction.length];
}

function divideHalfAway(numerator: bigint, denominator: bigint): bigint {
  const sign = numerator < 0n ? -1n : 1n;
  return sign * ((2n * sign * numerator + denominator) / (2n * denominator));
}

/** Index of the last day not after `day`, or -1. */
function lastIndexUpTo(days: readonly Day[], day: Day): number {
  let low = 0;
  let high = days.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((days[middle] ?? "") <= day) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

async function readShippedRates(): Promise<[Day, Record<string, number>][]> {
  const packed = await readFile(new URL("../../config/exchange-rates.csv.gz", import.meta.url));
  const lines = parse(await promisify(gunzip)(packed), { columns: true, relax_column_count: true }) as Record<
    string,
    string
  >[];
  return lines.map((line) => [line.Date ?? "", knownRates(line)]);
}

/** "N/A" marks a currency without a rate that day; the file ends each line with an empty column. */
function knownRates(line: Record<string, string>): Record<string, number> {
  const cells = Object.entries(line).filter(([name, text]) => /^[A-Z]{3}$/.test(name) && /^\d/.test(text));
  return Object.fromEntries(cells.map(([name, text]) => [name, Number(text)]));
}
