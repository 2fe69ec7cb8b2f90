/** What the prices of a payee's payments say before dates are looked at. */
import type { Payment } from "../../payments/payment.ts";
import { isOddPrice, isRoundPrice } from "../../payments/price-kind.ts";

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
export const logNearRatioMax = 0.02;
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

export type PriceStatistics = {
  /** For each payment the number of its price, how many earlier ones have exactly it, and the last of those, −1: none. */
  priceNumbers: readonly number[];
  ranks: readonly number[];
  previous: readonly number[];
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
  const { priceNumbers, ranks, previous, count } = numbered(payments);
  let same = 0;
  let sameOdd = 0;
  let near = 0;
  let sameDay = 0;
  let areRound = isRoundPrice(payments[0] as Payment);
  for (let index = 1; index < payments.length; index++) {
    const earlier = payments[index - 1] as Payment;
    const payment = payments[index] as Payment;
    areRound &&= isRoundPrice(payment);
    if (earlier.at === payment.at) sameDay++;
    if (priceNumbers[index - 1] === priceNumbers[index]) {
      same++;
      if (isOddPrice(payment)) sameOdd++;
    } else if (Math.abs(earlier.logCost - payment.logCost) <= logNearRatioMax) near++;
  }
  const usualWeight = same > 0 && sameOdd === same ? oddPriceUsualWeight : samePriceUsualWeight;
  const share = (same + samePriceUsual * usualWeight) / (payments.length - 1 + usualWeight);
  const leastShare = areRound ? samePriceRoundMin : samePriceUsual;
  const byChance = Math.min(samePriceByChanceMax, Math.max(leastShare, share));
  const nearByChance = (near + nearPriceUsual * nearPriceUsualWeight) / (payments.length - 1 + nearPriceUsualWeight);
  return {
    priceNumbers,
    ranks,
    previous,
    isShared: sameDay > sharedDaysMax * payments.length,
    logSame: Math.log(samePrice / byChance),
    logNear: Math.min(logNearMax, Math.max(logNearMin, Math.log(nearPrice / nearByChance))),
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
  return payments.length > fewPayments ? numberedByTable(payments, told) : numberedBySight(payments, told);
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
    const { price, priceCurrency } = payments[index] as Payment;
    const key = priceCurrency === usual ? price : priceCurrency + price;
    let number = numbers.get(key);
    if (number === undefined) {
      numbers.set(key, (number = told.count++));
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

export function isSamePrice(a: Payment, b: Payment): boolean {
  return a.price === b.price && a.priceCurrency === b.priceCurrency;
}
