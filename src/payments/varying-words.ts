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
    if (name.codeless === null || count > paymentsPerNameMax) continue;
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

/**
 * By what names would be that began with their gateway, as if it were a word of theirs, the names of what is paid
 * through one: banks leave the mark between them out now and then. Null: nothing is paid through any.
 */
export function behindGateways(
  groups: readonly { name: DirectedName; isCatalogued: boolean; payments: readonly Payment[] }[],
): ReadonlyMap<string, DirectedName> | null {
  let behind: Map<string, DirectedName> | null = null;
  for (const { name, isCatalogued, payments } of groups) {
    const { gateway, key } = firstOf(payments).merchant;
    if (gateway !== null && !isCatalogued && key !== gateway)
      (behind ??= new Map()).set(`${name.direction} ${gateway} ${name.name}`, name);
  }
  return behind;
}
