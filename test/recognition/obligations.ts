/**
 * What recognition makes of rows on its way, for the tests of one step: prepared payments, payees, runs and
 * obligations.
 */
import { type Day, dayNumber } from "../../src/time/calendar.ts";
import { type Cadence, cadenceOf, missesOf, type RegularFrequency } from "../../src/recognition/search/cadence.ts";
import { productById } from "../../src/payments/catalogue.ts";
import { prepare } from "../../src/payments/history.ts";
import type { HistoryTransaction, Payment } from "../../src/payments/payment.ts";
import { type Obligation, obligationOf } from "../../src/recognition/search/obligation.ts";
import type { Payee } from "../../src/payments/payee.ts";
import { fitSchedule } from "../../src/recognition/search/schedule.ts";
import type { Series } from "../../src/recognition/search/series.ts";
import { row } from "./payments.ts";

/** Later than every row of the tests. */
const endOfTests = "2030-01-01";

/** The rows prepared, by day. */
export function prepared(history: readonly HistoryTransaction[]): Payment[] {
  return prepare(history, endOfTests);
}

/** What was paid (in øre, positive) on each of the days to one merchant. */
export function paid(
  days: readonly Day[],
  minor: number,
  name = "Sundby Motion",
  more: Partial<HistoryTransaction> = {},
): Payment[] {
  return prepared(days.map((day) => row(day, name, -minor, more)));
}

/** What was paid on each day, with the amounts in their order. */
export function paidAmounts(days: readonly Day[], minors: readonly number[], name = "Sundby Motion"): Payment[] {
  return prepared(days.map((day, index) => row(day, name, -minors[index]!)));
}

/** A payee that has these payments. @param product id in the catalogue. */
export function payeeWith(
  payments: Payment[],
  more: Partial<Omit<Payee, "product">> & { product?: string } = {},
): Payee {
  const { product, ...others } = more;
  const direction = payments[0]!.transaction.amountMinor < 0 ? "OUT" : "IN";
  return {
    key: payments.at(-1)!.merchant.key,
    gateway: null,
    direction,
    payments,
    ...others,
    product: product === undefined ? null : productById(product)!,
  };
}

export const cadence = (frequency: RegularFrequency): Cadence => cadenceOf(frequency)!;

/** The payments as a run of the frequency, with the rule fitted to them. */
export function runOf(payments: Payment[], frequency: RegularFrequency = "MONTHLY"): Series {
  const schedule = fitSchedule(
    payments.map(({ at }) => at),
    cadence(frequency),
    "DK",
  );
  return {
    cadence: cadence(frequency),
    payments,
    misses: missesOf(payments, cadence(frequency)),
    schedule,
    logOdds: 5,
    ruleFrom: payments[0]!.at,
  };
}

/** An obligation of these payments alone. */
export function obligationWith(
  payments: Payment[],
  frequency: RegularFrequency = "MONTHLY",
  payee: Payee = payeeWith(payments),
): Obligation {
  return obligationOf(payee, runOf(payments, frequency), []);
}

export function daysOf(payments: readonly Payment[]): Day[] {
  return payments.map(({ transaction }) => transaction.day);
}

export function costsOf(payments: readonly Payment[]): number[] {
  return payments.map(({ cost }) => cost);
}

export const at = (day: Day): number => dayNumber(day);
