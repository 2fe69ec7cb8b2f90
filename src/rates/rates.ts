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
  /** Units for one euro, in the order of `days`; a currency is absent on days without a rate. */
  readonly perEuro: readonly Readonly<Record<string, number>>[];
};

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
  const isQuoted = rates.perEuro.at(-1)?.[currency] !== undefined;
  for (let at = index; at >= 0; at--) {
    const rateDay = rates.days[at];
    if (rateDay === undefined) break;
    const isFresh = daysBetween(rateDay, day) <= freshDaysMax;
    if (!isFresh && !isQuoted) break;
    const perEuro = rates.perEuro[at]?.[currency];
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
