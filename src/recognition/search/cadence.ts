/**
 * The cadences that obligations follow, and how likely a payment is to miss its due day by so many days.
 * The distributions are priors, chosen from how banks post (weekends move a payment by up to two days, holidays by up
 * to five, billing runs scatter it); they are not fitted to any one set of accounts.
 */
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import { daysInMonth, partsFromNumber } from "../../time/calendar.ts";
import { firstOf, lastOf } from "../../present.ts";

export type RegularFrequency = Exclude<PaymentFrequency, "UNKNOWN">;

export type Cadence = {
  frequency: RegularFrequency;
  /** Due every so many months on one day of the month; 0 when due every `days` days. */
  months: number;
  /** Due every so many days; for month-based cadences the mean length. */
  days: number;
  /** Payments further than this from their due day are not this series'. */
  toleranceDays: number;
  /** Due dates in a row that may stay unpaid without ending the series. */
  missesMax: number;
  /** A service counts as running until this many days after the expected payment (services.md). */
  graceDays: number;
  /** log P(frequency) among obligations: nearly all of them are monthly. */
  logPrior: number;
  /** log P(deviation = d days | the payment is this series'), by |d| up to toleranceDays. */
  logDeviation: readonly number[];
};

/** A due date stays unpaid with about this probability. */
const logMiss = Math.log(0.06);

export const cadences: readonly Cadence[] = [
  cadence("DAILY", 0, 1, 1, 3, 4, 0.02, [0.9, 0.05]),
  cadence("WEEKLY", 0, 7, 4, 3, 5, 0.05, [0.4, 0.13, 0.085, 0.05, 0.03]),
  cadence("BIWEEKLY", 0, 14, 5, 3, 7, 0.05, [0.4, 0.13, 0.08, 0.05, 0.025, 0.01]),
  cadence("MONTHLY", 1, 30.4375, 6, 3, 12, 0.55, [0.32, 0.13, 0.1, 0.06, 0.025, 0.01, 0.005]),
  cadence("BIMONTHLY", 2, 60.875, 7, 2, 16, 0.05, [0.3, 0.12, 0.1, 0.06, 0.03, 0.015, 0.007, 0.004]),
  cadence("QUARTERLY", 3, 91.3125, 8, 2, 20, 0.1, [0.27, 0.12, 0.1, 0.06, 0.035, 0.02, 0.01, 0.006, 0.004]),
  cadence(
    "HALFYEARLY",
    6,
    182.625,
    10,
    1,
    30,
    0.06,
    [0.22, 0.11, 0.1, 0.06, 0.04, 0.03, 0.02, 0.012, 0.008, 0.005, 0.003],
  ),
  cadence(
    "YEARLY",
    12,
    365.25,
    12,
    1,
    40,
    0.12,
    [0.2, 0.1, 0.09, 0.06, 0.04, 0.03, 0.022, 0.016, 0.012, 0.009, 0.006, 0.004, 0.003],
  ),
];

/**
 * Agreements that are called monthly or quarterly and run by days: four weeks, thirty days after the last, a quarter of
 * thirteen weeks.
 */
const lengthsDays: Readonly<Partial<Record<PaymentFrequency, readonly number[]>>> = {
  MONTHLY: [28, 29, 30, 31],
  BIMONTHLY: [56, 60],
  QUARTERLY: [84, 90, 91],
};
const byDays = new Map(
  cadences.map((one) => [
    one,
    (lengthsDays[one.frequency] ?? []).map((days): Cadence => ({ ...one, months: 0, days })),
  ]),
);

/** The cadence's variants that are due every so many days; none for most. */
export function countedInDays(cadence: Cadence): readonly Cadence[] {
  return byDays.get(cadence) ?? [];
}

const byFrequency = new Map<PaymentFrequency, Cadence>(cadences.map((one) => [one.frequency, one]));

/** The cadence of a frequency; null for UNKNOWN. */
export function cadenceOf(frequency: PaymentFrequency): Cadence | null {
  return byFrequency.get(frequency) ?? null;
}

/** log P(due dates skipped before this payment | the series runs on). */
export function logMisses(misses: number): number {
  return misses * logMiss;
}

/** Due dates between the first and the last of the payments (by day, at least one) that have none. */
export function missesOf(payments: readonly { at: number }[], { days }: Cadence): number {
  const spanDays = lastOf(payments).at - firstOf(payments).at;
  return Math.max(0, Math.round(spanDays / days) - (payments.length - 1));
}

function cadence(
  frequency: RegularFrequency,
  months: number,
  days: number,
  toleranceDays: number,
  missesMax: number,
  graceDays: number,
  share: number,
  deviation: readonly number[],
): Cadence {
  const logDeviation = deviation.map(Math.log);
  return { frequency, months, days, toleranceDays, missesMax, graceDays, logPrior: Math.log(share), logDeviation };
}

/** Rules worth trying: due days near those seen, in the phase of the dates. */
export function anchors(dates: readonly number[], cadence: Cadence): { anchor: number; phase: number }[] {
  const last = lastOf(dates);
  if (cadence.months === 0) {
    const reach = Math.min(cadence.toleranceDays, Math.floor(cadence.days / 2));
    return range(-reach, reach).map((shift) => ({ anchor: last + shift, phase: 0 }));
  }
  const phases = phasesNear(last, cadence.months);
  return dueDaysSeen(dates).flatMap((anchor) => phases.map((phase) => ({ anchor, phase })));
}

/** The due month of the last date is its own or, where it was moved over a month's end, a neighbour. */
function phasesNear(date: number, months: number): number[] {
  const { year, month } = partsFromNumber(date);
  const own = year * 12 + month - 1;
  return months === 1 ? [own] : [own, own - 1, own + 1];
}

const dueDayReach = 3;

/** Days of the month seen and those just around them, month ends standing for 29–31 as well; the latest days first. */
function dueDaysSeen(dates: readonly number[]): number[] {
  seen.fill(0);
  for (const date of dates) {
    const { year, month, dayOfMonth } = partsFromNumber(date);
    const length = daysInMonth(year, month);
    for (let shift = -dueDayReach; shift <= dueDayReach; shift++)
      seen[((dayOfMonth - 1 + shift + length) % length) + 1] = 1;
    if (dayOfMonth >= length - dueDayReach || dayOfMonth <= dueDayReach) seen.fill(1, 29, 32);
  }
  const days: number[] = [];
  for (let day = seen.length - 1; day >= 1; day--) if (seen[day] === 1) days.push(day);
  return days;
}

const seen = new Uint8Array(32);

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
