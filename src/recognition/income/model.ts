/**
 * Recurring income as it is served: the series that recognition finds, with ids that outlive its runs as those of
 * services do. Pure.
 */
import { hash } from "node:crypto";
import type { IncomePayment, IncomeResponse, IncomeSeries } from "../../interface/income.ts";
import { type Money, toNumber } from "../../money.ts";
import { itemAt, lastOf } from "../../present.ts";
import type { HistoryTransaction, RecognisedService } from "../recognise.ts";
import {
  expectedAmount,
  markOf,
  type ServiceContext,
  servicePayment,
  totalLastTwelveMonths,
  yearlyCost,
} from "../services/cost.ts";
import { assignIds, type KnownService } from "../services/identity.ts";
import { rounded, runningThenByNextDate, sumOf } from "../services/overview.ts";
import { factsShown } from "../services/service.ts";

/** What the last run left. series: every one that was ever found, oldest first. digest: null where no run was. */
export type KnownIncome = { series: readonly KnownService[]; digest: string | null };

export const incomeUnknown: KnownIncome = { series: [], digest: null };

/** As it is stored: two JSON texts, an IncomeResponse and KnownIncome's series. */
export type IncomeModel = { document: string; series: string };

/** @param subject the user's. @param found the income that `recognise` found. */
export function modelIncome(
  subject: string,
  found: readonly RecognisedService[],
  known: readonly KnownService[],
  context: ServiceContext,
): IncomeModel {
  const named = found.map(({ key, payments }) => ({ key, txids: payments.map(({ txid }) => txid) }));
  const assigned = assignIds(subject, known, named);
  const income = found.map((one, index) => incomeSeries(one, itemAt(assigned, index).id, context));
  const now = new Map(named.map((one, index) => [itemAt(assigned, index).id, one]));
  const merged = new Set(assigned.flatMap(({ mergedIds }) => mergedIds));
  const series: KnownService[] = [
    // What is lost keeps its place: it may be found again.
    ...known.filter(({ id }) => !merged.has(id)).map((one) => ({ ...one, ...now.get(one.id) })),
    ...named.flatMap((one, index) => {
      const { id, isNew } = itemAt(assigned, index);
      return isNew ? [{ id, ...one }] : [];
    }),
  ];
  return { document: JSON.stringify(incomeResponse(income, context)), series: JSON.stringify(series) };
}

/** Whether nothing of it need be written. */
export function isSameIncome({ document, series }: IncomeModel, { digest }: KnownIncome): boolean {
  return digest !== null && hash("md5", document + series) === digest;
}

function incomeResponse(income: readonly IncomeSeries[], { currency }: ServiceContext): IncomeResponse {
  // What no rate could convert is in another currency than the sum.
  const running = income.filter(
    (one) => one.status === "ACTIVE" && one.visibility === "VISIBLE" && one.currency === currency,
  );
  const unconverted = sumOf(income.map(({ unconvertedPayments = 0 }) => unconvertedPayments));
  return {
    averageTotalAmount: rounded(sumOf(running.map(({ yearlyAmount }) => yearlyAmount)) / 12, currency),
    income: income.toSorted(runningThenByNextDate),
    totalAmountLastTwelveMonths: rounded(
      sumOf(income.map(({ totalAmountLastTwelveMonths: total }) => total)),
      currency,
    ),
    ...(unconverted === 0 ? {} : { unconvertedPayments: unconverted }),
  };
}

/** Positive when money came. */
function incomeSeries(recognised: RecognisedService, id: string, context: ServiceContext): IncomeSeries {
  const latest = lastOf(recognised.payments);
  const amount = expectedAmount(recognised, context);
  const { total: cost, unconverted } = totalLastTwelveMonths(recognised, context);
  const total: Money = { ...cost, minor: 0 - cost.minor };
  return {
    id,
    title: recognised.title,
    amount: toNumber(amount),
    currency: amount.currency,
    ...markOf(amount),
    paymentFrequency: recognised.paymentFrequency,
    accountId: latest.accountId,
    iban: latest.iban,
    status: recognised.status,
    visibility: recognised.visibility,
    payments: recognised.payments.map((payment) => incomePayment(payment, context)).toReversed(),
    yearlyAmount: yearlyCost(recognised, amount, total, context.asOf),
    totalAmountLastTwelveMonths: toNumber(total),
    ...(unconverted === 0 ? {} : { unconvertedPayments: unconverted }),
    nextExpectedTransactionDate: recognised.nextExpectedDay,
    ...factsShown(recognised, context),
  };
}

function incomePayment(payment: HistoryTransaction, context: ServiceContext): IncomePayment {
  const { amount, originalAmount, ...cost } = servicePayment(payment, context);
  const { id, sourceTransactionId, currency, rateDate, originalCurrency, date } = cost;
  return {
    id,
    sourceTransactionId,
    amount: 0 - amount,
    currency,
    ...(rateDate === undefined ? {} : { rateDate }),
    originalAmount: 0 - originalAmount,
    originalCurrency,
    date,
  };
}
