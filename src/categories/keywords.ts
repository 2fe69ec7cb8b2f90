/** What the words of a line say, language by language: config/keywords. */
import { type Entry, type Mark, markNames, type ObjectOf, objectNames, readKeywords } from "./lexicon.ts";
import { inOrder, namesBeginningWith } from "./alphabet.ts";
import { formsOf } from "./inflection.ts";
import { Memory, once } from "./memory.ts";
import { itemAt } from "../present.ts";
import { asPrinted, countBy, folded, foldOf } from "./words.ts";

/** phrase: the word or words that say it. isWhole: no part of a compound. */
export type KeywordHit = { categoryId: string; confidence: number; phrase: string; isWhole: boolean };

/**
 * By what is read: an entry's words, or one of their forms. The forms of a word share its entry and the list that holds it
 * alone: with one of each for every form, what the first line read made took 31 MB instead of 14.
 */
type Readings = ReadonlyMap<string, readonly Entry[]>;
type Index = {
  whole: Readings;
  starts: Readings;
  ends: Readings;
  /**
   * Nearly all words begin and end with what no reading does: first words of phrases, and the outer letters of parts, with
   * a bit for each length that such a part has.
   */
  firstWords: ReadonlySet<string>;
  startLengths: ReadonlyMap<string, number>;
  endLengths: ReadonlyMap<string, number>;
  /** Of `whole` and `starts`, in the order of letters: for texts that a bank cut off. */
  sorted: readonly string[];
  /** Of `ends`, in the same way. */
  sortedEnds: () => readonly string[];
};
/** phrase: under which the entry was found. at: behind which word it ends. */
type Match = { entry: Entry; phrase: string; letters: number; isWhole: boolean; at: number; isCut: boolean };

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
  const index = indexes.OUT();
  const isRead = isOf(countries);
  const ends: Entry[][] = [];
  for (let at = beforeEndMin; at <= last.length - begunLettersMin; at++)
    ends.push(
      phrasesBegun(index.sortedEnds(), last.slice(at))
        .flatMap((phrase) => index.ends.get(phrase) ?? [])
        .filter(isRead),
    );
  const begun = (start: string): Entry[] => entriesBegun(index, start, isRead).map(({ entry }) => entry);
  const said = [
    words.length > 1 && pair.length >= begunPairMin ? begun(pair) : [],
    last.length >= begunLettersMin ? begun(last) : [],
    ...ends,
  ].find(({ length }) => length > 0);
  return countBy(said ?? [], ({ categoryId }) => categoryId);
}

function isOf(countries: readonly string[]): (entry: Entry) => boolean {
  return ({ countries: places }) => countries.some((country) => places.includes(country));
}

function hitOf(best: Match | undefined): KeywordHit | null {
  if (best === undefined) return null;
  const { entry, phrase, isWhole } = best;
  return { categoryId: entry.categoryId, confidence: confidenceOf(best), phrase, isWhole };
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
  return splitFold(folded(text));
}

function splitFold(fold: string): string[] {
  return fold
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
  for (let at = 0; at < words.length; at++) {
    const word = itemAt(words, at);
    collect(matches, index.whole, word, true, at + 1, isRead);
    if (index.firstWords.has(word))
      for (let count = 2; count <= Math.min(wordsMax, words.length - at); count++)
        collect(matches, index.whole, words.slice(at, at + count).join(" "), true, at + count, isRead);
    const starts = index.startLengths.get(word.slice(0, partLettersMin)) ?? 0;
    const ends = index.endLengths.get(word.slice(-partLettersMin)) ?? 0;
    if (starts === 0 && ends === 0) continue;
    for (let letters = partLettersMin; letters <= word.length; letters++) {
      const isAll = letters === word.length;
      const length = lengthBit(letters);
      if ((starts & length) !== 0) collect(matches, index.starts, word.slice(0, letters), isAll, at, isRead);
      if ((ends & length) !== 0) collect(matches, index.ends, word.slice(word.length - letters), isAll, at, isRead);
    }
  }
  if (text.endsWith(mayBeCut) && !text.endsWith(`#${mayBeCut}`)) matches.push(...cutMatches(index, words, isRead));
  return matches.sort(bySaying);
}

function collect(
  matches: Match[],
  readings: Readings,
  phrase: string,
  isWhole: boolean,
  at: number,
  isRead: (entry: Entry) => boolean,
): void {
  const entries = readings.get(phrase);
  if (entries === undefined) return;
  for (const entry of entries)
    if (isRead(entry)) matches.push({ entry, phrase, letters: phrase.length, isWhole, at, isCut: false });
}

