/**
 * Finding the most credible run of one cadence among the payments of one payee.
 *
 * Each step from payment i to payment j is scored by a log likelihood ratio: how likely the series' due date, price and
 * missed dates make it, against the same payments falling at random at the rate seen there (a Poisson process whose
 * rate is estimated from the payments passed over in between). The best run is the path with the largest sum, by
 * dynamic programming. Payments that are passed over cost what they take from the randomness hypothesis, so dense
 * irregular shopping yields no run, while a lone fixed price stands out of it.
 */
import { numberInMonth, weekdayOfNumber } from "../../time/calendar.ts";
import { type Cadence, logMisses } from "./cadence.ts";
import type { Payment } from "../../payments/payment.ts";
import { isOddPrice, isRoundPrice } from "../../payments/price-kind.ts";

export type Chain = {
  cadence: Cadence;
  /** Indices into the payments given, ascending. */
  indices: number[];
  /** Sum of the steps' log likelihood ratios. */
  score: number;
};

/**
 * One nat per step for fitting the random rate to the very gap it explains would be too kind to the series; half stays.
 */
const rateFittedBonus = 0.5;
/** P(the next price is exactly the last | series): most obligations have a fixed price, some bill by use. */
const samePrice = 0.6;
/**
 * How often neighbours at this payee share a price anyway: from the sample, drawn to what is usual while it is small.
 */
const samePriceUsual = 0.1;
const samePriceUsualWeight = 3;
/** A price that no shop asks for comes again by chance only where it came again many times. */
const oddPriceUsualWeight = 8;
/** Whole fives and tens are what people give each other. */
const samePriceRoundMin = 0.4;
const samePriceByChanceMax = 0.6;
/** Standard deviations of the log price: of bills by use, and of whatever else a payee is paid. */
const logPriceSpreadSeries = 0.35;
const logPriceSpreadRandom = 0.7;
/** Beyond this ratio (about 3.5) two purchases are not one obligation's; bills differ by more. */
const logPriceRatioMax = 1.25;
const logBillRatioMax = 2.4;
/**
 * Bills that follow use leap now and then: an estimate settled, a winter, a refund set off. No leap says more, and less
 * where they are collected: whom a direct debit pays may take another amount each time, and does so every time.
 */
const logLeap = -2.5;
const logLeapCollected = -1;
const logChangedCollected = -0.3;
/** More of the payments than this on another's day are no accident. */
const sharedDaysMax = 0.1;
/** Prices that differ by so little, as |log ratio|, are one price that was rounded, indexed or converted. */
const logNearRatioMax = 0.02;
/** P(the next price is so near, not the same | series), and how often neighbours are so near by chance. */
const nearPrice = 0.1;
const nearPriceUsual = 0.03;
const nearPriceUsualWeight = 3;
const logNearMin = -0.3;
const logNearMax = 1;
/** Where many obligations share one name, another price is rather another obligation's. */
const logCrowded = -1.5;
/** Unless the bills follow use, and hardly any price comes twice. */
const paymentsPerPriceMin = 2;
/** A payment that shares its day with another is credible only where closed days piled payments up. */
const logPiledUp = Math.log(0.5);

/** Best run of the cadence; null when there is none of two payments. */
export function bestChain(payments: readonly Payment[], prices: PriceStatistics, cadence: Cadence): Chain | null {
  const spanDays = (payments[payments.length - 1] as Payment).at - (payments[0] as Payment).at;
  if (spanDays < cadence.days - reachOf(cadence)) return null;
  if (payments.length === 2 && !mayBeStep(spanDays, cadence)) return null;
  const search: Search = { payments, prices, ...roomFor(payments) };
  const { score, from } = search;
  const relaxInto = cadence.frequency === "DAILY" ? relaxDaily : relax;
  search.windows.fill(0);
  let last = -1;
  for (let j = 0; j < payments.length; j++) {
    relaxInto(search, j, cadence);
    if ((from[j] as number) >= 0 && (last < 0 || (score[j] as number) > (score[last] as number))) last = j;
  }
  return last < 0 ? null : chainEnding(from, last, score[last] as number, cadence);
}

