/**
 * Bills of what is by its kind an obligation, paid on days that nobody keeps: made out when a meter was read, paid when
 * the reminder came, collected again after it failed. Single dates tell nothing there; that gaps are on the whole as long
 * as a period, where those of purchases are of any length, does. So are many payments of one price taken, whatever they are for.
 */
import { type Cadence, cadences, missesOf } from "../cadence.ts";
import type { Run } from "../crossed-ends.ts";
import { oddsToAsk } from "./by-chance.ts";
import { habitLogOdds } from "../habit.ts";
import { isSamePrice } from "../chain.ts";
import { hasFixedPrice, medianOf, type PriceStatistics, priceStatistics } from "../price.ts";
import { type Schedule, fitSchedule } from "../schedule.ts";
import type { Payment, PaymentKind } from "../../../payments/payment.ts";
import { firstOf, itemAt, lastOf } from "../../../present.ts";
import { numberInMonth } from "../../../time/calendar.ts";
import { bothOdds } from "./odds.ts";

type Series = Run & { logOdds: number };
/** Log odds known of the payee beforehand, and whether it may bill so at all. */
type Prior = {
  againstChance: number;
  againstHabit: number;
  isCrowded: boolean;
  usualCost?: number;
  isOwed?: boolean;
};

/** So many dates have a rhythm, and of more the latest tell it. */
const datesMin = 4;
const datesMax = 130;
/** Bills come one at a time: nearly each has a day of its own. */
const ownDaysShareMin = 0.9;
/** But of one price two are paid at once where a month was left out. */
const ownDaysShareMinOfOnePrice = 0.7;
/** What is billed more often or more seldom keeps its dates, or shows none in a few years. */
const looseCadences: readonly Cadence[] = cadences.filter(({ months }) => months >= 1 && months <= 3);
/** But for who sells nothing else than what is owed: insurers bill a half year about when it begins. */
const billersCadences: readonly Cadence[] = [
  ...looseCadences,
  ...cadences.filter(({ frequency }) => frequency === "HALFYEARLY"),
];
/** But for who comes every week or two, on a day that suits, and always takes the same. */
const oftenCadences: readonly Cadence[] = cadences.filter(
  ({ frequency }) => frequency === "WEEKLY" || frequency === "BIWEEKLY",
);
/** A series that has so many of the payments is what they are, though its dates alone would not show it. */
const sameShareMin = 0.8;
const sparseMonthsMin = 6;

/**
 * The series told, or in their place what all payments are together: one bill. A series of nearly all payments keeps its
 * dates and becomes surer.
 */
export function looselyBilled(payments: readonly Payment[], told: Series[], prior: Prior, country: string): Series[] {
  if (prior.isCrowded || payments.length < datesMin || !mayBeLoose(payments, prior)) return told;
  const days = [...new Set(payments.map(({ at }) => at))];
  const dates = prior.isOwed === true && told.length <= 1 ? withoutParts(days, payments) : days;
  const ownDaysMin = hasOneUncommonPrice(payments, prior) ? ownDaysShareMinOfOnePrice : ownDaysShareMin;
  if (dates.length < datesMin || dates.length > datesMax || days.length < ownDaysMin * payments.length) return told;
  const loose = likeliest(payments, dates, prior);
  if (loose === null) return told;
  if (isBillers(payments, prior) && areAboutEven(dates))
    loose.logOdds = Math.max(loose.logOdds, oddsToAsk(payments.length));
  if (loose.logOdds < 0) return told;
  if (prior.isOwed !== true)
    loose.logOdds = Math.min(loose.logOdds, logOddsOfOnePriceMax(loose.cadence, payments.length));
  const main = told.find((one) => one.payments.length >= sameShareMin * payments.length);
  if (main !== undefined) return told.map((one) => (one === main ? surer(main, loose) : one));
  // What a season costs is asked again a year later: that is the same bill. What comes by turns at prices of its own is not.
  const isEven = keepsPeriods(payments);
  const isSeason = ({ cadence }: Series): boolean => isEven && cadence.months >= sparseMonthsMin;
  const isApart = told.some((one) => !isSeason(one) && standsAlone(one, payments, loose));
  return isApart ? told : [seriesOf(payments, dates, loose, country)];
}

/**
 * Odds against a habit that those have whose whole trade is owed, or of whom several things in the lines say so (prior.ts).
 * Of what they are paid at gaps that are about even hardly anything is bought. What is collected has dates that it keeps.
 */
const billersMin = 2.9;

function isBillers(payments: readonly Payment[], { isOwed, againstHabit }: Prior): boolean {
  return isOwed === true && againstHabit >= billersMin && lastOf(payments).kind !== "DIRECT_DEBIT";
}

