/**
 * The obligations of every payee, and of payees that only together show one: a bill that comes now under one name and
 * now under another leaves gaps in both, and fills them when both are looked at as one payee.
 */
import { cadences } from "./cadence.ts";
import { isSamePrice, mayBeSeries } from "./chain.ts";
import { sellDifferently } from "./continuation.ts";
import { isShopPrice } from "../../payments/price-kind.ts";
import type { Kinship } from "./kinship.ts";
import { KnownSearches } from "../known-searches.ts";
import { chronologically } from "../../payments/history.ts";
import type { Payment } from "../../payments/payment.ts";
import { byDayInLine } from "../../payments/line-day/line-day.ts";
import { byMonthInLine } from "../../payments/line-day/line-month.ts";
import type { Name } from "../../payments/name.ts";
import { type Obligation, obligationOf } from "./obligation.ts";
import { type Payee, sellsOthers } from "../../payments/payee.ts";
import { type Outgoing, followsOthers } from "./follower.ts";
import { knownByLines, type PriorReason, priorOf, seriesPrior } from "./prior.ts";
import { type Contracts, contractsByName, contractsOf } from "../../payments/contracts.ts";
import { fitSchedule } from "./schedule.ts";
import { type Series, type SeriesFound, type SeriesPrior, findSeries } from "./series.ts";
import { firstOf, itemAt, lastOf, present } from "../../present.ts";

/** A payee with the obligations among its payments, and the payments in none. */
export type Searched = { payee: Payee; obligations: Obligation[]; rest: readonly Payment[] };

/** @param outgoing all that the user paid, cash too. @param known what an earlier run found, where that was kept */
export function searchAll(
  payees: readonly Payee[],
  outgoing: Outgoing,
  kinship: Kinship,
  country: string,
  known: KnownSearches | null = null,
): Searched[] {
  const { usualCost } = outgoing;
  const searchOne = (payee: Payee): Searched =>
    known === null || payee.payments.length < 2
      ? search(payee, usualCost, country)
      : { payee, ...known.of(payee, usualCost, country, () => search(payee, usualCost, country)) };
  return joinRelated(
    payees.map((payee) => withoutFollowers(searchOne(payee), outgoing)),
    kinship,
    searchOne,
  );
}

/** What only follows other payments is owed for nothing of its own, and no part of what is. */
function withoutFollowers(searched: Searched, outgoing: Outgoing): Searched {
  const { payee, obligations } = searched;
  const mayBeListed = obligations.length > 0 || hasOnePrice(payee.payments);
  return mayBeListed && followsOthers(payee, outgoing) ? { payee, obligations: [], rest: [] } : searched;
}

function hasOnePrice(payments: readonly Payment[]): boolean {
  const latest = lastOf(payments);
  for (const payment of payments) if (!isSamePrice(payment, latest)) return false;
  return true;
}

/** Looks at nothing else of the user's: what it found is known by the same (../known-searches.ts). */
function search(payee: Payee, usualCost: number, country: string): Searched {
  const together = searchTogether(payee, usualCost, country);
  const parts = collectedAndOthers(payee);
  if (parts === null || paymentsIn(together.obligations) >= toldShareMin * payee.payments.length) return together;
  const [collected, others] = parts.map((one) => searchTogether(one, usualCost, country)) as [Searched, Searched];
  if (paymentsIn(collected.obligations) < toldShareMin * collected.payee.payments.length) return together;
  return {
    payee,
    obligations: [...collected.obligations, ...others.obligations].map((one) => ({ ...one, payee })),
    rest: [...collected.rest, ...others.rest].sort(chronologically),
  };
}

/** So many payments of either show that both go on. */
const paymentsPerPartMin = 3;

/**
 * Of a payee to which some is paid by direct debit while other payments go there too, as to a bank that insures and moves
 * money: what is collected, and what is not. Null: it is not so.
 */
function collectedAndOthers(payee: Payee): [collected: Payee, others: Payee] | null {
  const { payments, direction } = payee;
  if (direction === "IN" || payments.length < 2 * paymentsPerPartMin) return null;
  const collected = payments.filter(({ kind }) => kind === "DIRECT_DEBIT");
  if (collected.length < paymentsPerPartMin || collected.length > payments.length - paymentsPerPartMin) return null;
  const others = payments.filter(({ kind }) => kind !== "DIRECT_DEBIT");
  const areBeside = firstOf(collected).at < lastOf(others).at && firstOf(others).at < lastOf(collected).at;
  return areBeside
    ? [
        { ...payee, payments: collected },
        { ...payee, payments: others },
      ]
    : null;
}

