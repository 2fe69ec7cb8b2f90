/**
 * Obligations that go on under another name, price or card. Where one run ends and another begins just when the first
 * was due, at the same price or under a related name, they are one.
 */
import { type Cadence, logMisses } from "./cadence.ts";
import { isSamePrice } from "./chain.ts";
import { asOddsOf } from "./confidence.ts";
import { chronologically } from "../../payments/history.ts";
import { type Kinship, shareNumber } from "./kinship.ts";
import type { Payment } from "../../payments/payment.ts";
import { type Obligation, datesUnderRule } from "./obligation.ts";
import { type Payee, isMiddleman, sellsOthers } from "../../payments/payee.ts";
import { fitSchedule, occurrenceNear, postingDay } from "./schedule.ts";
import { hasFixedPrice } from "./price.ts";
import { firstOf, itemAt, lastOf } from "../../present.ts";

/** Due dates that may stay unpaid between the old name and the new one. */
const missesMax = 1;
/** Renames are rare: among the many runs of a user few are another one's continuation. */
const logRename = -2.5;
/** P(exactly the same price | continuation) against P(… | another obligation that happens to begin then). */
const logSamePrice = Math.log(0.8 / 0.02);
const logChangedPrice = -1;
/** Names that share a word, or the initials, seldom do so by chance. */
const logRelatedName = 4;
/** A customer number never does. */
const logSameCustomer = 7;
const logPriceSpread = 0.35;
const logRandomPriceSpread = 1;

/** Joins what continues; the result is in no particular order. Every obligation goes into exactly one. */
export function joinContinuations(obligations: readonly Obligation[], kinship: Kinship, country: string): Obligation[] {
  const open = [...obligations].sort((a, b) => startOf(a) - startOf(b) || compareKeys(a, b));
  const oneByOne = payeesOfOneAtATime(open);
  const joined: Obligation[] = [];
  for (const next of open) {
    const at = bestPredecessor(joined, next, { kinship, country, oneByOne });
    if (at < 0) joined.push(next);
    else joined[at] = join(itemAt(joined, at), next, country);
  }
  return joined;
}

/** What is known besides two obligations; oneByOne: payees to which nothing is owed but one thing at a time. */
type Known = { kinship: Kinship; country: string; oneByOne: ReadonlySet<Payee> };

function bestPredecessor(earlier: readonly Obligation[], next: Obligation, known: Known): number {
  let best = -1;
  let bestLogOdds = 0;
  earlier.forEach((candidate, index) => {
    const logOdds = continuationLogOdds(candidate, next, known);
    if (logOdds > bestLogOdds) {
      best = index;
      bestLogOdds = logOdds;
    }
  });
  return best;
}

/** Log odds that `next` is `earlier` gone on; −∞ where it cannot be. */
function continuationLogOdds(earlier: Obligation, next: Obligation, known: Known): number {
  const { kinship, country } = known;
  if (earlier.payee.direction !== next.payee.direction || earlier.cadence !== next.cadence) return -Infinity;
  const last = lastOf(earlier.payments);
  const first = firstOf(next.payments);
  if (first.at <= last.at) return -Infinity;
  if (earlier.payee === next.payee)
    return Math.max(
      logResumed(earlier, next, country),
      logTakenUp(earlier, next),
      known.oneByOne.has(next.payee) ? logMoved(earlier, next) : -Infinity,
    );
  const isSameCustomer =
    kinship.shareReference(earlier.payee, next.payee) || kinship.haveOneContract(earlier.payments, next.payments);
  const isKin = isSameCustomer || kinship.areKin(earlier.payee, next.payee, earlier.title, next.title);
  if (
    (!isKin && !(isSamePrice(last, first) && takesOver(earlier.payee, next.payee, last, first))) ||
    (!isSameCustomer && sellDifferently(earlier.payee, next.payee, last, first))
  )
    return -Infinity;
  const logTimed = Math.max(
    logTiming(earlier, first, isSameCustomer, country),
    isKin && takesOver(earlier.payee, next.payee, last, first) ? logMovedWithName(earlier, first) : -Infinity,
  );
  return logTimed + logPrice(earlier, next) + logRename + logKin(isKin, isSameCustomer);
}