const evenGapsMax = 4;

function areAboutEven(dates: readonly number[]): boolean {
  const gaps = dates.slice(1).map((date, index) => date - itemAt(dates, index));
  return Math.max(...gaps) <= evenGapsMax * Math.min(...gaps);
}

function mayBeLoose(payments: readonly Payment[], prior: Prior): boolean {
  return (
    prior.isOwed === true ||
    hasOneUncommonPrice(payments, prior) ||
    keepsPeriods(payments) ||
    keepsItsDay(payments) ||
    isPaidOften(payments, prior)
  );
}

const oftenPaymentsMin = 12;
const paymentsPerPriceMin = 12;

/**
 * Whether as much is paid each time, but for a new price now and then, and it is no small purchase. With a card people
 * buy the same every week: what costs several times as much as other things they do not.
 */
function isPaidOften(payments: readonly Payment[], { usualCost = 0 }: Prior): boolean {
  if (payments.length < oftenPaymentsMin) return false;
  const changes = payments.filter(({ price }, at) => at > 0 && price !== itemAt(payments, at - 1).price).length;
  if (changes * paymentsPerPriceMin > payments.length) return false;
  const { cost, kind } = lastOf(payments);
  if (moved.has(kind)) return true;
  return usualCost > 0 && cost >= (kind === "CARD" ? uncommonCostMin : 1) * usualCost;
}

/** So many payments in a row that lie a period from each other are no purchases, whatever they are for and cost. */
const periodsPaymentsMin = 6;
const offDaysShareMax = 0.15;
const moved: ReadonlySet<PaymentKind> = new Set<PaymentKind>(["TRANSFER", "DIRECT_DEBIT"]);

/** Whether all that is moved from the account comes a period after the last. What is bought now and then comes at such gaps, too. */
function keepsPeriods(payments: readonly Payment[]): boolean {
  if (payments.length < periodsPaymentsMin || payments.some(({ kind }) => !moved.has(kind))) return false;
  return looseCadences.some(({ days }) =>
    payments.every(
      ({ at }, index) => index === 0 || Math.abs(at - itemAt(payments, index - 1).at - days) <= offDaysShareMax * days,
    ),
  );
}

/** Nobody shops on one day of the month for so long; of so many one was put off, or left out. */
const itsDayPaymentsMin = 8;
const itsDayShareMin = 0.88;
const itsDayReach = 2;
const halfMonthDays = 15;

/** Whether nearly each month has one payment, about on its day, whatever they cost. */
function keepsItsDay(payments: readonly Payment[]): boolean {
  if (payments.length < itsDayPaymentsMin) return false;
  const itsDay = medianOf(payments.map(({ dayOfMonth }) => dayOfMonth));
  const months = payments.flatMap(({ at, monthIndex, dayOfMonth }) => {
    const off = dayOfMonth - itsDay;
    const due = monthIndex + (off > halfMonthDays ? 1 : off < -halfMonthDays ? -1 : 0);
    return Math.abs(at - numberInMonth(due, Math.round(itsDay))) <= itsDayReach ? [due] : [];
  });
  if (months.length < payments.length * itsDayShareMin || new Set(months).size < months.length) return false;
  return months.length >= (lastOf(months) - firstOf(months) + 1) * itsDayShareMin;
}

/** Who pays by hand pays some bills in parts, or pays the rest of one when it was noticed. */
const partDaysMax = 8;
const partsShareMax = 0.25;

/** The days without those on which the rest of a bill was paid; all of them where that would be many, or with a card. */
function withoutParts(days: readonly number[], payments: readonly Payment[]): readonly number[] {
  if (payments.some(({ kind }) => kind === "CARD")) return days;
  let begun = -Infinity;
  const bills = days.filter((day) => {
    if (day - begun <= partDaysMax) return false;
    begun = day;
    return true;
  });
  return days.length - bills.length > partsShareMax * days.length ? days : bills;
}

/**
 * So many payments of the very same price are no purchases, whatever they are for. With a card people buy the same now and
 * then, a haircut or a ticket; what costs several times as much as other things they do not.
 */
const onePricePaymentsMin = 6;
const uncommonCostMin = 3;

function hasOneUncommonPrice(payments: readonly Payment[], { usualCost = 0 }: Prior): boolean {
  const { price, cost } = firstOf(payments);
  if (payments.length < onePricePaymentsMin || payments.some((other) => other.price !== price)) return false;
  return lastOf(payments).kind !== "CARD" || (usualCost > 0 && cost >= uncommonCostMin * usualCost);
}

