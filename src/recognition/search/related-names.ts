/** Whether two names may be one payee's. */

const sharedWordLengthMin = 4;
const initialsLengthMin = 2;
const cutOffLengthMin = 5;

/** A name taken apart; users share banks and shops, so names return. */
type Name = {
  words: readonly string[];
  telling: readonly string[];
  first: string;
  /** All of its letters without spaces, and those that its words begin with. */
  letters: string;
  initials: string;
};

/** Names met since the last turn, and those of the turn before, of which what is met again is kept. */
let recent = new Map<string, Name>();
let earlier = new Map<string, Name>();
const namesMax = 20_000;

function nameOf(title: string): Name {
  let name = recent.get(title);
  if (name !== undefined) return name;
  name = earlier.get(title) ?? takenApart(title);
  if (recent.size >= namesMax) [earlier, recent] = [recent, new Map()];
  recent.set(title, name);
  return name;
}

function takenApart(title: string): Name {
  const words = title.toUpperCase().split(" ");
  return {
    words,
    telling: words.filter(isTellingWord),
    first: words[0] ?? "",
    letters: words.join(""),
    initials: words.map((word) => word.charAt(0)).join(""),
  };
}

/** The telling words of a title, upper case. */
export function wordsOf(title: string): readonly string[] {
  return nameOf(title).telling;
}

/** Whether a word is long enough to tell one payee from another. */
export function isTellingWord(word: string): boolean {
  return word.length >= sharedWordLengthMin;
}

/**
 * Whether one title is the other cut off, or they share the telling word that one of them begins with, or one begins
 * with the other's initials. Words further back are often what a whole trade calls itself.
 * @param common words that tell nobody from anybody among the user's payees.
 */
export function areRelated(a: string, b: string, common: ReadonlySet<string>): boolean {
  const [nameA, nameB] = [nameOf(a), nameOf(b)];
  const [commonA, commonB] = [common.has(nameA.first), common.has(nameB.first)];
  if (!commonA && isTellingWord(nameA.first) && isNameIn(nameA.first, nameB.words)) return true;
  if (!commonB && isTellingWord(nameB.first) && isNameIn(nameB.first, nameA.words)) return true;
  if (commonA || commonB) return false;
  if (isCutOff(nameA, nameB) || isCutOff(nameB, nameA)) return true;
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

function isInitials({ initials }: Name, word: string): boolean {
  return word.length >= initialsLengthMin && initials.startsWith(word);
}
