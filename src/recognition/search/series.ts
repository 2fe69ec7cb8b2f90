/**
 * From one payee's payments to the obligations among them: the most credible run is taken out, then the next, until
 * what is left looks like chance. Two series at one payee come out as two.
 */
import { type Cadence, cadences, cadenceOf, missesOf } from "./cadence.ts";
import { type Chain, type PriceStatistics, bestChain, mostOfChain, priceStatistics } from "./chain.ts";
import { claimDue, introductoryPayment } from "./claim.ts";
import { chronologically } from "../../payments/history.ts";
import type { Payment } from "../../payments/payment.ts";
import { closedDaysEvidence } from "./evidence/closed-days.ts";
import { looselyBilled } from "./evidence/loose.ts";
import { bothOdds } from "./evidence/odds.ts";
import { sparseInCrowd } from "./evidence/crowd.ts";
import { mostOfSeason, seasonOfRun } from "./evidence/season.ts";
import { habitLogOdds } from "./habit.ts";
import { hasFixedPrice } from "./price.ts";
import { type Schedule, fitSchedule, pausedBetween } from "./schedule.ts";
import { exchangeCrossedEnds } from "./crossed-ends.ts";
import { joinFrequencyChanges } from "./frequency-change.ts";
import { firstOf, itemAt, lastOf, present } from "../../present.ts";

export type Series = {
  cadence: Cadence;
  /** By day; at least two. */
  payments: Payment[];
  /** Log odds that this is an obligation rather than chance: the evidence of the run and what was known beforehand. */
  logOdds: number;
  /** Due dates between the first and the last payment that stayed unpaid. */
  misses: number;
  schedule: Schedule;
  /** Day number from which the cadence and the schedule hold; payments before it followed another frequency. */
  ruleFrom: number;
};

/** The series among payments, and the payments in none. */
export type SeriesFound = { series: Series[]; rest: readonly Payment[] };

/** More obligations to one payee than this are not told apart by anyone. */
const seriesPerPayeeMax = 24;
/** A payee at which so many regular runs were habits is a place of habits; what is owed there stands out earlier. */
const habitsPerPayeeMax = 6;
/** The latest payments to one payee that are looked at: some years of daily ones. More would take seconds. */
const paymentsPerPayeeMax = 2_500;
/** Below even odds nothing is listed. */
const logOddsMin = 0;
/** A run that takes nearly all the payments of a payee leaves no other cadence to look for. */
const coverageDecisive = 0.9;

/**
 * The series among one payee's payments, and the payments in none. Regular runs that are rather habits are neither:
 * they are taken out, so that what is owed among them is seen.
 */
export function findSeries(payments: readonly Payment[], prior: SeriesPrior, country: string): SeriesFound {
  const series: Series[] = [];
  const habits: Payment[] = [];
  const rejected: Series[] = [];
  const guesses: Payment[] = [];
  let rest = payments.length > paymentsPerPayeeMax ? payments.slice(-paymentsPerPayeeMax) : payments;
  while (rest.length >= 2 && series.length < seriesPerPayeeMax && rejected.length < habitsPerPayeeMax) {
    const candidate = mostCredible(rest, prior);
    if (candidate === null || candidate.logOdds < logOddsMin) break;
    const complete = completed(candidate, prior.isCrowded, country);
    const taken = new Set(complete.payments);
    rest = rest.filter((payment) => !taken.has(payment));
    const logOdds = bothOdds(
      complete.logOdds,
      againstHabit(complete, [...rest, ...habits], prior.usualCost) + prior.againstHabit,
    );
    if (isGuess(complete)) guesses.push(...complete.payments);
    else if (logOdds >= logOddsMin) {
      const introduction = introductoryPayment(complete.payments, complete.schedule, rest, country);
      series.push({ ...withFirst(introduction, complete), logOdds });
      rest = rest.filter((payment) => payment !== introduction);
    } else {
      habits.push(...complete.payments);
      rejected.push(complete);
    }
  }
  const byDates = [...series, ...besideEachOther(rejected, series, rest, prior, country)];
  const told = looselyBilled(payments, byDates, prior, country);
  if (told.length === 0 && guesses.length === 0) return { series: told, rest };
  const inTold = new Set(told.flatMap((one) => one.payments));
  const isLeft = (payment: Payment): boolean => !inTold.has(payment);
  const left = guesses.length === 0 ? rest : [...rest, ...guesses].sort(chronologically);
  return joinFrequencyChanges(
    {
      series: exchangeCrossedEnds(weighedWithoutTwins(told, [...rest, ...habits].filter(isLeft), prior), country),
      rest: left.filter(isLeft),
    },
    country,
    (part) => Math.max(part.logOdds, oddsAlone(part, prior)),
  );
}

