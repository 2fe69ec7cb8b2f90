/**
 * What a line says once the bank's own words are taken off: the name that stands behind them, and the words that tell
 * what it is for.
 */
import { itemAt } from "../present.ts";
import { bankWordsAt, isClosing, isNumberLike, isShortNumber, longestAt } from "./bank-words.ts";
import { Memory } from "./memory.ts";
import { folded, type Word, wordsIn } from "./words.ts";

export type Reading = {
  /** Where the payee is named; empty where nothing but the bank's words stands there. */
  name: string;
  /** The same with the last word before it, which may be part of a name: 7-Eleven, Mc Donalds. Null: there is none. */
  longerName: string | null;
  /** Letters of that word. */
  before: number;
  /** Everything behind the bank's opening words, or all where nothing stands behind them. */
  text: string;
};

/** Of one user: what banks begin that user's lines with, beside the words that all banks use. */
export type Openings = ReadonlySet<string>;
export const noOpenings: Openings = new Set();

const readingsMax = 50_000;
/** Users of one bank share their openings. */
const readings = new Memory<Memory<Reading>>(2_000);

/** Of texts that differ in long numbers only one is read: they are no part of a name. */
export function readingOf(text: string, openings: Openings): Reading {
  const known = readings.recall(signatureOf(openings), () => new Memory(readingsMax));
  const bare = withoutLongNumbers(text);
  return known.recall(bare, () => read(bare, openings));
}

/** Numbers of five digits and more, dates, times and amounts; shorter ones may be a name's. */
export function withoutLongNumbers(text: string): string {
  return text.replace(longNumber, "#");
}

const longNumber = /\d{5,}|\d+(?:[.:/-]\d+)+(?<=(?:\d[.:/-]?){4})/g;

const signatures = new WeakMap<Openings, string>();

function signatureOf(openings: Openings): string {
  if (openings.size === 0) return "";
  let signature = signatures.get(openings);
  if (signature === undefined) signatures.set(openings, (signature = [...openings].sort().join("\n")));
  return signature;
}

function read(text: string, openings: Openings): Reading {
  const fold = folded(text);
  const words = wordsIn(fold);
  const start = nameStart(words, openings);
  if (start === words.length) return { name: "", longerName: null, before: 0, text: fold };
  const end = nameEnd(words, start);
  const from = (at: number): string =>
    fold.slice(itemAt(words, at).at, end < words.length ? words[end]?.at : undefined);
  const before = start === 0 ? null : itemAt(words, start - 1);
  const mayBelong = before !== null && (!isNumberLike(before) || isShortNumber(before));
  return {
    name: from(start),
    longerName: mayBelong ? from(start - 1) : null,
    before: before?.text.length ?? 0,
    text: fold.slice(itemAt(words, start).at),
  };
}

/** The first word that is neither a number nor a bank's; the number of words where there is none. */
export function nameStart(words: readonly Word[], openings: Openings): number {
  let at = 0;
  while (at < words.length) {
    const length = Math.max(bankWordsAt(words, at), openings.size === 0 ? 0 : longestAt(words, at, openings));
    if (length > 0) at += length;
    else if (isNumberLike(itemAt(words, at))) at++;
    else break;
  }
  return at;
}

function nameEnd(words: readonly Word[], start: number): number {
  for (let at = start + 1; at < words.length; at++) if (isClosing(itemAt(words, at))) return at;
  return words.length;
}