/** Whether two payments so far apart may be a step of the cadence: of most payees with two of them, of hardly any. */
function mayBeStep(gapDays: number, cadence: Cadence): boolean {
  const { days, missesMax } = cadence;
  if (days === 1) return gapDays <= missesMax + 1;
  const periods = Math.min(missesMax + 1, Math.max(1, Math.round(gapDays / days)));
  return Math.abs(gapDays - periods * days) <= reachOf(cadence);
}

/** More periods no step takes. */
const windowsMax = 8;
let room = roomOf(256);

type Room = Pick<Search, "score" | "from" | "days" | "windows">;

function roomOf(payments: number): Room {
  return {
    score: new Float64Array(payments),
    from: new Int32Array(payments),
    days: new Int32Array(payments),
    windows: new Int32Array(windowsMax),
  };
}

/**
 * The same room for every search: nearly all payees have a few payments, and most of the time would go into making it.
 */
function roomFor(payments: readonly Payment[]): Room {
  if (room.score.length < payments.length) room = roomOf(2 * payments.length);
  room.score.fill(0, 0, payments.length);
  room.from.fill(-1, 0, payments.length);
  for (let index = 0; index < payments.length; index++) room.days[index] = (payments[index] as Payment).at;
  return room;
}

/**
 * For each payment the score of the best run that ends with it, and the payment before it in that run, −1 for none.
 * Windows: by periods, the first payment that may lie so many before the present one; they only move on.
 */
type Search = {
  payments: readonly Payment[];
  prices: PriceStatistics;
  score: Float64Array;
  from: Int32Array;
  days: Int32Array;
  windows: Int32Array;
};

/** Days between a payment and the nearest date due k periods after another; month ends are taken as month ends. */
export function deviation(earlier: Payment, later: Payment, cadence: Cadence, k: number): number {
  if (cadence.months === 0) return later.at - earlier.at - k * cadence.days;
  const monthIndex = earlier.monthIndex + k * cadence.months;
  const sameDay = later.at - numberInMonth(monthIndex, earlier.dayOfMonth);
  if (!earlier.isMonthEnd || sameDay <= 0) return sameDay;
  const monthEnd = later.at - numberInMonth(monthIndex, 31);
  return Math.abs(monthEnd) < Math.abs(sameDay) ? monthEnd : sameDay;
}

export type PriceStatistics = {
  /** For each payment the number of its price, and how many earlier ones have exactly it. */
  priceNumbers: Int32Array;
  ranks: Int32Array;
  /** Log likelihood ratio of an unchanged price: series against chance at this payee. */
  logSame: number;
  /** The same of a price next to the last. */
  logNear: number;
  /** The same of a changed price, before its size is looked at. */
  logChanged: number;
  /** Several fall on one day: then there are several agreements, which only their prices tell apart. */
  isShared: boolean;
};

/** What prices say at this payee; the same for every cadence that is tried. */
export function priceStatistics(payments: readonly Payment[], isCrowded: boolean): PriceStatistics {
  const seen = new Map<string | number, number>();
  const counts: number[] = [];
  const ranks = new Int32Array(payments.length);
  const priceNumbers = new Int32Array(payments.length);
  const { priceCurrency: usual } = payments[0] as Payment;
  let same = 0;
  let sameOdd = 0;
  let near = 0;
  let sameDay = 0;
  payments.forEach((payment, index) => {
    let number = numberOf(payment, usual, seen);
    if (number === undefined) {
      seen.set(priceKey(payment.price, payment.priceCurrency, usual), (number = counts.length));
      counts.push(0);
    }
    priceNumbers[index] = number;
    ranks[index] = counts[number] as number;
    counts[number] = (counts[number] as number) + 1;
    if (index === 0) return;
    const earlier = payments[index - 1] as Payment;
    if (earlier.at === payment.at) sameDay++;
    if (isOnePrice(earlier, payment)) {
      same++;
      if (isOddPrice(payment)) sameOdd++;
    } else if (Math.abs(earlier.logCost - payment.logCost) <= logNearRatioMax) near++;
  });
  const usualWeight = same > 0 && sameOdd === same ? oddPriceUsualWeight : samePriceUsualWeight;
  const share = (same + samePriceUsual * usualWeight) / (payments.length - 1 + usualWeight);
  const leastShare = payments.every(isRoundPrice) ? samePriceRoundMin : samePriceUsual;
  const byChance = Math.min(samePriceByChanceMax, Math.max(leastShare, share));
  const nearByChance = (near + nearPriceUsual * nearPriceUsualWeight) / (payments.length - 1 + nearPriceUsualWeight);
  return {
    priceNumbers,
    ranks,
    isShared: sameDay > sharedDaysMax * payments.length,
    logSame: Math.log(samePrice / byChance),
    logNear: Math.min(logNearMax, Math.max(logNearMin, Math.log(nearPrice / nearByChance))),
    logChanged:
      Math.log((1 - samePrice) / (1 - byChance)) +
      (isCrowded && seen.size * paymentsPerPriceMin <= payments.length ? logCrowded : 0),
  };
}