function searchTogether(payee: Payee, usualCost: number, country: string): Searched {
  if (!mayBeSeries(payee.payments)) return { payee, obligations: [], rest: payee.payments };
  const unnamed = priorOf(payee);
  const charged = byDayInLine(payee.payments);
  const searched = searchedByLines(payee, charged, unnamed, usualCost, country);
  if (charged !== payee.payments || surelyIn(searched) >= toldShareMin * charged.length) return searched;
  const byMonth = byMonthInLine(payee.payments);
  if (byMonth === payee.payments) return searched;
  const inMonths = searchedByLines(payee, byMonth, unnamed, usualCost, country);
  return surelyIn(inMonths) > surelyIn(searched) ? inMonths : searched;
}

/** Log odds from which on a series is sure whatever else might be found. */
const logOddsSure = 2;

function surelyIn({ obligations }: Searched): number {
  return paymentsIn(obligations.filter(({ logOdds }) => logOdds >= logOddsSure));
}

/** @param charged the payee's payments on the days on which they were bought or collected, as far as lines name them */
function searchedByLines(
  payee: Payee,
  charged: readonly Payment[],
  unnamed: readonly PriorReason[],
  usualCost: number,
  country: string,
): Searched {
  const byDates = findContracts(charged, seriesPrior(unnamed, payee, usualCost), country);
  if (byDates.series.length === 0 && !mayBeOwed(payee.payments))
    return searchedIn(payee, charged, byDates, unnamed, country);
  const known = knownByLines(payee, country);
  if (known.length === 0) return searchedIn(payee, charged, byDates, unnamed, country);
  const prior = [...unnamed, ...known];
  const byLines = findContracts(charged, seriesPrior(prior, payee, usualCost), country);
  return searchedIn(payee, charged, byLines, prior, country);
}

/** @param charged the payee's payments on the days among which the series were found */
function searchedIn(
  payee: Payee,
  charged: readonly Payment[],
  found: SeriesFound,
  prior: readonly PriorReason[],
  country: string,
): Searched {
  const { series, rest } = charged === payee.payments ? found : asBooked(found, payee.payments, country);
  return { payee, obligations: series.map((one) => obligationOf(payee, one, prior)), rest };
}

/** Of so many payments the gaps are on the whole by as much longer where some dates were missed. */
const missedPaymentsMin = 6;
const missedShareMax = 1.4;

/**
 * Lines are read of those that something runs to, or might: of two payments hardly any lie whole months apart. Several on
 * one day count once.
 */
function mayBeOwed(payments: readonly Payment[]): boolean {
  const dates = countDays(payments);
  const meanGapDays = (lastOf(payments).at - firstOf(payments).at) / Math.max(1, dates - 1);
  const most = dates < missedPaymentsMin ? 0 : missedShareMax;
  return cadences.some(
    ({ months, days, toleranceDays }) =>
      months > 0 &&
      meanGapDays >= days - toleranceDays - months &&
      meanGapDays <= Math.max(days + toleranceDays + months, most * days),
  );
}

/** @param payments by day */
function countDays(payments: readonly Payment[]): number {
  return payments.filter(({ at }, index) => index === 0 || at !== itemAt(payments, index - 1).at).length;
}

/** What was found by the days in the lines, on the days of the bookings: what comes next is a booking, too. */
function asBooked({ series, rest }: SeriesFound, payments: readonly Payment[], country: string): SeriesFound {
  const booked = new Map(payments.map((payment) => [payment.transaction, payment]));
  const bookedOf = (charged: readonly Payment[]): Payment[] =>
    charged.map(({ transaction }) => present(booked.get(transaction), "a booking")).sort(chronologically);
  return {
    series: series.map((one) => {
      const own = bookedOf(one.payments);
      const ruled = bookedOf(one.payments.filter(({ at }) => at >= one.ruleFrom));
      const dates = ruled.map(({ at }) => at);
      return {
        ...one,
        payments: own,
        ruleFrom: firstOf(dates),
        schedule: fitSchedule(dates, one.cadence, country),
      };
    }),
    rest: bookedOf(rest),
  };
}

/** Contracts are regular: where numbers tell apart what is not, they are a shop's. */
const toldShareMin = 0.8;
/** But one of so many payments is one, and is kept apart, whatever comes under another number. */
const regularMin = 6;

