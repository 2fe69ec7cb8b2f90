/**
 * Regular is not yet owed: people shop on Saturdays and lunch on weekdays. This weighs an obligation against a habit,
 * by what tells them apart: how often it is, whether the price stays, whether dates are kept, and whether there are
 * other purchases of the kind in between.
 */
import type { RegularFrequency } from "./cadence.ts";
import { isSamePrice } from "./chain.ts";
import type { Payment, PaymentKind } from "../../payments/payment.ts";
import { areWholeTens } from "../../payments/price-kind.ts";
import { seasonEvidence } from "./evidence/season.ts";
import { hasFixedPrice } from "./price.ts";
import { itemAt } from "../../present.ts";

/** Log odds of obligation against habit for something regular, by how often: who buys once a month to the day? */
const byFrequency: Readonly<Record<RegularFrequency, number>> = {
  DAILY: -1.5,
  WEEKLY: -0.5,
  BIWEEKLY: 0,
  MONTHLY: 2.5,
  BIMONTHLY: 2.5,
  QUARTERLY: 2.5,
  HALFYEARLY: 2,
  YEARLY: 1.5,
};

export type Run = {
  payments: readonly Payment[];
  frequency: RegularFrequency;
  /** How the money moved: nobody shops by direct debit. */
  kind: PaymentKind;
  /** Due dates without a payment. */
  misses: number;
  /** Mean distance of the payments from the posting dates of the best rule. */
  spreadDays: number;
  /** Other payments of about this price to the payee during the run, in no other series. */
  extras: number;
  /** The middle one of all that the user pays, in minor units; 0 where that says nothing. */
  usualCost?: number;
  /** Log odds by when they were paid, where something else than the distance tells them. */
  timing?: number;
};

/** Log odds that a regular run of payments is an obligation rather than a habit, before what is known of the payee. */
export function habitLogOdds(run: Run): number {
  const { payments, frequency, kind, misses, spreadDays, extras, usualCost = 0, timing } = run;
  const count = payments.length;
  return (
    byFrequency[frequency] +
    priceEvidence(payments, kind, frequency) +
    returnEvidence(payments, kind) +
    (timing ?? timingEvidence(count, spreadDays, frequency)) +
    keepingEvidence(count, misses, frequency) +
    holidayEvidence(count, misses, frequency) +
    extrasEvidence(count, extras) +
    costEvidence(payments, kind, frequency, usualCost)
  );
}

/**
 * Small purchases are many: some recur weekly, and some lie a quarter or half a year apart by chance. What costs more than
 * most that is bought does not. Nearly everything that comes every two weeks or monthly is owed, whatever it costs.
 */
const owedWhateverItCosts: ReadonlySet<RegularFrequency> = new Set(["BIWEEKLY", "MONTHLY"]);
const costEvidencePerLog = 2.5;
const costEvidenceMin = -2;
const costEvidenceMaxOften = 2;
/** What costs less than a tenth of that is rather what other payments leave: rounding up, a surcharge. */
const logLeftover = -Math.log(10);
const leftoverEvidencePerLog = 1.5;

/** What costs so many times as much, and comes each half a year or year for the third time, is hardly bought then. */
const costEvidenceOfDear = 1.5;
const logDear = Math.log(5);

function isDear(payments: readonly Payment[], frequency: RegularFrequency, ratio: number): boolean {
  return seldom.has(frequency) && payments.length >= seldomPaymentsMin && ratio >= logDear;
}

function costEvidence(
  payments: readonly Payment[],
  kind: PaymentKind,
  frequency: RegularFrequency,
  usualCost: number,
): number {
  if (usualCost === 0 || owedWhateverItCosts.has(frequency)) return 0;
  const ratio = itemAt(payments, payments.length >> 1).logCost - Math.log(usualCost);
  const asLeftover = leftoverEvidencePerLog * Math.min(0, ratio - logLeftover);
  if (kind === "DIRECT_DEBIT") return asLeftover;
  const most = often.has(frequency)
    ? costEvidenceMaxOften
    : isDear(payments, frequency, ratio)
      ? costEvidenceOfDear
      : 0;
  const evidence = Math.min(most, costEvidencePerLog * ratio);
  return Math.max(costEvidenceMin, evidence) + asLeftover;
}

