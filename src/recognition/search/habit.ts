/**
 * Regular is not yet owed: people shop on Saturdays and lunch on weekdays. This weighs an obligation against a habit,
 * by what tells them apart: how often it is, whether the price stays, whether dates are kept, and whether there are
 * other purchases of the kind in between.
 */
import type { RegularFrequency } from "./cadence.ts";
import { isSamePrice } from "./chain.ts";
import type { Payment } from "../../payments/payment.ts";
import { itemAt } from "../../present.ts";

/** Log odds of obligation against habit for something regular, by how often: who buys once a month to the day? */
const byFrequency: Readonly<Record<RegularFrequency, number>> = {
  DAILY: -1.5,
  WEEKLY: -0.5,
  BIWEEKLY: 0,
  MONTHLY: 2.5,
  BIMONTHLY: 2.5,
  QUARTERLY: 2.5,
  HALFYEARLY: 2,
  YEARLY: 1.5,
};

export type Run = {
  payments: readonly Payment[];
  frequency: RegularFrequency;
  /** Due dates without a payment. */
  misses: number;
  /** Mean distance of the payments from the posting dates of the best rule. */
  spreadDays: number;
  /** Other payments of about this price to the payee during the run, in no other series. */
  extras: number;
};

/** Log odds that a regular run of payments is an obligation rather than a habit, before what is known of the payee. */
export function habitLogOdds({ payments, frequency, misses, spreadDays, extras }: Run): number {
  const count = payments.length;
  return (
    byFrequency[frequency] +
    priceEvidence(payments) +
    timingEvidence(count, spreadDays, chosenSpreadDaysOf[frequency]) +
    keepingEvidence(count, misses) +
    extrasEvidence(count, extras)
  );
}

/** Mean distance from the due date, in days, of payments that are collected. */
const collectedSpreadDays = 1.2;
/**
 * The same of those that are a person's choice. No date is further from a weekly due date than half a week, so any
 * choice lies nearer.
 */
const chosenSpreadDaysOf: Readonly<Record<RegularFrequency, number>> = {
  DAILY: 3,
  WEEKLY: 1.75,
  BIWEEKLY: 3,
  MONTHLY: 3,
  BIMONTHLY: 3,
  QUARTERLY: 3,
  HALFYEARLY: 3,
  YEARLY: 3,
};
const timingEvidenceMin = -6;
const timingEvidenceMax = 2;

/** Both taken as exponential in the distance. */
function timingEvidence(count: number, spreadDays: number, chosenSpreadDays: number): number {
  const perPayment =
    Math.log(chosenSpreadDays / collectedSpreadDays) - spreadDays * (1 / collectedSpreadDays - 1 / chosenSpreadDays);
  return Math.min(timingEvidenceMax, Math.max(timingEvidenceMin, count * perPayment));
}

/** P(same price again) of obligations and of habits. */
const logSamePrice = Math.log(0.6 / 0.25);
/** Standard deviations of the log price between neighbours: bills by use, and baskets. */
const billSpread = 0.3;
const basketSpread = 0.6;
const priceEvidenceMin = -8;
const priceEvidenceMax = 4;

function priceEvidence(payments: readonly Payment[]): number {
  const precision = billSpread ** -2 - basketSpread ** -2;
  let evidence = 0;
  for (let index = 1; index < payments.length; index++) {
    const earlier = itemAt(payments, index - 1);
    const later = itemAt(payments, index);
    if (isSamePrice(earlier, later)) evidence += logSamePrice;
    else evidence += Math.log(basketSpread / billSpread) - (precision * (later.logCost - earlier.logCost) ** 2) / 2;
  }
  return Math.min(priceEvidenceMax, Math.max(priceEvidenceMin, evidence));
}

/** P(a date stays unpaid): obligations are missed rarely, habits every fourth time. */
const logMissed = Math.log(0.05 / 0.25);
const logKept = Math.log(0.95 / 0.75);
const keepingEvidenceMin = -6;
const keepingEvidenceMax = 3;

function keepingEvidence(paid: number, misses: number): number {
  return Math.min(keepingEvidenceMax, Math.max(keepingEvidenceMin, misses * logMissed + (paid - 1) * logKept));
}

/**
 * As many such purchases in between as there are dates is four nats of habit; beyond three times as many it is certain.
 */
const logExtraPerDate = -6;
const extrasPerDateMax = 3;

function extrasEvidence(paid: number, extras: number): number {
  return logExtraPerDate * Math.min(extrasPerDateMax, extras / paid);
}