/** The series of each contract that numbers or names tell apart; of all payments together where they tell none. */
function findContracts(payments: readonly Payment[], prior: SeriesPrior, country: string): SeriesFound {
  const numbered = contractsOf(payments);
  const byNumber = numbered === null ? null : findEach(numbered, prior, country);
  if (byNumber !== null && areContracts(byNumber, payments)) return byNumber;
  const together = findSeries(payments, prior, country);
  const named = contractsByName(payments);
  const byName = named === null ? null : findEach(named, prior, country);
  // Two spellings of one name leave gaps in both.
  if (byName !== null && areContracts(byName, payments) && toldIn(byName.series) >= toldIn(together.series))
    return byName;
  const isOneRegular = byNumber !== null && byNumber.series.some(({ payments }) => payments.length >= regularMin);
  return isOneRegular && toldIn(byNumber.series) > toldIn(together.series) ? byNumber : together;
}

/** The series of each contract. */
function findEach({ contracts, others }: Contracts, prior: SeriesPrior, country: string): SeriesFound {
  const found = [...contracts, others].map((own) => findSeries(own, prior, country));
  return {
    series: found.flatMap(({ series }) => series),
    rest: found.flatMap(({ rest }) => rest).sort(chronologically),
  };
}

function areContracts({ series }: SeriesFound, payments: readonly Payment[]): boolean {
  return paymentsIn(series) >= toldShareMin * payments.length;
}

/** Payees with more payments than this are shops; a bill with changing names has few. */
const paymentsMax = 150;
/** So much more must be told by one payee than by two: the one series less that a mere change of name saves. */
const gainMin = 3;

/** Payees with related names become one where that tells their payments in fewer and fuller series. */
function joinRelated(
  searched: readonly Searched[],
  kinship: Kinship,
  searchOne: (payee: Payee) => Searched,
): Searched[] {
  const open = new Set(searched.filter(mayChangeName));
  const index = indexOf(open);
  const replaced = new Map<Searched, Searched | null>();
  for (const one of open) {
    if (one.obligations.length === 0 || !open.has(one)) continue;
    let joined = one;
    for (const other of relatedTo(one, index, kinship)) {
      if (other === one || !open.has(other) || replaced.has(other)) continue;
      const together = joinedSearch(joined, other, searchOne);
      if (together === null) continue;
      joined = together;
      replaced.set(other, null);
      open.delete(other);
    }
    if (joined !== one) replaced.set(one, joined);
  }
  return searched.flatMap((one) => replaced.get(one) ?? (replaced.has(one) ? [] : [one]));
}

function mayChangeName({ payee }: Searched): boolean {
  return payee.payments.length <= paymentsMax && !sellsOthers(payee);
}

/** Who has what related payees have in common; prices and words of names differ in how they are written. */
type Index = ReadonlyMap<string, readonly Searched[]>;

/**
 * By what related payees have in common: of those to which nothing runs only under what one has to which something does,
 * since nobody looks for the others.
 */
function indexOf(open: ReadonlySet<Searched>): Index {
  const sharing = new Map<string, Searched[]>();
  for (const one of open)
    if (one.obligations.length > 0)
      for (const handle of handlesOf(one)) if (!sharing.has(handle)) sharing.set(handle, []);
  if (sharing.size === 0) return sharing;
  for (const one of open) {
    addByName(one, sharing);
    const price = tellingPrice(one.payee);
    if (price !== null) sharing.get(price)?.push(one);
  }
  return sharing;
}

/** Under whatever of its name others have. Nearly all payees are looked up here alone, and are spared a list. */
function addByName(one: Searched, sharing: ReadonlyMap<string, Searched[]>): void {
  const name = latestNameOf(one.payee);
  for (const word of name.telling) sharing.get(word)?.push(one);
  sharing.get(name.first)?.push(one);
  sharing.get(beginningsOf(name))?.push(one);
  sharing.get(name.stem.slice(0, startLength))?.push(one);
}

const startLength = 2;

/**
 * What related payees have in common at least one of: a telling word, their first word, their initials, their first
 * letters, a price that is paid nowhere else.
 */
function handlesOf({ payee }: Searched): readonly string[] {
  const ofName = nameHandles(latestNameOf(payee));
  const price = tellingPrice(payee);
  return price === null ? ofName : [...ofName, price];
}

function latestNameOf({ payments }: Payee): Name {
  return lastOf(payments).merchant.name;
}

