/**
 * Conversion at the European Central Bank's euro reference rates: one set a banking day, units of a currency for one
 * euro. Pure. Source of the rules: services.md, "Upcoming, flags, stores, gateways", on FX.
 */
import { euroAdoptions } from "../../config/euro-adoptions.ts";
import { exponentOf, type Money } from "../money.ts";
import { type Day, daysBetween } from "../time/calendar.ts";

export type Rates = {
  /** Ascending. */
  readonly days: readonly Day[];
  readonly currencies: ReadonlyMap<string, Quotes>;
};

/** perEuro: units of one currency for one euro, a value a day from the day at `first` to its last; NaN: none that day. */
type Quotes = { readonly first: number; readonly perEuro: Float64Array };

/**
 * A column a currency: the days since 1999 take 1.3 MB of each thread, where an object a day took 5.7 that each
 * collection looked through.
 * @param sets in ascending order of their days, `count` of them
 */
export function gatherRates(count: number, sets: Iterable<readonly [Day, Readonly<Record<string, number>>]>): Rates {
  const days: Day[] = [];
  const gathered = new Map<string, { first: number; end: number; perEuro: Float64Array }>();
  for (const [day, perEuro] of sets) {
    const at = days.push(day) - 1;
    for (const currency in perEuro) {
      let quotes = gathered.get(currency);
      if (quotes === undefined)
        gathered.set(
          currency,
          (quotes = { first: at, end: at, perEuro: new Float64Array(count - at).fill(Number.NaN) }),
        );
      quotes.perEuro[at - quotes.first] = perEuro[currency] ?? Number.NaN;
      quotes.end = at;
    }
  }
  const currencies = new Map<string, Quotes>();
  for (const [currency, { first, end, perEuro }] of gathered)
    currencies.set(currency, { first, perEuro: end === count - 1 ? perEuro : perEuro.slice(0, end - first + 1) });
  return { days, currencies };
}

/** Undefined: that day had none. @param at index of the day */
export function perEuroAt({ currencies }: Rates, at: number, currency: string): number | undefined {
  const quotes = currencies.get(currency);
  const rate = quotes?.perEuro[at - quotes.first];
  return rate === undefined || Number.isNaN(rate) ? undefined : rate;
}

/** rateDate: of the older of the two rates, where it is more than ten days older than the day asked for. */
export type Converted = Money & { rateDate?: Day };

/** At the day's reference rate; null when none is known. */
export type Convert = (money: Money, currency: string, day: Day) => Converted | null;

/** Over Christmas and Easter four days pass without a rate; one that is older than this is marked. */
const freshDaysMax = 10;

/** date: of a rate that is not fresh; null: it is, or holds for ever. */
type Rate = { perEuro: number; date: Day | null };

/**
 * Converts at the reference rate of the day, or of the last day before it, crossing over the euro; rounded half away
 * from zero. A rate past its freshness serves, marked, as long as the newest set still quotes the currency. What has
 * joined the euro has its fixed rate. Null: neither; the caller then keeps the payment's own currency.
 */
export function convertAt(rates: Rates, money: Money, currency: string, day: Day): Converted | null {
  if (money.currency === currency) return money;
  const index = lastIndexUpTo(rates.days, day);
  const from = rateAt(rates, index, money.currency, day);
  const to = rateAt(rates, index, currency, day);
  const converted = from === null || to === null ? null : cross(money, from.perEuro, to.perEuro, currency);
  const [rateDate] = [from?.date ?? null, to?.date ?? null].filter((date) => date !== null).toSorted();
  return converted === null || rateDate === undefined ? converted : { ...converted, rateDate };
}

const euro: Rate = { perEuro: 1, date: null };

function rateAt(rates: Rates, index: number, currency: string, day: Day): Rate | null {
  if (currency === "EUR") return euro;
  const adopted = euroAdoptions[currency];
  if (adopted !== undefined && day >= adopted.from) return { perEuro: adopted.perEuro, date: null };
  const isQuoted = perEuroAt(rates, rates.days.length - 1, currency) !== undefined;
  for (let at = index; at >= 0; at--) {
    const rateDay = rates.days[at];
    if (rateDay === undefined) break;
    const isFresh = daysBetween(rateDay, day) <= freshDaysMax;
    if (!isFresh && !isQuoted) break;
    const perEuro = perEuroAt(rates, at, currency);
    if (perEuro !== undefined) return { perEuro, date: isFresh ? null : rateDay };
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
