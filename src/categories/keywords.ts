/** What the words of a line say, language by language: config/keywords. */
import { type Entry, type Mark, markNames, type ObjectOf, objectNames, readKeywords } from "./lexicon.ts";
import { type Alphabet, alphabetOf, beginningWith } from "./alphabet.ts";
import { formsOf } from "./inflection.ts";
import { Memory, once } from "./memory.ts";
import { asPrinted, countBy, folded } from "./words.ts";

/** phrase: the word or words that say it. isWhole: no part of a compound. */
export type KeywordHit = { categoryId: string; confidence: number; phrase: string; isWhole: boolean };

type Index = {
  whole: ReadonlyMap<string, readonly Entry[]>;
  starts: ReadonlyMap<string, readonly Entry[]>;
  ends: ReadonlyMap<string, readonly Entry[]>;
  /** Of `whole` and `starts`: for texts that a bank cut off. */
  sorted: Alphabet<readonly Entry[]>;
  /** Of `ends`, in the same way. */
  sortedEnds: Alphabet<readonly Entry[]>;
};
/** at: behind which word it ends. */
type Match = { entry: Entry; letters: number; isWhole: boolean; at: number; isCut: boolean };

const confidences = { whole: 0.8, part: 0.74, weak: 0.5 } as const;
const wordsMax = 4;
/** A shorter beginning or end is part of too many words. */
const partLettersMin = 3;
const cutTextLettersMin = 18;
/** Stands behind a text that may have been cut off; no bank prints it. */
const mayBeCut = "\u2026";
/** Of a word that was cut so many letters tell which it was. */
const cutLettersMin = 6;
/** What a purchase abroad was converted at: a word of the bank's, and in the north also one for lessons. */
const exchangeRate = /\b(?:VALUTA)?KURS:? *#/gi;
const foundMax = 50_000;

const lexicon = once(readKeywords);
const indexes = { OUT: once(() => indexOf(lexicon().out)), IN: once(() => indexOf(lexicon().in)) };
const marks = byName(markNames, (mark) => once(() => indexOf(lexicon().marks[mark].map(markEntry))));
const objects = byName(objectNames, (name) => once(() => indexOf(lexicon().objects[name])));
/**
 * By direction and countries, then by the text without its numbers, which differ from payment to payment and say
 * nothing.
 */
const found = {
  OUT: new Map<string, Memory<KeywordHit | null>>(),
  IN: new Map<string, Memory<KeywordHit | null>>(),
};
const marked = byName(markNames, () => new Memory<boolean>(foundMax));

