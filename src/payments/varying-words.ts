/**
 * Names in which some words are others with nearly every payment, codes of the merchant's or the bank's between the
 * words that name the payee, or are there with some alone. Told from one user's own payments.
 */

import type { DirectedName } from "./name.ts";
import type { Payment } from "./payment.ts";
import { firstOf } from "../present.ts";

/**
 * So many different codes beside the same words, each with hardly more than one payment. Numbers alone may be accounts;
 * letters among digits hardly are.
 */
const numbersMin = 3;
const codesMin = 2;
const paymentsPerCodeMax = 1.25;
const paymentsPerNameMax = 2;

/** A name that may have codes in it, and how many payments it has. */
export type Counted = { name: DirectedName; count: number };

/** @returns by name the name without its code; names without one are left out; null: none has any. */
export function withoutCodes(names: readonly Counted[]): ReadonlyMap<string, string> | null {
  let alike: Map<string, { names: DirectedName[]; payments: number }> | null = null;
  for (const { name, count } of names) {
    if (count > paymentsPerNameMax || name.codeless === null) continue;
    alike ??= new Map();
    const group = alike.get(name.codeless);
    if (group === undefined) alike.set(name.codeless, { names: [name], payments: count });
    else {
      group.names.push(name);
      group.payments += count;
    }
  }
  if (alike === null) return null;
  const met = new Set(names.map(({ name }) => name.text));
  const shortened = new Map<string, string>();
  for (const [short, group] of alike) {
    const least = leastOf(group.names, met.has(short));
    if (group.names.length < least || group.payments > paymentsPerCodeMax * group.names.length) continue;
    for (const { text } of group.names) shortened.set(text, short);
  }
  return shortened;
}

/** Where the same name is also met without any, letters among digits are one even once. */
function leastOf(coded: readonly DirectedName[], isMetWithout: boolean): number {
  if (!coded.every(({ isMixed }) => isMixed)) return numbersMin;
  return isMetWithout ? 1 : codesMin;
}

/** Names of which each number comes once are followed by references, and by accounts where numbers return. */
const referencesMin = 3;
const paymentsPerReferenceMax = 1.25;

/** The names whose numbers are references; null: none has any. */
export function numberedNames(
  byName: readonly { name: DirectedName; payments: readonly Payment[] }[],
): ReadonlySet<string> | null {
  let counts: Map<string, { numbers: number; payments: number }> | null = null;
  for (const { name, payments } of byName) {
    const short = name.numberless;
    if (short === undefined) continue;
    counts ??= new Map();
    const count = counts.get(short);
    if (count === undefined) counts.set(short, { numbers: 1, payments: payments.length });
    else {
      count.numbers++;
      count.payments += payments.length;
    }
  }
  if (counts === null) return null;
  const isReferenced = ({ numbers, payments }: { numbers: number; payments: number }): boolean =>
    numbers >= referencesMin && payments <= paymentsPerReferenceMax * numbers;
  return new Set([...counts].filter(([, count]) => isReferenced(count)).map(([short]) => short));
}

/**
 * By names that begin with a gateway's, as if it were a word of theirs, what is paid through this very gateway under the
 * rest of the name: banks leave the mark between them out now and then. Null: there is none.
 */
export function behindGateways(
  groups: readonly { name: DirectedName; isCatalogued: boolean; payments: readonly Payment[] }[],
): ReadonlyMap<string, DirectedName> | null {
  const through = groups.filter(
    ({ isCatalogued, payments }) => !isCatalogued && firstOf(payments).merchant.gateway !== null,
  );
  if (through.length === 0) return null;
  const gateways = new Set(through.map(({ payments }) => firstOf(payments).merchant.gateway));
  let behind: Map<string, DirectedName> | null = null;
  const beginnings = [...gateways].map((gateway) => `${gateway} `);
  for (const { name } of groups) {
    const start = name.direction.length + 1;
    if (!beginnings.some((beginning) => name.text.startsWith(beginning, start))) continue;
    const named = through.find(
      (other) =>
        other.name.direction === name.direction &&
        firstOf(other.payments).merchant.gateway === name.first &&
        name.name === `${name.first} ${other.name.name}`,
    );
    if (named !== undefined) (behind ??= new Map()).set(name.text, named.name);
  }
  return behind;
}
