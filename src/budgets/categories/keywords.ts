/** What the words of a line say, language by language: config/keywords. */
import { fold } from "../../recognition/merchant.ts";
import { type Entry, type Mark, readKeywords } from "./lexicon.ts";

export type KeywordHit = { categoryId: string; confidence: number };

type Index = { whole: ReadonlyMap<string, readonly Entry[]>; starts: ReadonlyMap<string, readonly Entry[]>; ends: ReadonlyMap<string, readonly Entry[]> };
type Match = { entry: Entry; letters: number; isWhole: boolean };

const CONFIDENCE = { whole: 0.8, part: 0.74, weak: 0.5 } as const;
const WORDS_MAX = 4;
/** A shorter beginning or end is part of too many words. */
const PART_LETTERS_MIN = 3;
const FOUND_MAX = 50_000;

const lexicon = readKeywords();
const indexes = { OUT: indexOf(lexicon.out), IN: indexOf(lexicon.in) };
const marks = Object.fromEntries((["settlement", "loanPayout", "refund"] as const).map((mark) => [mark, indexOf(lexicon.marks[mark].map(markEntry))])) as Record<Mark, Index>;
const found = new Map<string, KeywordHit | null>();
const marked = new Map<string, boolean>();

/** The longest word or phrase that says what the line is for; of the languages of these countries only. */
export function findKeyword(text: string, direction: "OUT" | "IN", countries: readonly string[]): KeywordHit | null {
  const place = `${direction} ${countries.join()} ${text}`;
  const known = found.get(place);
  if (known !== undefined) return known;
  if (found.size >= FOUND_MAX) found.clear();
  const [best] = matchesOf(indexes[direction], text, ({ countries: places }) => countries.some((country) => places.includes(country)));
  const hit = best === undefined ? null : { categoryId: best.entry.categoryId, confidence: confidenceOf(best) };
  found.set(place, hit);
  return hit;
}

export function hasMark(text: string, mark: Mark): boolean {
  const place = `${mark} ${text}`;
  let isMarked = marked.get(place);
  if (isMarked === undefined) {
    if (marked.size >= FOUND_MAX) marked.clear();
    isMarked = matchesOf(marks[mark], text, () => true).length > 0;
    marked.set(place, isMarked);
  }
  return isMarked;
}

/** Upper case, letters of A–Z and digits, words apart. Nothing is taken off: a bank's own words say the most. */
export function wordsOf(text: string): string[] {
  return fold(text).replace(/[^A-Z0-9]+/g, " ").trim().split(" ");
}

function matchesOf(index: Index, text: string, isRead: (entry: Entry) => boolean): Match[] {
  const words = wordsOf(text);
  const matches: Match[] = [];
  const collect = (entries: readonly Entry[] | undefined, letters: number, isWhole: boolean): void => {
    for (const entry of entries ?? []) if (isRead(entry)) matches.push({ entry, letters, isWhole });
  };
  for (const [at, word] of words.entries()) {
    for (let count = 1; count <= Math.min(WORDS_MAX, words.length - at); count++) {
      const phrase = words.slice(at, at + count).join(" ");
      collect(index.whole.get(phrase), phrase.length, true);
    }
    for (let letters = PART_LETTERS_MIN; letters <= word.length; letters++) {
      collect(index.starts.get(word.slice(0, letters)), letters, false);
      collect(index.ends.get(word.slice(word.length - letters)), letters, false);
    }
  }
  return matches.sort((a, b) => Number(a.entry.isWeak) - Number(b.entry.isWeak) || b.letters - a.letters || Number(b.isWhole) - Number(a.isWhole));
}

function indexOf(entries: readonly Entry[]): Index {
  const indexed = entries.map((entry) => ({ ...entry, text: entry.text.toUpperCase() }));
  const by = (isKind: (text: string) => boolean): ReadonlyMap<string, readonly Entry[]> =>
    Map.groupBy(indexed.filter(({ text }) => isKind(text)), ({ text }) => wordsOf(text).join(" "));
  // Of a phrase its words stand alone, whatever is open in the first.
  const isOpen = (text: string): boolean => text.includes("*") && !text.includes(" ");
  return { whole: by((text) => !isOpen(text)), starts: by((text) => isOpen(text) && text.endsWith("*")), ends: by((text) => isOpen(text) && text.startsWith("*")) };
}

function markEntry(text: string): Entry {
  return { text, categoryId: "", countries: [], isWeak: false };
}

function confidenceOf({ entry, isWhole }: Match): number {
  if (entry.isWeak) return CONFIDENCE.weak;
  return isWhole ? CONFIDENCE.whole : CONFIDENCE.part;
}
