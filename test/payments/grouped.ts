/** Lines of a bank, and the payees that they are grouped into. */
import { addDays } from "../../src/time/calendar.ts";
import { prepare } from "../../src/payments/history.ts";
import type { HistoryTransaction, Payment } from "../../src/payments/payment.ts";
import { type Payee, groupByPayee } from "../../src/payments/payee.ts";
import { context, row } from "../recognition/payments.ts";

export type Line = string | readonly [description: string, amountMinor: number, more?: Partial<HistoryTransaction>];

/**
 * One payment a day, in this order, none looked at beside the others. Where no amount is told each has one of its own.
 */
export function paid(...lines: readonly Line[]): Payment[] {
  return lines.flatMap((line, at) => {
    const [description, amountMinor = -10_00 - at, more = {}] = typeof line === "string" ? [line] : line;
    return prepare([row(addDays("2025-01-01", at), description, amountMinor, more)], context.asOf);
  });
}

export function payees(...lines: readonly Line[]): Payee[] {
  return groupByPayee(paid(...lines), "DK");
}

/** Keys, each with the days of January 2025 on which it was paid. */
export function daysByKey(...lines: readonly Line[]): Record<string, number[]> {
  return Object.fromEntries(
    payees(...lines).map(({ direction, key, payments }) => [
      direction === "OUT" ? key : `${key} (in)`,
      payments.map(({ dayOfMonth }) => dayOfMonth),
    ]),
  );
}
