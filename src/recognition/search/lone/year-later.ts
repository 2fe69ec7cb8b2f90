/**
 * What is paid once a year comes so seldom that its payee has another name, or the bank words its lines otherwise, when
 * it comes again. Payments in no series, to two payees, are one obligation's where they lie a year apart, cost about as
 * much, and their lines say that they are for the same: by a number that hardly another line has, or by the year,
 * counted on under a name that is related.
 */
import { cadenceOf } from "../cadence.ts";
import { deviation } from "../chain.ts";
import type { Kinship } from "../kinship.ts";
import { type Obligation, obligationOf } from "../obligation.ts";
import { agreement, counted, priorByName, type PriorReason, seriesPrior } from "../prior.ts";
import { findSeries } from "../series.ts";
import { ownNumbersIn } from "../../../payments/contracts.ts";
import { chronologically } from "../../../payments/history.ts";
import type { Payment } from "../../../payments/payment.ts";
import { type Payee, sellsOthers, titleOf } from "../../../payments/payee.ts";
import { countsYears } from "../../../payments/line-day/year-counter.ts";
import { itemAt, present } from "../../../present.ts";

const yearly = present(cadenceOf("YEARLY"), "the cadence YEARLY");
/** |log ratio| by which a year makes a price fall at most, and rise. */
const logFallMax = 0.05;
const logRiseMax = 0.12;
/** Who is paid more often without a series is paid for what comes up. */
const straysMax = 12;
/** A number in the lines of more payees than this is the user's own, or the bank's. */
const payeesPerNumberMax = 3;
/** Log odds that two payees are one, as related names in rename.ts. */
const logAcrossRelatedNames = -0.5;

/** Payments in no series, by day, and their payee. */
type Strays = { payee: Payee; rest: readonly Payment[] };
/** numbers: those of its line; null: nobody has asked yet. */
type Stray = { payment: Payment; payee: Payee; numbers: readonly string[] | null };
type Link = { earlier: Stray; later: Stray; reasons: PriorReason[]; days: number };

/**
 * Yearly obligations of payments, of those that are not taken, to payees with different names.
 * @param strays of all payees, as whose a number is may be told by those that have no strays too.
 */
export function yearLater(
  strays: readonly Strays[],
  taken: ReadonlySet<Payment>,
  kinship: Kinship,
  country: string,
): Obligation[] {
  const open = openStrays(strays, taken);
  const links = linksIn(open, strays, kinship).sort(
    (a, b) => a.days - b.days || chronologically(a.later.payment, b.later.payment),
  );
  const joined = new Set<Payment>();
  return links.flatMap((link) => {
    const payments = [link.earlier.payment, link.later.payment];
    if (payments.some((payment) => joined.has(payment))) return [];
    const found = asObligation(link, country);
    if (found.length > 0) for (const payment of payments) joined.add(payment);
    return found;
  });
}

/** By day; what is bought is not looked for a year later. */
function openStrays(strays: readonly Strays[], taken: ReadonlySet<Payment>): Stray[] {
  const open: Stray[] = [];
  for (const { payee, rest } of strays) {
    if (rest.length === 0 || rest.length > straysMax || payee.direction === "IN" || sellsOthers(payee)) continue;
    for (const payment of rest)
      if (payment.kind !== "CARD" && !taken.has(payment)) open.push({ payment, payee, numbers: null });
  }
  return open.sort((a, b) => chronologically(a.payment, b.payment));
}

function linksIn(open: readonly Stray[], strays: readonly Strays[], kinship: Kinship): Link[] {
  const links: Link[] = [];
  const reach = yearly.toleranceDays + 1;
  let from = 0;
  for (const later of open) {
    const { at, logCost } = later.payment;
    while (itemAt(open, from).payment.at < at - yearly.days - reach) from++;
    for (let index = from; index < open.length; index++) {
      const earlier = itemAt(open, index);
      if (earlier.payment.at > at - yearly.days + reach) break;
      const rise = logCost - earlier.payment.logCost;
      if (rise < -logFallMax || rise > logRiseMax || !mayBeOne(earlier, later)) continue;
      const days = Math.abs(deviation(earlier.payment, later.payment, yearly, 1));
      const reasons = days > yearly.toleranceDays ? [] : sameness(earlier, later, strays, kinship);
      if (reasons.length > 0) links.push({ earlier, later, reasons, days });
    }
  }
  return links;
}

/** Who pays in another way pays for something else. */
function mayBeOne(a: Stray, b: Stray): boolean {
  return a.payee !== b.payee && a.payment.kind === b.payment.kind;
}

/** What in the lines says that both are for the same; empty: nothing does. */
function sameness(earlier: Stray, later: Stray, strays: readonly Strays[], kinship: Kinship): PriorReason[] {
  const shared = sharesNumber(earlier, later, strays);
  const counts = (shared || kinship.areKin(earlier.payee, later.payee)) && countsYears(earlier.payment, later.payment);
  return [
    ...(shared ? [{ reason: "AGREEMENT", logOdds: agreement } as const] : []),
    ...(counts ? [{ reason: "COUNTER", logOdds: counted } as const] : []),
  ];
}

function sharesNumber(earlier: Stray, later: Stray, strays: readonly Strays[]): boolean {
  const numbers = numbersOf(later);
  const shared = numbers.length === 0 ? [] : numbersOf(earlier).filter((number) => numbers.includes(number));
  return shared.some((number) => isOfFew(number, strays));
}

function numbersOf(stray: Stray): readonly string[] {
  return (stray.numbers ??= ownNumbersIn(stray.payment.transaction.description));
}

/** Whether the lines of no more payees than that have the number. */
function isOfFew(number: string, strays: readonly Strays[]): boolean {
  let having = 0;
  for (const { payee } of strays) {
    const hasIt = payee.payments.some(({ transaction }) => transaction.description.includes(number));
    if (hasIt && ++having > payeesPerNumberMax) return false;
  }
  return true;
}

function asObligation({ earlier, later, reasons }: Link, country: string): Obligation[] {
  const { payee } = later;
  const prior = [...priorByName(payee, country), ...reasons];
  const known = seriesPrior(prior, payee);
  const others = earlier.payee.payments.length + payee.payments.length - 2;
  const { series } = findSeries(
    [earlier.payment, later.payment],
    { ...known, againstChance: known.againstChance + logAcrossRelatedNames - Math.log1p(others) },
    country,
  );
  return series
    .filter(({ cadence }) => cadence === yearly)
    .map((one) => ({
      ...obligationOf(payee, one, prior),
      title: titleOf(payee, [later.payment]),
      aliases: [earlier.payee.key],
    }));
}
