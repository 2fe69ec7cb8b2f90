/**
 * Payments that are in no series under their own name, because the payee changed it: those that continue a known
 * obligation where it was due, and those that only together, across two names, make a run.
 */
import { exponentOf } from "../../money.ts";
import { isSamePrice, mayBeSeries } from "./chain.ts";
import { claimDue } from "./claim.ts";
import { sellDifferently, takesOver } from "./continuation.ts";
import type { KnownSearches } from "../known-searches.ts";
import type { Kinship } from "./kinship.ts";
import { chronologically } from "../../payments/history.ts";
import type { Payment } from "../../payments/payment.ts";
import { type Obligation, datesUnderRule, obligationOf } from "./obligation.ts";
import { type Payee, sellsOthers, titleOf } from "../../payments/payee.ts";
import { priorByName, seriesPrior } from "./prior.ts";
import { fitSchedule } from "./schedule.ts";
import { findSeries } from "./series.ts";
import { hasFixedPrice } from "./price.ts";
import { yearLater } from "./lone/year-later.ts";
import { isShopPrice } from "../../payments/price-kind.ts";
import { firstOf, itemAt, lastOf, present } from "../../present.ts";

/** More strays at one price than this are not one obligation's few. */
const poolSizeMax = 24;

/** Payments in no series, by day, and their payee. */
export type Strays = { payee: Payee; rest: readonly Payment[] };

/**
 * Obligations with the strays that continue them under another name, and new ones made of strays alone.
 * @param known what an earlier run found, where that was kept
 */
export function adoptRenamed(
  obligations: readonly Obligation[],
  strays: readonly Strays[],
  kinship: Kinship,
  country: string,
  known: KnownSearches | null = null,
): Obligation[] {
  const index = indexOf(obligations, strays, kinship);
  const adopted = obligations.map((obligation) => adopt(obligation, index, country));
  const across = runsAcrossNames(index, country, known);
  for (const { payments } of across) for (const payment of payments) index.taken.add(payment);
  return [...adopted, ...across, ...yearLater(strays, index.taken, kinship, country)];
}

type StrayIndex = {
  /** Of all that may be looked at by its price, or was as related. */
  payeeOf: Map<Payment, Payee>;
  byPrice: Map<number, Pool>;
  /** Of words of the obligations' names. */
  byWord: Map<string, Payee[]>;
  byPayee: Map<Payee, readonly Payment[]>;
  /** Of those the ones that sell others' things. */
  gateways: Payee[];
  kinship: Kinship;
  /** Payments already given away. */
  taken: Set<Payment>;
};

/** Strays at one price, whatever its currency, and whether they are of several payees. */
type Pool = { payments: Payment[]; payee: Payee; areOfSeveral: boolean };

/** Of prices only those that an obligation has at an end, or that come twice: nearly all come once. */
function indexOf(obligations: readonly Obligation[], strays: readonly Strays[], kinship: Kinship): StrayIndex {
  const index: StrayIndex = {
    kinship,
    payeeOf: new Map(),
    byPrice: new Map(),
    byWord: new Map(),
    byPayee: new Map(),
    gateways: [],
    taken: new Set(),
  };
  for (const { payee } of obligations)
    for (const word of wordsOf(payee)) if (!index.byWord.has(word)) index.byWord.set(word, []);
  const mayReturn = pricesThatMayReturn(obligations, strays);
  for (const { payee, rest } of strays) {
    if (rest.length === 0) continue;
    index.byPayee.set(payee, rest);
    if (sellsOthers(payee)) index.gateways.push(payee);
    if (index.byWord.size > 0) for (const word of wordsOf(payee)) index.byWord.get(word)?.push(payee);
    for (const payment of rest)
      if ((mayReturn[bucketOf(payment.price)] as number) > 1) addToPool(index, payment, payee);
  }
  return index;
}

function addToPool({ payeeOf, byPrice }: StrayIndex, payment: Payment, payee: Payee): void {
  payeeOf.set(payment, payee);
  const pool = byPrice.get(payment.price);
  if (pool === undefined) byPrice.set(payment.price, { payments: [payment], payee, areOfSeveral: false });
  else {
    pool.payments.push(payment);
    if (pool.payee !== payee) pool.areOfSeveral = true;
  }
}

const buckets = 4_096;
const counts = new Uint16Array(buckets);

/** How often prices of a bucket come at least; ends of obligations count twice. */
function pricesThatMayReturn(obligations: readonly Obligation[], strays: readonly Strays[]): Uint16Array {
  counts.fill(0);
  for (const { rest } of strays) for (const { price } of rest) count(price, 1);
  for (const { payments } of obligations) {
    count(firstOf(payments).price, 2);
    count(lastOf(payments).price, 2);
  }
  return counts;
}

function count(price: number, times: number): void {
  const bucket = bucketOf(price);
  counts[bucket] = (counts[bucket] as number) + times;
}

