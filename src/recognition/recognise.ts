/**
 * From one user's history to the user's recurring payments. Pure and deterministic; neither the order of the rows nor
 * rows sent twice change the result.
 */
import { type Day, dayFromNumber, dayNumber } from "../calendar.ts";
import type { PaymentFrequency } from "./cadence.ts";
import type { StoreType } from "./catalogue.ts";
import { joinContinuations } from "./continuation.ts";
import { type HistoryTransaction, type Payment, prepare } from "./history.ts";
import { type Obligation, hasFixedPrice, obligationOf } from "./obligation.ts";
import { type Payee, groupByPayee } from "./payee.ts";
import { expectedCost, predict } from "./predict.ts";
import { type PriorReason, seriesPrior, priorOf } from "./prior.ts";
import { refundsOf } from "./refund.ts";
import { type Stray, adoptRenamed } from "./rename.ts";
import type { PostingHabit } from "./schedule.ts";
import { findSeries } from "./series.ts";

export type { HistoryTransaction } from "./history.ts";

/** Country (ISO 3166-1 alpha-2) and currency of the user's brand. */
export type RecognitionContext = { asOf: Day; country: string; currency: string };

/** Why it was recognised; what explains a service is derived from this and nothing else. */
export type Evidence = {
  payeeKey: string;
  /** Names under which it went earlier. */
  aliases: readonly string[];
  prior: readonly PriorReason[];
  logOdds: number;
  misses: number;
  isFixedPrice: boolean;
  habit: PostingHabit;
  /** Day of the month that is due, 31 the month's end; null for cadences in days. */
  dueDayOfMonth: number | null;
  /** Mean distance of the payments from their posting dates. */
  spreadDays: number;
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

export type Recognition = { services: RecognisedService[]; income: RecognisedService[] };

export function recognise(history: readonly HistoryTransaction[], context: RecognitionContext): Recognition {
  const payments = prepare(history, context.asOf);
  const payees = groupByPayee(payments, context.country);
  const searched = payees.map((payee) => search(payee, context.country));
  const obligations = joinContinuations(searched.flatMap((one) => one.obligations), context.country);
  const joined = adoptRenamed(obligations, searched.flatMap((one) => one.strays), context.country);
  const refunds = refundsOf(joined, payees);
  const found = joined
    .map((obligation) => serviceOf(obligation, refunds.get(obligation) ?? [], context))
    .sort(byKey);
  return {
    services: found.filter(({ direction }) => direction === "OUT"),
    income: found.filter(({ direction }) => direction === "IN"),
  };
}

function search(payee: Payee, country: string): { obligations: Obligation[]; strays: Stray[] } {
  const prior = priorOf(payee);
  const { series, rest } = findSeries(payee.payments, seriesPrior(prior), country);
  return {
    obligations: series.map((one) => obligationOf(payee, one, prior, country)),
    strays: rest.map((payment) => ({ payment, payee })),
  };
}

function serviceOf(obligation: Obligation, refunds: HistoryTransaction[], context: RecognitionContext): RecognisedService {
  const { payee, payments, cadence, schedule } = obligation;
  const latest = payments.at(-1)!;
  const { nextAt, status } = predict(schedule, latest.at, dayNumber(context.asOf), context.country);
  return {
    key: keyOf(payee, payments),
    direction: payee.direction,
    payments: payments.map(({ transaction }) => transaction),
    refunds,
    paymentFrequency: cadence.frequency,
    status,
    confidence: 1 / (1 + Math.exp(-obligation.logOdds)),
    visibility: visibilityOf(obligation),
    nextExpectedDay: dayFromNumber(nextAt),
    expectedAmountMinor: expectedCost(payments),
    currency: latest.transaction.currency,
    productId: payee.product?.id ?? null,
    title: obligation.title,
    gateway: payee.gateway,
    store: payee.product?.store ?? null,
    evidence: evidenceOf(obligation),
  };
}

function evidenceOf({ payee, payments, cadence, schedule, ...obligation }: Obligation): Evidence {
  return {
    payeeKey: payee.key,
    aliases: obligation.aliases,
    prior: obligation.prior,
    logOdds: obligation.logOdds,
    misses: obligation.misses,
    isFixedPrice: hasFixedPrice(payments),
    habit: schedule.habit,
    dueDayOfMonth: cadence.months === 0 ? null : schedule.anchor,
    spreadDays: schedule.spreadDays,
  };
}

/** Log odds from which a service is shown without asking. */
const VISIBLE_LOG_ODDS_MIN = 2;
/** Two payments may always be two purchases, unless they lie half a year or more apart. */
const VISIBLE_PAYMENTS_MIN = 3;
const VISIBLE_PAYMENTS_MIN_SPARSE = 2;
const SPARSE_MONTHS_MIN = 6;

function visibilityOf({ logOdds, payments, cadence }: Obligation): "VISIBLE" | "UNDECIDED" {
  const paymentsMin = cadence.months >= SPARSE_MONTHS_MIN ? VISIBLE_PAYMENTS_MIN_SPARSE : VISIBLE_PAYMENTS_MIN;
  return logOdds >= VISIBLE_LOG_ODDS_MIN && payments.length >= paymentsMin ? "VISIBLE" : "UNDECIDED";
}

/** Payee and first payment: independent of prices and of what came later. */
function keyOf(payee: Payee, payments: readonly Payment[]): string {
  return `${payee.direction}:${payee.key}:${payments[0]!.transaction.txid}`;
}

function byKey(a: RecognisedService, b: RecognisedService): number {
  return a.key < b.key ? -1 : 1;
}
