/**
 * Names in which some words are others with nearly every payment: codes of the merchant's or the bank's between the
 * words that name the payee. Told from one user's own payments.
 */

import { codeLike } from "./name.ts";

/** How many payments a name has. */
export type NameCounts = ReadonlyMap<string, number>;

/**
 * So many different codes beside the same words, each with hardly more than one payment. Numbers alone may be accounts;
 * letters among digits hardly are.
 */
const numbersMin = 3;
const codesMin = 2;
const paymentsPerCodeMax = 1.25;
const paymentsPerNameMax = 2;
const tellingLengthMin = 4;

/** @returns by name the name without its code; names without one are left out. */
export function withoutCodes(names: NameCounts): Map<string, string> {
  const alike = new Map<string, { names: string[]; payments: number }>();
  for (const [name, payments] of names) {
    // Nearly all names have nothing in them that looks like a code.
    if (payments > paymentsPerNameMax || !codeLike.test(name)) continue;
    const words = name.split(" ");
    const rest = words.filter((word) => !codeLike.test(word));
    if (rest.length === words.length || !rest.some((word) => word.length >= tellingLengthMin)) continue;
    const short = rest.join(" ");
    const group = alike.get(short);
    if (group === undefined) alike.set(short, { names: [name], payments });
    else {
      group.names.push(name);
      group.payments += payments;
    }
  }
  const shortened = new Map<string, string>();
  for (const [short, group] of alike) {
    const least = group.names.every((name) => mixed.test(name)) ? codesMin : numbersMin;
    if (group.names.length < least || group.payments > paymentsPerCodeMax * group.names.length) continue;
    for (const name of group.names) shortened.set(name, short);
  }
  return shortened;
}

const mixed = /\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{5,}\b/;
