/**
 * What was found at a user's payees in an earlier run: nearly all of them have no new payment in a night, and a search
 * that looks at the same finds the same. A payee's result is known by a digest of all that its search looks at, what the
 * user's other payments made of it included: its name, the merchant and the kind of each payment.
 */
import { catalogueVersion } from "../payments/catalogue.ts";
import type { LedgerTransaction } from "../ledger/history.ts";
import type { Payee } from "../payments/payee.ts";
import type { Merchant } from "../payments/merchant.ts";
import type { Payment } from "../payments/payment.ts";
import { itemAt, lastOf } from "../present.ts";
import { type Cadence, cadences, countedInDays } from "./search/cadence.ts";
import { type Obligation, obligationNamed } from "./search/obligation.ts";
import { type PriorReason, roughly } from "./search/prior.ts";
import type { PostingHabit, Schedule, WeekdayOfMonth } from "./search/schedule.ts";

/** What a payee's search found; as in Searched. */
export type Found = { obligations: Obligation[]; rest: readonly Payment[] };

/** The index among cadences, then months and days, where the rule is counted otherwise. */
type KeptCadence = [index: number, months: number, days: number];

type KeptSchedule = [
  cadence: KeptCadence,
  anchor: number,
  phase: number,
  habit: PostingHabit,
  weekday: WeekdayOfMonth | null,
  pausedMonths: readonly number[],
  followsLast: Schedule["followsLast"],
  spreadDays: number,
];

/** Payments by their indices among the payee's. */
type KeptObligation = [
  title: string,
  cadence: KeptCadence,
  payments: number[],
  logOdds: number,
  misses: number,
  schedule: KeptSchedule,
  ruleFrom: number,
];

/** Plain data. Null: nothing was found, and all payments are left. prior: of all the obligations. */
export type KeptSearch = { rest: number[]; prior: readonly PriorReason[]; obligations: KeptObligation[] } | null;

export class KnownSearches {
  readonly #known: ReadonlyMap<number, KeptSearch>;
  /** Of this run, by digest: what the next one is to know. */
  readonly used = new Map<number, KeptSearch>();

  constructor(known: ReadonlyMap<number, KeptSearch> = new Map()) {
    this.#known = known;
  }

  /** @param usualCost and country: what else the search looks at */
  of(payee: Payee, usualCost: number, country: string, search: () => Found): Found {
    const digest = digestOf(payee, usualCost, country);
    const known = this.#known.get(digest);
    if (known !== undefined) {
      this.used.set(digest, known);
      return foundAgain(payee, known);
    }
    const found = search();
    const kept = keptOf(payee, found);
    if (kept !== undefined) this.used.set(digest, kept);
    return found;
  }

  /**
   * The same of payments to payees of different names. Nearly always nothing runs across them, and that alone is kept.
   * @param payees in the order of their payments. @param areRelated whether their names are, to which the search looks
   */
  across(
    payments: readonly Payment[],
    payees: readonly Payee[],
    areRelated: boolean,
    country: string,
    search: () => Obligation[],
  ): Obligation[] {
    const digest = digestAcross(payments, payees, areRelated, country);
    const found = this.#known.get(digest) === null ? [] : search();
    if (found.length === 0) this.used.set(digest, null);
    return found;
  }
}

function foundAgain(payee: Payee, kept: KeptSearch): Found {
  const { payments } = payee;
  if (kept === null) return { obligations: [], rest: payments };
  const at = (indices: readonly number[]): Payment[] => indices.map((index) => itemAt(payments, index));
  return {
    rest: at(kept.rest),
    obligations: kept.obligations.map(([title, cadence, own, logOdds, misses, schedule, ruleFrom]) =>
      obligationNamed(
        payee,
        title,
        {
          cadence: cadenceAgain(cadence),
          payments: at(own),
          logOdds,
          misses,
          schedule: scheduleAgain(schedule),
          ruleFrom,
        },
        kept.prior,
      ),
    ),
  };
}

/** Undefined: what was found is not told by the payee's payments and plain numbers alone. */
function keptOf({ payments }: Payee, { obligations, rest }: Found): KeptSearch | undefined {
  if (
    obligations.length === 0 &&
    rest.length === payments.length &&
    rest.every((one, index) => one === payments[index])
  )
    return null;
  const indices = new Map(payments.map((payment, index) => [payment, index]));
  const indicesOf = (some: readonly Payment[]): number[] => some.map((payment) => indices.get(payment) ?? Number.NaN);
  const kept: KeptSearch = {
    rest: indicesOf(rest),
    prior: obligations[0]?.prior ?? [],
    obligations: obligations.map((one) => [
      one.title,
      keptCadence(one.cadence),
      indicesOf(one.payments),
      one.logOdds,
      one.misses,
      keptSchedule(one.schedule),
      one.ruleFrom,
    ]),
  };
  const isPlain = [
    ...kept.rest,
    ...kept.obligations.flatMap(([, , own, logOdds, misses, , ruleFrom]) => [...own, logOdds, misses, ruleFrom]),
  ].every(Number.isFinite);
  return isPlain && obligations.every(({ prior, aliases }) => prior === kept.prior && aliases.length === 0)
    ? kept
    : undefined;
}