/**
 * Nothing is said of such a payee, so that it is asked about and not shown: odds as good as rather right than wrong,
 * which are fewer from a year's payments on (confidence.ts).
 */
function logOddsOfOnePriceMax({ months }: Cadence, count: number): number {
  if (months === 0) return logOddsAskedOften;
  return logOddsAsked - Math.min(lessOddsMax, lessOddsPerPayment * Math.max(0, count - paymentsShowing));
}

const logOddsAsked = 3.6;
const logOddsAskedOften = 3.2;
const paymentsShowing = 9;
const lessOddsPerPayment = 0.3;
const lessOddsMax = 1.4;

function surer(series: Series, { cadence, logOdds }: Loose): Series {
  return series.cadence.frequency === cadence.frequency && logOdds > series.logOdds ? { ...series, logOdds } : series;
}

/** So large a part of the payments, or so many of them, may be a contract beside others. */
const aloneShareMin = 0.65;

/**
 * A run of a price of its own, a yearly one, or one that is as sure: together with others it makes several contracts.
 */
function standsAlone({ payments, cadence, logOdds }: Series, all: readonly Payment[], loose: Loose): boolean {
  return (
    (hasOwnPrice(payments, all) && !(loose.logOdds > logOdds && areAlike(all))) ||
    cadence.months >= sparseMonthsMin ||
    ((payments.length >= datesMin || payments.length >= aloneShareMin * all.length) && logOdds >= loose.logOdds)
  );
}

/** |log ratio| within which bills of one contract mostly stay, and how many of the payments must. */
const alikeLogRatioMax = 0.1;
const alikeShareMin = 0.8;

/** Whether nearly all cost about the same: those that keep their dates are then no contract of their own. */
function areAlike(all: readonly Payment[]): boolean {
  const usual = medianOf(all.map(({ logCost }) => logCost));
  const alike = all.filter(({ logCost }) => Math.abs(logCost - usual) <= alikeLogRatioMax);
  return alike.length >= alikeShareMin * all.length;
}

/** Others are paid while a contract runs, too; what is alone in its time is the same bill at another price. */
const besideShareMin = 0.4;

function runsBesideOthers(payments: readonly Payment[], all: readonly Payment[]): boolean {
  const [from, to] = [firstOf(payments).at, lastOf(payments).at];
  const inTime = all.filter(({ at }) => at >= from && at <= to).length - payments.length;
  return inTime >= besideShareMin * payments.length;
}

/** Of payments that nearly all have one price, some lie evenly by chance. */
function hasOwnPrice(payments: readonly Payment[], all: readonly Payment[]): boolean {
  const isFixed = payments.length === 2 ? isSamePrice(firstOf(payments), lastOf(payments)) : hasFixedPrice(payments);
  if (!isFixed || !runsBesideOthers(payments, all)) return false;
  const alike = all.filter((payment) => isSamePrice(payment, lastOf(payments)));
  return payments.length >= aloneShareMin * alike.length;
}

type Loose = { cadence: Cadence; logOdds: number };

function likeliest(payments: readonly Payment[], dates: readonly number[], prior: Prior): Loose | null {
  const pricesSay = logPrices(payments);
  if (pricesSay === -Infinity) return null;
  const isEven = keepsPeriods(payments);
  const habitSays = logHabit(dates);
  const chanceSays = logChance(dates);
  let best: Loose | null = null;
  for (const cadence of cadencesFor(payments, prior)) {
    const gapsSay = logGaps(dates, cadence, isEven ? evenGapSpread : gapSpread);
    const againstHabit = habitLogOdds({
      payments,
      frequency: cadence.frequency,
      kind: prior.isOwed === true ? "DIRECT_DEBIT" : lastOf(payments).kind,
      misses: missesOf(payments, cadence),
      spreadDays: 0,
      extras: 0,
      timing: bounded(gapsSay - habitSays, timingEvidenceMax),
    });
    const logOdds = bothOdds(
      gapsSay - chanceSays + pricesSay + logPriorOf(cadence, payments, prior) + prior.againstChance,
      againstHabit + prior.againstHabit,
    );
    if (best === null || logOdds > best.logOdds) best = { cadence, logOdds };
  }
  return best;
}

function cadencesFor(payments: readonly Payment[], prior: Prior): readonly Cadence[] {
  if (isPaidOften(payments, prior)) return [...oftenCadences, ...looseCadences];
  return isBillers(payments, prior) ? billersCadences : looseCadences;
}

/** Of what is paid to who sells nothing else a good part is billed each second month or quarter: power, water, taxes. */
const logPriorOfBills: ReadonlyMap<number, number> = new Map([
  [2, Math.log(0.15)],
  [3, Math.log(0.2)],
]);

