/**
 * Bills that follow a season: what swings with winter and summer, and comes back each year. Baskets resemble nothing.
 */
import type { RegularFrequency } from "../cadence.ts";
import type { Chain } from "../chain.ts";
import type { Payment } from "../../../payments/payment.ts";
import { itemAt } from "../../../present.ts";

/** Payments a year, where a year's worth of them shows a season. */
const perYear: Readonly<Partial<Record<RegularFrequency, number>>> = { MONTHLY: 12, BIMONTHLY: 6, QUARTERLY: 4 };
/** Fewer pairs than this resemble each other by chance. */
const seasonPairsMin = 6;
/** What it is worth to have chosen between two lags and fitted the likeness. */
const fittedCost = 1.5;
/** Nothing resembles more than so. */
const likenessMax = 0.95;
/** What swings by less than a tenth, in the log, has no season. */
const varianceMin = 0.1 ** 2;

/**
 * Log odds that amounts (by day) follow a season rather than nothing: each resembles the one before it, or the one a
 * year before, where those of baskets resemble none. At least 0, so that a bill that swings from 35 to 472 and back
 * speaks for itself, and nothing speaks against it.
 */
export function seasonEvidence(payments: readonly Payment[], frequency: RegularFrequency): number {
  const year = perYear[frequency];
  if (year === undefined) return 0;
  const returns = returnsEachYear(payments, frequency);
  if (payments.length <= seasonPairsMin) return returns;
  const logs = payments.map(({ logCost }) => logCost);
  return Math.max(returns, Math.max(evidenceAt(logs, 1), evidenceAt(logs, year)) - fittedCost);
}

/** Swings by a third and more, in the log, show in so many pairs already that each season asks what it asked a year before. */
const returnPairsMin = 3;
const swingVarianceMin = 0.4 ** 2;
/** Standard deviation of the log of a bill against that of a year before. */
const returnSpread = 0.2;
const returnEvidenceMax = 5;

/** The same of what swings much, by how near to each other a year's bills and those of the next are. */
function returnEvidence(logs: readonly number[], year: number): number {
  const variance = varianceOf(logs);
  if (variance < swingVarianceMin) return 0;
  // Two that are drawn independently differ by twice the variance.
  const spread = Math.sqrt(2 * variance);
  let evidence = -fittedCost;
  for (let index = year; index < logs.length; index++) {
    const change = itemAt(logs, index) - itemAt(logs, index - year);
    evidence += Math.log(spread / returnSpread) - (change ** 2 / 2) * (returnSpread ** -2 - spread ** -2);
  }
  return Math.min(returnEvidenceMax, Math.max(0, evidence));
}

/** What it is worth at most that bills come back each year, and in which cadences. */
export function mostOfSeason(payments: number, frequency: RegularFrequency): number {
  const year = perYear[frequency];
  return year === undefined || payments < year + returnPairsMin ? 0 : returnEvidenceMax;
}

/** Of a run, against chance: no purchases cost again what they cost in the same season a year before. */
export function seasonOfRun({ indices, cadence }: Chain, payments: readonly Payment[]): number {
  if (mostOfSeason(indices.length, cadence.frequency) === 0) return 0;
  return returnsEachYear(
    indices.map((index) => itemAt(payments, index)),
    cadence.frequency,
  );
}

function returnsEachYear(payments: readonly Payment[], frequency: RegularFrequency): number {
  const year = perYear[frequency];
  if (year === undefined || payments.length < year + returnPairsMin) return 0;
  return returnEvidence(
    payments.map(({ logCost }) => logCost),
    year,
  );
}

function varianceOf(logs: readonly number[]): number {
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  return logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / logs.length;
}

/** Of amounts that are drawn to those so many payments before, against amounts that are not, both normal in the log. */
function evidenceAt(logs: readonly number[], lag: number): number {
  const pairs = logs.length - lag;
  if (pairs < seasonPairsMin) return 0;
  const likeness = Math.min(likenessMax, likenessAt(logs, lag));
  return likeness <= 0 ? 0 : (-pairs / 2) * Math.log(1 - likeness ** 2);
}

/** Autocorrelation at the lag, from the mean square of differences. */
function likenessAt(logs: readonly number[], lag: number): number {
  const variance = varianceOf(logs);
  if (variance < varianceMin) return 0;
  let differences = 0;
  for (let index = lag; index < logs.length; index++)
    differences += (itemAt(logs, index) - itemAt(logs, index - lag)) ** 2;
  return 1 - differences / (logs.length - lag) / (2 * variance);
}