/**
 * Mean distance from the due date, in days, of payments that are collected: a day of the month is kept but for closed
 * days, of which the due date knows.
 */
const collectedSpreadDaysUsual = 1.2;
const collectedSpreadDaysMonthly = 0.9;
/**
 * The same of those that are a person's choice. No date is further from a weekly due date than half a week, so any
 * choice lies nearer.
 */
const chosenSpreadDaysOf: Readonly<Record<RegularFrequency, number>> = {
  DAILY: 3,
  WEEKLY: 1.75,
  BIWEEKLY: 3,
  MONTHLY: 2.2,
  BIMONTHLY: 3,
  QUARTERLY: 3,
  HALFYEARLY: 3,
  YEARLY: 3,
};
/** People keep weekdays, and no days of the month. */
const timingEvidenceMin = -6;
const timingEvidenceMaxOf: Readonly<Record<RegularFrequency, number>> = {
  DAILY: 2,
  WEEKLY: 2,
  BIWEEKLY: 4,
  MONTHLY: 4,
  BIMONTHLY: 3,
  QUARTERLY: 3,
  HALFYEARLY: 3,
  YEARLY: 3,
};

/** Both taken as exponential in the distance. */
function timingEvidence(count: number, spreadDays: number, frequency: RegularFrequency): number {
  const chosenSpreadDays = chosenSpreadDaysOf[frequency];
  const collectedSpreadDays = frequency === "MONTHLY" ? collectedSpreadDaysMonthly : collectedSpreadDaysUsual;
  const perPayment =
    Math.log(chosenSpreadDays / collectedSpreadDays) - spreadDays * (1 / collectedSpreadDays - 1 / chosenSpreadDays);
  return Math.min(timingEvidenceMaxOf[frequency], Math.max(timingEvidenceMin, count * perPayment));
}

/** P(same price again) of obligations and of habits. */
const logSamePrice = Math.log(0.6 / 0.25);
/** The same of a price next to it, as |log ratio|: rounded, indexed, or in a currency that moves. */
const logNearMax = 0.03;
const logNearPrice = Math.log(0.3 / 0.15);
/** Standard deviations of the log price between neighbours: bills by use, those that leap, and baskets. */
const billSpread = 0.3;
const leapSpread = 0.9;
const leaps = 0.15;
const basketSpread = 0.6;
/** From this change on, as |log ratio|, both leap: it speaks for neither. */
const logLeapMin = 0.9;
const priceEvidenceMin = -8;
/** Nobody shops by direct debit, whatever the amounts: they say little there. */
const priceEvidenceMinByDebit = -2;
const priceEvidenceMax = 4;
/** A lunch or a ticket costs the same each time too: what is bought so often says little by its price. */
const priceEvidenceMaxOften = 1.5;
const often: ReadonlySet<RegularFrequency> = new Set(["DAILY", "WEEKLY", "BIWEEKLY"]);
const seldom: ReadonlySet<RegularFrequency> = new Set(["HALFYEARLY", "YEARLY"]);
const seldomPaymentsMin = 3;
/**
 * What is collected from a card has a price; amounts that change with each payment are baskets and tanks. Only who
 * collects by direct debit may take another amount each time; two amounts a year apart show nothing at all.
 */
const logChangingByCard = -3.5;
const logChanging = -1.5;
const logChangingTwice = -3;
/** Amounts that change and are whole tens each time somebody chose: cash, what friends share, shares bought. */
const logChosen = -1;
const logChosenMin = -6;
const collected: ReadonlySet<PaymentKind> = new Set<PaymentKind>(["DIRECT_DEBIT", "TRANSFER", "INTEREST"]);

function priceEvidence(payments: readonly Payment[], kind: PaymentKind, frequency: RegularFrequency): number {
  let evidence = hasFixedPrice(payments) ? 0 : changingEvidence(payments, kind, frequency) + chosenEvidence(payments);
  for (let index = 1; index < payments.length; index++) {
    const earlier = itemAt(payments, index - 1);
    const later = itemAt(payments, index);
    const change = later.logCost - earlier.logCost;
    evidence += isSamePrice(earlier, later)
      ? logSamePrice
      : Math.abs(change) <= logNearMax
        ? logNearPrice
        : logChange(change, isBasket(payments, kind, frequency));
  }
  const most = kind === "CARD" && often.has(frequency) ? priceEvidenceMaxOften : priceEvidenceMax;
  const least = kind === "DIRECT_DEBIT" ? priceEvidenceMinByDebit : priceEvidenceMin;
  // What follows the season changes each time, and no change of it speaks against it.
  const season = seasonEvidence(payments, frequency);
  return Math.min(
    most,
    Math.max(least, evidence, season === 0 ? least : season + changingEvidence(payments, kind, frequency)),
  );
}