function logKin(isKin: boolean, isSameCustomer: boolean): number {
  if (isSameCustomer) return logSameCustomer;
  return isKin ? logRelatedName : 0;
}

/**
 * Whether one payee may be the other's new name: where they have nothing in common, the old name is heard of no more
 * once the new one is, and the new one never was while the old one was; who is paid for several things changes his name
 * between two payments of each. A shop at which other things were bought earlier is no new name, and what the
 * catalogue knows by its name is nobody else.
 */
export function takesOver(older: Payee, newer: Payee, last: Payment, first: Payment): boolean {
  return (
    !sellsOthers(older) &&
    !sellsOthers(newer) &&
    nameOf(older) === nameOf(newer) &&
    lastOf(older.payments).at <= first.at &&
    firstOf(newer.payments).at >= last.at
  );
}

/** What the catalogue calls it; null where it calls it nothing. */
function nameOf({ product }: Payee): string | null {
  return product === null || isMiddleman(product) ? null : product.id;
}

/** Two catalogued products, or two merchant categories, are not one. The payments are those that would follow each other. */
export function sellDifferently(a: Payee, b: Payee, last = lastOf(a.payments), first = lastOf(b.payments)): boolean {
  if (a.product !== null && b.product !== null && a.product !== b.product) return true;
  const [mccA, mccB] = [last.transaction.mcc, first.transaction.mcc];
  return mccA !== null && mccB !== null && mccA !== mccB;
}

/** A pause this long is still the same obligation at the same payee: so many periods, half a year at least. */
const pausePeriodsMax = 12;
const pauseDaysMin = 183;
const pauseDaysMax = 400;
/** Log odds that what begins anew at a payee is what ended there, before dates and prices are looked at. */
const logResumedPrior = -0.5;
/** Each due date in between makes it likelier that it had ended; where there are several a month, the months do. */
const logResumedPerMiss = -0.2;
const monthDays = 30.4375;
/** At one payee prices are often the same for everyone. */
const logResumedSamePrice = 1.5;
/** A new price at one payee speaks so much against it at most: agreements are also doubled, and halved; not more. */
const logResumedPriceMin = -0.7;
const logResumedRatioMax = 1;
/** |log ratio| by which the next winter may cost more than the last one, or a summer less. */
const logSwingMore = 0.1;
/** A number in the last line before the pause and the first one after it is mostly the contract's. */
const logSameNumber = 1.5;
/** A due date that fits no more is the due date of another agreement. */
const logOtherDueDay = -3;

/** At one payee a run that ended and begins anew is the same obligation taken up again, if due date and price agree. */
function logResumed(earlier: Obligation, next: Obligation, country: string): number {
  const last = lastOf(earlier.payments);
  const first = firstOf(next.payments);
  const { cadence, schedule, payee } = earlier;
  const gapDays = first.at - last.at;
  if (gapDays > pauseMaxOf(cadence)) return -Infinity;
  if (sellsOthers(payee) && !isSamePrice(last, first)) return -Infinity;
  const due = occurrenceNear(schedule, first.at, country);
  const logDeviation = cadence.logDeviation[Math.abs(first.at - postingDay(schedule, due, country))];
  const timing =
    logDeviation === undefined ? logOtherDueDay : Math.max(logOtherDueDay, logDeviation + Math.log(cadence.days));
  const isNear =
    Math.abs(first.logCost - last.logCost) <= logResumedRatioMax ||
    swingsTo(earlier, first) ||
    endsOffer(earlier, next);
  const least = isNear ? logResumedPriceMin : -Infinity;
  const price = isSamePrice(last, first) ? logResumedSamePrice : Math.max(least, logPrice(earlier, next));
  const number = shareNumber(last, first) ? logSameNumber : 0;
  return logResumedPrior + number + logPause(gapDays, cadence) + timing + price;
}

