/**
 * A recurring payment as recognised: plain data, made from an obligation or from payments that recur without a cadence.
 */
import { type Day, dayFromNumber, dayNumber } from "../../time/calendar.ts";
import type { Holding } from "../holding.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import type { StoreType } from "../../payments/catalogue.ts";
import type { HistoryTransaction, Payment } from "../../payments/payment.ts";
import { confidenceOf, isSure, type Thresholds } from "../search/confidence.ts";
import { type Obligation, datesUnderRule } from "../search/obligation.ts";
import { type Payee, titleOf } from "../../payments/payee.ts";
import { type Prediction, predict } from "../search/predict.ts";
import { type PriorReason, priorOf } from "../search/prior.ts";
import { dueOf, occurrenceNear, type PostingHabit, postingDay } from "../search/schedule.ts";
import { instalmentsOf } from "../search/instalments.ts";
import type { Sporadic } from "../search/sporadic.ts";
import { expectedCost, hasFixedPrice } from "../search/price.ts";
import { firstOf, lastOf } from "../../present.ts";

/** Why it was recognised; what explains a service is derived from this and nothing else. */
export type Evidence = {
  payeeKey: string;
  /** Names under which it went earlier. */
  aliases: readonly string[];
  prior: readonly PriorReason[];
  logOdds: number;
  misses: number;
  isFixedPrice: boolean;
  /** What the bank does with due dates on closed days; null without a cadence. */
  habit: PostingHabit | null;
  /** Day of the month that is due, 31 the month's end; null for cadences in days and without one. */
  dueDayOfMonth: number | null;
  /** A length in days that is kept instead of a day of the month, as four weeks; null: none. */
  periodDays: number | null;
  /** Months of the year, 1–12, in which nothing is ever due. */
  pausedMonths: readonly number[];
  /** Mean distance of the payments from their posting dates; null without a cadence. */
  spreadDays: number | null;
};

export type RecognisedService = {
  /** Names the obligation among the user's; see identity.ts for how ids outlive its changes. */
  key: string;
  direction: "OUT" | "IN";
  /** Oldest first, at least one. */
  payments: HistoryTransaction[];
  /** What the payee paid back, oldest first; empty for income. */
  refunds: HistoryTransaction[];
  paymentFrequency: PaymentFrequency;
  status: "ACTIVE" | "INACTIVE";
  /** Probability that this is an obligation, 0–1. */
  confidence: number;
  visibility: "VISIBLE" | "UNDECIDED";
  nextExpectedDay: Day;
  /** Its due date has passed, and it is not given up yet. */
  isOverdue: boolean;
  /** Of a counted number of instalments: how many are left, and the day of the last one; null: not counted. */
  instalments: { remaining: number; endsOn: Day } | null;
  /** Positive, minor units of the latest payment's currency. */
  expectedAmountMinor: number;
  currency: string;
  /** Product of the catalogue; null when the payee is not in it. */
  productId: string | null;
  title: string;
  /** With the words that its bank prints around the name, which also say what is paid; undefined: the title has all. */
  printedTitle?: string;
  /** Through which gateway it is paid, null when directly. */
  gateway: string | null;
  store: StoreType | null;
  evidence: Evidence;
};

export function fromObligation(
  obligation: Obligation,
  refunds: readonly HistoryTransaction[],
  {
    asOf,
    country,
    thresholds,
    holding,
  }: { asOf: Day; country: string; thresholds?: Thresholds; holding?: Holding | undefined },
): RecognisedService {
  const { payee, title, payments, cadence, schedule, logOdds } = obligation;
  const prediction = predict(schedule, datesUnderRule(obligation), dayNumber(asOf), country, holding);
  return {
    ...paymentsOf(payee, payments),
    ...predictionOf(prediction),
    ...endOf(obligation, country),
    title,
    refunds: [...refunds],
    paymentFrequency: cadence.frequency,
    confidence: confidenceOf(obligation),
    visibility: isSure(obligation, thresholds) ? "VISIBLE" : "UNDECIDED",
    evidence: {
      payeeKey: payee.key,
      aliases: obligation.aliases,
      prior: obligation.prior,
      logOdds,
      misses: obligation.misses,
      isFixedPrice: hasFixedPrice(payments),
      habit: schedule.habit,
      ...dueOf(schedule),
      pausedMonths: schedule.pausedMonths,
      spreadDays: schedule.spreadDays,
    },
  };
}

/** Without a cadence the user is asked. */
export function fromSporadic({ payee, payments, frequency, prediction, confidence }: Sporadic): RecognisedService {
  return {
    ...paymentsOf(payee, payments),
    ...predictionOf(prediction),
    instalments: null,
    title: titleOf(payee, payments),
    refunds: [],
    paymentFrequency: frequency,
    confidence,
    visibility: "UNDECIDED",
    evidence: {
      payeeKey: payee.key,
      aliases: [],
      prior: priorOf(payee),
      logOdds: 0,
      misses: 0,
      isFixedPrice: hasFixedPrice(payments),
      habit: null,
      dueDayOfMonth: null,
      periodDays: null,
      pausedMonths: [],
      spreadDays: null,
    },
  };
}

/** Whatever is paid through Google's own gateway is billed by its store. */
function storeBehind({ gateway }: Payee): StoreType | null {
  return gateway === "GOOGLE" ? "STORE_B" : null;
}

type PaymentFields = Pick<
  RecognisedService,
  "key" | "direction" | "payments" | "expectedAmountMinor" | "currency" | "productId" | "gateway" | "store"
>;

function paymentsOf(payee: Payee, payments: readonly Payment[]): PaymentFields {
  return {
    key: keyOf(payee, payments),
    direction: payee.direction,
    payments: payments.map(({ transaction }) => transaction),
    expectedAmountMinor: expectedCost(payments),
    currency: lastOf(payments).transaction.currency,
    productId: payee.product?.id ?? null,
    gateway: payee.gateway,
    store: payee.product?.store ?? storeBehind(payee),
  };
}

function predictionOf({
  nextAt,
  status,
  isOverdue,
}: Prediction): Pick<RecognisedService, "nextExpectedDay" | "status" | "isOverdue"> {
  return { nextExpectedDay: dayFromNumber(nextAt), status, isOverdue };
}

/** Instalments end with the last one: then nothing is due any more. */
function endOf(
  { payments, schedule }: Obligation,
  country: string,
): Pick<RecognisedService, "instalments"> & Partial<Pick<RecognisedService, "status" | "isOverdue">> {
  const counted = instalmentsOf(payments);
  if (counted === null) return { instalments: null };
  const remaining = counted.total - counted.paid;
  const latest = lastOf(payments);
  if (remaining === 0)
    return { instalments: { remaining, endsOn: latest.transaction.day }, status: "INACTIVE", isOverdue: false };
  const last = occurrenceNear(schedule, latest.at, country) + remaining;
  return { instalments: { remaining, endsOn: dayFromNumber(postingDay(schedule, last, country)) } };
}

/** Payee and first payment: independent of prices and of what came later. */
function keyOf(payee: Payee, payments: readonly Payment[]): string {
  return `${payee.direction}:${payee.key}:${firstOf(payments).transaction.txid}`;
}
