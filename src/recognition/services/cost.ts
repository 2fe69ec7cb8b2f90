/**
 * What a service costs: its payments, its expected next payment and its yearly cost in the brand's currency.
 */
import { type Day, addDays, dayNumber, daysBetween } from "../../time/calendar.ts";
import { type Money, toNumber } from "../../money.ts";
import type { Holding } from "../holding.ts";
import { paymentsPerYear } from "./facts.ts";
import { inCurrency } from "../../payments/converted.ts";
import type { Convert, Converted } from "../../rates/rates.ts";
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
  convert: Convert;
  /** Stable number of a payment, a safe integer. */
  paymentId: (payment: HistoryTransaction) => number;
  /** Products (catalogue ids) that the brand does not show. */
  hiddenProductIds: ReadonlySet<string>;
  /** Told until when what is made stays as it is while nothing comes. */
  holding?: Holding | undefined;
};

/** A payment as a cost: positive when money left. */
export function servicePayment(payment: HistoryTransaction, context: ServiceContext): ServicePayment {
  const cost = costOf(payment, context);
  const original = originalOf(payment);
  return {
    id: context.paymentId(payment),
    sourceTransactionId: payment.txid,
    amount: toNumber(cost),
    currency: cost.currency,
    ...markOf(cost),
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
 * The expected payment in the brand's currency: at the last payment's own rate while it is young, else at the latest,
 * of the currency in which it is priced. Where nothing converts it, it stays in the account's currency.
 */
export function expectedAmount(recognised: RecognisedService, context: ServiceContext): Converted {
  const { currency, convert, asOf } = context;
  const latest = lastOf(recognised.payments);
  const own = { minor: recognised.expectedAmountMinor, currency: recognised.currency };
  const original = expectedOriginal(recognised);
  const isYoung = daysBetween(latest.day, asOf) < paymentRateDaysMax;
  if (original.currency === currency) return original;
  if (isYoung) context.holding?.changesAt(dayNumber(latest.day) + paymentRateDaysMax);
  if (isYoung || original.currency === own.currency)
    return own.currency === currency
      ? own
      : (convert(own, currency, isYoung ? latest.day : asOf) ?? convert(original, currency, asOf) ?? own);
  return convert(original, currency, asOf) ?? convert(own, currency, asOf) ?? own;
}

/** The expected payment in the currency in which it is priced: as much more or less than the latest as the account pays. */
export function expectedOriginal({ payments, expectedAmountMinor }: RecognisedService): Money {
  const latest = lastOf(payments);
  const { minor, currency } = originalOf(latest);
  const paid = Math.abs(latest.amountMinor);
  return { minor: paid === 0 ? Math.abs(minor) : Math.round((Math.abs(minor) * expectedAmountMinor) / paid), currency };
}

/** As a cost; in its own currency where nothing converts it. */
function costOf(payment: HistoryTransaction, { convert, currency }: ServiceContext): Converted {
  const paid = inCurrency(payment, currency, convert) ?? { minor: payment.amountMinor, currency: payment.currency };
  return { ...paid, minor: -paid.minor };
}

/** At the day's rate; as it is where none is known. */
export function convertedAt(money: Money, day: Day, { convert, currency }: ServiceContext): Money {
  return money.currency === currency ? money : (convert(money, currency, day) ?? money);
}

/** Of an amount that an old rate made. */
export function markOf({ rateDate }: Converted): { rateDate?: Day } {
  return rateDate === undefined ? {} : { rateDate };
}

/** "Last twelve months", in days. */
export const yearDays = 365;

/** What left and came back in the 365 days to asOf, in the brand's currency; what nothing converts is only counted. */
export type YearTotal = { total: Money; unconverted: number };

/** Payments less refunds. */
export function totalLastTwelveMonths(recognised: RecognisedService, context: ServiceContext): YearTotal {
  const from = addDays(context.asOf, -yearDays);
  const rows = [...recognised.payments, ...recognised.refunds].filter(({ day }) => day > from && day <= context.asOf);
  // Each leaves the year on a day of its own; so does the first payment, with which a whole year has been seen.
  for (const { day } of rows) context.holding?.changesAt(dayNumber(day) + yearDays);
  const converted = rows.map((row) => costOf(row, context)).filter(({ currency }) => currency === context.currency);
  return {
    total: { minor: sumOf(converted.map(({ minor }) => minor)), currency: context.currency },
    unconverted: rows.length - converted.length,
  };
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
