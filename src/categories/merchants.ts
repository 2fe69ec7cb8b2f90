/** The dictionary of merchants and payers: whose name is at the beginning of what a bank prints. */
import { merchantOf } from "../payments/merchant.ts";
import { type Entry, type Lexicon, readMerchantFiles } from "./lexicon.ts";
import { firstWord } from "../payments/name.ts";
import { itemAt } from "../present.ts";
import { type Alphabet, alphabetOf, beginningWith, entriesNamed } from "./alphabet.ts";
import { Memory, once } from "./memory.ts";
import { asPrinted, countBy, folded, spelled } from "./words.ts";

/** isWeak: a merchant category code knows better. letters: how much of the name was known. */
export type MerchantHit = {
  categoryId: string;
  confidence: number;
  isWeak: boolean;
  letters: number;
  /** As the dictionary has it, cleaned. */
  name: string;
};

type Indexed = Entry & { isWhole: boolean };
type Part = {
  byName: ReadonlyMap<string, readonly Indexed[]>;
  /** Of the names: nearly all words begin none. */
  firstWords: ReadonlySet<string>;
  /** By the name without its spaces. */
  compact: Alphabet<Indexed>;
};
/**
 * What is known in some countries: the names of all, and those that are known there alone. These are many, and indexed
 * when somebody of their country comes.
 */
type Index = { parts: readonly Part[]; found: Memory<MerchantHit | null> };

const confidences = {
  first: 0.92,
  joined: 0.88,
  cut: 0.75,
  later: 0.72,
  foreign: 0.7,
  initials: 0.7,
  weak: 0.65,
} as const;
const wordsMax = 5;
/**
 * Shorter names are also words, initials and codes of banks: little but a place may follow them, and no account number.
 */
const nameLettersMin = 3;
const initialsWordsMax = 3;
const longNumber = /\d{4}/;
/** From this length on a name is unmistakable behind other words, abroad, and written without its spaces. */
const laterLettersMin = 6;
const joinedLettersMin = 5;
const cutLettersMin = 8;
const numberedLettersMin = 4;
/** Distinct names of all users. */
const foundMax = 50_000;

const files = once(readMerchantFiles);
const payees = indexesOf("out");
const payers = indexesOf("in");

/** By countries. */
function indexesOf(side: keyof Lexicon): (countries: readonly string[]) => Index {
  const shared = once(() => partOf(files().shared[side]));
  const local = once(() =>
    files().local.map(({ countries, read }) => ({ countries, part: once(() => partOf(read()[side])) })),
  );
  const indexes = new Map<string, Index>();
  return (countries) => {
    const key = countries.join();
    let index = indexes.get(key);
    if (index === undefined) {
      const here = local().filter((one) => one.countries.some((country) => countries.includes(country)));
      index = { parts: [shared(), ...here.map(({ part }) => part())], found: new Memory(foundMax) };
      indexes.set(key, index);
    }
    return index;
  };
}

/**
 * @param key a cleaned merchant name. @param countries where the user and the merchant are at home, the user's first.
 */
export function findPayee(key: string, countries: readonly string[]): MerchantHit | null {
  return find(payees(countries), key, countries);
}

/**
 * Whose name it may be where none is known: one that the bank cut inside a word or printed with a letter wrong, or
 * that is too short to be sure of beside a number. What those who are called so sell, how many of
 * each; empty where nobody is.
 */
export function payeesLike(key: string, countries: readonly string[]): ReadonlyMap<string, number> {
  const words = spelled(key)
    .split(" ")
    .filter((word) => !longNumber.test(word));
  const isHere = (entry: Indexed): boolean => isAt(entry, countries);
  const [first = ""] = words;
  const isShort = words.length === 1 && first.length < nameLettersMin;
  const index = payees(countries);
  const short = isShort ? named(index, first).filter(isHere) : [];
  const compact = words.join("");
  const begun = compact.length < begunLettersMin ? [] : begunWith(index, compact).map(([, entry]) => entry);
  const like = [short, begun.filter(isHere), misprinted(index, compact, isHere)].find(({ length }) => length > 0);
  return countBy(like ?? [], ({ categoryId }) => categoryId);
}