/** Contracts with one payee are nearly all that it is paid for, and each is paid so often. */
const contractsShareMin = 0.8;
const paymentsPerContractMin = 4;

/**
 * Runs that looked like habits only because others ran between their dates. Nobody shops by direct debit: where several
 * at one cadence and what was found are nearly all that a payee collects, each is weighed without the others, with ends
 * that were crossed put right.
 */
function besideEachOther(
  rejected: readonly Series[],
  found: readonly Series[],
  rest: readonly Payment[],
  prior: SeriesPrior,
  country: string,
): Series[] {
  const runs = rejected.filter(({ payments }) => payments.length >= paymentsPerContractMin);
  if (runs.length < 2 || runs.some(({ payments }) => lastOf(payments).kind !== "DIRECT_DEBIT")) return [];
  if (runs.some(({ cadence }) => cadence !== firstOf(runs).cadence)) return [];
  const count = (all: readonly Series[]): number => all.reduce((sum, { payments }) => sum + payments.length, 0);
  if (count(runs) + count(found) < contractsShareMin * (count(rejected) + count(found) + rest.length)) return [];
  return exchangeCrossedEnds(runs, country)
    .map((one) => ({ ...one, logOdds: oddsAlone(one, prior, rest) }))
    .filter(({ logOdds }) => logOdds >= logOddsMin);
}

/** Twins are charged on the same days, most times. */
const twinDaysShareMin = 0.5;

/** What a twin's payments are says nothing against a series: each is weighed among all that is not its twin's. */
function weighedWithoutTwins(series: readonly Series[], others: readonly Payment[], prior: SeriesPrior): Series[] {
  return series.map((one) => {
    const beside = series.filter((other) => other !== one);
    if (!beside.some((other) => areTwins(one, other) || areBeside(one, other))) return one;
    const unlike = beside
      .filter((other) => !areTwins(one, other) && !areBeside(one, other))
      .flatMap(({ payments }) => payments);
    return { ...one, logOdds: Math.max(one.logOdds, oddsAlone(one, prior, [...others, ...unlike])) };
  });
}

function areTwins(a: Series, b: Series): boolean {
  if (a.cadence !== b.cadence) return false;
  const days = new Set(daysOf(a.payments));
  const shared = b.payments.filter(({ at }) => days.has(at)).length;
  return shared >= twinDaysShareMin * Math.max(a.payments.length, b.payments.length);
}

/** Whether both are paid at each date while both run, at a price each: each explains what the other leaves. */
function areBeside(a: Series, b: Series): boolean {
  return (
    a.cadence === b.cadence &&
    a.misses === 0 &&
    b.misses === 0 &&
    Math.abs(a.payments.length - b.payments.length) <= 1 &&
    firstOf(a.payments).at < lastOf(b.payments).at &&
    firstOf(b.payments).at < lastOf(a.payments).at &&
    hasFixedPrice(a.payments) &&
    hasFixedPrice(b.payments)
  );
}

/** Log odds of a run among others that are in no run. */
function oddsAlone(part: Omit<Series, "ruleFrom">, prior: SeriesPrior, others: readonly Payment[] = []): number {
  const { payments, cadence, logOdds } = part;
  const all = others.length === 0 ? payments : [...payments, ...others].sort(chronologically);
  const chain = bestChain(all, priceStatistics(all, prior.isCrowded), cadence);
  if (chain === null) return logOdds;
  const againstChance = chain.score + cadence.logPrior + prior.againstChance - Math.log1p(others.length);
  return bothOdds(againstChance, againstHabit(part, others, prior.usualCost) + prior.againstHabit);
}

function withFirst(payment: Payment | null, series: Series): Series {
  return payment === null
    ? series
    : { ...series, payments: [payment, ...series.payments], ruleFrom: Math.min(payment.at, series.ruleFrom) };
}

