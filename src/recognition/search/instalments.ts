/**
 * Instalments: payments that count themselves, as "3 of 12", against one total. 12/12 alone is also a date, so only a
 * counter that was seen counting up is one.
 */
import type { Payment } from "../../payments/payment.ts";
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
  return (
    latest.find(
      ({ paid, total }) =>
        before.some((one) => one.total === total && one.paid === paid - 1) && countsUp(payments, { paid, total }),
    ) ?? null
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
