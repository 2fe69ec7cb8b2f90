/** Entries in the order of their names' letters, so that those which begin alike stand together. */
import { itemAt } from "../present.ts";

export type Alphabet<Entry> = readonly (readonly [name: string, entry: Entry])[];

/** Of equal names the earlier stays first. */
export function alphabetOf<Entry>(entries: Iterable<readonly [string, Entry]>): Alphabet<Entry> {
  return [...entries].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
}

/** In order. */
export function beginningWith<Entry>(alphabet: Alphabet<Entry>, start: string): Alphabet<Entry> {
  let first = 0;
  let end = alphabet.length;
  while (first < end) {
    const middle = Math.floor((first + end) / 2);
    if (itemAt(alphabet, middle)[0] < start) first = middle + 1;
    else end = middle;
  }
  while (end < alphabet.length && itemAt(alphabet, end)[0].startsWith(start)) end++;
  return alphabet.slice(first, end);
}