/** Baskets and tanks are bought more often than each half a year, but for two that happen to lie so. */
function isBasket(payments: readonly Payment[], kind: PaymentKind, frequency: RegularFrequency): boolean {
  return kind === "CARD" && (payments.length < seldomPaymentsMin || !seldom.has(frequency));
}

function changingEvidence(payments: readonly Payment[], kind: PaymentKind, frequency: RegularFrequency): number {
  if (payments.length === 2) return logChangingTwice;
  if (isBasket(payments, kind, frequency)) return logChangingByCard;
  return collected.has(kind) ? 0 : logChanging;
}

function chosenEvidence(payments: readonly Payment[]): number {
  if (!areWholeTens(payments)) return 0;
  const changes = payments.filter((payment, index) => index > 0 && !isSamePrice(itemAt(payments, index - 1), payment));
  return Math.max(logChosenMin, changes.length * logChosen);
}

/** Log likelihood ratio of a change by this log ratio: a bill's against a basket's. Collected bills leap now and then. */
function logChange(logRatio: number, isOfBasket: boolean): number {
  const leaping = isOfBasket ? 0 : leaps;
  const bill = (1 - leaping) * density(logRatio, billSpread) + leaping * density(logRatio, leapSpread);
  const evidence = Math.log(bill / density(logRatio, basketSpread));
  // Tanks and baskets of one shop differ as little as bills do.
  return isOfBasket || Math.abs(logRatio) > logLeapMin ? Math.min(0, evidence) : evidence;
}

/** Of a normal distribution, but for a factor that all of them share. */
function density(value: number, spread: number): number {
  return Math.exp(-((value / spread) ** 2) / 2) / spread;
}

/** A price that changed for one payment and came back: what an agreement changes stays changed. */
const logReturned = -0.6;
const logReturnedByCard = -1.2;
const returnEvidenceMin = -6;

function returnEvidence(payments: readonly Payment[], kind: PaymentKind): number {
  let returned = 0;
  for (let index = 1; index + 1 < payments.length; index++) {
    const [before, between, after] = [
      itemAt(payments, index - 1),
      itemAt(payments, index),
      itemAt(payments, index + 1),
    ];
    if (isSamePrice(before, after) && Math.abs(between.logCost - before.logCost) > logNearMax) returned++;
  }
  return Math.max(returnEvidenceMin, returned * (kind === "CARD" ? logReturnedByCard : logReturned));
}

/** P(a date stays unpaid): obligations are missed rarely, habits every fourth time. */
const logMissed = Math.log(0.05 / 0.25);
const logKept = Math.log(0.95 / 0.75);
const keepingEvidenceMin = -6;
const keepingEvidenceMax = 3;
/** Who shops about once a month has months with none and months with two: one in each for years is a bill. */
const keepingEvidenceMaxSparse = 5;

function keepingEvidence(paid: number, misses: number, frequency: RegularFrequency): number {
  const most = often.has(frequency) ? keepingEvidenceMax : keepingEvidenceMaxSparse;
  return Math.min(most, Math.max(keepingEvidenceMin, misses * logMissed + (paid - 1) * logKept));
}

/** Who shops is away or ill some weeks of a year; what an order pays is not. It tells from half a year on. */
const weeksToTell = 26;
const logNeverAwayPerWeek = 3 / 52;
const logNeverAwayMax = 3;

function holidayEvidence(paid: number, misses: number, frequency: RegularFrequency): number {
  return frequency === "WEEKLY" && misses === 0 && paid >= weeksToTell
    ? Math.min(logNeverAwayMax, paid * logNeverAwayPerWeek)
    : 0;
}

/**
 * As many such purchases in between as there are dates is four nats of habit; beyond three times as many it is certain.
 */
const logExtraPerDate = -6;
const extrasPerDateMax = 3;

function extrasEvidence(paid: number, extras: number): number {
  return logExtraPerDate * Math.min(extrasPerDateMax, extras / paid);
}
