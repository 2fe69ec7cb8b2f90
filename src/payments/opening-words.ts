/**
 * Words with which a bank opens its lines, in whatever language, told from one user's own payments: where payees of
 * many different names begin with one word, the word is the bank's. Left in, it would make all of them each other's
 * kin.
 */
import { changedPayment, type Payment } from "./payment.ts";
import { type Alike, type Merchant, merchantBehind } from "./merchant.ts";
import { firstWord, oftenIn } from "./name.ts";

/** A company's products share its name too, but never so many of them, nor so large a part of what a user pays. */
const namesFloor = 6;
const shareMin = 0.2;
/** Names of products have a word in common, and hardly two; those of so many, however many others there are, never. */
const shareMinOfSeveral = 0.1;
const namesMinOfSeveralMax = 20;
/**
 * A bank that leads with one word to the name in one kind of line, as "to" does, leads with it to all: what ends with
 * that word needs no more names.
 */
const namesMinOfLike = 2;
/** Beside a kind of line that so many names follow, those of other kinds need fewer: they begin with the same word. */
const namesMinBeside = 4;
/** Of names behind several words so many are enough where so many of them are each paid a price of its own. */
const namesMinOfBills = 8;
const billsMin = 5;
const billPaymentsMin = 3;
const hasDigit = /\d/;
/** Banks write up to so many words of theirs before the name: how, with which card, by which scheme. */
const wordsMax = 10;

/** The payments, those whose merchants begin with such words under what stands behind. */
export function withoutOpeningWords(payments: Payment[]): Payment[] {
  const openings = openingsOf(payments);
  if (openings.size === 0) return payments;
  const known = new Map<Alike, string | null>();
  const openingOfAlike = ({ alike }: Merchant): string | null => {
    let opening = known.get(alike);
    if (opening === undefined) known.set(alike, (opening = openingOf(alike.key, openings)));
    return opening;
  };
  return payments.map((payment) => {
    const opening = openingOfAlike(payment.merchant);
    if (opening === null) return payment;
    const merchant = merchantBehind(payment.merchant, opening);
    return merchant === payment.merchant ? payment : changedPayment(payment, { merchant, kind: payment.kind });
  });
}

/** The beginnings, of one word or several, behind which different names go on. */
function openingsOf(payments: readonly Payment[]): ReadonlySet<string> {
  const keys = returningKeys(payments);
  const namesMin = (words: number): number =>
    words === 1
      ? Math.max(namesFloor, shareMin * keys.size)
      : Math.max(namesFloor, Math.min(namesMinOfSeveralMax, shareMinOfSeveral * keys.size));
  if (keys.size < namesFloor) return none;
  // With most users no word begins so many of them, and nothing more is looked at.
  const often = oftenIn([...keys], firstWord, Math.min(namesMinOfBills, Math.ceil(namesMin(2))));
  if (often.size === 0) return none;
  const openings = new Set<string>();
  const goingOn = wordsBehind(
    keys,
    (word) => often.has(word),
    () => true,
  );
  let bills: readonly string[] | null = null;
  for (const [opening, names] of goingOn) {
    const words = opening.split(" ").length;
    const isOpening =
      names.size >= namesMin(words) ||
      (words > 1 &&
        names.size >= namesMinOfBills &&
        billsBehind(opening, (bills ??= billedKeys(payments))) >= billsMin);
    if (isOpening) openings.add(opening);
  }
  if (openings.size > 0) {
    addBeside(openings, goingOn);
    addLike(openings, keys);
  }
  return openings;
}

/** Different names that are paid a price of their own. */
function billsBehind(opening: string, bills: readonly string[]): number {
  const start = `${opening} `;
  return new Set(bills.filter((key) => key.startsWith(start)).map((key) => wordAt(key, start.length))).size;
}

/** Of merchants that are mostly paid what they were paid before: shops of a chain, whose names begin alike too, are not. */
function billedKeys(payments: readonly Payment[]): readonly string[] {
  const paid = new Map<string, { last: number; count: number; again: number }>();
  for (const { merchant, price } of payments) {
    const own = paid.get(merchant.key);
    if (own === undefined) paid.set(merchant.key, { last: price, count: 1, again: 0 });
    else {
      own.count++;
      if (own.last === price) own.again++;
      own.last = price;
    }
  }
  return [...paid].flatMap(([key, { count, again }]) =>
    count >= billPaymentsMin && again * 2 >= count - 1 ? [key] : [],
  );
}

/** Adds the openings that begin with the first word of one of several words that is known: the bank's kinds of line. */
function addBeside(openings: Set<string>, goingOn: ReadonlyMap<string, ReadonlySet<string>>): void {
  const firsts = new Set([...openings].filter((opening) => opening.includes(" ")).map(firstWord));
  for (const [opening, names] of goingOn) {
    if (!opening.includes(" ") || !firsts.has(firstWord(opening))) continue;
    // Codes and numbers of streets go on from names, too.
    if ([...names].filter((name) => !hasDigit.test(name)).length >= namesMinBeside) openings.add(opening);
  }
}

/** Adds the openings of several words that lead to the name with the last word of one that is known. */
function addLike(openings: Set<string>, keys: ReadonlySet<string>): void {
  const leading = new Set([...openings].filter((opening) => opening.includes(" ")).map(lastWord));
  if (leading.size === 0) return;
  const like = wordsBehind(
    keys,
    () => true,
    (opening) => opening.includes(" ") && leading.has(lastWord(opening)),
  );
  for (const [opening, names] of like) if (names.size >= namesMinOfLike) openings.add(opening);
}

/** By each beginning that is asked for, of keys with such a first word, the words with which they go on. */
function wordsBehind(
  keys: ReadonlySet<string>,
  isFirst: (word: string) => boolean,
  isAsked: (opening: string) => boolean,
): Map<string, Set<string>> {
  const behind = new Map<string, Set<string>>();
  for (const key of keys) {
    if (!isFirst(firstWord(key))) continue;
    for (
      let end = key.indexOf(" "), words = 1;
      end > 0 && words <= wordsMax;
      end = key.indexOf(" ", end + 1), words++
    ) {
      const opening = key.slice(0, end);
      if (!isAsked(opening)) continue;
      const names = behind.get(opening);
      if (names === undefined) behind.set(opening, new Set([wordAt(key, end + 1)]));
      else names.add(wordAt(key, end + 1));
    }
  }
  return behind;
}

function lastWord(text: string): string {
  return text.slice(text.lastIndexOf(" ") + 1);
}

/** Of merchants who are paid more than once: the references that some write behind their name do not come twice. */
function returningKeys(payments: readonly Payment[]): ReadonlySet<string> {
  const once = new Set<string>();
  const returning = new Set<string>();
  for (const {
    merchant: { key },
  } of payments) {
    if (returning.has(key)) continue;
    if (once.has(key)) returning.add(key);
    else once.add(key);
  }
  return returning;
}

const none: ReadonlySet<string> = new Set();

function wordAt(key: string, start: number): string {
  const end = key.indexOf(" ", start);
  return end < 0 ? key.slice(start) : key.slice(start, end);
}

/** The longest. */
function openingOf(key: string, openings: ReadonlySet<string>): string | null {
  let longest: string | null = null;
  for (let end = key.indexOf(" "); end > 0; end = key.indexOf(" ", end + 1))
    if (openings.has(key.slice(0, end))) longest = key.slice(0, end);
  return longest;
}
