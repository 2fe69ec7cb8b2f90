/**
 * First payments that tend to turn into a membership: a trial at a product known for it, or a small first payment in a
 * merchant category that sells them. Pure. Source: services.md, "Alerts".
 */
import { type Day, addDays } from "../../time/calendar.ts";
import type { Money } from "../../money.ts";
import { findProduct } from "../../payments/catalogue.ts";
import type { ServiceContext } from "./cost.ts";
import { kindOf, merchantIn, prepare } from "../../payments/history.ts";
import type { HistoryTransaction, Payment } from "../../payments/payment.ts";
import { groupByPayee } from "../../payments/payee.ts";
import type { RecognitionContext } from "../recognise.ts";
import { firstOf } from "../../present.ts";

/**
 * Continuity and subscription merchants, inbound telemarketing, other direct marketing, dating services (ISO 18245).
 */
const membershipCategories: ReadonlySet<number> = new Set([5968, 5967, 5969, 7273]);
/** A trial costs next to nothing. Told in both currencies, since the Danish limit is a round number of its own. */
const trialCostMinorMax: Readonly<Record<string, number>> = { EUR: 700, DKK: 5_000 };
/** A trial runs a month at most: later the warning is of no use. */
const warnedWithinDays = 30;

export type MembershipPayment = { payeeKey: string; payment: HistoryTransaction };

/** First payments to such payees in the last days, by day; at most one a payee. */
export function membershipPayments(
  history: readonly HistoryTransaction[],
  context: RecognitionContext,
  convert: ServiceContext["convert"],
): MembershipPayment[] {
  const since = addDays(context.asOf, -warnedWithinDays);
  const isRecent = ({ day }: HistoryTransaction): boolean => day > since && day <= context.asOf;
  const recent = history.filter((row) => isRecent(row) && mayStartMembership(row, context.country, convert));
  const candidates = new Set(recent.filter((row) => !wasPaidBefore(row, history, since)).map(({ txid }) => txid));
  // Grouping a whole history is worth its time only for the few who have a candidate.
  if (candidates.size === 0) return [];
  return groupByPayee(prepare(history, context.asOf), context.country)
    .flatMap(({ key, direction, payments }) =>
      direction === "OUT" ? [{ payeeKey: key, payment: first(payments) }] : [],
    )
    .filter(({ payment }) => candidates.has(payment.txid));
}

/** Under the same text before the last days: then nothing begins, however the payee's other names are joined. */
function wasPaidBefore(row: HistoryTransaction, history: readonly HistoryTransaction[], since: Day): boolean {
  const isEarlier = ({ day, amountMinor, rawType }: HistoryTransaction): boolean =>
    day <= since && amountMinor < 0 && kindOf(rawType) !== "CASH";
  const { text } = merchantIn(row);
  return history.some((other) => isEarlier(other) && merchantIn(other).text === text);
}

function first(payments: readonly Payment[]): HistoryTransaction {
  return firstOf(payments).transaction;
}

function mayStartMembership(row: HistoryTransaction, country: string, convert: ServiceContext["convert"]): boolean {
  if (row.amountMinor >= 0) return false;
  if (findProduct(merchantIn(row), country)?.hasTrial) return true;
  return (
    row.mcc !== null &&
    membershipCategories.has(row.mcc) &&
    isTrialCost({ minor: -row.amountMinor, currency: row.currency }, row.day, convert)
  );
}

function isTrialCost(cost: Money, day: string, convert: ServiceContext["convert"]): boolean {
  const compared = cost.currency in trialCostMinorMax ? cost : convert(cost, "EUR", day);
  const most = compared === null ? undefined : trialCostMinorMax[compared.currency];
  return compared !== null && most !== undefined && compared.minor <= most;
}
