/**
 * Cleaned names taken apart, each once for all lines and users that have it: one payee stands in many lines, and users
 * share shops.
 */
/** Kept of what was met since the last turn, and of the turn before, of which what is met again is kept. */
export class Kept<Value> {
  readonly #max: number;
  #recent = new Map<string, Value>();
  #earlier = new Map<string, Value>();

  constructor(max: number) {
    this.#max = max;
  }

  /** @param make must not ask for anything kept here */
  of(text: string, make: (text: string) => Value): Value {
    const known = this.#recent.get(text);
    if (known !== undefined) return known;
    const value = this.#earlier.get(text) ?? make(text);
    if (this.#recent.size >= this.#max) {
      this.#earlier = this.#recent;
      this.#recent = new Map();
    }
    this.#recent.set(text, value);
    return value;
  }
}

/** A name, words joined by one space; upper case where it is a merchant's key. What nobody asks for is not made. */
export type Name = {
  readonly words: readonly string[];
  /** Words long enough to tell one payee from another. */
  readonly telling: readonly string[];
  readonly first: string;
  /** All of its letters without spaces, and those that its words begin with. */
  readonly letters: string;
  readonly initials: string;
  /** The letters with which names that are compared begin. */
  readonly stem: string;
  /** What it may have in common with a related one (recognition/search/search.ts); null: not asked for yet. */
  handles: readonly string[] | null;
  /** With each direction; null: not asked for yet. */
  out: DirectedName | null;
  in: DirectedName | null;
};

/** The letters with which names begin that are compared. */
export const stemLength = 3;
const tellingLengthMin = 4;
/** Names met at a time, and lately before. */
const namesMax = 20_000;
const names = new Kept<Name>(namesMax);

/** A name taken apart, in upper case. */
export function nameOf(title: string): Name {
  return names.of(title, takenApart);
}

function takenApart(title: string): Name {
  return new NameInWords(title);
}

class NameInWords implements Name {
  readonly #upper: string;
  readonly first: string;
  readonly stem: string;
  handles: readonly string[] | null = null;
  out: DirectedName | null = null;
  in: DirectedName | null = null;
  #words: readonly string[] | null = null;
  #telling: readonly string[] | null = null;
  #letters: string | null = null;
  #initials: string | null = null;

