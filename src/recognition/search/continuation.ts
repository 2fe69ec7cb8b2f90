/**
 * Obligations that go on under another name, price or card. Where one run ends and another begins just when the first
 * was due, at the same price or under a related name, they are one.
 */
import { logMisses } from "./cadence.ts";
import { isSamePrice } from "./chain.ts";
import { chronologically } from "../../payments/history.ts";
import type { Payment } from "../../payments/payment.ts";
import { exponentOf } from "../../money.ts";
import type { Obligation } from "./obligation.ts";
import { type Payee, sellsOthers } from "../../payments/payee.ts";
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
const logPriceSpread = 0.35;
const logRandomPriceSpread = 1;

/** Joins what continues; the result is in no particular order. Every obligation goes into exactly one. */
export function joinContinuations(obligations: readonly Obligation[], country: string): Obligation[] {
  const open = [...obligations].sort((a, b) => startOf(a) - startOf(b) || compareKeys(a, b));
  const joined: Obligation[] = [];
  for (const next of open) {
    const at = bestPredecessor(joined, next, country);
    if (at < 0) joined.push(next);
    else joined[at] = join(itemAt(joined, at), next, country);
  }
  return joined;
}

function bestPredecessor(earlier: readonly Obligation[], next: Obligation, country: string): number {
  let best = -1;
  let bestLogOdds = 0;
  earlier.forEach((candidate, index) => {
    const logOdds = continuationLogOdds(candidate, next, country);
    if (logOdds > bestLogOdds) {
      best = index;
      bestLogOdds = logOdds;
    }
  });
  return best;
}

/** Log odds that `next` is `earlier` gone on; −∞ where it cannot be. */
function continuationLogOdds(earlier: Obligation, next: Obligation, country: string): number {
  if (earlier.payee.direction !== next.payee.direction || earlier.cadence !== next.cadence) return -Infinity;
  const last = lastOf(earlier.payments);
  const first = firstOf(next.payments);
  if (first.at <= last.at) return -Infinity;
  if (earlier.payee === next.payee) return logResumed(earlier, next, country);
  const isKin = areRelated(earlier.title, next.title);
  if (
    (!isKin && (!isSamePrice(last, first) || sellsOthers(earlier.payee) || sellsOthers(next.payee))) ||
    sellDifferently(earlier.payee, next.payee, lastOf(earlier.payments), firstOf(next.payments))
  )
    return -Infinity;
  return logTiming(earlier, first, country) + logPrice(earlier, next) + logRename + (isKin ? logRelatedName : 0);
}

/**
 * Two catalogued products, or two merchant categories, are not one; unless a price to the hundredth goes on, as when one
 * company takes over another's customers. The payments are those that would follow each other. */
export function sellDifferently(a: Payee, b: Payee, last = lastOf(a.payments), first = lastOf(b.payments)): boolean {
  const areOtherProducts = a.product !== null && b.product !== null && a.product !== b.product;
  if (areOtherProducts && !(isSamePrice(last, first) && !isWholePrice(first))) return true;
  const [mccA, mccB] = [last.transaction.mcc, first.transaction.mcc];
  return mccA !== null && mccB !== null && mccA !== mccB;
}

/** Whether the price has nothing behind the point: such prices many payees ask for. */
export function isWholePrice({ price, priceCurrency }: Payment): boolean {
  return price % 10 ** exponentOf(priceCurrency) === 0;
}

/** A pause this long is still the same obligation at the same payee: so many periods, half a year at least. */
const pausePeriodsMax = 12;
const pauseDaysMin = 183;
const pauseDaysMax = 400;
/** Log odds that what begins anew at a payee is what ended there, before dates and prices are looked at. */
const logResumedPrior = -1;
/** Each due date in between makes it likelier that it had ended; where there are several a month, the months do. */
const logResumedPerMiss = -0.2;
const monthDays = 30.4375;
/** At one payee prices are often the same for everyone. */
const logResumedSamePrice = 1.5;
/** A due date that fits no more is the due date of another agreement. */
const logOtherDueDay = -3;

