/**
 * Which of one user's payees may be one under two names: whose names are related, by words that not half the town
 * shares, or whose payments carry one customer number.
 */
import { areRelatedNames, partInLastWord } from "./related-names.ts";
import { collectsForOthers } from "../../payments/merchant.ts";
import { type Name, nameOf, oftenIn } from "../../payments/name.ts";
import type { Payment } from "../../payments/payment.ts";
import { isMiddleman, type Payee } from "../../payments/payee.ts";
import { firstOf, itemAt, lastOf } from "../../present.ts";

export type Kinship = {
  /** Whether the names, or a customer number, say that the payees may be one. */
  areKin(a: Payee, b: Payee, nameA?: string, nameB?: string): boolean;
  /** Whether both carry one customer number: that tells more than any name. */
  shareReference(a: Payee, b: Payee): boolean;
  /**
   * Whether two runs have one number in their lines where one ends and the other begins: of several contracts at a company
   * that is named otherwise from a day on, each goes on under its own.
   */
  haveOneContract(earlier: readonly Payment[], next: readonly Payment[]): boolean;
  /** The payees with one of this payee's customer numbers, without itself. */
  withReferenceOf(payee: Payee): readonly Payee[];
};

/** A word in the names of more payees than this is a place's or a bank's. */
const payeesPerWordMax = 4;
/** A number in the payments of more payees than this is the user's own. */
const payeesPerReferenceMax = 3;

export function kinshipOf(payees: readonly Payee[]): Kinship {
  const common = commonWords(payees);
  const references = new Map<Payee, readonly string[]>();
  for (const payee of payees) {
    const own = referencesOf(payee.payments);
    if (own.length > 0) references.set(payee, own);
  }
  const haveOneDomain = domainsOf(payees);
  const usersOwn = new Set<string>();
  const holders = holdersOf(references, usersOwn);
  const known = new Set(payees);
  // A payee that was put together from others is none of those that are known.
  const referencesIn = (payee: Payee): readonly string[] =>
    references.get(payee) ?? (known.has(payee) ? none : referencesOf(payee.payments));
  const withReferenceOf = (payee: Payee): Payee[] => {
    if (holders.size === 0) return [];
    return [...new Set(referencesIn(payee).flatMap((reference) => holders.get(reference) ?? []))];
  };
  const shareReference = (a: Payee, b: Payee): boolean => {
    if (holders.size === 0) return false;
    const own = referencesIn(b);
    if (own.length === 0) return false;
    return referencesIn(a).some((reference) => own.includes(reference) && holders.has(reference));
  };
  return {
    areKin: (a, b, nameA, nameB) => {
      const ownA = nameA === undefined ? latestNameOf(a) : nameOf(nameA);
      const ownB = nameB === undefined ? latestNameOf(b) : nameOf(nameB);
      const areRelated = areRelatedNames(ownA, ownB, common) && !(partInLastWord(ownA, ownB) && areBeside(a, b));
      return areRelated || shareReference(a, b) || haveOneDomain(a, b);
    },
    shareReference,
    haveOneContract: (earlier, next) => shareContract(earlier, next, usersOwn),
    withReferenceOf: (payee) => withReferenceOf(payee).filter((other) => other !== payee),
  };
}

const none: readonly string[] = [];

/**
 * Where a line sends who wants to know more, and what follows the name there; endings that are words' own abbreviations
 * in some language ("no", "in") tell nothing. Who collects for many others has a domain, too.
 */
const domainPattern =
  /(?<![A-Z0-9.-])(?:WWW\.|HELP\.)?([A-Z0-9-]{3,})\.(?:COM|NET|ORG|IO|TV|APP|EU|DE|DK|SE|FI|NL|BE|FR|PT|PL|CZ|CH|AT|IE|AU|(?:CO\.)?UK)(?![A-Z0-9.])/;

/** Whether two payees have a domain that hardly another payee of the user has: a shop's many names are not one bill's. */
function domainsOf(payees: readonly Payee[]): (a: Payee, b: Payee) => boolean {
  let holders: Map<string, number> | null = null;
  // Of every payee that is compared with many.
  const known = new Map<Payee, string | null>();
  const domain = (payee: Payee): string | null => {
    let own = known.get(payee);
    if (own === undefined) known.set(payee, (own = domainOf(payee)));
    return own;
  };
  return (a, b) => {
    if (isMiddleman(a.product) || isMiddleman(b.product)) return false;
    const own = domain(a);
    if (own === null || own !== domain(b) || collectsForOthers(own)) return false;
    holders ??= countedDomains(payees);
    return (holders.get(own) ?? 0) <= payeesPerWordMax;
  };
}

function countedDomains(payees: readonly Payee[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const payee of payees) {
    const domain = domainOf(payee);
    if (domain !== null) counts.set(domain, (counts.get(domain) ?? 0) + 1);
  }
  return counts;
}

function domainOf({ payments }: Payee): string | null {
  const { text } = lastOf(payments).merchant;
  return text.includes(".") ? (domainPattern.exec(text.toUpperCase())?.[1] ?? null) : null;
}

/** Lines that name the month or the season come again a year later, each under its own. */
const besideGapDaysMax = 200;

