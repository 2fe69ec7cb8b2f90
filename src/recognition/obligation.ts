/**
 * A series with its payee and its fitted schedule: what is joined across names, and what a service is made from.
 */
import type { Cadence } from "./cadence.ts";
import { isSamePrice } from "./chain.ts";
import type { Payment } from "./history.ts";
import { type Payee, titleOf } from "./payee.ts";
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
  prior: readonly PriorReason[];
  /** Keys of the other payees under whose names it went before or after. */
  aliases: readonly string[];
};

export function obligationOf(payee: Payee, series: Series, prior: readonly PriorReason[]): Obligation {
  return { payee, title: titleOf(payee, series.payments), ...series, prior, aliases: [] };
}

/** Prices that repeat at least this often are fixed, with steps; else the bill follows use. */
const FIXED_PRICE_SHARE = 0.5;
/** Older prices say nothing about today's tariff. */
const PRICES_MAX = 8;

/** Whether the price is fixed (changing by steps) or follows use. One payment counts as fixed. */
export function hasFixedPrice(payments: readonly Payment[]): boolean {
  const recent = payments.slice(-PRICES_MAX);
  if (recent.length < 2) return true;
  let same = 0;
  for (let index = 1; index < recent.length; index++) if (isSamePrice(recent[index - 1]!, recent[index]!)) same++;
  return same >= FIXED_PRICE_SHARE * (recent.length - 1);
}
