/** The words of banks and cards that stand before and behind a payee's name: config/bank-words.json. */
import words from "../../config/bank-words.json" with { type: "json" };
import { folded, type Word, wordsIn } from "./words.ts";

const phraseWordsMax = 4;

const phrases: ReadonlySet<string> = new Set(
  Object.values(words.opening)
    .flat()
    .filter((phrase) => !phrase.endsWith("?"))
    .map(wordsOfPhrase),
);
const closings: ReadonlySet<string> = new Set(words.closing.map(wordsOfPhrase));

function wordsOfPhrase(phrase: string): string {
  return wordsIn(folded(phrase))
    .map(({ text }) => text)
    .join(" ");
}

/** How many words from here on are a bank's; 0: none. */
export function bankWordsAt(list: readonly Word[], start: number): number {
  return longestAt(list, start, phrases);
}

/** The longest phrase of a set that stands here, in words. */
export function longestAt(list: readonly Word[], start: number, known: ReadonlySet<string>): number {
  let phrase = "";
  let longest = 0;
  for (let count = 1; count <= phraseWordsMax && start + count <= list.length; count++) {
    const word = (list[start + count - 1] as Word).text;
    phrase = count === 1 ? word : `${phrase} ${word}`;
    if (known.has(phrase)) longest = count;
  }
  return longest;
}

/** Where a payee's name ends: before a bank's word for what follows, or a word of masked digits. */
export function isClosing({ text }: Word): boolean {
  return closings.has(text) || /^X{3,}\d*$/.test(text);
}

/** Numbers, dates, times, and references of mostly digits; but a letter and a digit are a name: A3, O2. */
export function isNumberLike({ text }: Word): boolean {
  if (/^[A-Z]\d$/.test(text)) return false;
  let digits = 0;
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) <= codeOf9) digits++;
  return digits * 2 >= text.length;
}

const codeOf9 = "9".charCodeAt(0);

/** A number that may begin a name: 7-Eleven, 1&1, 365discount. */
export function isShortNumber(word: Word | undefined): boolean {
  return word !== undefined && /^\d{1,3}$/.test(word.text);
}
