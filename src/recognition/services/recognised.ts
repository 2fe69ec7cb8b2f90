/**
 * A recurring payment as recognised: plain data, made from an obligation or from payments that recur without a cadence.
 */
import { type Day, dayFromNumber, dayNumber } from "../../time/calendar.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import type { StoreType } from "../../payments/catalogue.ts";
import type { HistoryTransaction, Payment } from "../../payments/payment.ts";
import type { Obligation } from "../search/obligation.ts";
import { type Payee, titleOf } from "../../payments/payee.ts";
import { type Prediction, expectedCost, predict } from "../search/predict.ts";
import { type PriorReason, priorOf } from "../search/prior.ts";
import { dueOf, type PostingHabit } from "../search/schedule.ts";
import type { Sporadic } from "../search/sporadic.ts";
import { hasFixedPrice } from "../search/price.ts";
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
  /** Positive, minor units of the latest payment's currency. */
  expectedAmountMinor: number;
  currency: string;
  /** Product of the catalogue; null when the payee is not in it. */
  productId: string | null;
  title: string;
  /** Through which gateway it is paid, null when directly. */
  gateway: string | null;
  store: StoreType | null;
  evidence: Evidence;
};

/** Log odds from which a service is shown without asking. */
const visibleLogOddsMin = 2;
/** Two payments may always be two purchases, unless they lie half a year or more apart. */
const visiblePaymentsMin = 3;
const visiblePaymentsMinSparse = 2;
const sparseMonthsMin = 6;

export function fromObligation(
  obligation: Obligation,
  refunds: readonly HistoryTransaction[],
  asOf: Day,
  country: string,
): RecognisedService {
  const { payee, title, payments, cadence, schedule, logOdds } = obligation;
  const prediction = predict(
    schedule,
    payments.map(({ at }) => at),
    dayNumber(asOf),
    country,
  );
  return {
    ...paymentsOf(payee, payments),
    ...predictionOf(prediction),
    title,
    refunds: [...refunds],
    paymentFrequency: cadence.frequency,
    confidence: 1 / (1 + Math.exp(-logOdds)),
    visibility: visibilityOf(obligation),
    evidence: {
      payeeKey: payee.key,
      aliases: obligation.aliases,
      prior: obligation.prior,
      logOdds,
      misses: obligation.misses,
      isFixedPrice: hasFixedPrice(payments),
      habit: schedule.habit,
      ...dueOf(schedule),
      spreadDays: schedule.spreadDays,
    },
  };
}

/** Without a cadence it is as likely as not; the user is asked. */
export function fromSporadic({ payee, payments, frequency, prediction }: Sporadic): RecognisedService {
  return {
    ...paymentsOf(payee, payments),
    ...predictionOf(prediction),
    title: titleOf(payee, payments),
    refunds: [],
    paymentFrequency: frequency,
    confidence: 0.5,
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
      spreadDays: null,
    },
  };
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
    store: payee.product?.store ?? null,
  };
}

function predictionOf({ nextAt, status }: Prediction): Pick<RecognisedService, "nextExpectedDay" | "status"> {
  return { nextExpectedDay: dayFromNumber(nextAt), status };
}

function visibilityOf({ logOdds, payments, cadence }: Obligation): "VISIBLE" | "UNDECIDED" {
  const paymentsMin = cadence.months >= sparseMonthsMin ? visiblePaymentsMinSparse : visiblePaymentsMin;
  return logOdds >= visibleLogOddsMin && payments.length >= paymentsMin ? "VISIBLE" : "UNDECIDED";
}

/** Payee and first payment: independent of prices and of what came later. */
function keyOf(payee: Payee, payments: readonly Payment[]): string {
  return `${payee.direction}:${payee.key}:${firstOf(payments).transaction.txid}`;
}
