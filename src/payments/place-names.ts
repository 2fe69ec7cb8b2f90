/** Names that begin with a place, or with a word of the bank's, told from one user's own payees. */

import { type DirectedName, firstWord, oftenIn } from "./name.ts";
import { itemAt } from "../present.ts";

/** More names than this begin with a place's; a chain's shops are told apart by places that others have too. */
const namesBehindMax = 4;
const ownWordsShareMin = 0.5;

/** First words that are a place's rather than a name: "Sydney Water", "Sydney Trains" and more are not one payee. */
export function placesAsNames(directed: readonly DirectedName[]): ReadonlySet<string> {
  // With most users so many names begin with no word, and no more is looked at.
  if (oftenIn(directed, firstOfName, namesBehindMax + 1).size === 0) return none;
  const names = directed.map(({ name }) => name);
  const behind = new Map<string, Set<string>>();
  const heads = new Map<string, Set<string>>();
  for (const key of names) {
    const space = key.indexOf(" ");
    if (space < 0) continue;
    const first = key.slice(0, space);
    const second = firstWord(key.slice(space + 1));
    setOf(behind, first).add(second);
    setOf(heads, second).add(first);
  }
  const isPlace = (words: ReadonlySet<string>): boolean =>
    words.size > namesBehindMax &&
    [...words].filter((word) => setOf(heads, word).size === 1).length > ownWordsShareMin * words.size;
  return new Set([...behind].filter(([, words]) => isPlace(words)).map(([first]) => first));
}

/** So many names that go on from a word, each with another one, say that it is the bank's, or what was done. */
const namesBehindMin = 3;

/**
 * Whether so many names begin with this one, which is a single word. Met alone but once it is none of them: the bank named
 * nobody behind it there.
 * @param sorted in the order of their letters without spaces
 */
export function beginsOthers(sorted: readonly DirectedName[], at: number): boolean {
  const { text, name, compact } = itemAt(sorted, at);
  if (name.includes(" ")) return false;
  const seconds = new Set<string>();
  for (let next = at + 1; next < sorted.length && seconds.size < namesBehindMin; next++) {
    const other = itemAt(sorted, next);
    if (!other.compact.startsWith(compact)) break;
    if (other.text.startsWith(`${text} `)) seconds.add(firstWord(other.text.slice(text.length + 1)));
  }
  return seconds.size >= namesBehindMin;
}

/**
 * Whether another name has this single word and goes on behind a space: then it is a word of its own, a place's perhaps
 * ("VIRGINIA BEACH"), and a longer word that begins so ("VIRGINIANATURALGAS") is another one.
 * @param sorted in the order of their letters without spaces
 */
export function isWholeWord(sorted: readonly DirectedName[], at: number): boolean {
  const { text, name, compact } = itemAt(sorted, at);
  if (name.includes(" ")) return false;
  for (let next = at + 1; next < sorted.length; next++) {
    const other = itemAt(sorted, next);
    if (!other.compact.startsWith(compact)) return false;
    if (other.text.startsWith(`${text} `)) return true;
  }
  return false;
}

const none: ReadonlySet<string> = new Set();

function firstOfName({ first }: DirectedName): string {
  return first;
}

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  let set = sets.get(key);
  if (set === undefined) sets.set(key, (set = new Set()));
  return set;
}
