/**
 * Texts of banks as words that can be compared: upper case of A–Z and digits, whatever alphabet the bank printed. What
 * the alphabet lost is guessed from the words that are known.
 */
import { normaliseText } from "../payments/merchant.ts";
import { type Entry, readKeywords, readMerchants } from "./lexicon.ts";
import { Memory } from "./memory.ts";

/** Where a word begins in its folded text. */
export type Word = { text: string; at: number };

const wordPattern = /[A-Z0-9]+/g;
/** Letters that a bank's alphabet lacks come as `?`, or as what the old seven-bit alphabets have in their place. */
const lostPattern = /(?<=[^\s\d])[?[\]\\{}|](?=\S)|[?[\]\\{}|](?=\p{L})/u;
const lostLetter = /[?[\]\\{}|]/g;
const lettersFor: Readonly<Record<string, readonly string[]>> = {
  "?": ["O", "A", "U", "E"],
  "[": ["A"],
  "{": ["A"],
  "\\": ["O"],
  "|": ["O"],
  "]": ["A", "U"],
  "}": ["A", "U"],
};
/** More lost letters than these make too many words. */
const lostMax = 3;
/** So many known letters at the beginning or end of a compound tell which it was. */
const knownPartMin = 4;
const foldedMax = 50_000;

const folds = new Memory<string>(foldedMax);
let vocabulary: ReadonlySet<string> | undefined;

/** Upper case without accents, `UE` as the Ü that it may stand for; lost letters restored where a known word results. */
export function folded(text: string): string {
  return folds.recall(text, () => foldOf(text));
}

/** The same, for a text that is asked for once: it is not kept. */
export function foldOf(text: string): string {
  return spelled(lostPattern.test(text) ? restored(text) : text);
}

/** Words of a folded text, in order. */
export function wordsIn(fold: string): Word[] {
  return Array.from(fold.matchAll(wordPattern), ({ 0: text, index }) => ({ text, at: index }));
}

export function countBy<Item>(items: readonly Item[], nameOf: (item: Item) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(nameOf(item), (counts.get(nameOf(item)) ?? 0) + 1);
  return counts;
}

/** What is left of a shorter name may be another's. */
const droppedLettersMin = 5;

/** A known name or word as a bank prints it that drops the letters which its alphabet lacks; none when it has them all. */
export function asPrinted(entry: Entry): Entry[] {
  const whole = entry.text.normalize("NFC");
  const dropped = whole.replace(/[^\p{ASCII}]/gu, "");
  const text = spelled(dropped);
  return dropped === whole || text.length < droppedLettersMin ? [] : [{ ...entry, text }];
}

/** As names and words are compared, with no letter restored. */
export function spelled(text: string): string {
  return normaliseText(text).replaceAll("UE", "U");
}

function restored(text: string): string {
  return text.replace(/[^\s*/,;:.()"-]+/g, (word) => (lostPattern.test(word) ? restoredWord(word) : word));
}

function restoredWord(word: string): string {
  const lost = word.match(lostLetter) ?? [];
  if (lost.length > lostMax) return word;
  let variants = [""];
  for (const letter of word) {
    const instead = lettersFor[letter] ?? [letter];
    variants = variants.flatMap((start) => instead.map((one) => start + one));
  }
  let best = { variant: word, known: knownPartMin - 1 };
  for (const variant of variants) {
    const known = knownLetters(spelled(variant));
    if (known > best.known) best = { variant, known };
  }
  return best.variant;
}

/** How much of a word is known: all of it, or the longest beginning or end. */
function knownLetters(word: string): number {
  vocabulary ??= wordsOfLexicons();
  if (vocabulary.has(word)) return word.length + 1;
  for (let letters = word.length - 1; letters >= knownPartMin; letters--)
    if (vocabulary.has(word.slice(0, letters)) || vocabulary.has(word.slice(-letters))) return letters;
  return 0;
}

function wordsOfLexicons(): ReadonlySet<string> {
  const [merchants, keywords] = [readMerchants(), readKeywords()];
  // Whose name is nobody's abroad is no reason to read one of a bank's letters so.
  const names = [...merchants.out, ...merchants.in].filter(({ isLocal }) => isLocal !== true);
  const entries: readonly Entry[] = [...names, ...keywords.out, ...keywords.in];
  return new Set(entries.flatMap(({ text }) => wordsIn(spelled(text)).map((word) => word.text)));
}
