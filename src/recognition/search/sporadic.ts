/**
 * What surely recurs though its dates follow no cadence, or not yet: payments to payees that sell nothing else.
 */
import { type Cadence, cadences, cadenceOf } from "./cadence.ts";
import type { Holding } from "../holding.ts";
import type { PaymentFrequency } from "../../interface/payment-frequency.ts";
import type { MerchantCategory } from "../../payments/catalogue.ts";
import { merchantCategory } from "../../payments/catalogue.ts";
import { deviation, isSamePrice } from "./chain.ts";
import { hasFixedPrice } from "./price.ts";
import type { Payment } from "../../payments/payment.ts";
import { isMiddleman, type Payee } from "../../payments/payee.ts";
import type { Prediction } from "./predict.ts";
import { predict } from "./predict.ts";
import { fitSchedule } from "./schedule.ts";
import { isRoundPrice } from "../../payments/price-kind.ts";
import { firstOf, itemAt, lastOf } from "../../present.ts";

/** Payments of one payee that make a service without a run of their own. */
export type Sporadic = {
  payee: Payee;
  payments: Payment[];
  frequency: PaymentFrequency;
  prediction: Prediction;
  /** Probability that it is an obligation, 0–1. */
  confidence: number;
};

/** What came several times so, and what came once or twice at a payee that sells nothing else, or as the user says. */
const confidenceOfSeveral = 0.7;
export const confidenceOfFirst = 0.5;

/** From this many payments on the obligation is sure enough to be shown without a cadence, at a steady pace and price. */
const paymentsMin = 3;
/** Merchant categories whose payments recur this surely; behind a gateway or in a store they say what is sold, not how. */
const categoryConfidenceMin = 0.75;

/**
 * The service that payments in no series make, by day; null when the payee may as well sell single things.
 * @param usualCost the middle one of all that the user pays.
 * @param free the same with what is in series that are rather habits.
 */
export function sporadicService(
  payee: Payee,
  strays: readonly Payment[],
  usualCost: number,
  asOfAt: number,
  country: string,
  holding?: Holding,
  free: readonly Payment[] = strays,
): Sporadic | null {
  const latest = strays.at(-1) ?? free.at(-1);
  if (latest === undefined || payee.direction === "IN") return null;
  const isSoldBySubscription =
    payee.product === null || isMiddleman(payee.product) ? sellsOnlySubscriptions(latest) : true;
  const isDear = latest.cost >= uncommonCostMin * usualCost;
  const isCollected = latest.kind === "DIRECT_DEBIT" && latest.cost >= collectedCostMin * usualCost;
  const dated = isDear ? free : isCollected ? strays : [];
  const scattered = scatteredService(payee, dated, asOfAt, country, holding);
  if (scattered !== null) return scattered;
  if (strays.length >= paymentsMin) {
    const isKnown = isSoldBySubscription || (payee.gateway === null && recursSurely(latest));
    return isKnown && hasFixedPrice(strays) && areSteady(gapsOf(strays), payee.gateway !== null)
      ? {
          payee,
          payments: [...strays],
          frequency: "UNKNOWN",
          prediction: predictSporadic(strays, asOfAt, holding),
          confidence: confidenceOfSeveral,
        }
      : null;
  }
  return isSoldBySubscription && strays.length > 0 ? firstPayments(payee, strays, asOfAt, country, holding) : null;
}

/**
 * Gaps vary by no more than this share of their mean where something recurs, however loosely. Two are as near to each other
 * by chance more often than not: behind a gateway, where films are lent under the name of what is subscribed to, they
 * must be nearer.
 */
const steadyVariationMax = 0.6;
const steadyVariationOfTwoMax = 0.35;

function areSteady(gaps: readonly number[], isThrough: boolean): boolean {
  return variationOf(gaps) <= (isThrough && gaps.length <= 2 ? steadyVariationOfTwoMax : steadyVariationMax);
}

/** Paid by hand or collected as it suits: so many payments of one price, and no others, at gaps around a cadence's. */
const scatteredPaymentsMin = 8;
/** A price that is kept for so many payments is one, though another one follows it. */
const paymentsPerPriceMin = 4;
const scatteredVariationMax = 0.6;
const scatteredGapRatioMax = 1.25;
const gapsWithoutPaymentMax = 3;
/** What costs no more than other things, as a lunch, a ticket or a haircut, is bought as they are, unless it is collected. */
const uncommonCostMin = 3;
/** Fees are collected too, with whatever they are for. */
const collectedCostMin = 0.25;

