/**
 * Amounts that follow a season: each resembles the one before it, or the one a year before, where those of baskets
 * resemble none. Told as a log likelihood ratio, so that a bill that swings from 35 to 472 and back speaks for itself.
 */
import type { Payment } from "../../payments/payment.ts";
import type { RegularFrequency } from "./cadence.ts";
import { itemAt } from "../../present.ts";

/** Payments a year, where a year's worth of them shows a season. */
const perYear: Readonly<Partial<Record<RegularFrequency, number>>> = { MONTHLY: 12, BIMONTHLY: 6, QUARTERLY: 4 };
/** Fewer pairs than this resemble each other by chance. */
const pairsMin = 6;
/** What it is worth to have chosen between two lags and fitted the likeness. */
const fittedCost = 1.5;
/** Nothing resembles more than so. */
const likenessMax = 0.95;

/** Log odds that amounts (by day) follow a season rather than nothing, before what their changes say; 0 at least. */
export function seasonEvidence(payments: readonly Payment[], frequency: RegularFrequency): number {
  const year = perYear[frequency];
  if (year === undefined || payments.length <= pairsMin) return 0;
  const logs = payments.map(({ logCost }) => logCost);
  return Math.max(0, Math.max(evidenceAt(logs, 1), evidenceAt(logs, year)) - fittedCost);
}

/** Of amounts that are drawn to those so many payments before, against amounts that are not, both normal in the log. */
function evidenceAt(logs: readonly number[], lag: number): number {
  const pairs = logs.length - lag;
  if (pairs < pairsMin) return 0;
  const likeness = Math.min(likenessMax, likenessAt(logs, lag));
  return likeness <= 0 ? 0 : (-pairs / 2) * Math.log(1 - likeness ** 2);
}

/** Autocorrelation at the lag, from the mean square of differences, so that a level that moves away is none. */
function likenessAt(logs: readonly number[], lag: number): number {
  const mean = logs.reduce((sum, one) => sum + one, 0) / logs.length;
  const variance = logs.reduce((sum, one) => sum + (one - mean) ** 2, 0) / logs.length;
  if (variance === 0) return 0;
  let differences = 0;
  for (let index = lag; index < logs.length; index++)
    differences += (itemAt(logs, index) - itemAt(logs, index - lag)) ** 2;
  return 1 - differences / (logs.length - lag) / (2 * variance);
}