function logPriorOf({ months, logPrior }: Cadence, payments: readonly Payment[], prior: Prior): number {
  return isBillers(payments, prior) ? (logPriorOfBills.get(months) ?? logPrior) : logPrior;
}

/** Who shops about once a month has as even gaps as who bills so loosely: they tell little between the two. */
const timingEvidenceMax = 2;

function bounded(value: number, most: number): number {
  return Math.min(most, Math.max(-most, value));
}

/** Standard deviation of a gap, in periods, and how often one, two or three periods go by from bill to bill. */
const gapSpread = 0.3;
const evenGapSpread = 0.1;
const periods: readonly number[] = [0.93, 0.06, 0.01];

/** Log likelihood of the gaps between dates of a bill. */
function logGaps(dates: readonly number[], { days }: Cadence, ofGap: number): number {
  return overGaps(dates, (gap) => {
    let density = 0;
    for (let index = 0; index < periods.length; index++) {
      const spread = ofGap * days * Math.sqrt(index + 1);
      const off = (gap - (index + 1) * days) / spread;
      density += ((periods[index] as number) * Math.exp((-off * off) / 2)) / (spread * Math.sqrt(2 * Math.PI));
    }
    return Math.log(density + Number.MIN_VALUE);
  });
}

/** The same of purchases that come at any time, as often as these. */
function logChance(dates: readonly number[]): number {
  const mean = meanGap(dates);
  return overGaps(dates, (gap) => -gap / mean - Math.log(mean));
}

/** The same of a habit: hardly ever twice in a row, as a gamma distribution of shape 2 has it. */
function logHabit(dates: readonly number[]): number {
  const mean = meanGap(dates);
  return overGaps(dates, (gap) => Math.log((4 * gap) / mean ** 2) - (2 * gap) / mean);
}

function meanGap(dates: readonly number[]): number {
  return (lastOf(dates) - firstOf(dates)) / (dates.length - 1);
}

function overGaps(dates: readonly number[], logOf: (gap: number) => number): number {
  let sum = 0;
  for (let index = 1; index < dates.length; index++) sum += logOf(itemAt(dates, index) - itemAt(dates, index - 1));
  return sum;
}

/** Bills differ by less than this ratio from one to the next (about eleven), seldom by more, and otherwise say little by changing. */
const logRatioUsual = 2.4;
const logRatioMax = 3.4;
const logLeaps = -1;
const logChanged = -0.3;
const pricesEvidenceMin = -1;

/** What amounts say against chance; −∞: they are no bills'. */
function logPrices(payments: readonly Payment[]): number {
  const prices = priceStatistics(payments, false);
  let sum = 0;
  let leaps = 0;
  for (let index = 1; index < payments.length; index++) {
    const change = Math.abs(itemAt(payments, index).logCost - itemAt(payments, index - 1).logCost);
    if (change > logRatioMax) return -Infinity;
    if (change > logRatioUsual) leaps += logLeaps;
    sum += logPrice(prices, index, change);
  }
  return Math.max(pricesEvidenceMin, sum) + leaps;
}

function logPrice({ priceNumbers, logSame, logNear, logNearRatioMax }: PriceStatistics, index: number, change: number) {
  if (priceNumbers[index] === priceNumbers[index - 1]) return logSame;
  return change <= logNearRatioMax ? logNear : logChanged;
}

function seriesOf(
  payments: readonly Payment[],
  dates: readonly number[],
  { cadence, logOdds }: Loose,
  country: string,
): Series {
  return {
    cadence,
    payments: [...payments],
    logOdds,
    misses: missesOf(payments, cadence),
    schedule: looseSchedule(dates, cadence, country),
    ruleFrom: firstOf(payments).at,
  };
}

/** By the calendar where dates keep nearer to it than gaps to their middle; else as long after the last as they usually come. */
function looseSchedule(dates: readonly number[], cadence: Cadence, country: string): Schedule {
  const due = fitSchedule(dates, cadence, country);
  if (due.followsLast !== null) return due;
  const gaps = dates.slice(1).map((date, index) => date - itemAt(dates, index));
  const days = Math.round(medianOf(gaps));
  const spreadDays = gaps.reduce((sum, gap) => sum + Math.abs(gap - days), 0) / gaps.length;
  if (due.spreadDays <= spreadDays) return due;
  return {
    ...due,
    cadence: { ...cadence, months: 0, days },
    anchor: lastOf(dates),
    phase: 0,
    habit: "NEXT_BANKING_DAY",
    weekday: null,
    pausedMonths: [],
    followsLast: { calendarSpreadDays: due.spreadDays },
    spreadDays,
  };
}
