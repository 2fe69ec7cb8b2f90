/**
 * Instalments: payments that count themselves, as "3 of 12", against one total. 12/12 alone is also a date, so only a
 * counter that was seen counting up is one.
 */
import type { Payment } from "../../payments/payment.ts";
import { numberFromParts } from "../../time/calendar.ts";
import { itemAt, lastOf } from "../../present.ts";

/** How far a plan is paid off. */
export type Instalments = { paid: number; total: number };

const totalMax = 120;
/** Normalised: digits around a slash or the word for "of" in the languages we meet. */
const counterPattern = /\b(\d{1,3}) ?(?:\/|OF|VON|AV|AF|VAN|SUR|DE|Z|ZE|DI)(?: |\b)(\d{1,3})\b/gi;

/** How far the plan that the payments (by day) count is paid off; null where they count nothing. */
export function instalmentsOf(payments: readonly Payment[]): Instalments | null {
  if (payments.length < 2) return null;
  const latest = countersOf(lastOf(payments));
  const before = countersOf(itemAt(payments, payments.length - 2));
  const counter =
    latest.find(
      ({ paid, total }) =>
        before.some((one) => one.total === total && one.paid === paid - 1) && countsUp(payments, { paid, total }),
    ) ?? null;
  return counter === null || payments.every(isDated) ? null : counter;
}

/** Lines name the day of the purchase, which is booked within so many days. */
const bookedDaysMax = 7;
const datePattern = /\b(\d{2})\/(\d{2})\b/g;

/** Whether the line has the payment's own day, 03/04: month by month that counts up, too. */
function isDated({ transaction: { description, day }, at }: Payment): boolean {
  const year = Number(day.slice(0, 4));
  const isDay = (month: number, dayOfMonth: number): boolean => {
    if (month < 1 || month > 12 || dayOfMonth < 1 || dayOfMonth > 31) return false;
    const daysAfter = at - numberFromParts(year, month, dayOfMonth);
    return daysAfter >= 0 && daysAfter <= bookedDaysMax;
  };
  return [...description.matchAll(datePattern)].some(
    ([, a, b]) => isDay(Number(a), Number(b)) || isDay(Number(b), Number(a)),
  );
}

/** Whether every payment that counts against the total has a higher number than the one before. */
function countsUp(payments: readonly Payment[], { total }: Instalments): boolean {
  let last = 0;
  for (const payment of payments) {
    const counter = countersOf(payment).find((one) => one.total === total);
    if (counter === undefined) continue;
    if (counter.paid <= last) return false;
    last = counter.paid;
  }
  return true;
}

function countersOf({ transaction: { description, merchantName } }: Payment): Instalments[] {
  const text = merchantName === null ? description : `${merchantName} ${description}`;
  if (!/\d/.test(text)) return [];
  const counters: Instalments[] = [];
  for (const [, paid, total] of text.matchAll(counterPattern)) {
    const counter = { paid: Number(paid), total: Number(total) };
    if (counter.paid >= 1 && counter.paid <= counter.total && counter.total >= 2 && counter.total <= totalMax)
      counters.push(counter);
  }
  return counters;
}
