/**
 * Which of one user's payees may be one under two names: whose names are related, by words that not half the town
 * shares, or whose payments carry one customer number.
 */
import { areRelated, wordsOf } from "./related-names.ts";
import type { Payment } from "../../payments/payment.ts";
import { type Payee, latestName } from "../../payments/payee.ts";
import { itemAt, lastOf } from "../../present.ts";

export type Kinship = {
  /** Whether the names, or a customer number, say that the payees may be one. */
  areKin(a: Payee, b: Payee, nameA?: string, nameB?: string): boolean;
  /** Whether both carry one customer number: that tells more than any name. */
  shareReference(a: Payee, b: Payee): boolean;
  /** The payees with one of this payee's customer numbers, without itself. */
  withReferenceOf(payee: Payee): readonly Payee[];
};

/** A word in the names of more payees than this is a place's or a bank's. */
const payeesPerWordMax = 4;
/** A number in the payments of more payees than this is the user's own. */
const payeesPerReferenceMax = 3;

export function kinshipOf(payees: readonly Payee[]): Kinship {
  const common = commonWords(payees);
  const references = new Map(payees.map((payee) => [payee, referencesOf(payee.payments)]));
  const holders = holdersOf(references);
  const withReferenceOf = (payee: Payee): Payee[] => [
    ...new Set(
      (references.get(payee) ?? referencesOf(payee.payments)).flatMap((reference) => holders.get(reference) ?? []),
    ),
  ];
  const shareReference = (a: Payee, b: Payee): boolean => {
    const own = references.get(b) ?? referencesOf(b.payments);
    return (references.get(a) ?? referencesOf(a.payments)).some(
      (reference) => own.includes(reference) && holders.has(reference),
    );
  };
  return {
    areKin: (a, b, nameA = latestName(a), nameB = latestName(b)) =>
      areRelated(nameA, nameB, common) || shareReference(a, b),
    shareReference,
    withReferenceOf: (payee) => withReferenceOf(payee).filter((other) => other !== payee),
  };
}

function commonWords(payees: readonly Payee[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const payee of payees) {
    const words = wordsOf(latestName(payee));
    // A name has few words: looking for a second one costs less than a set of them.
    words.forEach((word, at) => {
      if (words.indexOf(word) === at) counts.set(word, (counts.get(word) ?? 0) + 1);
    });
  }
  return new Set([...counts].filter(([, count]) => count > payeesPerWordMax).map(([word]) => word));
}

function holdersOf(references: ReadonlyMap<Payee, readonly string[]>): Map<string, Payee[]> {
  const holders = new Map<string, Payee[]>();
  for (const [payee, own] of references)
    for (const reference of own) {
      const list = holders.get(reference);
      if (list === undefined) holders.set(reference, [payee]);
      else list.push(payee);
    }
  for (const [reference, list] of holders)
    if (list.length < 2 || list.length > payeesPerReferenceMax) holders.delete(reference);
  return holders;
}

const referencePattern = /[A-Z0-9]*\d{5,}[A-Z0-9]*/gi;

/** Numbers that return from payment to payment; of a single payment all of them. */
function referencesOf(payments: readonly Payment[]): readonly string[] {
  const latest = numbersIn(lastOf(payments));
  if (latest.length === 0 || payments.length === 1) return latest;
  const before = numbersIn(itemAt(payments, payments.length - 2));
  return latest.filter((number) => before.includes(number));
}

function numbersIn({ transaction: { description } }: Payment): string[] {
  return /\d{5}/.test(description) ? (description.match(referencePattern) ?? []) : [];
}