function nameHandles(name: Name): readonly string[] {
  if (name.handles === null) {
    const { telling, first, stem } = name;
    name.handles = [...new Set(telling).add(first).add(beginningsOf(name)).add(stem.slice(0, startLength))];
  }
  return name.handles;
}

/** The letters with which the first two words begin. */
function beginningsOf({ words, first }: Name): string {
  return words.length === 1 ? first.charAt(0) : first.charAt(0) + itemAt(words, 1).charAt(0);
}

/** The latest price, where no shop asks for it and it was paid before: nobody else asks for just that. */
function tellingPrice({ payments }: Payee): string | null {
  const latest = lastOf(payments);
  const isFixed = payments.length >= 2 && isSamePrice(latest, itemAt(payments, payments.length - 2));
  return isFixed && !isShopPrice(latest) ? `${latest.price} ${latest.priceCurrency}` : null;
}

function relatedTo(one: Searched, sharing: Index, kinship: Kinship): Set<Searched> {
  const { direction } = one.payee;
  const price = tellingPrice(one.payee);
  const near = new Set<Searched>();
  for (const handle of handlesOf(one)) for (const other of sharing.get(handle) ?? []) near.add(other);
  const related = new Set<Searched>();
  for (const other of near) {
    if (other.payee.direction !== direction) continue;
    if (kinship.areKin(other.payee, one.payee) || (price !== null && tellingPrice(other.payee) === price))
      related.add(other);
  }
  return related;
}

/** Both as one payee, that of the latest payment; null where two payees tell as much. */
function joinedSearch(a: Searched, b: Searched, searchOne: (payee: Payee) => Searched): Searched | null {
  if (a.payee.payments.length + b.payee.payments.length > paymentsMax) return null;
  const [older, newer] = chronologically(lastOf(a.payee.payments), lastOf(b.payee.payments)) < 0 ? [a, b] : [b, a];
  if (sellDifferently(older.payee, newer.payee) || costApart(older.payee, newer.payee)) return null;
  // One series without a miss tells most: where that is too little, none need be looked for.
  const toldMin = toldBy(a) + toldBy(b) + gainMin;
  if (Math.max(0, a.payee.payments.length + b.payee.payments.length - seriesCost) < toldMin) return null;
  const payments = [...a.payee.payments, ...b.payee.payments].sort(chronologically);
  const product = newer.payee.product ?? older.payee.product;
  const together = searchOne({ ...newer.payee, product, payments });
  if (!tellsMostOf(together, a) || !tellsMostOf(together, b)) return null;
  if (toldBy(together) < toldMin) return null;
  const aliases = [
    ...new Set([a, b].flatMap(({ payee, obligations }) => [payee.key, ...obligations.flatMap((one) => one.aliases)])),
  ].filter((key) => key !== newer.payee.key);
  return { ...together, obligations: together.obligations.map((one) => ({ ...one, aliases })) };
}

/** |log ratio| by which all that is paid under one name is more than all under the other: then they are two bills. */
const logCostGapMin = 0.45;

function costApart({ payments: a }: Payee, { payments: b }: Payee): boolean {
  const [leastA, mostA] = rangeOf(a);
  const [leastB, mostB] = rangeOf(b);
  return Math.max(leastA - mostB, leastB - mostA) >= logCostGapMin;
}

/** Of the log costs, the least and the most. */
function rangeOf(payments: readonly Payment[]): [number, number] {
  let [least, most] = [Infinity, -Infinity];
  for (const { logCost } of payments) {
    least = Math.min(least, logCost);
    most = Math.max(most, logCost);
  }
  return [least, most];
}

/** A payee of whose payments few belong to the series is someone else, whom the series took them from. */
function tellsMostOf({ obligations }: Searched, { payee }: Searched): boolean {
  const told = new Set(obligations.flatMap(({ payments }) => payments));
  return payee.payments.filter((payment) => told.has(payment)).length * 2 >= payee.payments.length;
}

/** What a series costs to tell, in payments. */
const seriesCost = 3;

/** Payments that the series tell, less what it takes to tell them. */
function toldBy({ obligations }: Searched): number {
  return toldIn(obligations);
}

function paymentsIn(series: readonly Pick<Series, "payments">[]): number {
  return series.reduce((count, { payments }) => count + payments.length, 0);
}

function toldIn(series: readonly Pick<Series, "payments" | "misses">[]): number {
  return series.reduce((told, { payments, misses }) => told + payments.length - misses - seriesCost, 0);
}
