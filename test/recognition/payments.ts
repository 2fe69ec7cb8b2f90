/** Histories for the tests: rows of one made-up user in a Danish brand. */
import { type Day, addDays, addMonths } from "../../src/time/calendar.ts";
import type { HistoryTransaction, RecognisedService, RecognitionContext } from "../../src/recognition/recognise.ts";
import { recognise } from "../../src/recognition/recognise.ts";

export const context: RecognitionContext = { asOf: "2026-06-30", country: "DK", currency: "DKK" };

/** A row that says nothing special; the id follows from name and day unless given. */
export function row(
  day: Day,
  description: string,
  amountMinor: number,
  more: Partial<HistoryTransaction> = {},
): HistoryTransaction {
  return {
    txid: `${description} ${day} ${amountMinor}`,
    day,
    rawType: "PAYMENT",
    description,
    amountMinor,
    currency: "DKK",
    originalAmountMinor: null,
    originalCurrency: null,
    merchantName: null,
    merchantCid: null,
    merchantCountry: null,
    mcc: null,
    accountId: "account-1",
    cardId: null,
    iban: null,
    ...more,
  };
}

/** Rows on each of the days. */
export function rows(
  days: readonly Day[],
  description: string,
  amountMinor: number,
  more: Partial<HistoryTransaction> = {},
): HistoryTransaction[] {
  return days.map((day) => row(day, description, amountMinor, more));
}

/** The same day of every so many months, `count` times. */
export function monthly(first: Day, count: number, months = 1): Day[] {
  return Array.from({ length: count }, (_, index) => addMonths(first, index * months, Number(first.slice(8, 10))));
}

export function everyDays(first: Day, count: number, days: number): Day[] {
  return Array.from({ length: count }, (_, index) => addDays(first, index * days));
}

/** What is recognised for money leaving; asOf may be moved. */
export function services(history: readonly HistoryTransaction[], asOf: Day = context.asOf): RecognisedService[] {
  return recognise(history, { ...context, asOf }).services;
}
