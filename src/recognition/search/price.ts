/**
 * What a run of payments says about its price: whether it is fixed, what the next payment will be, and whether amounts
 * follow a season.
 */
import type { Payment } from "../../payments/payment.ts";
import { isOddPrice, isRoundPrice } from "../../payments/price-kind.ts";
import { firstOf, itemAt, lastOf } from "../../present.ts";

/** Prices that repeat at least this often are fixed, with steps; else the bill follows use. */
const fixedPriceShare = 0.5;
/** Older prices say nothing about today's tariff. */
const pricesMax = 8;
/** |log ratio| of neighbours that are one price: rounding, or a price in a currency whose rate moves. */
const logNearPriceMax = 0.03;
/** |log ratio| of a yearly rise: each payment of an indexed price differs from the last, and always to the same side. */
const logRiseMax = 0.12;
/** A first payment below this share of the next one was a trial, or a part of a period. */
const trialShareMax = 0.5;

/** Whether the price is fixed (changing by steps, or indexed) or follows use. One payment counts as fixed. */
export function hasFixedPrice(payments: readonly Payment[]): boolean {
  const recent = withoutTrial(payments).slice(-pricesMax);
  if (recent.length < 2) return true;
  const same = recent.slice(1).filter((payment, index) => isNearPrice(itemAt(recent, index), payment));
  return same.length >= fixedPriceShare * (recent.length - 1) || isIndexed(recent);
}

/** A foreign price stays what it is, whatever it costs at home. */
function isNearPrice(a: Payment, b: Payment): boolean {
  if (isSamePrice(a, b)) return true;
  return a.transaction.currency === b.transaction.currency && Math.abs(b.logCost - a.logCost) <= logNearPriceMax;
}

function withoutTrial(payments: readonly Payment[]): readonly Payment[] {
  const [first, second] = payments;
  return first !== undefined && second !== undefined && first.cost < trialShareMax * second.cost
    ? payments.slice(1)
    : payments;
}

/** A price that changes with each payment, always the same way and by little, such as a yearly premium. */
function isIndexed(payments: readonly Payment[]): boolean {
  const { currency } = lastOf(payments).transaction;
  const steps = stepsOf(payments);
  return (
    payments.every(({ transaction }) => transaction.currency === currency) &&
    steps.every((step) => Math.abs(step) <= logRiseMax) &&
    (steps.every((step) => step >= 0) || steps.every((step) => step <= 0))
  );
}

/** Log ratios from payment to payment. */
function stepsOf(payments: readonly Payment[]): number[] {
  return payments.slice(1).map(({ logCost }, index) => logCost - itemAt(payments, index).logCost);
}

/** Expected cost of the next payment in minor units of the account's currency, positive. */
export function expectedCost(payments: readonly Payment[]): number {
  const latest = lastOf(payments);
  if (!hasFixedPrice(payments)) return levelOf(payments) ?? usualCost(payments);
  if (isCatchingUp(payments)) return beforeLast(payments).cost;
  const isRepeated = payments.length < 2 || isSamePrice(latest, beforeLast(payments));
  return isRepeated || isIndexed(withoutTrial(payments).slice(-pricesMax))
    ? latest.cost
    : (levelOf(payments) ?? latest.cost);
}

/** Arrears paid at once: after unpaid dates the double or triple of a price that had stood. */
const multiplesMax = 4;
const usualPaymentsMin = 3;

function isCatchingUp(payments: readonly Payment[]): boolean {
  if (payments.length <= usualPaymentsMin) return false;
  const latest = lastOf(payments);
  const before = payments.slice(-1 - usualPaymentsMin, -1);
  const { price, at } = lastOf(before);
  const times = latest.price / price;
  const usualGap = (at - firstOf(before).at) / (before.length - 1);
  return (
    before.every((payment) => isSamePrice(payment, lastOf(before))) &&
    Number.isInteger(times) &&
    times >= 2 &&
    times <= multiplesMax &&
    latest.at - at > (times - 0.5) * usualGap
  );
}

function beforeLast(payments: readonly Payment[]): Payment {
  return itemAt(payments, payments.length - 2);
}

/** So large a share of the steps between neighbours must be next to nothing. */
const levelShareMin = 0.6;

/**
 * A price that stands still but for small changes, as one set in another currency, with steps between its levels: the
 * middle of the payments on the present level; null where the bill follows use.
 */
