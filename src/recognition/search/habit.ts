/**
 * Regular is not yet owed: people shop on Saturdays and lunch on weekdays. This weighs an obligation against a habit,
 * by what tells them apart: how often it is, whether the price stays, whether dates are kept, and whether there are
 * other purchases of the kind in between.
 */
import type { RegularFrequency } from "./cadence.ts";
import { isSamePrice } from "./chain.ts";
import type { Payment } from "../../payments/payment.ts";

/** Log odds of obligation against habit for something regular, by how often: who buys once a month to the day? */
const BY_FREQUENCY: Readonly<Record<RegularFrequency, number>> = {
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
    BY_FREQUENCY[frequency] +
    priceEvidence(payments) +
    timingEvidence(count, spreadDays, CHOSEN_SPREAD_DAYS[frequency]) +
    keepingEvidence(count, misses) +
    extrasEvidence(count, extras)
  );
}

/** Mean distance from the due date, in days, of payments that are collected. */
const COLLECTED_SPREAD_DAYS = 1.2;
/**
 * The same of those that are a person's choice. No date is further from a weekly due date than half a week, so any
 * choice lies nearer.
 */
const CHOSEN_SPREAD_DAYS: Readonly<Record<RegularFrequency, number>> = {
  DAILY: 3,
  WEEKLY: 1.75,
  BIWEEKLY: 3,
  MONTHLY: 3,
  BIMONTHLY: 3,
  QUARTERLY: 3,
  HALFYEARLY: 3,
  YEARLY: 3,
};
const TIMING_EVIDENCE_MIN = -6;
const TIMING_EVIDENCE_MAX = 2;

/** Both taken as exponential in the distance. */
function timingEvidence(count: number, spreadDays: number, chosenSpreadDays: number): number {
  const perPayment =
    Math.log(chosenSpreadDays / COLLECTED_SPREAD_DAYS) -
    spreadDays * (1 / COLLECTED_SPREAD_DAYS - 1 / chosenSpreadDays);
  return Math.min(TIMING_EVIDENCE_MAX, Math.max(TIMING_EVIDENCE_MIN, count * perPayment));
}

/** P(same price again) of obligations and of habits. */
const LOG_SAME_PRICE = Math.log(0.6 / 0.25);
/** Standard deviations of the log price between neighbours: bills by use, and baskets. */
const BILL_SPREAD = 0.3;
const BASKET_SPREAD = 0.6;
const PRICE_EVIDENCE_MIN = -8;
const PRICE_EVIDENCE_MAX = 4;

function priceEvidence(payments: readonly Payment[]): number {
  const precision = BILL_SPREAD ** -2 - BASKET_SPREAD ** -2;
  let evidence = 0;
  for (let index = 1; index < payments.length; index++) {
    const earlier = payments[index - 1]!;
    const later = payments[index]!;
    if (isSamePrice(earlier, later)) evidence += LOG_SAME_PRICE;
    else evidence += Math.log(BASKET_SPREAD / BILL_SPREAD) - (precision * (later.logCost - earlier.logCost) ** 2) / 2;
  }
  return Math.min(PRICE_EVIDENCE_MAX, Math.max(PRICE_EVIDENCE_MIN, evidence));
}

/** P(a date stays unpaid): obligations are missed rarely, habits every fourth time. */
const LOG_MISSED = Math.log(0.05 / 0.25);
const LOG_KEPT = Math.log(0.95 / 0.75);
const KEEPING_EVIDENCE_MIN = -6;
const KEEPING_EVIDENCE_MAX = 3;

function keepingEvidence(paid: number, misses: number): number {
  return Math.min(KEEPING_EVIDENCE_MAX, Math.max(KEEPING_EVIDENCE_MIN, misses * LOG_MISSED + (paid - 1) * LOG_KEPT));
}

/**
 * As many such purchases in between as there are dates is four nats of habit; beyond three times as many it is certain.
 */
const LOG_EXTRA_PER_DATE = -6;
const EXTRAS_PER_DATE_MAX = 3;

function extrasEvidence(paid: number, extras: number): number {
  return LOG_EXTRA_PER_DATE * Math.min(EXTRAS_PER_DATE_MAX, extras / paid);
}
