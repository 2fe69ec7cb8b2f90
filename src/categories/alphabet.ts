/** Entries in the order of their names' letters, so that those which begin alike stand together. */
import { itemAt } from "../present.ts";

export type Alphabet<Entry> = readonly (readonly [name: string, entry: Entry])[];

/** Of equal names the earlier stays first. */
export function alphabetOf<Entry>(entries: Iterable<readonly [string, Entry]>): Alphabet<Entry> {
  return [...entries].sort(([a], [b]) => byLetters(a, b));
}

export function inOrder(names: Iterable<string>): string[] {
  return [...names].sort(byLetters);
}

function byLetters(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** In order. */
export function beginningWith<Entry>(alphabet: Alphabet<Entry>, start: string): Alphabet<Entry> {
  return alphabet.slice(...rangeOf(alphabet, nameOfPair, start));
}

/** Those of the very name, in order. */
export function entriesNamed<Entry>(alphabet: Alphabet<Entry>, name: string): Entry[] {
  const entries: Entry[] = [];
  for (let at = firstFrom(alphabet, nameOfPair, name); at < alphabet.length; at++) {
    const [own, entry] = itemAt(alphabet, at);
    if (own !== name) break;
    entries.push(entry);
  }
  return entries;
}

function nameOfPair<Entry>([name]: readonly [string, Entry]): string {
  return name;
}

/** @param names in order. @returns in order */
export function namesBeginningWith(names: readonly string[], start: string): string[] {
  return names.slice(...rangeOf(names, (name) => name, start));
}

/** From the first that begins so to behind the last. */
function rangeOf<Item>(items: readonly Item[], nameOf: (item: Item) => string, start: string): [number, number] {
  const first = firstFrom(items, nameOf, start);
  let end = first;
  while (end < items.length && nameOf(itemAt(items, end)).startsWith(start)) end++;
  return [first, end];
}

/** Position of the first that does not come before it. */
function firstFrom<Item>(items: readonly Item[], nameOf: (item: Item) => string, start: string): number {
  let first = 0;
  let end = items.length;
  while (first < end) {
    const middle = Math.floor((first + end) / 2);
    if (nameOf(itemAt(items, middle)) < start) first = middle + 1;
    else end = middle;
  }
  return first;
}
