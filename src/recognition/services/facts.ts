/** What a recurring payment is told to be beside its next payment: its period, its prices, its end. Pure. */
import { type Day, addDays } from "../../time/calendar.ts";
import { type PriceChange, priceChangeOf } from "./price-change.ts";
import { cadenceOf } from "../search/cadence.ts";
import type { HistoryTransaction, RecognisedService } from "../recognise.ts";
import { firstOf, itemAt, lastOf } from "../../present.ts";

/** Amounts are positive, in minor units of `currency`, that of the latest payment's account. */
export type ServiceFacts = {
  /** Mean days from due date to due date, to the tenth; null without a cadence. */
  periodDays: number | null;
  /** 0–1. */
  confidence: number;
  firstPaymentDate: Day;
  lastPaymentDate: Day;
  lastAmountMinor: number;
  /** Of the payments in the 365 days to the day asked for; null where there are none. */
  amountRange: { low: number; median: number; high: number } | null;
  /** The latest step of a fixed price; null where the bill follows use, or never changed. */
  priceChange: PriceChange | null;
  /** Day of the last instalment, and how many are left; null where the payments are not counted. */
  endsOn: Day | null;
  remainingPayments: number | null;
  /** The due date has passed, and the service is not given up yet. */
  isOverdue: boolean;
};

const yearDays = 365;

export function factsOf(recognised: RecognisedService, asOf: Day): ServiceFacts {
  const { payments, instalments } = recognised;
  const latest = lastOf(payments);
  const yearAgo = addDays(asOf, -yearDays);
  return {
    periodDays: periodDaysOf(recognised),
    confidence: recognised.confidence,
    firstPaymentDate: firstOf(payments).day,
    lastPaymentDate: latest.day,
    lastAmountMinor: costOf(latest),
    amountRange: rangeOf(payments.filter(({ day }) => day > yearAgo).map(costOf)),
    priceChange: recognised.evidence.isFixedPrice ? priceChangeOf(payments) : null,
    endsOn: instalments?.endsOn ?? null,
    remainingPayments: instalments?.remaining ?? null,
    isOverdue: recognised.isOverdue,
  };
}

function costOf({ amountMinor }: HistoryTransaction): number {
  return Math.abs(amountMinor);
}

function periodDaysOf({ paymentFrequency, evidence }: RecognisedService): number | null {
  const days = evidence.periodDays ?? cadenceOf(paymentFrequency)?.days ?? null;
  return days === null ? null : Math.round(days * 10) / 10;
}

function rangeOf(costs: readonly number[]): ServiceFacts["amountRange"] {
  if (costs.length === 0) return null;
  const sorted = costs.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  const median =
    sorted.length % 2 === 1 ? itemAt(sorted, half) : Math.round((itemAt(sorted, half - 1) + itemAt(sorted, half)) / 2);
  return { low: firstOf(sorted), median, high: lastOf(sorted) };
}

const meanYearDays = 365.25;

/** Payments expected within a year; null without a cadence. */
export function paymentsPerYear({ paymentFrequency, evidence, instalments }: RecognisedService): number | null {
  const cadence = cadenceOf(paymentFrequency);
  if (cadence === null) return null;
  const due =
    evidence.periodDays === null && cadence.months > 0
      ? 12 / cadence.months - evidence.pausedMonths.length
      : meanYearDays / (evidence.periodDays ?? cadence.days);
  return instalments === null ? due : Math.min(due, instalments.remaining);
}
