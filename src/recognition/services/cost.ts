/**
 * What a service costs: its payments, its expected next payment and its yearly cost in the brand's currency.
 */
import { type Day, addDays, daysBetween } from "../../time/calendar.ts";
import { type Money, toNumber } from "../../money.ts";
import { paymentsPerYear } from "./facts.ts";
import type { HistoryTransaction, RecognisedService } from "../recognise.ts";
import type { ServicePayment } from "../../interface/services.ts";
import { firstOf, lastOf } from "../../present.ts";

export type ServiceContext = {
  asOf: Day;
  /** The brand's, ISO 3166-1 alpha-2. */
  country: string;
  /** The brand's currency. */
  currency: string;
  /**
   * Day of the import marker; what is older is history, about which nobody is told. Null before the import is complete.
   */
  importCompletedDay: Day | null;
  /** Without trailing slash. */
  imageBaseUrl: string;
  /** Converts at the day's rate; null when none is known. */
  convert: (money: Money, currency: string, day: Day) => Money | null;
  /** Stable number of a payment, a safe integer. */
  paymentId: (txid: string) => number;
  /** Products (catalogue ids) that the brand does not show. */
  hiddenProductIds: ReadonlySet<string>;
};

/** A payment as a cost: positive when money left. */
export function servicePayment(payment: HistoryTransaction, context: ServiceContext): ServicePayment {
  const cost = convertedAt({ minor: -payment.amountMinor, currency: payment.currency }, payment.day, context);
  const original = originalOf(payment);
  return {
    id: context.paymentId(payment.txid),
    sourceTransactionId: payment.txid,
    amount: toNumber(cost),
    currency: cost.currency,
    originalAmount: toNumber(original),
    originalCurrency: original.currency,
    date: payment.day,
  };
}

/**
 * What was paid in the currency in which it was priced, positive for a cost; where none is told, what the account paid.
 */
export function originalOf(payment: HistoryTransaction): Money {
  const { originalAmountMinor, originalCurrency } = payment;
  if (originalAmountMinor === null || originalCurrency === null)
    return { minor: -payment.amountMinor, currency: payment.currency };
  // Banks write original amounts with either sign; the account's tells the direction.
  return { minor: -Math.sign(payment.amountMinor) * Math.abs(originalAmountMinor), currency: originalCurrency };
}

/** Rates older than this say less than the one at which the last payment itself was converted. */
const paymentRateDaysMax = 40;

/**
 * The expected payment in the brand's currency: at the last payment's own rate while it is young, else at the latest.
 */
export function expectedAmount(recognised: RecognisedService, context: ServiceContext): Money {
  const latest = lastOf(recognised.payments);
  const own = { minor: recognised.expectedAmountMinor, currency: recognised.currency };
  const original = originalOf(latest);
  const isForeign = original.currency !== latest.currency && latest.currency === context.currency;
  if (isForeign && daysBetween(latest.day, context.asOf) >= paymentRateDaysMax && recognised.evidence.isFixedPrice) {
    const priced = { minor: Math.abs(original.minor), currency: original.currency };
    return context.convert(priced, context.currency, context.asOf) ?? own;
  }
  return convertedAt(own, latest.day, context);
}

/** At the day's rate; as it is where none is known. */
export function convertedAt(money: Money, day: Day, { convert, currency }: ServiceContext): Money {
  return money.currency === currency ? money : (convert(money, currency, day) ?? money);
}

/** "Last twelve months", in days. */
export const yearDays = 365;

/** Payments less refunds in the 365 days to asOf, in the brand's currency; what no rate is known for is left out. */
export function totalLastTwelveMonths(recognised: RecognisedService, context: ServiceContext): Money {
  const from = addDays(context.asOf, -yearDays);
  const rows = [...recognised.payments, ...recognised.refunds].filter(({ day }) => day > from && day <= context.asOf);
  const costs = rows.map((row) => convertedAt({ minor: -row.amountMinor, currency: row.currency }, row.day, context));
  const inBrandCurrency = costs.filter(({ currency }) => currency === context.currency);
  return { minor: sumOf(inBrandCurrency.map(({ minor }) => minor)), currency: context.currency };
}

/**
 * Expected cost of the next twelve months, in currency units: a fixed price times its payments; of a bill that follows
 * use what a whole year of it cost, where one was seen; without a cadence what the last twelve months cost.
 */
export function yearlyCost(recognised: RecognisedService, amount: Money, total: Money, asOf: Day): number {
  const payments = paymentsPerYear(recognised);
  if (payments === null) return toNumber(total);
  const sawWholeYear = daysBetween(firstOf(recognised.payments).day, asOf) >= yearDays;
  if (!recognised.evidence.isFixedPrice && recognised.instalments === null && sawWholeYear) return toNumber(total);
  return toNumber({ ...amount, minor: Math.round(amount.minor * payments) });
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
