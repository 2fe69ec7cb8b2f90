/** Whether two names may be one payee's. */

import { isTellingWord, type Name, nameOf } from "../../payments/name.ts";
import { itemAt, lastOf } from "../../present.ts";

const initialsLengthMin = 2;
const cutOffLengthMin = 5;

/**
 * Whether one title is the other cut off, or they share the telling word that one of them begins with, or one begins
 * with the other's initials. Words further back are often what a whole trade calls itself.
 * @param common words that tell nobody from anybody among the user's payees.
 */
export function areRelated(a: string, b: string, common: ReadonlySet<string>): boolean {
  return areRelatedNames(nameOf(a), nameOf(b), common);
}

/** The same of names that are taken apart already. */
export function areRelatedNames(nameA: Name, nameB: Name, common: ReadonlySet<string>): boolean {
  const commonA = common.has(nameA.first);
  const commonB = common.has(nameB.first);
  if (!commonA && isTellingWord(nameA.first) && isNameIn(nameA.first, nameB.words)) return true;
  if (!commonB && isTellingWord(nameB.first) && isNameIn(nameB.first, nameA.words)) return true;
  if (commonA || commonB) return false;
  if (isCutOff(nameA, nameB) || isCutOff(nameB, nameA) || beginAlike(nameA, nameB)) return true;
  return isInitials(nameA, nameB.first) || isInitials(nameB, nameA.first);
}

/** A word that others end with, behind words of their own, is where they are. */
const wordsBeforePlace = 2;

function isNameIn(word: string, words: readonly string[]): boolean {
  const at = words.indexOf(word);
  return at >= 0 && !(at === words.length - 1 && at >= wordsBeforePlace);
}

/** After whole words, or after so many letters that no other name begins with them. */
function isCutOff(whole: Name, part: Name): boolean {
  if (part.letters.length >= cutOffLengthMin && whole.letters.startsWith(part.letters)) return true;
  return part.first === whole.first && part.words.every((word, at) => word === whole.words[at]);
}

/** So many letters of whole words, of short ones too, with which both begin. */
const sameBeginningWordsMin = 2;
const sameBeginningLettersMin = 8;

function beginAlike({ words: a }: Name, { words: b }: Name): boolean {
  let letters = 0;
  for (let at = 0; at < a.length && a[at] === b[at]; at++) {
    letters += itemAt(a, at).length;
    if (at + 1 >= sameBeginningWordsMin && letters >= sameBeginningLettersMin) return true;
  }
  return false;
}

function isInitials({ initials }: Name, word: string): boolean {
  return word.length >= initialsLengthMin && initials.startsWith(word);
}

/**
 * Whether the names are one but for their last words, neither numbers nor one the other cut off: what a town or a
 * company calls each of its bills.
 */
export function partInLastWord({ words: a }: Name, { words: b }: Name): boolean {
  const [ownA, ownB] = [lastOf(a), lastOf(b)];
  if (a.length < 2 || a.length !== b.length || a.slice(0, -1).some((word, at) => word !== b[at])) return false;
  return !/\d/.test(ownA + ownB) && !ownA.startsWith(ownB) && !ownB.startsWith(ownA);
}