function levelOf(payments: readonly Payment[]): number | null {
  const recent = payments.slice(-pricesMax);
  const steps = stepsOf(recent);
  if (steps.filter((step) => Math.abs(step) <= logNearPriceMax).length < levelShareMin * steps.length) return null;
  const { logCost } = lastOf(recent);
  let start = recent.length - 1;
  while (start > 0 && Math.abs(itemAt(recent, start - 1).logCost - logCost) <= 2 * logNearPriceMax) start--;
  // Between two prices that differ by an odd number lies half a unit, which nobody can pay or convert.
  return Math.round(medianOf(recent.slice(start).map(({ cost }) => cost)));
}

/** Bills that follow use are foretold in these ways; the one that would have been nearest so far is taken. */
const lately = 3;
const usually = 6;
/** Bills foretold in retrospect, and how much better than the plain way another one must have done. */
const retrospectsMax = 8;
const retrospectsMin = 3;
const betterMin = 0.9;
const yearDays = 365;
const seasonDays = 20;

function usualCost(payments: readonly Payment[]): number {
  const plain = usual(payments);
  const others = [middle(lately), seasonal];
  let best = plain;
  let least = betterMin * (missOf(usual, payments) ?? Infinity);
  for (const foretell of others) {
    const miss = missOf(foretell, payments);
    const told = foretell(payments);
    if (miss === null || told === null || miss >= least) continue;
    best = told;
    least = miss;
  }
  return Math.round(best);
}

type Foretelling = (payments: readonly Payment[]) => number | null;

function usual(payments: readonly Payment[]): number {
  return medianOf(payments.slice(-usually).map(({ cost }) => cost));
}

function middle(count: number): Foretelling {
  return (payments) => medianOf(payments.slice(-count).map(({ cost }) => cost));
}

/** What was paid a year before the next one falls due, times how the last bills differ from those a year before them. */
function seasonal(payments: readonly Payment[]): number | null {
  if (payments.length < 4) return null;
  const latest = lastOf(payments);
  const gap = latest.at - beforeLast(payments).at;
  const then = paidAround(payments, latest.at + gap - yearDays);
  if (then === null) return null;
  const ratios = payments.slice(-lately).flatMap((payment) => {
    const before = paidAround(payments, payment.at - yearDays);
    return before === null ? [] : [payment.cost / before.cost];
  });
  return ratios.length === 0 ? null : then.cost * medianOf(ratios);
}

function paidAround(payments: readonly Payment[], at: number): Payment | null {
  let nearest: Payment | null = null;
  for (const payment of payments)
    if (
      Math.abs(payment.at - at) <= seasonDays &&
      (nearest === null || Math.abs(payment.at - at) < Math.abs(nearest.at - at))
    )
      nearest = payment;
  return nearest;
}

/** Median |log ratio| by which the latest bills would have been missed; null where too few can be told. */
function missOf(foretell: Foretelling, payments: readonly Payment[]): number | null {
  const misses: number[] = [];
  for (let count = Math.max(2, payments.length - retrospectsMax); count < payments.length; count++) {
    const told = foretell(payments.slice(0, count));
    if (told !== null && told > 0) misses.push(Math.abs(Math.log(told) - itemAt(payments, count).logCost));
  }
  return misses.length < retrospectsMin ? null : medianOf(misses);
}

export function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? itemAt(sorted, half) : (itemAt(sorted, half - 1) + itemAt(sorted, half)) / 2;
}

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
/**
 * Where no price comes again and each is so near to the one before it, as |log ratio|, it is one price in another
 * currency: then nearly all are near, where at a shop of one price hardly as many in a row would be.
 */
const logConvertedRatioMax = 0.05;
const convertedPrice = 0.3;
const convertedPriceUsualWeight = 8;
const convertedPaymentsMin = 3;
/** Where many obligations share one name, another price is rather another obligation's. */
const logCrowded = -1.5;
/** Unless the bills follow use, and hardly any price comes twice. */
const paymentsPerPriceMin = 2;

export type PriceStatistics = {
  /** For each payment the number of its price, how many earlier ones have exactly it, and the last of those, −1: none. */
  priceNumbers: readonly number[];
  ranks: readonly number[];
  previous: readonly number[];
  /** Log likelihood ratio of an unchanged price: series against chance at this payee. */
  logSame: number;
  /** The same of a price next to the last, and |log ratio| up to which one is. */
  logNear: number;
  logNearRatioMax: number;
  /** The same of a changed price, before its size is looked at. */
  logChanged: number;
  /** Several fall on one day: then there are several agreements, which only their prices tell apart. */
  isShared: boolean;
};