/** What is only sold by agreement costs several times as much once an offer is over. */
const offerRatioMax = 5;

/** Whether the next run begins just when the old one was due, at a higher price for what is sold by agreement alone. */
function endsOffer({ payee, payments, cadence }: Obligation, next: Obligation): boolean {
  const [last, first] = [lastOf(payments), firstOf(next.payments)];
  return (
    payee.product !== null &&
    !isMiddleman(payee.product) &&
    hasFixedPrice(payments) &&
    first.cost > last.cost &&
    first.cost <= offerRatioMax * last.cost &&
    Math.abs(first.at - last.at - cadence.days) <= cadence.toleranceDays
  );
}

function pauseMaxOf({ days }: Cadence): number {
  return Math.min(Math.max(pausePeriodsMax * days, pauseDaysMin), pauseDaysMax);
}

function logPause(gapDays: number, { days }: Cadence): number {
  return Math.max(0, Math.round(gapDays / days) - 1) * Math.min(1, days / monthDays) * logResumedPerMiss;
}

/** A bill that was as high, or as low, before follows the season: after a pause it is what that season asks. */
function swingsTo({ payments }: Obligation, { logCost }: Payment): boolean {
  if (hasFixedPrice(payments)) return false;
  return (
    payments.some((one) => one.logCost >= logCost - logSwingMore) &&
    payments.some((one) => one.logCost <= logCost + logSwingMore)
  );
}

/** Nearly all that such a payee is paid, by so much, is in runs of which each begins when the one before has ended. */
const inRunsShareMin = 0.8;
/** Periods from the last payment on the old day to the first on the new one. */
const movedPeriodsMin = 0.2;
const movedPeriodsMax = 2.3;
/** Log odds that who owes one thing at a time owes the same one on another day, before the price is looked at. */
const logMovedDay = 1;

/** The payees to which runs of one cadence are paid one after the other, and hardly anything else. */
function payeesOfOneAtATime(byStart: readonly Obligation[]): ReadonlySet<Payee> {
  const runs = Map.groupBy(byStart, ({ payee }) => payee);
  return new Set(
    [...runs]
      .filter(
        ([payee, own]) =>
          own.length > 1 &&
          !sellsOthers(payee) &&
          own.every((one, index) => index === 0 || startOf(one) > lastOf(itemAt(own, index - 1).payments).at) &&
          own.reduce((count, { payments }) => count + payments.length, 0) >= inRunsShareMin * payee.payments.length,
      )
      .map(([payee]) => payee),
  );
}

/** A new plan or a new card moves the day of an agreement, and often its price. */
function logMoved(earlier: Obligation, next: Obligation): number {
  const last = lastOf(earlier.payments);
  const first = firstOf(next.payments);
  const periods = (first.at - last.at) / earlier.cadence.days;
  if (periods < movedPeriodsMin || periods > movedPeriodsMax) return -Infinity;
  if (isSamePrice(last, first)) return logMovedDay + logResumedSamePrice;
  const isNear = Math.abs(first.logCost - last.logCost) <= logResumedRatioMax;
  return logMovedDay + Math.max(isNear ? logResumedPriceMin : -Infinity, logPrice(earlier, next));
}

/** Log odds that a name and a day changed together, as with a new card or account that pays; of related names alone. */
const logMovedWithNewName = -1;
const movedWithNamePeriodsMax = 1.6;

function logMovedWithName({ payments, cadence }: Obligation, first: Payment): number {
  const periods = (first.at - lastOf(payments).at) / cadence.days;
  return periods < movedPeriodsMin || periods > movedWithNamePeriodsMax ? -Infinity : logMovedWithNewName;
}

/** What was cancelled and taken up again has a day of its own, and mostly the price it had: so many periods later at most. */
const takenUpPeriodsMax = 4.3;
/** So many payments at one price are an agreement, before and after. */
const takenUpPaymentsMin = 3;
const takenUpShareMin = 0.75;

