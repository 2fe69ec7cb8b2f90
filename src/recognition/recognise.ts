/**
 * From one user's history to the user's recurring payments. Pure and deterministic; neither the order of the rows nor
 * rows sent twice change the result.
 */
import { type Day, dayNumber } from "../time/calendar.ts";
import { joinContinuations } from "./search/continuation.ts";
import { outgoingOf } from "./search/follower.ts";
import type { Holding } from "./holding.ts";
import { kinshipOf } from "./search/kinship.ts";
import type { KnownSearches } from "./known-searches.ts";
import { prepare } from "../payments/history.ts";
import type { HistoryTransaction, Payment } from "../payments/payment.ts";
import type { Obligation } from "./search/obligation.ts";
import { withKindsOfLines } from "../payments/line-kind.ts";
import { ownTransferRows } from "../payments/own-transfer.ts";
import { groupByPayee, type Payee } from "../payments/payee.ts";
import { withNameNumbers } from "./services/name-number.ts";
import { withPlainTitles } from "./services/plain-title.ts";
import { type RecognisedService, fromObligation, fromSporadic } from "./services/recognised.ts";
import { withoutReversals } from "../payments/reversal.ts";
import { refundsOf } from "./search/refund.ts";
import { revived } from "./search/revive.ts";
import { isWorthAsking, type Thresholds } from "./search/confidence.ts";
import { adoptRenamed } from "./search/rename.ts";
import { type Searched, searchAll } from "./search/search.ts";
import { sporadicService } from "./search/sporadic.ts";

export type { HistoryTransaction } from "../payments/payment.ts";
export type { Evidence, RecognisedService } from "./services/recognised.ts";

/** Country (ISO 3166-1 alpha-2) and currency of the user's brand, and its thresholds where it has its own. */
export type RecognitionContext = {
  asOf: Day;
  country: string;
  currency: string;
  thresholds?: Thresholds;
  /** Told until when the result stays as it is while nothing comes. */
  holding?: Holding | undefined;
  /** What an earlier run found at the user's payees, and what is to be kept of this one; of the ledger's rows alone, which has no row twice. */
  searches?: KnownSearches | undefined;
  /** The rows come by day, then txid, as those do that were kept. */
  areInOrder?: boolean;
};

export type Recognition = { services: RecognisedService[]; income: RecognisedService[] };

export function recognise(history: readonly HistoryTransaction[], context: RecognitionContext): Recognition {
  noteLaterRows(history, context);
  const known = { areDistinct: context.searches !== undefined, areInOrder: context.areInOrder === true };
  const payments = withoutReversals(withoutOwnTransfers(prepare(history, context.asOf, known)));
  const payees = withKindsOfLines(groupByPayee(payments, context.country));
  const kinship = kinshipOf(payees);
  const outgoing = outgoingOf(payments);
  const searched = searchAll(payees, outgoing, kinship, context.country, context.searches);
  const running = joinContinuations(
    searched.flatMap(({ obligations }) => obligations),
    kinship,
    context.country,
  );
  const obligations = reviveEnded(
    adoptRenamed(running, searched, kinship, context.country, context.searches),
    searched,
    context,
  );
  const refunds = refundsOf(obligations, payees);
  const [told, untold] = [true, false].map((isTold) =>
    obligations.filter((one) => isWorthAsking(one, context.thresholds) === isTold),
  ) as [Obligation[], Obligation[]];
  const found = [
    ...told.map((one) => fromObligation(one, refunds.get(one) ?? [], context)),
    ...withoutSeries(withRestOf(searched, untold), told, outgoing.usualCost, context),
  ].sort(byKey);
  const named = withNameNumbers(withPlainTitles(found), history);
  return {
    services: named.filter(({ direction }) => direction === "OUT"),
    income: named.filter(({ direction }) => direction === "IN"),
  };
}

/** Rows of later days take part from then on. */
function noteLaterRows(history: readonly HistoryTransaction[], { asOf, holding }: RecognitionContext): void {
  if (holding === undefined) return;
  for (const { day } of history) if (day > asOf) holding.changesAt(dayNumber(day));
}

/** Nobody owes it who moves money from one account of one's own to another. */
function withoutOwnTransfers(payments: readonly Payment[]): readonly Payment[] {
  const own = ownTransferRows(payments.map(({ transaction }) => transaction));
  return own.size === 0 ? payments : payments.filter(({ transaction }) => !own.has(transaction));
}

/** What ended and is paid again, by payments in no series. */
function reviveEnded(
  obligations: readonly Obligation[],
  searched: readonly Searched[],
  { asOf, country, holding }: RecognitionContext,
): Obligation[] {
  const taken = new Set<Payment>();
  for (const { payments } of obligations) for (const payment of payments) taken.add(payment);
  const strays = new Map<Payee, readonly Payment[]>();
  for (const { payee, rest } of searched) if (rest.length > 0) strays.set(payee, rest);
  return obligations.map((obligation) => {
    const free = (strays.get(obligation.payee) ?? []).filter((payment) => !taken.has(payment));
    const one = revived(obligation, free, dayNumber(asOf), country, holding);
    for (const payment of one.payments) taken.add(payment);
    return one;
  });
}

/** What is in no series that is told, counting as left over what is in one that is not. */
function withRestOf(searched: readonly Searched[], untold: readonly Obligation[]): readonly Searched[] {
  if (untold.length === 0) return searched;
  const untoldOf = Map.groupBy(untold, ({ payee }) => payee);
  return searched.map((one) => {
    const own = untoldOf.get(one.payee);
    if (own === undefined) return one;
    const left = new Set([...one.rest, ...own.flatMap(({ payments }) => payments)]);
    return { ...one, rest: one.payee.payments.filter((payment) => left.has(payment)) };
  });
}

/** Services of payees to which nothing runs. */
function withoutSeries(
  searched: readonly Searched[],
  obligations: readonly Obligation[],
  usualCost: number,
  { asOf, country, holding }: RecognitionContext,
): RecognisedService[] {
  const taken = new Set<Payment>();
  for (const { payments } of obligations) for (const payment of payments) taken.add(payment);
  const running = new Set(obligations.map(({ payee }) => payee));
  const services: RecognisedService[] = [];
  for (const { payee, rest } of searched) {
    if (payee.direction === "IN" || rest.length === 0 || running.has(payee)) continue;
    const strays = withoutTaken(rest, taken);
    const free = withoutTaken(payee.payments, taken);
    const sporadic = sporadicService(payee, strays, usualCost, dayNumber(asOf), country, holding, free);
    if (sporadic !== null) services.push(fromSporadic(sporadic));
  }
  return services;
}

/** Of nearly all nothing was taken. */
function withoutTaken(payments: readonly Payment[], taken: ReadonlySet<Payment>): readonly Payment[] {
  return payments.some((payment) => taken.has(payment)) ? payments.filter((payment) => !taken.has(payment)) : payments;
}

function byKey(a: RecognisedService, b: RecognisedService): number {
  return a.key < b.key ? -1 : 1;
}