/** The longest share one. */
function lengthBit(letters: number): number {
  return 1 << Math.min(letters, 31);
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
function cutMatches(index: Index, words: readonly string[], isRead: (entry: Entry) => boolean): Match[] {
  return [1, 2, 3].flatMap((count): Match[] => {
    const tail = words.slice(-count).join(" ");
    if (count > words.length || tail.length < cutLettersMin) return [];
    const begun = entriesBegun(index, tail, isRead);
    const [first] = begun;
    return first !== undefined && begun.every(({ entry }) => entry.categoryId === first.entry.categoryId)
      ? [{ ...first, letters: tail.length, isWhole: false, at: words.length, isCut: true }]
      : [];
  });
}

/** What whole words, and words that others may follow, are called that begin so and were cut inside a word. */
function entriesBegun(
  { whole, starts, sorted }: Index,
  start: string,
  isRead: (entry: Entry) => boolean,
): { entry: Entry; phrase: string }[] {
  return phrasesBegun(sorted, start).flatMap((phrase) =>
    [whole, starts]
      .flatMap((readings) => readings.get(phrase) ?? [])
      .filter(isRead)
      .map((entry) => ({ entry, phrase })),
  );
}

function phrasesBegun(sorted: readonly string[], start: string): string[] {
  return namesBeginningWith(sorted, start).filter((phrase) => phrase !== start && phrase[start.length] !== " ");
}

function indexOf(entries: readonly Entry[]): Index {
  const alone = new Map(entries.map((entry) => [entry, [entry]]));
  const add = (readings: Map<string, readonly Entry[]>, phrase: string, entry: Entry): void => {
    const others = readings.get(phrase);
    readings.set(phrase, others === undefined ? (alone.get(entry) ?? []) : [...others, entry]);
  };
  const [whole, starts, ends] = [readingsOfNone(), readingsOfNone(), readingsOfNone()];
  for (const [text, entry] of [...stated(entries), ...inflected(entries)]) {
    const phrase = splitFold(foldOf(text)).join(" ");
    // Of a phrase its words stand alone, whatever is open in the first.
    const isOpen = text.includes("*") && !text.includes(" ");
    if (!isOpen) add(whole, phrase, entry);
    if (isOpen && text.endsWith("*")) add(starts, phrase, entry);
    if (text.startsWith("*")) add(ends, phrase, entry);
  }
  const sorted = inOrder(new Set([...whole.keys(), ...starts.keys()]));
  return {
    whole,
    starts,
    ends,
    firstWords: firstWordsOf(whole),
    startLengths: lengthsBy(starts, (part) => part.slice(0, partLettersMin)),
    endLengths: lengthsBy(ends, (part) => part.slice(-partLettersMin)),
    sorted,
    sortedEnds: once(() => inOrder(ends.keys())),
  };
}

function firstWordsOf(readings: Readings): ReadonlySet<string> {
  const all = new Set<string>();
  for (const phrase of readings.keys()) all.add(phrase.slice(0, Math.max(0, phrase.indexOf(" "))));
  return all;
}

function lengthsBy(parts: Readings, lettersOf: (part: string) => string): ReadonlyMap<string, number> {
  const lengths = new Map<string, number>();
  for (const part of parts.keys()) {
    const letters = lettersOf(part);
    lengths.set(letters, (lengths.get(letters) ?? 0) | lengthBit(part.length));
  }
  return lengths;
}

function readingsOfNone(): Map<string, readonly Entry[]> {
  return new Map();
}

/** As the files have them, and as a bank prints them whose alphabet lacks their letters. */
function stated(entries: readonly Entry[]): [text: string, entry: Entry][] {
  return [
    ...entries.map((entry): [string, Entry] => [entry.text, entry]),
    ...entries.flatMap((entry) => asPrinted(entry).map(({ text }): [string, Entry] => [text, entry])),
  ];
}

/** What the files say of a form themselves goes before what its word says. */
function inflected(entries: readonly Entry[]): [form: string, entry: Entry][] {
  const entryKeyOf = (text: string, { countries }: Entry): string => `${countries.join()} ${text}`;
  const plain = entries.map((entry) => ({ ...entry, text: foldOf(entry.text) }));
  const known = new Set(plain.map((entry) => entryKeyOf(entry.text, entry)));
  return plain.flatMap((word, at) => {
    const entry = itemAt(entries, at);
    return formsOf(word)
      .filter((form) => !known.has(entryKeyOf(form, entry)))
      .map((form): [string, Entry] => [form, entry]);
  });
}

function markEntry(text: string): Entry {
  return { text, categoryId: "", countries: [], isWeak: false };
}

function confidenceOf({ entry, isWhole }: Match): number {
  if (entry.isWeak) return confidences.weak;
  return isWhole ? confidences.whole : confidences.part;
}