/** Where nearly all of each have one price, and the names begin alike, nothing else need fit. */
function logTakenUp(earlier: Obligation, next: Obligation): number {
  const [last, first] = [lastOf(earlier.payments), firstOf(next.payments)];
  const periods = (first.at - last.at) / earlier.cadence.days;
  if (periods < movedPeriodsMin || periods > takenUpPeriodsMax || sellsOthers(next.payee)) return -Infinity;
  const hasPrice = ({ payments }: Obligation): boolean => {
    const alike = payments.filter((payment) => isSamePrice(payment, last)).length;
    return alike >= takenUpPaymentsMin && alike >= takenUpShareMin * payments.length;
  };
  if (last.merchant.name.first !== first.merchant.name.first || !hasPrice(earlier) || !hasPrice(next)) return -Infinity;
  return logResumedSamePrice + Math.max(0, Math.round(periods) - 1) * logResumedPerMiss;
}

/** A customer's number waits through a pause as one payee does; a new name begins when the old one was due. */
function logTiming(earlier: Obligation, first: Payment, isSameCustomer: boolean, country: string): number {
  const { cadence, schedule } = earlier;
  const last = lastOf(earlier.payments);
  const due = occurrenceNear(schedule, first.at, country);
  const misses = due - occurrenceNear(schedule, last.at, country) - 1;
  const isPause = isSameCustomer && misses > missesMax && first.at - last.at <= pauseMaxOf(cadence);
  if (misses < 0 || (misses > missesMax && !isPause)) return -Infinity;
  const logDeviation = cadence.logDeviation[Math.abs(first.at - postingDay(schedule, due, country))];
  if (logDeviation === undefined) return -Infinity;
  const logUnpaid = isPause ? logPause(first.at - last.at, cadence) : logMisses(misses);
  return logDeviation + Math.log(cadence.days) + logUnpaid;
}

function logPrice(earlier: Obligation, next: Obligation): number {
  const last = lastOf(earlier.payments);
  const first = firstOf(next.payments);
  if (isSamePrice(last, first)) return logSamePrice;
  const ratio = Math.abs(first.logCost - last.logCost);
  const precision = logPriceSpread ** -2 - logRandomPriceSpread ** -2;
  const density = Math.log(logRandomPriceSpread / logPriceSpread) - (precision * ratio * ratio) / 2;
  return density + (hasFixedPrice(earlier.payments) || hasFixedPrice(next.payments) ? logChangedPrice : 0);
}

/** Whether the payment is due on no date of the obligation's: then the rule is another one from it on. */
function isMoved({ schedule, cadence }: Obligation, first: Payment, country: string): boolean {
  const due = postingDay(schedule, occurrenceNear(schedule, first.at, country), country);
  return Math.abs(first.at - due) > cadence.toleranceDays;
}

/** One obligation under the newer name; what was known about either stays. */
function join(earlier: Obligation, next: Obligation, country: string): Obligation {
  const payments = [...earlier.payments, ...next.payments].sort(chronologically);
  const isRenamed = earlier.payee !== next.payee;
  const hasOwnRule = next.ruleFrom > startOf(next) || isMoved(earlier, firstOf(next.payments), country);
  const ruleFrom = hasOwnRule ? next.ruleFrom : earlier.ruleFrom;
  return {
    ...next,
    payments,
    ruleFrom,
    logOdds: Math.max(asOddsOf(earlier, payments.length), asOddsOf(next, payments.length)),
    misses: earlier.misses + next.misses,
    schedule: fitSchedule(datesUnderRule({ payments, ruleFrom }), next.cadence, country),
    aliases: isRenamed ? [...earlier.aliases, earlier.payee.key] : earlier.aliases,
  };
}

function startOf(obligation: Obligation): number {
  return firstOf(obligation.payments).at;
}

function compareKeys(a: Obligation, b: Obligation): number {
  return firstOf(a.payments).transaction.txid < firstOf(b.payments).transaction.txid ? -1 : 1;
}
