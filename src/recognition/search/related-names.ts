/** Whether two names may be one payee's. */

const sharedWordLengthMin = 4;
const initialsLengthMin = 2;
const cutOffLengthMin = 5;

/** The telling words of a title, upper case. */
export function wordsOf(title: string): string[] {
  return title.toUpperCase().split(" ").filter(isTellingWord);
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
  const wordsA = a.toUpperCase().split(" ");
  const wordsB = b.toUpperCase().split(" ");
  const [firstA = "", firstB = ""] = [wordsA[0], wordsB[0]];
  const tells = (word: string): boolean => word.length >= sharedWordLengthMin && !common.has(word);
  if (tells(firstA) && isNameIn(firstA, wordsB)) return true;
  if (tells(firstB) && isNameIn(firstB, wordsA)) return true;
  if (common.has(firstA) || common.has(firstB)) return false;
  if (isCutOff(wordsA, wordsB) || isCutOff(wordsB, wordsA)) return true;
  return isInitials(wordsA, firstB) || isInitials(wordsB, firstA);
}

/** A word that others end with, behind words of their own, is where they are. */
const wordsBeforePlace = 2;

function isNameIn(word: string, words: readonly string[]): boolean {
  const at = words.indexOf(word);
  return at >= 0 && !(at === words.length - 1 && at >= wordsBeforePlace);
}

/** After whole words, or after so many letters that no other name begins with them. */
function isCutOff(whole: readonly string[], part: readonly string[]): boolean {
  if (part.every((word, at) => word === whole[at])) return true;
  const letters = part.join("");
  return letters.length >= cutOffLengthMin && whole.join("").startsWith(letters);
}

function isInitials(words: readonly string[], word: string): boolean {
  return (
    word.length >= initialsLengthMin &&
    word ===
      words
        .map((one) => one.charAt(0))
        .join("")
        .slice(0, word.length)
  );
}
