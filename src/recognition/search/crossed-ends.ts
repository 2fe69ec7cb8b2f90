/**
 * Two series at one payee whose payments were told apart by the wrong end: where their dates or prices come near each
 * other, the search for one run may leave its series and go on in the other. Exchanging the ends puts that right.
 */
import { type Cadence, logMisses, missesOf } from "./cadence.ts";
import { deviation, isSamePrice } from "./chain.ts";
import type { Payment } from "../../payments/payment.ts";
import { type Schedule, fitSchedule } from "./schedule.ts";
import { firstOf, itemAt } from "../../present.ts";

/** What follows from the payments of a series. */
export type Run = { cadence: Cadence; payments: Payment[]; misses: number; schedule: Schedule; ruleFrom: number };

/** Ends are exchanged when that makes the dates so much likelier, in log odds. */
const gainMin = 2;
/** Of a step from payment to payment: that the price changes, and that it is paid from another account or card. */
const logChangedPrice = -2;
const logOtherAccount = -2;
/** Prices mostly change by little: |log ratio| of a usual change, and what the largest costs beside. */
const logPriceSpread = 0.25;
const logLeapMin = -3;
/** That a price changes to the very one that the other series has. */
const logOthersPrice = -2;
/** A step that no tolerance allows. */
const logStray = -8;
/** Each exchange helps two series; more than these undo each other. */
const exchangesMax = 8;

/** The same series, of each payment one, with ends exchanged where both then run straighter. */
export function exchangeCrossedEnds<Series extends Run>(series: readonly Series[], country: string): Series[] {
  const straight = [...series];
  for (let exchanges = 0; exchanges < exchangesMax; exchanges++) {
    const best = bestExchange(straight);
    if (best === null) break;
    const { first, second, cut } = best;
    const [a, b] = exchangedAt(itemAt(straight, first), itemAt(straight, second), cut);
    straight[first] = { ...itemAt(straight, first), ...fitted(a, itemAt(straight, first), country) };
    straight[second] = { ...itemAt(straight, second), ...fitted(b, itemAt(straight, second), country) };
  }
  for (let first = 0; first < straight.length; first++)
    for (let second = first + 1; second < straight.length; second++) orderTwins(straight, first, second);
  return straight;
}

/**
 * Two memberships at one price that are charged on the same days: nothing tells their payments apart but the numbers
 * in the lines, of which the one that was given first is the lesser each time.
 */
function orderTwins<Series extends Run>(series: Series[], first: number, second: number): void {
  const [a, b] = [itemAt(series, first), itemAt(series, second)];
  if (a.cadence !== b.cadence) return;
  const [ofA, ofB] = [[...a.payments], [...b.payments]];
  const atB = new Map(ofB.map((payment, index) => [payment.at, index]));
  let isOrdered = true;
  ofA.forEach((payment, index) => {
    const other = atB.get(payment.at);
    const twin = other === undefined ? undefined : itemAt(ofB, other);
    if (other === undefined || twin === undefined || !isSamePrice(payment, twin)) return;
    if (payment.transaction.description <= twin.transaction.description) return;
    [ofA[index], ofB[other]] = [twin, payment];
    isOrdered = false;
  });
  if (!isOrdered)
    [series[first], series[second]] = [
      { ...a, payments: ofA },
      { ...b, payments: ofB },
    ];
}

type Exchange = { first: number; second: number; cut: number; gain: number };

function bestExchange(series: readonly Run[]): Exchange | null {
  let best: Exchange | null = null;
  for (let first = 0; first < series.length; first++) {
    for (let second = first + 1; second < series.length; second++) {
      if (itemAt(series, first).cadence !== itemAt(series, second).cadence) continue;
      const found = bestCut(itemAt(series, first), itemAt(series, second));
      if (found !== null && found.gain > (best?.gain ?? gainMin)) best = { first, second, ...found };
    }
  }
  return best;
}