function byName<Name extends string, Value>(names: readonly Name[], valueOf: (name: Name) => Value) {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

/**
 * The longest word or phrase that says what the line is for; of the languages of these countries only.
 * @param isLong whether the bank may have cut the text off
 */
export function findKeyword(
  text: string,
  direction: "OUT" | "IN",
  countries: readonly string[],
  isLong: boolean = isCuttable(text),
): KeywordHit | null {
  const place = countries.join();
  let here = found[direction].get(place);
  if (here === undefined) found[direction].set(place, (here = new Memory(foundMax)));
  const bare = isLong ? `${withoutNumbers(text)}${mayBeCut}` : withoutNumbers(text);
  return here.recall(bare, () => hitOf(matchesOf(indexes[direction](), bare, isOf(countries))[0]));
}

/** A whole word of any language, since shops take their names from all. */
export function findForeignKeyword(text: string): KeywordHit | null {
  const hit = findKeyword(text, "OUT", everywhere(), false);
  const isTelling = hit?.isWhole === true && hit.confidence >= confidences.whole;
  return isTelling && hit.phrase.length >= foreignLettersMin ? hit : null;
}

const everywhere = once(() => [...new Set(lexicon().out.flatMap(({ countries }) => countries))]);
/** Shorter words mean something else in the next language. */
const foreignLettersMin = 5;

/** Of a word or two that a bank cut, so many letters tell some words from others. */
const [begunLettersMin, begunPairMin] = [4, 3];
/** Of the last part of a compound as many, and so many stand before it. */
const beforeEndMin = 3;
const isNumber = /^\d+$/;

/** What a text may say that a bank cut inside its last word: how many of the words that begin so say what. */
export function keywordsBegun(text: string, countries: readonly string[]): ReadonlyMap<string, number> {
  const words = wordsOf(withoutNumbers(text)).filter((word) => !isNumber.test(word));
  const last = words.at(-1) ?? "";
  // What is a word as it stands was not cut.
  if (findKeyword(last, "OUT", countries, false) !== null) return new Map();
  const pair = words.slice(-2).join(" ");
  const { sorted, sortedEnds } = indexes.OUT();
  const isRead = isOf(countries);
  const begun = (alphabet: Alphabet<readonly Entry[]>, start: string): Entry[] =>
    beginningWith(alphabet, start)
      .flatMap(([phrase, entries]) => (phrase === start || phrase[start.length] === " " ? [] : entries))
      .filter(isRead);
  const ends: Entry[][] = [];
  for (let at = beforeEndMin; at <= last.length - begunLettersMin; at++) ends.push(begun(sortedEnds, last.slice(at)));
  const said = [
    words.length > 1 && pair.length >= begunPairMin ? begun(sorted, pair) : [],
    last.length >= begunLettersMin ? begun(sorted, last) : [],
    ...ends,
  ].find(({ length }) => length > 0);
  return countBy(said ?? [], ({ categoryId }) => categoryId);
}

function isOf(countries: readonly string[]): (entry: Entry) => boolean {
  return ({ countries: places }) => countries.some((country) => places.includes(country));
}

function hitOf(best: Match | undefined): KeywordHit | null {
  if (best === undefined) return null;
  const phrase = wordsOf(best.entry.text).join(" ");
  return { categoryId: best.entry.categoryId, confidence: confidenceOf(best), phrase, isWhole: best.isWhole };
}

/** A short name is none inside a longer phrase that says something itself: Office in post office. */
export function isInside(name: string, { phrase }: KeywordHit): boolean {
  return phrase !== name && ` ${phrase} `.includes(` ${name} `);
}

/** Banks cut a text at twenty letters and more. */
export function isCuttable(text: string): boolean {
  return text.length >= cutTextLettersMin;
}

/** What an insurance or a loan is for, of which the line names the object alone. */
export function findObject(text: string, object: ObjectOf, countries: readonly string[]): string | null {
  const [best] = matchesOf(objects[object](), withoutNumbers(text), isOf(countries));
  return best?.entry.categoryId ?? null;
}

export function hasMark(text: string, mark: Mark): boolean {
  const bare = withoutNumbers(text);
  return marked[mark].recall(bare, () => matchesOf(marks[mark](), bare, () => true).length > 0);
}

/** The words that may tell: without numbers, and the rates of exchange that look like lessons in the north. */
export function tellingWords(text: string): string[] {
  return wordsOf(withoutNumbers(text).replace(exchangeRate, " "));
}

/** Upper case, letters of A–Z and digits, words apart. Nothing is taken off: a bank's own words say the most. */
export function wordsOf(text: string): string[] {
  return folded(text)
    .replace(/[^A-Z0-9]+/g, " ")
    .trim()
    .split(" ");
}

/** Numbers of four digits and more, and dates: what is left says what the line is for. */
export function withoutNumbers(text: string): string {
  return text.replace(longNumber, "#");
}

const longNumber = /\d[\d./:-]*\d[\d./:-]*\d[\d./:-]*\d[\d./:-]*/g;

function matchesOf(index: Index, text: string, isRead: (entry: Entry) => boolean): Match[] {
  const words = wordsOf(text.replace(exchangeRate, " "));
  const matches: Match[] = [];
  const collect = (entries: readonly Entry[] | undefined, letters: number, isWhole: boolean, at: number): void => {
    for (const entry of entries ?? []) if (isRead(entry)) matches.push({ entry, letters, isWhole, at, isCut: false });
  };
  for (const [at, word] of words.entries()) {
    for (let count = 1; count <= Math.min(wordsMax, words.length - at); count++) {
      const phrase = words.slice(at, at + count).join(" ");
      collect(index.whole.get(phrase), phrase.length, true, at + count);
    }
    for (let letters = partLettersMin; letters <= word.length; letters++) {
      collect(index.starts.get(word.slice(0, letters)), letters, letters === word.length, at);
      collect(index.ends.get(word.slice(word.length - letters)), letters, letters === word.length, at);
    }
  }
  if (text.endsWith(mayBeCut) && !text.endsWith(`#${mayBeCut}`)) matches.push(...cutMatches(index, words, isRead));
  return matches.sort(bySaying);
}

/** A whole word says more than as many letters of one. */
const wholeWorth = 3;
/** Club, church and union: what a membership is for is said by the words beside it. */
const general = "FEES_DONATIONS_MEMBERSHIPS";

/** What says most comes first; of equals the last, since in names as in compounds what follows is what it is. */
function bySaying(a: Match, b: Match): number {
  return (
    Number(a.entry.isWeak) - Number(b.entry.isWeak) ||
    Number(a.isCut) - Number(b.isCut) ||
    Number(a.entry.categoryId === general) - Number(b.entry.categoryId === general) ||
    worthOf(b) - worthOf(a) ||
    b.at - a.at
  );
}

function worthOf({ letters, isWhole }: Match): number {
  return letters + (isWhole ? wholeWorth : 0);
}

/** The last words as the beginning of a phrase that was cut inside a word, where all that begin so say the same. */
function cutMatches({ sorted }: Index, words: readonly string[], isRead: (entry: Entry) => boolean): Match[] {
  return [1, 2, 3].flatMap((count): Match[] => {
    const tail = words.slice(-count).join(" ");
    if (count > words.length || tail.length < cutLettersMin) return [];
    const begun = beginningWith(sorted, tail)
      .flatMap(([phrase, entries]) => (phrase === tail || phrase[tail.length] === " " ? [] : entries))
      .filter(isRead);
    const [entry] = begun;
    return entry !== undefined && begun.every(({ categoryId }) => categoryId === entry.categoryId)
      ? [{ entry, letters: tail.length, isWhole: false, at: words.length, isCut: true }]
      : [];
  });
}

function indexOf(entries: readonly Entry[]): Index {
  const stated = [...entries, ...entries.flatMap(asPrinted)].map((entry) => ({
    ...entry,
    text: entry.text.toUpperCase(),
  }));
  const indexed = [...stated, ...inflected(entries)];
  const by = (isKind: (text: string) => boolean): ReadonlyMap<string, readonly Entry[]> =>
    Map.groupBy(
      indexed.filter(({ text }) => isKind(text)),
      ({ text }) => wordsOf(text).join(" "),
    );
  // Of a phrase its words stand alone, whatever is open in the first.
  const isOpen = (text: string): boolean => text.includes("*") && !text.includes(" ");
  const [whole, starts] = [by((text) => !isOpen(text)), by((text) => isOpen(text) && text.endsWith("*"))];
  const ends = by((text) => text.startsWith("*"));
  return { whole, starts, ends, sorted: alphabetOf([...whole, ...starts]), sortedEnds: alphabetOf(ends) };
}

/** What the files say of a form themselves goes before what its word says. */
function inflected(entries: readonly Entry[]): Entry[] {
  const plain = entries.map((entry) => ({ ...entry, text: folded(entry.text) }));
  const entryKeyOf = (text: string, { countries }: Entry): string => `${countries.join()} ${text}`;
  const stated = new Set(plain.map((entry) => entryKeyOf(entry.text, entry)));
  return plain.flatMap((entry) =>
    formsOf(entry)
      .filter((text) => !stated.has(entryKeyOf(text, entry)))
      .map((text) => ({ ...entry, text })),
  );
}

function markEntry(text: string): Entry {
  return { text, categoryId: "", countries: [], isWeak: false };
}

function confidenceOf({ entry, isWhole }: Match): number {
  if (entry.isWeak) return confidences.weak;
  return isWhole ? confidences.whole : confidences.part;
}
