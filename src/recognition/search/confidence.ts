/**
 * From the log odds that evidence adds up to, to how often that is right. Evidence that is not independent is counted
 * twice in a sum, and what an obligation shows grows with its payments: odds that are good after three of them are poor
 * after twelve. Both were read off generated populations of six countries whose words and habits the search does not
 * know, and are checked on others (the evaluation report draws it).
 */
import { byChance, oftenDaysMax } from "./evidence/by-chance.ts";
import type { Obligation } from "./obligation.ts";
import { firstOf, itemAt, lastOf } from "../../present.ts";

/** Log odds said: log odds found. */
const curve: readonly (readonly [said: number, found: number])[] = [
  [-3, -2.2],
  [-1, -1.6],
  [0, -0.8],
  [1, 0.6],
  [1.5, 1.6],
  [2, 2.1],
  [3, 3],
  [4, 4],
  [6, 4.9],
  [8, 5.4],
];
/** From which calibrated log odds on the user is asked, and from which on it is shown without asking. */
export type Thresholds = { asked: number; visible: number };

/**
 * Worth a question: rather right than wrong. Shown without one: of the least sure one in eight may be wrong; on accounts
 * of real people none of them was, and of most one in two hundred.
 */
export const usualThresholds: Thresholds = { asked: 0, visible: 2 };
/** Two payments may always be two purchases, unless they lie half a year or more apart. */
const sparseMonthsMin = 6;
const visiblePaymentsMin = 3;
const visiblePaymentsMinSparse = 2;
/**
 * Two payments have one gap and one price to show, so their odds must say more: much more where they lie half a year
 * apart, for purchases seldom come again after just a year, and of those a year apart where their prices differ by more
 * than bills rise or fall.
 */
const surerOfTwo = 0.6;
const surerOfTwoYears = 0.2;
const surerMonthsMax = 11;
const logPricesDiffer = 0.3;

type Judged = Pick<Obligation, "logOdds" | "payments" | "cadence">;

/** Probability that this is an obligation, 0–1, as often as it is one. */
export function confidenceOf(obligation: Judged): number {
  return 1 / (1 + Math.exp(-calibrated(obligation)));
}

/** What is less likely is not told at all. Two payments at short gaps have no more to show than their odds. */
export function isWorthAsking(obligation: Judged, { asked }: Thresholds = usualThresholds): boolean {
  return obligation.payments.length < paymentsMinOf(obligation) || calibrated(obligation) >= asked;
}

export function isSure(obligation: Judged, { visible }: Thresholds = usualThresholds): boolean {
  const { length } = obligation.payments;
  const least = length < visiblePaymentsMin ? visible + surerBy(obligation) : visible;
  return calibrated(obligation) >= least && length >= paymentsMinOf(obligation);
}

/** Of two payments. */
function surerBy({ payments, cadence }: Judged): number {
  const differ = Math.abs(lastOf(payments).logCost - firstOf(payments).logCost) > logPricesDiffer;
  return cadence.months <= surerMonthsMax || differ ? surerOfTwo : surerOfTwoYears;
}

/** What an operator may set in place of the usual, in whole per cent of confidence; null: the usual. */
export type ConfidencePercents = { askedPercent: number | null; visiblePercent: number | null };

export const usualPercents: ConfidencePercents = { askedPercent: null, visiblePercent: null };

/** Who is shown must be worth asking about, so the lower bound follows the upper one down. */
export function thresholdsOf({ askedPercent, visiblePercent }: ConfidencePercents): Thresholds {
  const asked = askedPercent === null ? usualThresholds.asked : logOddsOf(askedPercent);
  const visible = visiblePercent === null ? usualThresholds.visible : logOddsOf(visiblePercent);
  return { asked: Math.min(asked, visible), visible };
}

/** As a read model keeps what made it; null: the usual. */
export function thresholdsText({ askedPercent, visiblePercent }: ConfidencePercents): string | null {
  return askedPercent === null && visiblePercent === null ? null : `${askedPercent ?? "-"}/${visiblePercent ?? "-"}`;
}

function logOddsOf(percent: number): number {
  return Math.log(percent / (100 - percent));
}

function paymentsMinOf({ cadence }: Judged): number {
  return cadence.months >= sparseMonthsMin ? visiblePaymentsMinSparse : visiblePaymentsMin;
}

/** What the odds say, held against what as many payments of nothing would. */
function calibrated({ logOdds, payments, cadence }: Judged): number {
  return onCurve(logOdds - byChance(payments.length, cadence.days <= oftenDaysMax));
}

/**
 * The odds that are as sure of so many payments as the run's are of its own: what chance would have gathered by now is
 * held against no run that is gone on with.
 */
export function asOddsOf({ logOdds, payments, cadence }: Judged, count: number): number {
  const isOften = cadence.days <= oftenDaysMax;
  return logOdds + Math.max(0, byChance(count, isOften) - byChance(payments.length, isOften));
}

/** Between the points in straight lines; level beyond the last. */
function onCurve(said: number): number {
  let point = itemAt(curve, 0);
  if (said <= point[0]) return point[1];
  for (let at = 1; at < curve.length; at++) {
    const next = itemAt(curve, at);
    if (said < next[0]) return point[1] + ((said - point[0]) / (next[0] - point[0])) * (next[1] - point[1]);
    point = next;
  }
  return point[1];
}