/** Whether each was paid while the other was, one of them several times a year: two bills, and no new name. */
function areBeside({ payments: a }: Payee, { payments: b }: Payee): boolean {
  return (
    firstOf(a).at < lastOf(b).at &&
    firstOf(b).at < lastOf(a).at &&
    Math.min(meanGapOf(a), meanGapOf(b)) <= besideGapDaysMax
  );
}

/** In days; of one payment infinite. */
function meanGapOf(payments: readonly Payment[]): number {
  return payments.length < 2 ? Infinity : (lastOf(payments).at - firstOf(payments).at) / (payments.length - 1);
}

function latestNameOf({ payments }: Payee): Name {
  return lastOf(payments).merchant.name;
}

/** Words that so many of the payees have; of nearly all users hardly any. */
function commonWords(payees: readonly Payee[]): ReadonlySet<string> {
  const words: string[] = [];
  for (const payee of payees) {
    const { telling } = latestNameOf(payee);
    // A name has few words: looking for a second one costs less than a set of them.
    for (let at = 0; at < telling.length; at++) {
      const word = itemAt(telling, at);
      if (telling.indexOf(word) === at) words.push(word);
    }
  }
  const often = oftenIn(words, (word) => word, payeesPerWordMax + 1);
  if (often.size === 0) return often;
  const counts = new Map<string, number>();
  for (const word of words) if (often.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => count > payeesPerWordMax).map(([word]) => word));
}

/** Runs further apart are another contract's, or a pause that a customer's number does not bridge. */
const contractGapDaysMax = 200;

function shareContract(earlier: readonly Payment[], next: readonly Payment[], usersOwn: ReadonlySet<string>): boolean {
  const [last, first] = [lastOf(earlier), firstOf(next)];
  if (first.at - last.at > contractGapDaysMax) return false;
  let shared = numbersIn(last);
  for (const payment of [first, earlier.at(-2), next[1]]) {
    if (shared.length === 0) return false;
    if (payment === undefined) continue;
    const numbers = numbersIn(payment);
    shared = shared.filter((number) => numbers.includes(number));
  }
  return shared.some((number) => !usersOwn.has(number));
}

/**
 * Of the numbers that few payees have, and more than one.
 * @param usersOwn takes those that too many have
 */
function holdersOf(references: ReadonlyMap<Payee, readonly string[]>, usersOwn: Set<string>): Map<string, Payee[]> {
  const holders = new Map<string, Payee[]>();
  const all: string[] = [];
  for (const own of references.values()) for (const reference of own) all.push(reference);
  const often = oftenIn(all, (reference) => reference, 2);
  if (often.size === 0) return holders;
  for (const [payee, own] of references)
    for (const reference of own) {
      if (!often.has(reference)) continue;
      const list = holders.get(reference);
      if (list === undefined) holders.set(reference, [payee]);
      else list.push(payee);
    }
  for (const [reference, list] of holders) {
    if (list.length > payeesPerReferenceMax) usersOwn.add(reference);
    if (list.length < 2 || list.length > payeesPerReferenceMax) holders.delete(reference);
  }
  return holders;
}

/** Numbers that return from payment to payment; of a single payment all of them. */
function referencesOf(payments: readonly Payment[]): readonly string[] {
  const latest = numbersIn(lastOf(payments));
  if (latest.length === 0 || payments.length === 1) return latest;
  const before = numbersIn(itemAt(payments, payments.length - 2));
  return before.length === 0 ? none : latest.filter((number) => before.includes(number));
}

/** Whether the lines of both payments hold one number. */
export function shareNumber(a: Payment, b: Payment): boolean {
  const own = numbersIn(a);
  return own.length > 0 && numbersIn(b).some((number) => own.includes(number));
}

/** So many digits in a row are a number, with the letters and digits around them. */
const digitsMin = 5;
/** Where none has so many, and they are grouped, so many together are: a mandate's, a contract's. */
const digitsGroupedMin = 7;
/** Such a group begins with a day. */
const writtenDay = /^\d{1,4}([/-])\d{1,2}\1\d{1,4}(?!\d)/;

function numbersIn({ transaction: { description } }: Payment): readonly string[] {
  let numbers: string[] | null = null;
  let start = 0;
  let digits = 0;
  let isNumber = false;
  let groupStart = 0;
  let groupDigits = 0;
  let hasNumber = false;
  for (let at = 0; at <= description.length; at++) {
    const code = at < description.length ? description.charCodeAt(at) : 0;
    if (code >= 0x30 && code <= 0x39) {
      groupDigits++;
      if (++digits === digitsMin) isNumber = true;
      continue;
    }
    digits = 0;
    if ((code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)) continue;
    if (isNumber) {
      (numbers ??= []).push(description.slice(start, at));
      hasNumber = true;
    }
    start = at + 1;
    isNumber = false;
    if (code === hyphen || code === slash) continue;
    if (groupDigits >= digitsGroupedMin && !hasNumber) {
      const group = description.slice(groupStart, at);
      if (!writtenDay.test(group)) (numbers ??= []).push(group);
    }
    groupStart = start;
    groupDigits = 0;
    hasNumber = false;
  }
  return numbers ?? none;
}

const hyphen = 0x2d;
const slash = 0x2f;