/** The day from which on the ends are best exchanged; null where both would be as before, or too short. */
function bestCut(a: Run, b: Run): { cut: number; gain: number } | null {
  let best: { cut: number; gain: number } | null = null;
  let [inA, inB] = [0, 0];
  while (inA < a.payments.length || inB < b.payments.length) {
    const cut = Math.min(a.payments[inA]?.at ?? Infinity, b.payments[inB]?.at ?? Infinity);
    const isLongEnough = inA + b.payments.length - inB >= paymentsMin && inB + a.payments.length - inA >= paymentsMin;
    if (isLongEnough && inA + inB > 0) {
      const gain = gainOf(a, b, inA, inB);
      if (gain > (best?.gain ?? 0)) best = { cut, gain };
    }
    while (a.payments[inA]?.at === cut) inA++;
    while (b.payments[inB]?.at === cut) inB++;
  }
  return best;
}

const paymentsMin = 2;

function gainOf(a: Run, b: Run, inA: number, inB: number): number {
  const [headA, tailA] = [a.payments[inA - 1], a.payments[inA]];
  const [headB, tailB] = [b.payments[inB - 1], b.payments[inB]];
  return (
    logStep(headA, tailB, a) +
    logStep(headB, tailA, a) -
    logStep(headA, tailA, a) -
    logStep(headB, tailB, a) +
    logTakenPrices(headA, headB, tailB, tailA) -
    logTakenPrices(headA, headB, tailA, tailB)
  );
}

/** Of each of two series that goes on at another price than before, at that of the other. */
function logTakenPrices(
  headA: Payment | undefined,
  headB: Payment | undefined,
  ofA: Payment | undefined,
  ofB: Payment | undefined,
): number {
  if (headA === undefined || headB === undefined || isSamePrice(headA, headB)) return 0;
  const taken = (one: Payment | undefined, other: Payment): number =>
    one !== undefined && isSamePrice(other, one) ? logOthersPrice : 0;
  return taken(ofA, headB) + taken(ofB, headA);
}

/**
 * How likely one payment follows the other in a series of the cadence; where one is missing the series begins or ends.
 */
function logStep(earlier: Payment | undefined, later: Payment | undefined, { cadence }: Run): number {
  if (earlier === undefined || later === undefined) return 0;
  const periods = Math.max(1, Math.round((later.at - earlier.at) / cadence.days));
  const timing = cadence.logDeviation[Math.abs(deviation(earlier, later, cadence, periods))] ?? logStray;
  const price = isSamePrice(earlier, later) ? 0 : logChangedPrice + logLeap(earlier, later);
  return (
    timing +
    logMisses(Math.min(periods - 1, cadence.missesMax + 1)) +
    price +
    (areOtherAccounts(earlier, later) ? logOtherAccount : 0)
  );
}

function logLeap(earlier: Payment, later: Payment): number {
  const ratio = (later.logCost - earlier.logCost) / logPriceSpread;
  return Math.max(logLeapMin, (-ratio * ratio) / 2);
}

function areOtherAccounts({ transaction: a }: Payment, { transaction: b }: Payment): boolean {
  return a.accountId !== b.accountId || a.cardId !== b.cardId;
}

function exchangedAt(a: Run, b: Run, cut: number): [Payment[], Payment[]] {
  const split = ({ payments }: Run): [Payment[], Payment[]] => [
    payments.filter(({ at }) => at < cut),
    payments.filter(({ at }) => at >= cut),
  ];
  const [headA, tailA] = split(a);
  const [headB, tailB] = split(b);
  return [
    [...headA, ...tailB],
    [...headB, ...tailA],
  ];
}

function fitted(payments: Payment[], { cadence }: Run, country: string): Omit<Run, "cadence"> {
  return {
    payments,
    ruleFrom: firstOf(payments).at,
    misses: missesOf(payments, cadence),
    schedule: fitSchedule(
      payments.map(({ at }) => at),
      cadence,
      country,
    ),
  };
}
