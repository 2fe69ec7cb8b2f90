/**
 * A series with its payee and its fitted schedule: what is joined across names, and what a service is made from.
 */
import type { Cadence } from "./cadence.ts";
import type { Payment } from "../../payments/payment.ts";
import { type Payee, titleOf } from "../../payments/payee.ts";
import type { PriorReason } from "./prior.ts";
import type { Schedule } from "./schedule.ts";
import type { Series } from "./series.ts";

export type Obligation = {
  payee: Payee;
  title: string;
  cadence: Cadence;
  /** By day. */
  payments: Payment[];
  logOdds: number;
  misses: number;
  schedule: Schedule;
  /** Day number from which the cadence and the schedule hold. */
  ruleFrom: number;
  prior: readonly PriorReason[];
  /** Keys of the other payees under whose names it went before or after. */
  aliases: readonly string[];
};

export function obligationOf(payee: Payee, series: Series, prior: readonly PriorReason[]): Obligation {
  return obligationNamed(payee, titleOf(payee, series.payments), series, prior);
}

/** The same where its title is known. */
export function obligationNamed(
  payee: Payee,
  title: string,
  series: Series,
  prior: readonly PriorReason[],
): Obligation {
  return { payee, title, ...series, prior, aliases: [] };
}

/** Days, ascending, of the payments that follow the present rule. */
export function datesUnderRule({ payments, ruleFrom }: Pick<Obligation, "payments" | "ruleFrom">): number[] {
  return payments.filter(({ at }) => at >= ruleFrom).map(({ at }) => at);
}