/** Log odds known of the payee beforehand: obligation against chance, and obligation against habit. */
export type SeriesPrior = {
  againstChance: number;
  againstHabit: number;
  /** Several obligations under one name, as in an application store: only the price tells which one a payment is. */
  isCrowded: boolean;
  /** The middle one of all that the user pays, in minor units; 0 where that says nothing. */
  usualCost?: number;
  /** Whether nothing but obligations is paid so, or to one of its kind: bills, though days and amounts vary. */
  isOwed?: boolean;
};

/** |log ratio| within which another payment is of the same kind as the run's. */
const logSimilarPriceMax = 0.3;

/**
 * Days after the last payment are a rule where the price is one, too; of amounts that change some gaps are even by chance,
 * and the calendar tells.
 */
function againstHabit(
  { payments, cadence, misses, schedule }: Omit<Series, "ruleFrom">,
  others: readonly Payment[],
  usualCost = 0,
): number {
  const runDays = new Set(daysOf(payments));
  const isFixed = hasFixedPrice(payments);
  const extras = others.filter((payment) => isInBetween(payment, payments, runDays, isFixed));
  return habitLogOdds({
    payments,
    frequency: cadence.frequency,
    kind: lastOf(payments).kind,
    misses,
    spreadDays: isFixed ? schedule.spreadDays : (schedule.followsLast?.calendarSpreadDays ?? schedule.spreadDays),
    extras: extras.length,
    usualCost,
  });
}

/**
 * Another purchase of the kind during the run: at about its price where that is fixed, at any where it is not. What is
 * paid on the very same day is billed together, not bought besides.
 */
function isInBetween(
  { at, logCost }: Payment,
  run: readonly Payment[],
  runDays: ReadonlySet<number>,
  isFixed: boolean,
): boolean {
  if (at < firstOf(run).at || at > lastOf(run).at || runDays.has(at)) return false;
  if (!isFixed) return true;
  return Math.abs(logCost - itemAt(run, run.length >> 1).logCost) <= logSimilarPriceMax;
}

/** The run with what its due dates claim, and the rule of all of it. */
function completed({ chain, logOdds, payments }: Candidate, isCrowded: boolean, country: string): Series {
  const { cadence } = chain;
  const indices = new Set(chain.indices);
  const run = payments.filter((_, index) => indices.has(index));
  const free = payments.filter((_, index) => !indices.has(index));
  const schedule = fitSchedule(daysOf(run), cadence, country);
  const complete = claimDue(
    { payments: run },
    schedule,
    isCrowded && hasFixedPrice(run) ? atPricesOf(run, free) : free,
    country,
  ).payments;
  const fitted = complete.length === run.length ? schedule : fitSchedule(daysOf(complete), cadence, country);
  const paused = pausedBetween(fitted, firstOf(complete).at, lastOf(complete).at, country);
  return {
    cadence,
    payments: complete,
    logOdds: logOdds + closedDaysEvidence(run, schedule, country),
    misses: Math.max(0, missesOf(complete, cadence) - paused),
    schedule: fitted,
    ruleFrom: firstOf(complete).at,
  };
}

function atPricesOf(run: readonly Payment[], free: readonly Payment[]): Payment[] {
  const prices = new Set(run.map(({ price }) => price));
  return free.filter(({ price }) => prices.has(price));
}

function daysOf(payments: readonly Payment[]): number[] {
  return payments.map(({ at }) => at);
}

type Candidate = { chain: Chain; logOdds: number; payments: readonly Payment[] };

function mostCredible(
  payments: readonly Payment[],
  { againstChance: logPrior, isCrowded }: SeriesPrior,
): Candidate | null {
  let best: Candidate | null = null;
  const prices = priceStatistics(payments, isCrowded);
  for (const cadence of likeliestFirst(payments)) {
    if (best !== null && cannotBeat(best, payments, prices, cadence, logPrior)) continue;
    const chain = bestChain(payments, prices, cadence);
    if (chain === null) continue;
    const logOdds =
      chain.score +
      seasonOfRun(chain, payments) +
      cadence.logPrior +
      logPrior -
      Math.log1p(payments.length - chain.indices.length) +
      (isCrowded ? sparseInCrowd(chain, payments) : 0);
    if (best === null || logOdds > best.logOdds) best = { chain, logOdds, payments };
    if (isDecisive(chain, logOdds, payments)) break;
  }
  return best?.chain.cadence === biweekly ? (asTwoMonthly(best, prices, logPrior) ?? best) : best;
}