/** What is always paid at one price, about as often as a cadence says, on days that nobody keeps. */
function scatteredService(
  payee: Payee,
  strays: readonly Payment[],
  asOfAt: number,
  country: string,
  holding?: Holding,
): Sporadic | null {
  if (strays.length < scatteredPaymentsMin || strays.length < payee.payments.length) return null;
  const latest = lastOf(strays);
  if (!keepsPrices(strays) && !(latest.kind !== "CARD" && haveUsualPrice(strays))) return null;
  const gaps = gapsOf(strays);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  if (variationOf(gaps) > scatteredVariationMax || Math.max(...gaps) > gapsWithoutPaymentMax * mean) return null;
  const cadence = cadences.find(({ days }) => days > 1 && Math.max(days / mean, mean / days) <= scatteredGapRatioMax);
  if (cadence === undefined) return null;
  const prediction = predict(fitSchedule([latest.at], cadence, country), [latest.at], asOfAt, country, holding);
  const { frequency } = cadence;
  return { payee, payments: [...strays], frequency, prediction, confidence: confidenceOfSeveral };
}

/** Where so many payments have one price, which nobody chose, others may be a part of it or up to twice as much: arrears. */
const usualPriceShareMin = 0.4;
const logArrearsMax = 0.8;

/** Whether many have one price and the others are parts or multiples of it, as a loan is paid by who is late. */
function haveUsualPrice(payments: readonly Payment[]): boolean {
  const byPrice = Map.groupBy(payments, ({ price }) => price);
  const usual = [...byPrice.values()].reduce((most, own) => (own.length > most.length ? own : most));
  const { logCost } = firstOf(usual);
  return (
    usual.length >= usualPriceShareMin * payments.length &&
    !isRoundPrice(firstOf(usual)) &&
    payments.every((payment) => Math.abs(payment.logCost - logCost) <= logArrearsMax)
  );
}

/** Whether each price is kept for a while, and gone for good when another one follows. */
function keepsPrices(payments: readonly Payment[]): boolean {
  let kept = 1;
  for (let index = 1; index < payments.length; index++) {
    if (isSamePrice(itemAt(payments, index), itemAt(payments, index - 1))) kept++;
    else if (kept < paymentsPerPriceMin) return false;
    else kept = 1;
  }
  return kept >= paymentsPerPriceMin;
}

function gapsOf(payments: readonly Payment[]): number[] {
  return payments.slice(1).map(({ at }, index) => at - itemAt(payments, index).at);
}

/** Standard deviation over mean. */
function variationOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return mean === 0 ? Infinity : Math.sqrt(variance) / mean;
}

/** Continuity and subscription merchants (ISO 18245). */
const subscriptionCategory = 5968;

function sellsOnlySubscriptions({ transaction }: Payment): boolean {
  return transaction.mcc === subscriptionCategory;
}

/**
 * First payments for what is only sold by subscription: the next one is taken to come after the gap seen, or at its
 * usual frequency.
 */
function firstPayments(
  payee: Payee,
  strays: readonly Payment[],
  asOfAt: number,
  country: string,
  holding?: Holding,
): Sporadic | null {
  const cadence = cadenceSeen(strays) ?? usualCadence(payee);
  if (cadence === null) return null;
  const { at } = lastOf(strays);
  const prediction = predict(fitSchedule([at], cadence, country), [at], asOfAt, country, holding);
  if (prediction.status === "INACTIVE") return null;
  const { frequency } = cadence;
  return { payee, payments: [...strays], frequency, prediction, confidence: confidenceOfFirst };
}

/** The cadence of which two payments are one period apart; the price may differ, as after a trial. */
function cadenceSeen(payments: readonly Payment[]): Cadence | null {
  const [earlier, later] = payments;
  if (earlier === undefined || later === undefined) return null;
  return (
    cadences.find(
      (cadence) => Math.abs(deviation(earlier, later, cadence, 1)) <= Math.min(closedDaysUsual, cadence.toleranceDays),
    ) ?? null
  );
}

/** Days by which closed days and billing move a payment; of two payments nothing further apart shows a cadence. */
const closedDaysUsual = 3;

/** Most things recur monthly. */
function usualCadence({ product }: Payee): Cadence | null {
  return cadenceOf(product?.frequencies[0] ?? "MONTHLY");
}

function recursSurely({ transaction }: Payment): boolean {
  const category: MerchantCategory | null = transaction.mcc === null ? null : merchantCategory(transaction.mcc);
  return category !== null && category.recurring === "LIKELY" && category.confidence >= categoryConfidenceMin;
}

/** Sporadic payments are over when nothing came for this many of their usual gaps. */
const gapsUntilInactive = 2;

function predictSporadic(payments: readonly Payment[], asOfAt: number, holding?: Holding): Prediction {
  const gaps = gapsOf(payments).sort((a, b) => a - b);
  const usualGap = Math.max(1, itemAt(gaps, gaps.length >> 1));
  const nextAt = lastOf(payments).at + usualGap;
  const overAt = nextAt + gapsUntilInactive * usualGap + 1;
  const isOver = asOfAt >= overAt;
  if (!isOver) holding?.changesAt(asOfAt > nextAt ? overAt : nextAt + 1);
  return { nextAt, status: isOver ? "INACTIVE" : "ACTIVE", isOverdue: !isOver && asOfAt > nextAt };
}