function keptCadence({ frequency, months, days }: Cadence): KeptCadence {
  return [cadences.findIndex((one) => one.frequency === frequency), months, days];
}

/** The very one where it is one of those that are tried: others are compared with it. */
function cadenceAgain([index, months, days]: KeptCadence): Cadence {
  const usual = itemAt(cadences, index);
  const one = [usual, ...countedInDays(usual)].find((one) => one.months === months && one.days === days);
  return one ?? { ...usual, months, days };
}

function keptSchedule(schedule: Schedule): KeptSchedule {
  const { cadence, anchor, phase, habit, weekday, pausedMonths, followsLast, spreadDays } = schedule;
  return [keptCadence(cadence), anchor, phase, habit, weekday, pausedMonths, followsLast, spreadDays];
}

function scheduleAgain(kept: KeptSchedule): Schedule {
  const [cadence, anchor, phase, habit, weekday, pausedMonths, followsLast, spreadDays] = kept;
  return { cadence: cadenceAgain(cadence), anchor, phase, habit, weekday, pausedMonths, followsLast, spreadDays };
}

/** Two numbers of 32 bits, in which each further one leaves its trace (MurmurHash3's steps). */
class Digest {
  #a = 0;
  #b = 0x5bd1e995 | 0;

  number(value: number): void {
    this.#mix(value | 0);
    if (value !== (value | 0)) this.#mix(Math.floor(value / 2 ** 32) | 0);
  }

  text(text: string): void {
    for (let at = 0; at < text.length; at++) this.#mix(text.charCodeAt(at));
    this.#mix(-1 - text.length);
  }

  /** As many bits as a safe integer has. */
  get value(): number {
    const [a, b] = [finished(this.#a), finished(this.#b)];
    return a * 2 ** 21 + (b >>> 11);
  }

  #mix(value: number): void {
    let a = Math.imul(value, 0xcc9e2d51);
    a = Math.imul((a << 15) | (a >>> 17), 0x1b873593) ^ this.#a;
    this.#a = (Math.imul((a << 13) | (a >>> 19), 5) + 0xe6546b64) | 0;
    let b = Math.imul(value, 0x85ebca6b);
    b = Math.imul((b << 16) | (b >>> 16), 0xc2b2ae35) ^ this.#b;
    this.#b = (Math.imul((b << 17) | (b >>> 15), 5) + 0x52dce729) | 0;
  }
}

function finished(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

function digestOf(payee: Payee, usualCost: number, country: string): number {
  const digest = new Digest();
  digest.number(catalogueVersion());
  digest.number(roughly(usualCost));
  digest.text(country);
  addPayee(digest, payee);
  return digest.value;
}

/** What is known of the latest payee counts as a whole, of the others their names. */
function digestAcross(
  payments: readonly Payment[],
  payees: readonly Payee[],
  areRelated: boolean,
  country: string,
): number {
  const digest = new Digest();
  digest.text("across names");
  digest.number(catalogueVersion());
  digest.number(areRelated ? 1 : 0);
  digest.text(country);
  for (const { key, direction } of payees) {
    digest.text(direction);
    digest.text(key);
  }
  addPayee(digest, lastOf(payees));
  addPayments(digest, payments);
  return digest.value;
}

function addPayee(digest: Digest, { key, product, gateway, direction, payments }: Payee): void {
  for (const text of [key, product?.id ?? "", gateway ?? "", direction]) digest.text(text);
  addPayments(digest, payments);
}

/** A row is told by its number: nothing that is kept outlives a change of it (recognition/past/past.ts). */
function addPayments(digest: Digest, payments: readonly Payment[]): void {
  let before: Merchant | null = null;
  let kind = "";
  for (const payment of payments) {
    digest.number((payment.transaction as LedgerTransaction).id);
    if (payment.kind !== kind) digest.text((kind = payment.kind));
    const { merchant } = payment;
    if (merchant !== before && (merchant.key !== before?.key || merchant.gateway !== before.gateway)) {
      digest.text(merchant.key);
      digest.text(merchant.gateway ?? "");
    }
    before = merchant;
  }
}
