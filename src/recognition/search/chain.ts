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
import { type Cadence, cadences, logMisses } from "./cadence.ts";
import type { Payment } from "../../payments/payment.ts";
import type { PriceStatistics } from "./price.ts";
import { firstOf, lastOf } from "../../present.ts";

export { isSamePrice, priceStatistics, type PriceStatistics } from "./price.ts";

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
/** Standard deviations of the log price: of bills by use, and of whatever else a payee is paid. */
const logPriceSpreadSeries = 0.35;
const logPriceSpreadRandom = 0.7;
/** Beyond this ratio (about 3.5) two purchases are not one obligation's; bills differ by more. */
const logPriceRatioMax = 1.25;
const logBillRatioMax = 2.4;
/** And most where they are collected: what is left of one after a refund, and what the next one makes up for. */
const logCollectedRatioMax = 3.4;
/**
 * Bills that follow use leap now and then: an estimate settled, a winter, a refund set off. No leap says more, and less
 * where they are collected: whom a direct debit pays may take another amount each time, and does so every time.
 */
const logLeap = -2.5;
const logLeapCollected = -1;
const logChangedCollected = -0.3;
/** A payment that shares its day with another is credible only where closed days piled payments up. */
const logPiledUp = Math.log(0.5);

/** Best run of the cadence; null when there is none of two payments. */
export function bestChain(payments: readonly Payment[], prices: PriceStatistics, cadence: Cadence): Chain | null {
  const spanDays = (payments[payments.length - 1] as Payment).at - (payments[0] as Payment).at;
  if (spanDays < cadence.days - reachOf(cadence)) return null;
  if (payments.length === 2 && !mayBeStep(spanDays, cadence)) return null;
  const room = roomFor(payments, prices);
  const { score, most, from } = room;
  const isDaily = cadence.frequency === "DAILY";
  room.windows.fill(0);
  let last = -1;
  for (let j = 0; j < payments.length; j++) {
    score[j] = 0;
    from[j] = -1;
    if ((j & blockMask) === 0) most[j >> blockBits] = 0;
    if (isDaily) relaxDaily(room, prices, j, cadence);
    else relax(room, prices, j, cadence);
    if ((from[j] as number) >= 0 && (last < 0 || (score[j] as number) > (score[last] as number))) last = j;
  }
  return last < 0 ? null : chainEnding(from, last, score[last] as number, cadence);
}

/**
 * No run of the cadence has more payments, and no score is higher: every step the likeliest, and as short as it may be.
 * Of daily payments several may fall on one day: nothing is told of them.
 */
export function mostOfChain(
  payments: readonly Payment[],
  { logSame, logNear }: PriceStatistics,
  cadence: Cadence,
): { payments: number; score: number } {
  const { days, logDeviation } = cadence;
  if (days === 1) return { payments: payments.length, score: Infinity };
  const spanDays = (payments[payments.length - 1] as Payment).at - (payments[0] as Payment).at;
  const reach = reachOf(cadence);
  const steps = Math.min(payments.length - 1, Math.floor(spanDays / Math.max(1, days - reach)));
  const logStepMost =
    (logDeviation[0] as number) + Math.max(0, logSame, logNear) - logRandom(0, Math.ceil(days + reach)) + rounding;
  return { payments: steps + 1, score: steps * Math.max(0, logStepMost) };
}