/** What prices say at this payee; the same for every cadence that is tried. */
export function priceStatistics(payments: readonly Payment[], isCrowded: boolean): PriceStatistics {
  const { priceNumbers, ranks, previous, count } = numbered(payments);
  let same = 0;
  let sameOdd = 0;
  let near = 0;
  let sameDay = 0;
  let areRound = isRoundPrice(payments[0] as Payment);
  let logStepMost = 0;
  for (let index = 1; index < payments.length; index++) {
    const earlier = payments[index - 1] as Payment;
    const payment = payments[index] as Payment;
    areRound &&= isRoundPrice(payment);
    if (earlier.at === payment.at) sameDay++;
    const logStep = Math.abs(earlier.logCost - payment.logCost);
    if (logStep > logStepMost) logStepMost = logStep;
    if (isOnePrice(earlier, payment)) {
      same++;
      if (isOddPrice(payment)) sameOdd++;
    } else if (logStep <= logNearRatioMax) near++;
  }
  const usualWeight = same > 0 && sameOdd === same ? oddPriceUsualWeight : samePriceUsualWeight;
  const share = (same + samePriceUsual * usualWeight) / (payments.length - 1 + usualWeight);
  const leastShare = areRound ? samePriceRoundMin : samePriceUsual;
  const byChance = Math.min(samePriceByChanceMax, Math.max(leastShare, share));
  const isConverted = same === 0 && logStepMost <= logConvertedRatioMax && payments.length >= convertedPaymentsMin;
  const nearWeight = isConverted ? convertedPriceUsualWeight : nearPriceUsualWeight;
  const nearCount = isConverted ? payments.length - 1 : near;
  const nearByChance = (nearCount + nearPriceUsual * nearWeight) / (payments.length - 1 + nearWeight);
  return {
    priceNumbers,
    ranks,
    previous,
    isShared: sameDay > sharedDaysMax * payments.length,
    logSame: Math.log(samePrice / byChance),
    logNear: Math.min(
      logNearMax,
      Math.max(logNearMin, Math.log((isConverted ? convertedPrice : nearPrice) / nearByChance)),
    ),
    logNearRatioMax: isConverted ? logConvertedRatioMax : logNearRatioMax,
    logChanged:
      Math.log((1 - samePrice) / (1 - byChance)) +
      (isCrowded && count * paymentsPerPriceMin <= payments.length ? logCrowded : 0),
  };
}

/** Where payments are so few, looking through their prices costs less than a table of them. */
const fewPayments = 12;

type Numbered = { priceNumbers: number[]; ranks: number[]; previous: number[]; count: number };

function numbered(payments: readonly Payment[]): Numbered {
  const told: Numbered = { priceNumbers: [], ranks: [], previous: [], count: 0 };
  const isTable = payments.length > fewPayments || payments.some(({ price }) => price >= partedMin);
  return isTable ? numberedByTable(payments, told) : numberedBySight(payments, told);
}

function numberedBySight(payments: readonly Payment[], told: Numbered): Numbered {
  const { priceNumbers, ranks, previous } = told;
  let index = 0;
  for (const payment of payments) {
    let at = index++ - 1;
    while (at >= 0 && !isSamePrice(payments[at] as Payment, payment)) at--;
    priceNumbers.push(at < 0 ? told.count++ : (priceNumbers[at] as number));
    ranks.push(at < 0 ? 0 : (ranks[at] as number) + 1);
    previous.push(at);
  }
  return told;
}

function numberedByTable(payments: readonly Payment[], told: Numbered): Numbered {
  const { priceNumbers, ranks, previous } = told;
  const numbers = new Map<string | number, number>();
  const last: number[] = [];
  const { priceCurrency: usual } = payments[0] as Payment;
  for (let index = 0; index < payments.length; index++) {
    const payment = payments[index] as Payment;
    let number = numberOf(payment, usual, numbers);
    if (number === undefined) {
      numbers.set(priceKey(payment.price, payment.priceCurrency, usual), (number = told.count++));
      last.push(-1);
    }
    const at = last[number] as number;
    last[number] = index;
    priceNumbers.push(number);
    ranks.push(at < 0 ? 0 : (ranks[at] as number) + 1);
    previous.push(at);
  }
  return told;
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

/** From this price on, in minor units, one unit more or less is what is left of a sum that was parted. */
const partedMin = 10_000;

/** Whether the prices are one at one payee: the same, or parts of a sum that cannot be parted evenly. */
function isOnePrice(a: Payment, b: Payment): boolean {
  if (a.price < partedMin || b.price < partedMin || a.priceCurrency !== b.priceCurrency) return isSamePrice(a, b);
  return Math.abs(a.price - b.price) <= 1;
}

export function isSamePrice(a: Payment, b: Payment): boolean {
  return a.price === b.price && a.priceCurrency === b.priceCurrency;
}
