/**
 * Obligations that are paid at another frequency from some day on: the year at once instead of each month, each month
 * instead of the quarter. The price changes with the period, the old run ends and the new one begins when it would have
 * been due, at one payee.
 */
import { type Cadence, cadences, missesOf } from "./cadence.ts";
import { deviation } from "./chain.ts";
import type { Run } from "./crossed-ends.ts";
import { chronologically } from "../../payments/history.ts";
import type { Payment } from "../../payments/payment.ts";
import { hasFixedPrice } from "./price.ts";
import { fitSchedule, occurrenceNear, postingDay } from "./schedule.ts";
import { firstOf, itemAt, lastOf } from "../../present.ts";

/** What a day costs after the change by what it cost before: discounts for paying at once, surcharges for parts. */
const dailyCostRatioMin = 0.65;
const dailyCostRatioMax = 1.35;
/**
 * One payment alone shows the new frequency only where its price comes so near to the same cost a day, and it is for
 * months: half a month's price on its due date is an offer, not a fortnight's.
 */
const aloneRatioMin = 0.85;
const aloneRatioMax = 1.1;
/** Of one period's price and another's twice as long one payment shows nothing: an offer ends, or two are paid at once. */
const alonePeriodsMin = 2.5;
/** The new run holds nearly all payments of its price, and leaves out few dates. */
const coverageMin = 0.8;
const missedPerPayment = 4;
/** The old run must stand by itself. */
const oldPaymentsMin = 3;
const oldPaymentsMinSparse = 2;
const sparseMonthsMin = 6;
const oldLogOddsMin = 1;
/** Prices of one level, as |log ratio|, and of two. */
const logLevelMax = 0.12;
const logApartMin = 0.4;
/** An agreement changes its frequency seldom. */
const changesMax = 3;

type Series = Run & { logOdds: number };
type Found = { series: Series[]; rest: readonly Payment[] };
/** Log odds of a part of a run by itself. */
type OddsOf = (part: Series) => number;

/** The same payments, with runs joined where one goes on as the other at another frequency. */
export function joinFrequencyChanges(found: Found, country: string, oddsOfPart: OddsOf = oddsOf): Found {
  let joined = found;
  for (let changes = 0; changes < changesMax; changes++) {
    const next = joinFirst(joined, country, oddsOfPart);
    if (next === null) break;
    joined = next;
  }
  return joined;
}

function joinFirst({ series, rest }: Found, country: string, oddsOfPart: OddsOf): Found | null {
  for (const one of series) {
    const old = withoutNewLevel(one, country, oddsOfPart);
    const others = series.filter((other) => other !== one);
    const change = old === null ? null : changeOf(old, others, rest, one, country);
    if (change === null) continue;
    const taken = new Set(change.payments);
    const left = one.payments.filter((payment) => !taken.has(payment));
    return {
      series: [...others.filter(({ payments }) => !payments.some((payment) => taken.has(payment))), change],
      rest: [
        ...rest.filter((payment) => !taken.has(payment)),
        ...others.flatMap(({ payments }) =>
          payments.some((payment) => taken.has(payment)) ? payments.filter((payment) => !taken.has(payment)) : [],
        ),
        ...left,
      ].sort(chronologically),
    };
  }
  return null;
}

/**
 * The run before its price went to another level for good, with its own odds: what came after missed its dates. The run
 * itself where it never did; null: no run by itself.
 */
function withoutNewLevel(series: Series, country: string, oddsOfPart: OddsOf): Series | null {
  const { cadence } = series;
  const payments = series.payments.filter(({ at }) => at >= series.ruleFrom);
  let end = payments.length;
  const latest = lastOf(payments);
  while (end > 0 && isNear(itemAt(payments, end - 1), latest)) end--;
  const isOneLevel = end === 0 || !isApart(itemAt(payments, end - 1), latest);
  const before = isOneLevel ? payments : payments.slice(0, end);
  const enough = cadence.months >= sparseMonthsMin ? oldPaymentsMinSparse : oldPaymentsMin;
  if (before.length < enough || series.logOdds < oldLogOddsMin || !hasFixedPrice(before)) return null;
  if (isOneLevel) return { ...series, payments };
  const schedule = fitSchedule(
    before.map(({ at }) => at),
    cadence,
    country,
  );
  const part = { ...series, payments: before, misses: missesOf(before, cadence), schedule };
  return { ...part, logOdds: oddsOfPart(part) };
}

