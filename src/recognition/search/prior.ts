/**
 * What is known about a payee before its dates are looked at, as log odds that payments to it are an obligation.
 * Evidence from the dates is added to it; knowledge never decides alone.
 */
import { type Recurring, merchantCategory } from "../../payments/catalogue.ts";
import type { PaymentKind } from "../../payments/payment.ts";
import { type Payee, isMiddleman, sellsOthers } from "../../payments/payee.ts";
import type { SeriesPrior } from "./series.ts";
import { lastOf } from "../../present.ts";

/** Each reason with its log odds, in the order in which they were weighed; `explain` reads them out. */
export type PriorReason = {
  reason: "BASE" | "CATALOGUE" | "GATEWAY" | "MERCHANT_CATEGORY" | "PAYMENT_KIND" | "WALLET";
  logOdds: number;
};

/** Of the payees with two payments or more about one in eight is an obligation. */
const base = -2;
const catalogued = 3;
/** Behind a gateway, and in an application store, there may be anything. */
const gateway = 0.5;
/** Through a wallet and without a merchant's category people pay each other, as often as it happens. */
const wallet = -1.5;
const wallets: ReadonlySet<string> = new Set(["MOBILEPAY", "SWISH", "VIPPS"]);
const byCategory: Readonly<Record<Recurring, number>> = { LIKELY: 1.5, POSSIBLE: 0, ONE_OFF: -1.5, NEVER: -4 };
const byKind: Readonly<Record<PaymentKind, number>> = {
  DIRECT_DEBIT: 3,
  FEE: -2,
  TRANSFER: 0.5,
  INTEREST: 0.5,
  OTHER: 0,
  CARD: 0,
  CASH: -4,
};

export function priorOf(payee: Payee): PriorReason[] {
  const latest = lastOf(payee.payments);
  const reasons: PriorReason[] = [
    { reason: "BASE", logOdds: base },
    { reason: "PAYMENT_KIND", logOdds: byKind[latest.kind] },
  ];
  const { mcc } = latest.transaction;
  if (mcc === null && payee.product === null && wallets.has(payee.gateway ?? ""))
    reasons.push({ reason: "WALLET", logOdds: wallet });
  const category = mcc === null ? null : merchantCategory(mcc);
  if (payee.product !== null && !isMiddleman(payee.product)) reasons.push({ reason: "CATALOGUE", logOdds: catalogued });
  else if (category !== null) {
    reasons.push({ reason: "MERCHANT_CATEGORY", logOdds: byCategory[category.recurring] * category.confidence });
  }
  if (isMiddleman(payee.product)) reasons.push({ reason: "GATEWAY", logOdds: gateway });
  return reasons;
}

/**
 * The base rate concerns chance only; what the payee sells tells an obligation from a habit as well as from chance.
 * @param usualCost the middle one of all that the user pays; 0: not looked at.
 */
export function seriesPrior(reasons: readonly PriorReason[], payee: Payee, usualCost = 0): SeriesPrior {
  const againstHabit = sum(reasons.filter(({ reason }) => reason !== "BASE"));
  return {
    againstChance: sum(reasons),
    againstHabit,
    isCrowded: sellsOthers(payee),
    usualCost: payee.direction === "IN" ? 0 : roughly(usualCost),
  };
}

/** To the nearest power of two: a few payments to somebody else change nothing. */
function roughly(cost: number): number {
  return cost === 0 ? 0 : 2 ** Math.round(Math.log2(cost));
}

function sum(reasons: readonly PriorReason[]): number {
  return reasons.reduce((total, { logOdds }) => total + logOdds, 0);
}