/** False of two payments that no cadence has one period apart: nearly all that lie as chance has it. In any order. */
export function mayBeSeries(payments: readonly Payment[]): boolean {
  if (payments.length !== 2) return payments.length > 2;
  const apart = Math.abs(lastOf(payments).at - firstOf(payments).at);
  for (const cadence of cadences) if (Math.abs(apart - cadence.days) <= reachOf(cadence)) return true;
  return false;
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

/** So many payments in a row are passed over at once where none of them can be the one before. */
const blockBits = 4;
const blockMask = (1 << blockBits) - 1;

/**
 * What a search works on: of each payment the day, the score of the best run that ends with it, and the payment before
 * it in that run, −1 for none. Most: the best score in each block of payments. Windows: by periods, the first payment
 * that may lie so many before the present one; they only move on.
 */
type Room = {
  payments: readonly Payment[];
  prices: PriceStatistics | null;
  days: Int32Array;
  /** As the price statistics have them. */
  numbers: Int32Array;
  ranks: Int32Array;
  previous: Int32Array;
  score: Float64Array;
  most: Float64Array;
  from: Int32Array;
  windows: Int32Array;
  /** The parts of logRandom, of all that may lie between two of so many payments. */
  logBetween: Float64Array;
};

let room = roomOf(256);

function roomOf(payments: number): Room {
  return {
    payments: [],
    prices: null,
    days: new Int32Array(payments),
    numbers: new Int32Array(payments),
    ranks: new Int32Array(payments),
    previous: new Int32Array(payments),
    score: new Float64Array(payments),
    most: new Float64Array((payments >> blockBits) + 1),
    from: new Int32Array(payments),
    windows: new Int32Array(windowsMax),
    logBetween: Float64Array.from({ length: payments }, (_, between) => logRandomBetween(between)),
  };
}

/**
 * The same room for every search: nearly all payees have a few payments, and most of the time would go into making it.
 * Cadence after cadence is tried on the same payments.
 */
function roomFor(payments: readonly Payment[], prices: PriceStatistics): Room {
  if (room.prices === prices && room.payments === payments) return room;
  if (room.score.length < payments.length) room = roomOf(2 * payments.length);
  room.payments = payments;
  room.prices = prices;
  const { days, numbers, ranks, previous } = room;
  for (let index = 0; index < payments.length; index++) {
    days[index] = (payments[index] as Payment).at;
    numbers[index] = prices.priceNumbers[index] as number;
    ranks[index] = prices.ranks[index] as number;
    previous[index] = prices.previous[index] as number;
  }
  return room;
}

/** Days between a payment and the nearest date due k periods after another; month ends are taken as month ends. */
export function deviation(earlier: Payment, later: Payment, cadence: Cadence, k: number): number {
  if (cadence.months === 0) return later.at - earlier.at - k * cadence.days;
  const monthIndex = earlier.monthIndex + k * cadence.months;
  const sameDay = later.at - numberInMonth(monthIndex, earlier.dayOfMonth);
  if (!earlier.isMonthEnd || sameDay <= 0) return sameDay;
  const monthEnd = later.at - numberInMonth(monthIndex, 31);
  return Math.abs(monthEnd) < Math.abs(sameDay) ? monthEnd : sameDay;
}

/** Months differ from their mean length by up to so many days. */
const monthSlackDays = 3;

/** Days by which two payments of a series may be further apart, or less, than the cadence's mean length. */
export function reachOf({ toleranceDays, months }: Cadence): number {
  return toleranceDays + (months === 0 ? 0 : monthSlackDays);
}

/** Tries every payment from which payment j may be the next one. */
function relax(room: Room, prices: PriceStatistics, j: number, cadence: Cadence): void {
  const { payments, days, numbers, ranks, previous, score, most, from, windows, logBetween } = room;
  const { logSame } = prices;
  const { toleranceDays, logDeviation, missesMax } = cadence;
  const later = payments[j] as Payment;
  const laterAt = later.at;
  const reach = reachOf(cadence);
  const least = days[0] as number;
  const number = numbers[j] as number;
  const rank = ranks[j] as number;
  const logChangedMost = Math.max(0, prices.logNear);
  let same = previous[j] as number;
  let best = 0;
  let before = -1;
  for (let k = 1; k <= missesMax + 1; k++) {
    const target = laterAt - k * cadence.days;
    const since = target - reach;
    const until = target + reach;
    if (until < least) break;
    let i = windows[k] as number;
    while (i < j && (days[i] as number) < since) i++;
    windows[k] = i;
    while (same >= 0 && (days[same] as number) > until) same = previous[same] as number;
    const hasSame = same >= i;
    const logMissed = logMisses(k - 1);
    const logTimingMost = (logDeviation[0] as number) + logMissed;
    while (i < j && (days[i] as number) <= until) {
      // Most steps cannot win wherever their due day falls, and where it falls is what costs most to tell: blocks are
      // passed over first, then payments. Added up in the order of logStep from parts that are no less, what they say
      // at most is no less after rounding either. What logRandom tells is read from its tables here: the call would put
      // each number on the heap, millions of them.
      const end = Math.min(j, (i | blockMask) + 1);
      const logGapMax = logDays[Math.max(1, laterAt - (days[i] as number))] as number;
      const mostBefore = most[i >> blockBits] as number;
      const changedMin =
        best - (logTimingMost + logChangedMost - ((logBetween[j - end] as number) - logGapMax)) - rounding;
      const sameMin = hasSame
        ? best -
          (logTimingMost + logSame - ((logBetween[rank - (ranks[same] as number) - 1] as number) - logGapMax)) -
          rounding
        : Infinity;
      if (mostBefore <= changedMin && mostBefore <= sameMin) {
        i = end;
        continue;
      }
      for (; i < end; i++) {
        const scored = score[i] as number;
        const isSame = numbers[i] === number;
        if (scored <= (isSame ? sameMin : changedMin)) continue;
        const at = days[i] as number;
        if (at > until) break;
        const between = isSame ? rank - (ranks[i] as number) - 1 : j - i - 1;
        const random = (logBetween[between] as number) - (logDays[Math.max(1, laterAt - at)] as number);
        if (scored + (logTimingMost + (isSame ? logSame : logChangedMost) - random) <= best) continue;
        const price = isSame ? logSame : logChange(payments[i] as Payment, later, prices, j - i > 1);
        if (!isSame && scored + (logTimingMost + price - random) <= best) continue;
        const off = Math.abs(deviation(payments[i] as Payment, later, cadence, k));
        if (off > toleranceDays) continue;
        const total = scored + ((logDeviation[off] as number) + logMissed + price - random);
        if (total > best) {
          best = total;
          before = i;
        }
      }
      if (i < end) break;
    }
  }
  score[j] = best;
  from[j] = before;
  if (best > (most[j >> blockBits] as number)) most[j >> blockBits] = best;
}

/** What is out of reach by more than this is so after rounding too. */
const rounding = 1e-9;

/** Daily payments: days without settlement are no misses, and what fell due on them is posted together afterwards. */
function relaxDaily(search: Room, prices: PriceStatistics, j: number, cadence: Cadence): void {
  const { payments } = search;
  const later = payments[j] as Payment;
  const closedDays = weekdayOfNumber(later.at) === 1 ? 2 : 0;
  for (let i = j - 1; i >= 0; i--) {
    const gap = later.at - (payments[i] as Payment).at;
    if (gap > cadence.missesMax + 1) return;
    if (gap === 0) {
      if (j - i <= closedDays && payments[j - closedDays - 1]?.at !== later.at) step(search, prices, i, j, logPiledUp);
      continue;
    }
    const misses = gap - 1 === closedDays ? 0 : gap - 1;
    step(search, prices, i, j, (cadence.logDeviation[0] as number) + logMisses(misses));
  }
}

function step({ payments, score, from }: Room, prices: PriceStatistics, i: number, j: number, logTiming: number): void {
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
  return logTiming + logChange(earlier, later, prices, j - i > 1) - logRandom(j - i - 1, gap);
}

/** Log likelihood ratio of another price; −∞ where it is another purchase's. */
function logChange(earlier: Payment, later: Payment, prices: PriceStatistics, hasOthersBetween: boolean): number {
  const ratio = Math.abs(later.logCost - earlier.logCost);
  if (ratio > logRatioMaxOf(later)) return -Infinity;
  return ratio <= prices.logNearRatioMax
    ? prices.logNear
    : Math.min(0, logChangeBy(later, ratio, prices, hasOthersBetween));
}

function logRatioMaxOf({ kind }: Payment): number {
  if (kind === "DIRECT_DEBIT") return logCollectedRatioMax;
  return kind === "CARD" ? logPriceRatioMax : logBillRatioMax;
}

function logChangeBy(
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
  return (
    (between < betweenPrecomputed ? (precomputedLogRandomBetween[between] as number) : logRandomBetween(between)) -
    (gapDays < gapDaysPrecomputed ? (logDays[gapDays] as number) : Math.log(gapDays))
  );
}

/** Longest step of any cadence in days, and more payments in between than are looked at of a payee. */
const gapDaysPrecomputed = 800;
const betweenPrecomputed = 2_560;
const logDays = Float64Array.from({ length: gapDaysPrecomputed }, (_, days) => Math.log(days));
const precomputedLogRandomBetween = Float64Array.from({ length: betweenPrecomputed }, (_, between) =>
  logRandomBetween(between),
);

function logRandomBetween(between: number): number {
  const withoutIt = between === 0 ? 0 : between * Math.log(between);
  return (between + 1) * Math.log(between + 1) - withoutIt - rateFittedBonus;
}

function chainEnding(from: Int32Array, last: number, score: number, cadence: Cadence): Chain {
  const indices: number[] = [];
  for (let index = last; index >= 0; index = from[index] as number) indices.push(index);
  return { cadence, indices: indices.toReversed(), score };
}
