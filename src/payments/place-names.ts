/** Names that begin with a place, told from one user's own payees. */

import { oftenIn } from "./often.ts";

/** More names than this begin with a place's; a chain's shops are told apart by places that others have too. */
const namesBehindMax = 4;
const ownWordsShareMin = 0.5;

/** First words that are a place's rather than a name: "Sydney Water", "Sydney Trains" and more are not one payee. */
export function placesAsNames(names: readonly string[]): ReadonlySet<string> {
  if (!haveFirstWord(names)) return none;
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

const none: ReadonlySet<string> = new Set();

/** Whether so many names begin with one word: with most users none do, and no more is looked at. */
function haveFirstWord(names: readonly string[]): boolean {
  return oftenIn(names, firstWord, namesBehindMax + 1).size > 0;
}

function firstWord(text: string): string {
  const space = text.indexOf(" ");
  return space < 0 ? text : text.slice(0, space);
}

function setOf(sets: Map<string, Set<string>>, key: string): Set<string> {
  let set = sets.get(key);
  if (set === undefined) sets.set(key, (set = new Set()));
  return set;
}