/** The number of the price among those seen; undefined where it is a new one. */
function numberOf(
  { price, priceCurrency }: Payment,
  usual: string,
  seen: ReadonlyMap<string | number, number>,
): number | undefined {
  const number = seen.get(priceKey(price, priceCurrency, usual));
  if (number !== undefined || price < partedMin) return number;
  return seen.get(priceKey(price - 1, priceCurrency, usual)) ?? seen.get(priceKey(price + 1, priceCurrency, usual));
}

function priceKey(price: number, currency: string, usual: string): string | number {
  return currency === usual ? price : currency + price;
}

/** Months differ from their mean length by up to so many days. */
const monthSlackDays = 3;

function reachOf({ toleranceDays, months }: Cadence): number {
  return toleranceDays + (months === 0 ? 0 : monthSlackDays);
}

/** Tries every payment from which payment j may be the next one. */
function relax(search: Search, j: number, cadence: Cadence): void {
  const { payments, score, days, windows } = search;
  const later = payments[j] as Payment;
  const laterAt = later.at;
  const reach = reachOf(cadence);
  const least = days[0] as number;
  for (let k = 1; k <= cadence.missesMax + 1; k++) {
    const target = laterAt - k * cadence.days;
    if (target + reach < least) return;
    let i = windows[k] as number;
    while (i < j && (days[i] as number) < target - reach) i++;
    windows[k] = i;
    const logMissed = logMisses(k - 1);
    const logTimingMost = (cadence.logDeviation[0] as number) + logMissed;
    for (; i < j && (days[i] as number) <= target + reach; i++) {
      // Most steps cannot win wherever their due day falls, and where it falls is what costs most to tell.
      if ((score[i] as number) + logStepMost(search, i, j, logTimingMost) <= (score[j] as number)) continue;
      const off = Math.abs(deviation(payments[i] as Payment, later, cadence, k));
      if (off <= cadence.toleranceDays) step(search, i, j, (cadence.logDeviation[off] as number) + logMissed);
    }
  }
}

/**
 * No step i → j that is timed so, or worse, says more. Added up in the order of logStep from parts that are no less, it
 * is no less after rounding either.
 */
function logStepMost({ prices, days }: Search, i: number, j: number, logTimingMost: number): number {
  const gap = Math.max(1, (days[j] as number) - (days[i] as number));
  return prices.priceNumbers[i] === prices.priceNumbers[j]
    ? logTimingMost + prices.logSame - logRandom((prices.ranks[j] as number) - (prices.ranks[i] as number) - 1, gap)
    : logTimingMost + Math.max(0, prices.logNear) - logRandom(j - i - 1, gap);
}

/** Daily payments: days without settlement are no misses, and what fell due on them is posted together afterwards. */
function relaxDaily(search: Search, j: number, cadence: Cadence): void {
  const { payments } = search;
  const later = payments[j] as Payment;
  const closedDays = weekdayOfNumber(later.at) === 1 ? 2 : 0;
  for (let i = j - 1; i >= 0; i--) {
    const gap = later.at - (payments[i] as Payment).at;
    if (gap > cadence.missesMax + 1) return;
    if (gap === 0) {
      if (j - i <= closedDays && payments[j - closedDays - 1]?.at !== later.at) step(search, i, j, logPiledUp);
      continue;
    }
    const misses = gap - 1 === closedDays ? 0 : gap - 1;
    step(search, i, j, (cadence.logDeviation[0] as number) + logMisses(misses));
  }
}