function bucketOf(price: number): number {
  return price % buckets;
}

/** The telling words of the latest name. */
function wordsOf({ payments }: Payee): readonly string[] {
  return lastOf(payments).merchant.name.telling;
}

/** The obligation with the strays before its first or after its last payment that its due dates claim. */
function adopt(obligation: Obligation, index: StrayIndex, country: string): Obligation {
  const candidates = candidatesFor(obligation, index);
  if (candidates.length === 0) return obligation;
  const first = firstOf(obligation.payments).at;
  const last = lastOf(obligation.payments).at;
  const outside = candidates.filter(({ at }) => at < first || at > last);
  const claimed = claimDue(obligation, obligation.schedule, outside, country).payments;
  if (claimed.length === obligation.payments.length) return obligation;
  for (const payment of claimed) index.taken.add(payment);
  const named = claimed.map((payment) => nameBearer(index.payeeOf.get(payment), obligation.payee));
  const payee = lastOf(named);
  const names = new Set(named.map(({ key }) => key));
  return {
    ...obligation,
    payee,
    title: titleOf(payee, payee.payments),
    payments: claimed,
    ruleFrom: ruleFrom(obligation, claimed),
    schedule: fitSchedule(
      datesUnderRule({ payments: claimed, ruleFrom: ruleFrom(obligation, claimed) }),
      obligation.cadence,
      country,
    ),
    aliases: [...new Set([...obligation.aliases, ...names])].filter((name) => name !== payee.key),
  };
}

/** Of a line in which a gateway left the payee out the name is the one that it has in others. */
function nameBearer(other: Payee | undefined, own: Payee): Payee {
  return other === undefined || sellsOthers(other) ? own : other;
}

/** Strays before the first payment followed its rule, unless that changed since. */
function ruleFrom(obligation: Obligation, claimed: readonly Payment[]): number {
  return obligation.ruleFrom > firstOf(obligation.payments).at ? obligation.ruleFrom : firstOf(claimed).at;
}

/** Strays under a related name, and those at exactly the price unless it is one that is paid everywhere. */
function candidatesFor({ payee, payments }: Obligation, index: StrayIndex): Payment[] {
  const [first, last] = [firstOf(payments), lastOf(payments)];
  const near = new Set([
    ...wordsOf(payee).flatMap((word) => index.byWord.get(word) ?? []),
    ...index.kinship.withReferenceOf(payee),
  ]);
  const related: Payment[] = [];
  for (const other of near)
    if (index.kinship.areKin(other, payee) && !isPaidBeside(other, payments))
      for (const payment of index.byPayee.get(other) ?? []) {
        related.push(payment);
        index.payeeOf.set(payment, other);
      }
  const priced =
    hasFixedPrice(payments) && !sellsOthers(payee)
      ? [
          ...pricedAs(first, index).filter(({ at }) => at < first.at),
          ...pricedAs(last, index).filter(({ at }) => at > last.at),
        ]
      : [];
  const newNames = priced.filter((payment) => isAnotherName(payment, { payee, first, last }, priced, index));
  return [...new Set([...related, ...newNames, ...unnamedAt({ payee, payments }, index)])]
    .filter((payment) => isFreeFor(payment, payee, payment.at < first.at ? first : last, index))
    .sort(chronologically);
}

/** So often on a day of the obligation's own it is no chance. */
const daysBesideMin = 2;

/** Whether somebody is paid together with the obligation, and so goes by another name than it does. */
function isPaidBeside(other: Payee, payments: readonly Payment[]): boolean {
  const days = new Set(payments.map(({ at }) => at));
  return new Set(other.payments.map(({ at }) => at).filter((at) => days.has(at))).size >= daysBesideMin;
}

/** What went through the payee's own gateway at just its price, in lines that name the gateway alone. */
function unnamedAt({ payee, payments }: Pick<Obligation, "payee" | "payments">, index: StrayIndex): Payment[] {
  if (payee.gateway === null || sellsOthers(payee)) return [];
  const [first, last] = [firstOf(payments), lastOf(payments)];
  const unnamed: Payment[] = [];
  for (const gateway of index.gateways)
    if (isGatewayOf(gateway, payee))
      for (const stray of index.byPayee.get(gateway) ?? [])
        if (isSamePrice(stray, stray.at < first.at ? first : last)) unnamed.push(stray);
  return unnamed;
}

/** Whether it is the gateway, of which nobody behind it is told, through which the payee is paid. */
function isGatewayOf(gateway: Payee, payee: Payee): boolean {
  return sellsOthers(gateway) && gateway.gateway !== null && gateway.gateway === payee.gateway;
}

/** Under a name that shares nothing, one payment is a purchase; where the price is one that shops ask for, surely. */
const paymentsUnderNewNameMin = 2;