/**
 * Whether no run of the cadence can be more credible, nor so full that it would end the search: among very many payments
 * the few that lie a quarter or a year apart cannot say as much as those of a week or a month.
 */
function cannotBeat(
  { logOdds }: Candidate,
  payments: readonly Payment[],
  prices: PriceStatistics,
  cadence: Cadence,
  logPrior: number,
): boolean {
  const most = mostOfChain(payments, prices, cadence);
  if (most.payments >= coverageDecisive * payments.length) return false;
  const mostScore = most.score + mostOfSeason(most.payments, cadence.frequency);
  return mostScore + cadence.logPrior + logPrior - Math.log1p(payments.length - most.payments) < logOdds;
}

const biweekly = present(cadenceOf("BIWEEKLY"), "the cadence BIWEEKLY");
const monthly = present(cadenceOf("MONTHLY"), "the cadence MONTHLY");

/** Two monthly series half a month apart look like one that is due every two weeks, until their dates are looked at. */
function asTwoMonthly(
  { chain: both, payments }: Candidate,
  prices: PriceStatistics,
  logPrior: number,
): Candidate | null {
  const first = bestChain(payments, prices, monthly);
  if (first === null) return null;
  const indices = new Set(first.indices);
  const others = payments.filter((_, index) => !indices.has(index));
  const second = others.length < 2 ? null : bestChain(others, priceStatistics(others, false), monthly);
  if (second === null || first.indices.length + second.indices.length < both.indices.length) return null;
  // Seen among the other series' payments each of its own would look like one of many.
  const own = first.indices.map((index) => itemAt(payments, index));
  const alone = bestChain(own, priceStatistics(own, false), monthly);
  const firstScore = Math.max(first.score, alone?.score ?? -Infinity);
  const isLikelier = firstScore + second.score + 2 * monthly.logPrior > both.score + biweekly.logPrior;
  return isLikelier
    ? { chain: first, payments, logOdds: firstScore + monthly.logPrior + logPrior - Math.log1p(others.length) }
    : null;
}

/** Two payments with unpaid due dates between them show no cadence: any two would. */
function isGuess({ payments, misses }: Series): boolean {
  return payments.length === 2 && misses > 0;
}

/** The cadence of the middle gap, then all others from the densest up. */
function likeliestFirst(payments: readonly Payment[]): readonly Cadence[] {
  const middle = middleGapOf(payments);
  const order = cadences.find(
    ({ days, toleranceDays }) => Math.abs(days - middle) <= Math.min(toleranceDays, days / 3),
  );
  return order === undefined ? cadences : present(startingWith.get(order), "an order of cadences");
}

const gaps: number[] = [];

/** Sorted as they come: most payees have a few. */
function middleGapOf(payments: readonly Payment[]): number {
  if (payments.length > gapsMax) return middleOfMany(payments);
  for (let index = 1; index < payments.length; index++) {
    const gap = itemAt(payments, index).at - itemAt(payments, index - 1).at;
    let at = index - 1;
    for (; at > 0 && (gaps[at - 1] as number) > gap; at--) gaps[at] = gaps[at - 1] as number;
    gaps[at] = gap;
  }
  return gaps[(payments.length - 1) >> 1] as number;
}

const gapsMax = 32;

function middleOfMany(payments: readonly Payment[]): number {
  const gaps = new Int32Array(payments.length - 1);
  for (let index = 0; index < gaps.length; index++)
    gaps[index] = itemAt(payments, index + 1).at - itemAt(payments, index).at;
  return gaps.sort()[gaps.length >> 1] as number;
}

const startingWith = new Map(cadences.map((first) => [first, [first, ...cadences.filter((other) => other !== first)]]));

/**
 * One that explains everything without a gap cannot be beaten by a sparser one, nor by a denser one that would have
 * missed most of its dates.
 */
function isDecisive(chain: Chain, logOdds: number, payments: readonly Payment[]): boolean {
  const count = chain.indices.length;
  return (
    logOdds > logOddsMin &&
    count > 3 &&
    count >= coverageDecisive * payments.length &&
    missesOf(
      chain.indices.map((index) => itemAt(payments, index)),
      chain.cadence,
    ) *
      10 <=
      count
  );
}