/** Of so many letters a name's beginning tells some names from others. */
const begunLettersMin = 4;
const misprintedLettersMin = 6;

/** Who is called so but for one letter of the second half, which is another, missing or too many. */
function misprinted(index: Index, compact: string, isHere: (entry: Indexed) => boolean): Indexed[] {
  if (compact.length < misprintedLettersMin) return [];
  return begunWith(index, compact.slice(0, Math.floor(compact.length / 2)))
    .filter(([name, entry]) => isHere(entry) && isOneOff(name, compact))
    .map(([, entry]) => entry);
}

function isOneOff(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [skipA, skipB] = a.length === b.length ? [1, 1] : a.length > b.length ? [1, 0] : [0, 1];
  return a.slice(at + skipA) === b.slice(at + skipB);
}

/** For money that comes in. */
export function findPayer(key: string, countries: readonly string[]): MerchantHit | null {
  return find(payers(countries), key, countries);
}

/** Of a merchant's name and the line beside it, the one of which more is known. */
export function longer(name: MerchantHit | null, line: MerchantHit | null): MerchantHit | null {
  if (name === null || line === null) return name ?? line;
  return line.letters > name.letters ? line : name;
}

function partOf(entries: readonly Entry[]): Part {
  const indexed = [...entries, ...entries.flatMap(asPrinted)].map((entry) => ({
    ...entry,
    isWhole: entry.text.startsWith("="),
    text: merchantOf(null, folded(entry.text.replace(/^=/, ""))).key,
  }));
  const compact = alphabetOf(indexed.map((entry) => [entry.text.replaceAll(" ", ""), entry] as const));
  const byName = Map.groupBy(indexed, ({ text }) => text);
  return { byName, firstWords: new Set([...byName.keys()].map(firstWord)), compact };
}

const none: readonly Indexed[] = [];

function named({ parts }: Index, name: string): readonly Indexed[] {
  // Nearly everybody is at home where no names are known there alone.
  return parts.length === 1
    ? (itemAt(parts, 0).byName.get(name) ?? none)
    : parts.flatMap(({ byName }) => byName.get(name) ?? none);
}

function beginsOne({ parts }: Index, word: string): boolean {
  return parts.some(({ firstWords }) => firstWords.has(word));
}

/** In the order of the alphabet. */
function begunWith({ parts }: Index, compact: string): readonly (readonly [name: string, entry: Indexed])[] {
  if (parts.length === 1) return beginningWith(itemAt(parts, 0).compact, compact);
  return alphabetOf(parts.flatMap((part) => beginningWith(part.compact, compact)));
}

function find(index: Index, key: string, countries: readonly string[]): MerchantHit | null {
  return index.found.recall(key, () => hitIn(index, spelled(key).split(" "), countries));
}

function hitIn(index: Index, words: readonly string[], countries: readonly string[]): MerchantHit | null {
  return (
    atStart(index, words, countries) ??
    joined(index, words, countries) ??
    cut(index, words, countries) ??
    later(index, words, countries) ??
    numbered(index, words, countries)
  );
}

function atStart(index: Index, words: readonly string[], countries: readonly string[]): MerchantHit | null {
  if (!beginsOne(index, words[0] ?? "")) return null;
  for (let count = Math.min(wordsMax, words.length); count > 0; count--) {
    const name = words.slice(0, count).join(" ");
    const isAll = count === words.length;
    const isInitials = !isAll && count === 1 && name.length < nameLettersMin;
    if (isInitials && (words.length > initialsWordsMax || words.some((word) => longNumber.test(word)))) continue;
    const entries = named(index, name).filter(
      ({ isWhole }, _, all) => isAll || (!isWhole && !isOnlyWhole(all, countries)),
    );
    const hit = chosen(entries, countries, isInitials ? confidences.initials : confidences.first, name.length);
    if (hit !== null) return hit;
  }
  return null;
}

/** Whether who is called so at home is called just so: then nobody abroad is meant where more follows. */
function isOnlyWhole(entries: readonly Indexed[], countries: readonly string[]): boolean {
  const here = entries.filter((entry) => isAt(entry, countries));
  return here.length > 0 && here.every(({ isWhole }) => isWhole);
}