function step({ payments, prices, score, from }: Search, i: number, j: number, logTiming: number): void {
  const total = (score[i] as number) + logStep(payments, prices, i, j, logTiming);
  if (total > (score[j] as number)) {
    score[j] = total;
    from[j] = i;
  }
}

/** Log likelihood ratio of the step i → j: series against random payments of the same kind. */
export function logStep(
  payments: readonly Payment[],
  prices: PriceStatistics,
  i: number,
  j: number,
  logTiming: number,
): number {
  const earlier = payments[i] as Payment;
  const later = payments[j] as Payment;
  const gap = Math.max(1, later.at - earlier.at);
  if (prices.priceNumbers[i] === prices.priceNumbers[j]) {
    return logTiming + prices.logSame - logRandom((prices.ranks[j] as number) - (prices.ranks[i] as number) - 1, gap);
  }
  const ratio = Math.abs(later.logCost - earlier.logCost);
  const isBill = later.kind !== "CARD";
  if (ratio > (isBill ? logBillRatioMax : logPriceRatioMax)) return -Infinity;
  const price = ratio <= logNearRatioMax ? prices.logNear : Math.min(0, logChange(later, ratio, prices, j - i > 1));
  return logTiming + price - logRandom(j - i - 1, gap);
}

function logChange(
  { kind }: Payment,
  ratio: number,
  { logChanged, isShared }: PriceStatistics,
  hasOthersBetween: boolean,
): number {
  const ofSize = logNearPrice(ratio);
  if (kind === "CARD") return logChanged + ofSize;
  return kind === "DIRECT_DEBIT" && !isShared && !hasOthersBetween
    ? Math.max(logChangedCollected, logChanged) + Math.max(logLeapCollected, ofSize)
    : logChanged + Math.max(logLeap, ofSize);
}

const nearPriceBase = Math.log(logPriceSpreadRandom / logPriceSpreadSeries);
const nearPricePrecision = logPriceSpreadSeries ** -2 - logPriceSpreadRandom ** -2;

/** Log density ratio of a price change of this size (as |log ratio|): series against chance, both normal in the log. */
function logNearPrice(ratio: number): number {
  return nearPriceBase - (nearPricePrecision * ratio * ratio) / 2;
}

/**
 * Log likelihood that the random process loses by giving this payment away, where m others fell in the gap. With the
 * rate fitted to the gap it is (m+1)·log((m+1)/gap) − m·log(m/gap), of which the parts in m and in the gap are tabled.
 */
function logRandom(between: number, gapDays: number): number {
  return (precomputedLogRandomBetween[between] ?? logRandomBetween(between)) - (logDays[gapDays] ?? Math.log(gapDays));
}

/** Longest step of any cadence in days, and more payments in between than nearly all steps have. */
const gapDaysPrecomputed = 800;
const betweenPrecomputed = 512;
const logDays = Float64Array.from({ length: gapDaysPrecomputed }, (_, days) => Math.log(days));
const precomputedLogRandomBetween = Float64Array.from({ length: betweenPrecomputed }, (_, between) =>
  logRandomBetween(between),
);

function logRandomBetween(between: number): number {
  const withoutIt = between === 0 ? 0 : between * Math.log(between);
  return (between + 1) * Math.log(between + 1) - withoutIt - rateFittedBonus;
}

export function isSamePrice(a: Payment, b: Payment): boolean {
  return a.price === b.price && a.priceCurrency === b.priceCurrency;
}

/** From this price on, in minor units, one unit more or less is what is left of a sum that was parted. */
const partedMin = 10_000;

/** Whether the prices are one at one payee: the same, or parts of a sum that cannot be parted evenly. */
function isOnePrice(a: Payment, b: Payment): boolean {
  if (a.price < partedMin || b.price < partedMin || a.priceCurrency !== b.priceCurrency) return isSamePrice(a, b);
  return Math.abs(a.price - b.price) <= 1;
}

function chainEnding(from: Int32Array, last: number, score: number, cadence: Cadence): Chain {
  const indices: number[] = [];
  for (let index = last; index >= 0; index = from[index] as number) indices.push(index);
  return { cadence, indices: indices.toReversed(), score };
}
