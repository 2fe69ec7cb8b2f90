/** What an amount at a frequency is a month, in whole minor units. */
import type { PaymentFrequency } from "../interface/payment-frequency.ts";
import { itemAt } from "../present.ts";

export type KnownFrequency = Exclude<PaymentFrequency, "UNKNOWN">;

/** Times a month as a fraction; a year has 365.25 days, so a day comes 1461/48 times a month. */
const timesAMonth: Readonly<Record<KnownFrequency, readonly [numerator: number, denominator: number]>> = {
  DAILY: [1461, 48],
  WEEKLY: [1461, 336],
  BIWEEKLY: [1461, 672],
  MONTHLY: [1, 1],
  BIMONTHLY: [1, 2],
  QUARTERLY: [1, 3],
  HALFYEARLY: [1, 6],
  YEARLY: [1, 12],
};

/** Rounded half up. */
export function monthlyOf(amountMinor: number, frequency: KnownFrequency): number {
  const [numerator, denominator] = timesAMonth[frequency];
  return partOf(amountMinor, numerator, denominator);
}

/** The price of one payment of which so much is a month's part. Rounded half up. */
export function perPaymentOf(monthlyMinor: number, frequency: KnownFrequency): number {
  const [numerator, denominator] = timesAMonth[frequency];
  return partOf(monthlyMinor, denominator, numerator);
}

/** Days from one payment to the next. */
export const periodDays: Readonly<Record<KnownFrequency, number>> = {
  DAILY: 1,
  WEEKLY: 7,
  BIWEEKLY: 14,
  MONTHLY: 31,
  BIMONTHLY: 61,
  QUARTERLY: 92,
  HALFYEARLY: 183,
  YEARLY: 366,
};

/**
 * amount · numerator / denominator, halves away from zero; exact where the product leaves the safe integers, too.
 * @param denominator positive
 */
export function partOf(amountMinor: number, numerator: number, denominator: number): number {
  if (Number.isSafeInteger(2 * amountMinor * numerator + denominator))
    return divideHalfUp(amountMinor * numerator, denominator);
  const product = BigInt(amountMinor) * BigInt(numerator);
  const magnitude = (2n * (product < 0n ? -product : product) + BigInt(denominator)) / (2n * BigInt(denominator));
  return Number(product < 0n ? -magnitude : magnitude);
}

/** Whole quotient, halves away from zero. @param denominator positive */
export function divideHalfUp(numerator: number, denominator: number): number {
  const magnitude = Math.floor((2 * Math.abs(numerator) + denominator) / (2 * denominator));
  return numerator < 0 ? 0 - magnitude : magnitude;
}

/** The middle one; of an even number the mean of the two middle ones, half up. 0 of none. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  if (sorted.length === 0) return 0;
  return sorted.length % 2 === 1
    ? itemAt(sorted, middle)
    : divideHalfUp(itemAt(sorted, middle - 1) + itemAt(sorted, middle), 2);
}

/**
 * Splits a whole amount in proportion to weights, to the last unit: what rounding leaves goes to the largest
 * remainders.
 */
export function allocate(total: number, weights: readonly number[]): number[] {
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  if (whole === 0) return weights.map((_, at) => (at === 0 ? total : 0));
  const parts = weights.map((weight) => floorPart(total, whole < 0 ? 0 - weight : weight, Math.abs(whole)));
  const shares = parts.map(({ quotient }) => quotient);
  const left = total - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = parts
    .map(({ remainder }, at) => ({ at, remainder }))
    .toSorted((a, b) => b.remainder - a.remainder || a.at - b.at);
  for (const { at } of byRemainder.slice(0, left)) shares[at] = itemAt(shares, at) + 1;
  return shares;
}

/** total · weight / whole, rounded down, and what that leaves of `whole`. Exact, as partOf. @param whole positive */
function floorPart(total: number, weight: number, whole: number): { quotient: number; remainder: number } {
  const product = total * weight;
  if (Number.isSafeInteger(product)) {
    const quotient = Math.floor(product / whole);
    return { quotient, remainder: product - quotient * whole };
  }
  const [exact, divisor] = [BigInt(total) * BigInt(weight), BigInt(whole)];
  const remainder = ((exact % divisor) + divisor) % divisor;
  return { quotient: Number((exact - remainder) / divisor), remainder: Number(remainder) };
}