/** FITNESSWORLD, or FITNESS WORLD for a name that has no space. */
function joined(index: Index, words: readonly string[], countries: readonly string[]): MerchantHit | null {
  for (let count = Math.min(wordsMax, words.length); count > 0; count--) {
    const compact = words.slice(0, count).join("");
    if (compact.length < joinedLettersMin) break;
    const isAll = count === words.length;
    const entries = index.parts
      .flatMap((part) => entriesNamed(part.compact, compact))
      .filter(({ isWhole }) => isAll || !isWhole);
    const hit = chosen(entries, countries, confidences.joined, compact.length);
    if (hit !== null) return hit;
  }
  return null;
}

/** A text that the bank cut off: everything that begins so is for one thing. */
function cut(index: Index, words: readonly string[], countries: readonly string[]): MerchantHit | null {
  const compact = words.join("");
  if (compact.length < cutLettersMin) return null;
  const entries = begunWith(index, compact)
    .map(([, entry]) => entry)
    .filter((entry) => isAt(entry, countries));
  const [first] = entries;
  // The shortest comes first: the others may be longer names of the same payee.
  if (first === undefined) return null;
  const isOne = entries.every(
    ({ categoryId, text }) => categoryId === first.categoryId || text.startsWith(`${first.text} `),
  );
  return isOne ? hitOf(first, confidences.cut) : null;
}

function later(index: Index, words: readonly string[], countries: readonly string[]): MerchantHit | null {
  for (let start = 1; start < words.length; start++) {
    if (!beginsOne(index, itemAt(words, start))) continue;
    for (let count = Math.min(wordsMax, words.length - start); count > 0; count--) {
      const name = words.slice(start, start + count).join(" ");
      if (name.length < laterLettersMin) break;
      const entries = named(index, name).filter((entry) => isAt(entry, countries) && !entry.isWhole);
      if (entries.length > 0) return chosen(entries, countries, confidences.later, name.length);
    }
  }
  return null;
}

/** EBAY72323: a number behind a name, without a space between. */
function numbered(index: Index, [first = ""]: readonly string[], countries: readonly string[]): MerchantHit | null {
  const name = /^([A-Z]+)\d+$/.exec(first)?.[1] ?? "";
  return name.length < numberedLettersMin ? null : atStart(index, [name], countries);
}

/** The user's country first, then the merchant's, then anywhere, then elsewhere where all countries agree. */
function chosen(
  entries: readonly Indexed[],
  countries: readonly string[],
  confidence: number,
  letters: number,
): MerchantHit | null {
  for (const country of [...countries, "*"]) {
    const here = entries.filter((entry) => entry.countries.includes(country));
    const best = here.find(({ isWeak }) => !isWeak) ?? here[0];
    if (best !== undefined) return hitOf(best, confidence);
  }
  const travelling = entries.filter(({ isLocal }) => isLocal !== true);
  const [first] = travelling;
  const isPlain =
    first !== undefined &&
    letters >= laterLettersMin &&
    travelling.every(({ categoryId }) => categoryId === first.categoryId);
  return isPlain ? hitOf(first, Math.min(confidence, confidences.foreign)) : null;
}

function isAt({ countries: places }: Entry, countries: readonly string[]): boolean {
  return places.includes("*") || countries.some((country) => places.includes(country));
}

function hitOf({ categoryId, isWeak, text }: Entry, confidence: number): MerchantHit {
  return {
    categoryId,
    isWeak,
    letters: text.length,
    name: text,
    confidence: isWeak ? Math.min(confidence, confidences.weak) : confidence,
  };
}

/** What is left of words without a name's; null where the name is not among them as it is written. */
export function withoutName(words: readonly string[], name: string): string | null {
  const beside = ` ${words.join("  ")} `.replaceAll(` ${name.replaceAll(" ", "  ")} `, " ");
  const left = beside.trim().replaceAll(/ +/g, " ");
  return left === words.join(" ") ? null : left;
}