  constructor(title: string) {
    this.#upper = title.toUpperCase();
    this.first = firstWord(this.#upper);
    this.stem = title.slice(0, stemLength);
  }

  get words(): readonly string[] {
    return (this.#words ??= this.#upper.split(" "));
  }

  get telling(): readonly string[] {
    return (this.#telling ??= this.words.filter(isTellingWord));
  }

  get letters(): string {
    return (this.#letters ??= this.words.join(""));
  }

  get initials(): string {
    return (this.#initials ??= this.words.map((word) => word.charAt(0)).join(""));
  }
}

/** Whether a word is long enough to tell one payee from another. */
export function isTellingWord(word: string): boolean {
  return word.length >= tellingLengthMin;
}

export type Direction = "OUT" | "IN";

/** @param text the direction, a space and the name */
export function directedNameOf(text: string): DirectedName {
  return new DirectedName(text);
}

/** A name with the direction of its payments, by which they are grouped. What nobody asks for is not made. */
export class DirectedName {
  /** The direction, a space and the name. */
  readonly text: string;
  readonly direction: Direction;
  /** Of the text: where the last word begins, less its space, which is the direction's where the name has one. */
  readonly space: number;
  #numberless: string | undefined | null = null;
  #codeless: string | null | undefined = undefined;
  #word: string | null = null;
  #shorter: DirectedName | null = null;
  #compact: string | null = null;
  #order: number | null = null;

  constructor(text: string) {
    this.text = text;
    this.direction = text.startsWith("OUT ") ? "OUT" : "IN";
    this.space = text.lastIndexOf(" ");
  }

  get name(): string {
    return this.text.slice(this.direction.length + 1);
  }

  /** The name's first word. */
  get first(): string {
    const start = this.direction.length + 1;
    const end = this.text.indexOf(" ", start);
    return end < 0 ? this.text.slice(start) : this.text.slice(start, end);
  }

  /** Its last word. */
  get word(): string {
    return (this.#word ??= this.text.slice(this.space + 1));
  }

  /** The name less its last word. */
  get shorter(): DirectedName {
    return (this.#shorter ??= new DirectedName(this.text.slice(0, this.space)));
  }

  /** What is left without the number, or the single letter, that it ends with; undefined: it ends with none. */
  get numberless(): string | undefined {
    if (this.#numberless === null) this.#numberless = numberless(this.text);
    return this.#numberless;
  }

  /** The words that look like no codes, where some do and what is left tells a payee; null: there are none. */
  get codeless(): string | null {
    if (this.#codeless === undefined) this.#codeless = codelessOf(this.text);
    return this.#codeless;
  }

  /** Whether a code of it has letters among its digits. */
  get isMixed(): boolean {
    return codeLike.test(this.text) && mixed.test(this.text);
  }

  /** The direction and the name without spaces. */
  get compact(): string {
    return (this.#compact ??= this.direction + this.name.replaceAll(" ", ""));
  }

  /** A number in the order of such texts, as far as it tells. */
  get order(): number {
    return (this.#order ??= orderOf(`${this.direction.charAt(0)}${this.compact.slice(this.direction.length)}`));
  }
}

export function firstWord(text: string): string {
  const space = text.indexOf(" ");
  return space < 0 ? text : text.slice(0, space);
}

/** A digit among the letters, or letters that nobody could say. */
const codeLike = /\d|\b[B-DF-HJ-NP-TV-XZ]{4,}\b/;
const mixed = /\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{5,}\b/;

/** Shorter beginnings of a code may be words. */
const cutCodeLengthMin = 3;

function codelessOf(text: string): string | null {
  // Nearly all names have nothing in them that looks like a code.
  if (!codeLike.test(text)) return null;
  const words = text.split(" ");
  const codes = words.filter((word) => codeLike.test(word));
  // Banks that give a name few letters, and then whole, cut its code off: "GOOGLE FI VTV GOOGLE FI VTVX5K".
  const isCode = (word: string): boolean =>
    codes.some((code) => code === word || (word.length >= cutCodeLengthMin && code.startsWith(word)));
  const rest = codes.length === 0 ? words : words.filter((word) => !isCode(word));
  const isTold = rest.length < words.length && rest.some(isTellingWord);
  return isTold ? rest.join(" ") : null;
}

/** A name and a number: of few letters with a reference or an account, of more with what a bank left of a reference. */
const numberedPattern = /^((?:OUT|IN) [A-Z]{2}) \d{3,}$|^((?:OUT|IN) .*[A-Z]{3,}) \d{1,2}$/;
/** What is left of a name must still name someone. */
export const nameLengthMin = 3;
/** Nearly all names end with a letter, and are spared the pattern. */
const codeOf9 = "9".charCodeAt(0);
const codeOfSpace = " ".charCodeAt(0);

function numberless(text: string): string | undefined {
  if (text.charCodeAt(text.length - 2) === codeOfSpace && text.indexOf(" ") < text.length - 2 - nameLengthMin)
    return text.slice(0, -2);
  if (text.charCodeAt(text.length - 1) > codeOf9) return undefined;
  const [, short, long] = numberedPattern.exec(text) ?? [];
  return short ?? long;
}

/** So many characters, of so many values each, are a number that is told exactly. */
const orderLength = 6;
const orderBase = 256;

/** Not a number where a character is beyond the base. */
function orderOf(text: string): number {
  let order = 0;
  for (let at = 0; at < orderLength; at++) {
    const code = at < text.length ? text.charCodeAt(at) : 0;
    order = code < orderBase ? order * orderBase + code : Number.NaN;
  }
  return order;
}

/** In the order of their texts without spaces, then with them. */
export function byCompact(a: DirectedName, b: DirectedName): number {
  const order = a.order - b.order;
  if (order !== 0 && !Number.isNaN(order)) return order;
  return a.compact < b.compact ? -1 : a.compact > b.compact ? 1 : a.name < b.name ? -1 : 1;
}

/** What comes often is found without a table of all that comes: of a user's many words hardly any do. */
const buckets = 1_024;
const counts = new Uint16Array(buckets);

/** The words that may come so often among the items: all that do, and hardly any that do not. */
export function oftenIn<Item>(items: readonly Item[], wordOf: (item: Item) => string, countMin: number): Set<string> {
  counts.fill(0);
  let most = 0;
  for (const item of items) {
    const bucket = bucketOf(wordOf(item));
    const count = (counts[bucket] as number) + 1;
    counts[bucket] = count;
    if (count > most) most = count;
  }
  const often = new Set<string>();
  if (most < countMin) return often;
  for (const item of items) {
    const word = wordOf(item);
    if ((counts[bucketOf(word)] as number) >= countMin) often.add(word);
  }
  return often;
}

/** Words begin differently, and have different lengths. */
const lettersMax = 8;

function bucketOf(word: string): number {
  let hash = word.length;
  for (let at = 0; at < word.length && at < lettersMax; at++) hash = Math.imul(hash, 31) + word.charCodeAt(at);
  return (hash ^ (hash >>> 10)) & (buckets - 1);
}