function isAnotherName(
  payment: Payment,
  { payee, first, last }: { payee: Payee; first: Payment; last: Payment },
  priced: readonly Payment[],
  { payeeOf }: StrayIndex,
): boolean {
  const other = present(payeeOf.get(payment), "a stray payment's payee");
  const isLater = payment.at > last.at;
  const own = priced.filter((one) => payeeOf.get(one) === other && one.at > last.at === isLater).sort(chronologically);
  const isRename = isLater ? takesOver(payee, other, last, firstOf(own)) : takesOver(other, payee, lastOf(own), first);
  return isRename && (own.length >= paymentsUnderNewNameMin || !isShopPrice(payment));
}

/** Strays at a price that tells, which the obligation had at that end: what it cost long ago nobody goes on with. */
function pricedAs(end: Payment, index: StrayIndex): Payment[] {
  return isRoundPrice(end) ? [] : poolAt(end, index).filter((payment) => isSamePrice(payment, end));
}

/** Strays at about the price; a price that very many payments have tells nothing. */
function poolAt({ price }: Payment, { byPrice }: StrayIndex): readonly Payment[] {
  const pool = byPrice.get(price)?.payments ?? [];
  return pool.length > poolSizeMax ? [] : pool;
}

/** @param end the payment of the obligation that it would follow, or come before. */
function isFreeFor(payment: Payment, payee: Payee, end: Payment, { taken, payeeOf, kinship }: StrayIndex): boolean {
  const own = present(payeeOf.get(payment), "a stray payment's payee");
  return (
    !taken.has(payment) &&
    own !== payee &&
    own.direction === payee.direction &&
    (kinship.shareReference(own, payee) || isGatewayOf(own, payee) || !sellDifferently(own, payee, end, payment))
  );
}

const roundMajorUnits = 10;

function isRoundPrice({ price, priceCurrency }: Payment): boolean {
  return price % (roundMajorUnits * 10 ** exponentOf(priceCurrency)) === 0;
}

/**
 * Log odds that payments at one price to payees of different names are one obligation's, for each change of an
 * unrelated name, and of a related one.
 */
const logAcrossNames = -3;
const logAcrossRelatedNames = -0.5;

/** One payment each at one price to two who have nothing in common are two purchases. */
const paymentsUnrelatedMin = 3;

function runsAcrossNames(index: StrayIndex, country: string, known: KnownSearches | null): Obligation[] {
  const found: Obligation[] = [];
  for (const { payments: pool, areOfSeveral } of index.byPrice.values()) {
    if (!areOfSeveral || pool.length > poolSizeMax || !mayBeSeries(pool)) continue;
    const payments = pool.filter((payment) => !index.taken.has(payment)).sort(chronologically);
    const payees = [
      ...new Set(payments.map((payment) => present(index.payeeOf.get(payment), "a stray payment's payee"))),
    ];
    if (payees.length < 2 || !changesOnce(payments, payees, index)) continue;
    if (!mayBeOneBill(payments, payees)) continue;
    const areRelated = payees.every((other) => other === lastOf(payees) || index.kinship.areKin(other, lastOf(payees)));
    if (!areRelated && payments.length < paymentsUnrelatedMin) continue;
    const search = (): Obligation[] => runIn(payments, payees, areRelated, country);
    found.push(...(known === null ? search() : known.across(payments, payees, areRelated, country, search)));
  }
  return found;
}

/** A rename is for good: the names come one after the other. */
function changesOnce(payments: readonly Payment[], payees: readonly Payee[], { payeeOf }: StrayIndex): boolean {
  let changes = 0;
  for (let at = 1; at < payments.length; at++)
    if (payeeOf.get(itemAt(payments, at)) !== payeeOf.get(itemAt(payments, at - 1))) changes++;
  return changes === payees.length - 1;
}

/** One bill is paid in one currency and one way. */
function mayBeOneBill(payments: readonly Payment[], payees: readonly Payee[]): boolean {
  const { priceCurrency } = firstOf(payments);
  const { direction } = lastOf(payees);
  return (
    payments.every((payment) => payment.priceCurrency === priceCurrency) &&
    payees.every((other) => other.direction === direction)
  );
}

/** Looks at nothing else of the user's: that it found nothing is known by the same (../known-searches.ts). */
function runIn(
  payments: readonly Payment[],
  payees: readonly Payee[],
  areRelated: boolean,
  country: string,
): Obligation[] {
  const payee = lastOf(payees);
  const prior = priorByName({ ...payee, payments: [...payments] }, country);
  const known = seriesPrior(prior, payee);
  const logRename = areRelated ? logAcrossRelatedNames : logAcrossNames;
  const { series } = findSeries(
    payments,
    { ...known, againstChance: known.againstChance + logRename * (payees.length - 1) },
    country,
  );
  return series.map((one) => ({
    ...obligationOf(payee, one, prior),
    aliases: payees.filter((other) => other !== payee).map(({ key }) => key),
  }));
}