function isNear(a: Payment, b: Payment): boolean {
  return Math.abs(a.logCost - b.logCost) <= logLevelMax;
}

function isApart(a: Payment, b: Payment): boolean {
  return Math.abs(a.logCost - b.logCost) >= logApartMin;
}

/** The old run gone on at another frequency; null where nothing at the payee does. */
function changeOf(
  old: Series,
  others: readonly Series[],
  rest: readonly Payment[],
  whole: Series,
  country: string,
): Series | null {
  const last = lastOf(old.payments);
  const later = [...new Set([...whole.payments, ...others.flatMap(({ payments }) => payments), ...rest])]
    .filter(({ at }) => at > last.at)
    .sort(chronologically);
  const first = later.find((payment) => isApart(payment, last));
  if (first === undefined || later.some((payment) => payment.at > first.at && isNear(payment, last))) return null;
  if (wasPaidBeside(old, first, [...others.flatMap(({ payments }) => payments), ...rest])) return null;
  if (!beginsWhenDue(old, first, country)) return null;
  for (const cadence of cadences) {
    const ratio = first.cost / cadence.days / (last.cost / old.cadence.days);
    if (cadence === old.cadence || ratio < dailyCostRatioMin || ratio > dailyCostRatioMax) continue;
    const run = runAt(cadence, later, first);
    const atLevel = later.filter((payment) => isNear(payment, first)).length;
    if (run.length < coverageMin * atLevel || missesOf(run, cadence) * missedPerPayment > run.length) continue;
    if (run.length === 1 && !isShownAlone(cadence, old.cadence, ratio)) continue;
    const dates = run.map(({ at }) => at);
    return {
      cadence,
      payments: [...whole.payments.filter(({ at }) => at < whole.ruleFrom), ...old.payments, ...run],
      logOdds: Math.max(old.logOdds, ...others.filter(({ payments }) => payments.includes(first)).map(oddsOf)),
      misses: old.misses + missesOf(run, cadence),
      schedule: fitSchedule(dates, cadence, country),
      ruleFrom: first.at,
    };
  }
  return null;
}

/** @param ratio of what a day costs since, and before. */
function isShownAlone(cadence: Cadence, old: Cadence, ratio: number): boolean {
  const periods = Math.max(cadence.days / old.days, old.days / cadence.days);
  return cadence.months > 0 && periods >= alonePeriodsMin && ratio >= aloneRatioMin && ratio <= aloneRatioMax;
}

/** What was paid at the new level while the old run ran is something else, and goes on. */
function wasPaidBeside({ payments }: Series, first: Payment, others: readonly Payment[]): boolean {
  const [from, to] = [firstOf(payments).at, lastOf(payments).at];
  return others.some((other) => other.at >= from && other.at <= to && isNear(other, first));
}

function oddsOf({ logOdds }: Series): number {
  return logOdds;
}

/** On the due date after the last payment, or on the one after a date that stayed unpaid. */
function beginsWhenDue({ schedule, payments, cadence }: Series, first: Payment, country: string): boolean {
  const lastDue = occurrenceNear(schedule, lastOf(payments).at, country);
  const due = occurrenceNear(schedule, first.at, country);
  return (
    due - lastDue >= 1 &&
    due - lastDue <= 2 &&
    Math.abs(first.at - postingDay(schedule, due, country)) <= cadence.toleranceDays
  );
}

/** Payments at the new level, each a period after the one before, with at most one left out. */
function runAt(cadence: Cadence, later: readonly Payment[], first: Payment): Payment[] {
  const run = [first];
  for (const payment of later) {
    const before = lastOf(run);
    if (payment.at <= before.at || !isNear(payment, firstOf(run))) continue;
    const isDue = [1, 2].some(
      (periods) => Math.abs(deviation(before, payment, cadence, periods)) <= cadence.toleranceDays,
    );
    if (isDue) run.push(payment);
  }
  return run;
}