/** At one payee a run that ended and begins anew is the same obligation taken up again, if due date and price agree. */
function logResumed(earlier: Obligation, next: Obligation, country: string): number {
  const last = lastOf(earlier.payments);
  const first = firstOf(next.payments);
  const { cadence, schedule, payee } = earlier;
  const gapDays = first.at - last.at;
  if (gapDays > Math.min(Math.max(pausePeriodsMax * cadence.days, pauseDaysMin), pauseDaysMax)) return -Infinity;
  if (sellsOthers(payee) && !isSamePrice(last, first)) return -Infinity;
  const due = occurrenceNear(schedule, first.at, country);
  const logDeviation = cadence.logDeviation[Math.abs(first.at - postingDay(schedule, due, country))];
  const timing =
    logDeviation === undefined ? logOtherDueDay : Math.max(logOtherDueDay, logDeviation + Math.log(cadence.days));
  const price = isSamePrice(last, first) ? logResumedSamePrice : logPrice(earlier, next);
  const misses = Math.max(0, Math.round(gapDays / cadence.days) - 1) * Math.min(1, cadence.days / monthDays);
  return logResumedPrior + misses * logResumedPerMiss + timing + price;
}

function logTiming(earlier: Obligation, first: Payment, country: string): number {
  const { cadence, schedule } = earlier;
  const lastDue = occurrenceNear(schedule, lastOf(earlier.payments).at, country);
  const due = occurrenceNear(schedule, first.at, country);
  const misses = due - lastDue - 1;
  if (misses < 0 || misses > missesMax) return -Infinity;
  const off = Math.abs(first.at - postingDay(schedule, due, country));
  const logDeviation = cadence.logDeviation[off];
  return logDeviation === undefined ? -Infinity : logDeviation + Math.log(cadence.days) + logMisses(misses);
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

const sharedWordLengthMin = 4;
const initialsLengthMin = 2;
const cutOffLengthMin = 5;

/** The telling words of a title, upper case. */
export function wordsOf(title: string): string[] {
  return title.toUpperCase().split(" ").filter(isTellingWord);
}

/** Whether a word is long enough to tell one payee from another. */
export function isTellingWord(word: string): boolean {
  return word.length >= sharedWordLengthMin;
}

/**
 * Whether one title is the other cut off, or they share the telling word that one of them begins with, or one begins
 * with the other's initials. Words further back are often what a whole trade calls itself.
 */
export function areRelated(a: string, b: string): boolean {
  const wordsA = a.toUpperCase().split(" ");
  const wordsB = b.toUpperCase().split(" ");
  const [firstA = "", firstB = ""] = [wordsA[0], wordsB[0]];
  if (firstA.length >= sharedWordLengthMin && wordsB.includes(firstA)) return true;
  if (firstB.length >= sharedWordLengthMin && wordsA.includes(firstB)) return true;
  if (isCutOff(wordsA, wordsB) || isCutOff(wordsB, wordsA)) return true;
  return isInitials(wordsA, firstB) || isInitials(wordsB, firstA);
}

/** After whole words, or after so many letters that no other name begins with them. */
function isCutOff(whole: readonly string[], part: readonly string[]): boolean {
  if (part.every((word, at) => word === whole[at])) return true;
  const letters = part.join("");
  return letters.length >= cutOffLengthMin && whole.join("").startsWith(letters);
}

function isInitials(words: readonly string[], word: string): boolean {
  return (
    word.length >= initialsLengthMin &&
    word ===
      words
        .map((one) => one.charAt(0))
        .join("")
        .slice(0, word.length)
  );
}

/** One obligation under the newer name; what was known about either stays. */
function join(earlier: Obligation, next: Obligation, country: string): Obligation {
  const payments = [...earlier.payments, ...next.payments].sort(chronologically);
  const isRenamed = earlier.payee !== next.payee;
  return {
    ...next,
    payments,
    logOdds: Math.max(earlier.logOdds, next.logOdds),
    misses: earlier.misses + next.misses,
    schedule: fitSchedule(
      payments.map(({ at }) => at),
      next.cadence,
      country,
    ),
    aliases: isRenamed ? [...earlier.aliases, earlier.payee.key] : earlier.aliases,
  };
}

function startOf(obligation: Obligation): number {
  return firstOf(obligation.payments).at;
}

function compareKeys(a: Obligation, b: Obligation): number {
  return firstOf(a.payments).transaction.txid < firstOf(b.payments).transaction.txid ? -1 : 1;
}
