/**
 * Titles without the words that a bank prints around a name. Which these are is told from one user's own services: a
 * label stands behind many different names and has a number or a colon behind it ("KDNR 63954781", "Omschrijving:"), and
 * what a bank opens its lines with stands before many different names. Pure.
 */
import { nameStart, noOpenings } from "../../categories/reading.ts";
import { folded, wordsIn } from "../../categories/words.ts";
import { productById } from "../../payments/catalogue.ts";
import { merchantIn } from "../../payments/history.ts";
import { collectsForOthers, normaliseText } from "../../payments/merchant.ts";
import { Kept } from "../../payments/name.ts";
import { itemAt } from "../../present.ts";
import type { RecognisedService } from "./recognised.ts";

/** Behind so many names a word that a number follows is a label; a name that has one so far is one name. */
const namesPerLabelMin = 4;
/** Mostly followed by one: towns and legal forms now and then are. */
const labelShareMin = 0.7;
/** Before so many names the same words are the bank's: one company hardly has so many bills, paid without a card. */
const namesPerOpeningMin = 5;
const openingWordsMax = 4;
/** What is left must still name someone. */
const namingLetters = /\p{L}{3}/u;

/** @returns the services, in their order, by their names alone. */
export function withPlainTitles(services: readonly RecognisedService[]): RecognisedService[] {
  const named = services.map(titled);
  const labels = labelsOf(named);
  const openings = openingsOf(named);
  const plain = named.map((one) => plainTitle(one, labels, openings));
  const shared = sharedTitles(named, plain);
  return named.map((one, at) => {
    const title = itemAt(plain, at);
    // What is said of two payments to one payee tells them apart.
    const told = shared.has(title) ? plainTitle(one, none, openings) : title;
    return told === one.service.title ? one.service : { ...one.service, title: told, printedTitle: one.service.title };
  });
}

/** Titles that differed before. */
function sharedTitles(named: readonly Titled[], plain: readonly string[]): ReadonlySet<string> {
  const before = new Map<string, string>();
  const shared = new Set<string>();
  for (const [at, { service }] of named.entries()) {
    const title = itemAt(plain, at);
    const other = before.get(title);
    if (other === undefined) before.set(title, service.title);
    else if (other !== service.title) shared.add(title);
  }
  return shared;
}

/** Normalised; its place in the title. */
type Word = { plain: string; from: number; to: number };

type Titled = {
  service: RecognisedService;
  isCatalogued: boolean;
  words: readonly Word[];
  /** Words of its line, normalised, behind which a number or a colon stands. */
  labelled: ReadonlySet<string>;
};

function titled(service: RecognisedService): Titled {
  const isCatalogued = service.productId !== null && productById(service.productId)?.title === service.title;
  return {
    service,
    isCatalogued,
    words: isCatalogued ? [] : wordsOf(service.title),
    labelled: isCatalogued ? none : labelledWords.of(lineOf(service), labelledIn),
  };
}

const none: ReadonlySet<string> = new Set();

function wordsOf(title: string): Word[] {
  return [...title.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    plain: normaliseText(word),
    from: index,
    to: index + word.length,
  }));
}

/** Of the latest payment that has the title. */
function lineOf({ title, payments }: RecognisedService): string {
  const own =
    payments.findLast((payment) => merchantIn(payment).title === title) ?? itemAt(payments, payments.length - 1);
  return merchantIn(own).text;
}

/** Lines kept of one run over all users. */
const linesMax = 5_000;
const labelledWords = new Kept<ReadonlySet<string>>(linesMax);
const labelPattern = /([A-Z]{2,})\.?(?: ?[:+]| +[#*]?\d)/g;

function labelledIn(line: string): ReadonlySet<string> {
  return new Set([...normaliseText(line).matchAll(labelPattern)].map(([, word = ""]) => word));
}

/** The words that are labels, each behind different beginnings of titles. */
function labelsOf(named: readonly Titled[]): ReadonlySet<string> {
  const standing = new Map<string, { names: Set<string>; labelled: Set<string> }>();
  for (const { words, labelled } of named)
    for (let at = 1; at < words.length; at++) {
      const word = itemAt(words, at).plain;
      const before = words
        .slice(0, at)
        .map(({ plain }) => plain)
        .join(" ");
      let one = standing.get(word);
      if (one === undefined) standing.set(word, (one = { names: new Set(), labelled: new Set() }));
      one.names.add(before);
      if (labelled.has(word)) one.labelled.add(before);
    }
  const labels = new Set<string>();
  for (const [word, { names, labelled }] of standing)
    if (labelled.size >= namesPerLabelMin && labelled.size >= labelShareMin * names.size) labels.add(word);
  return labels;
}

/** Beginnings of several different names. Shops of a chain are paid by card, under its name. */
function openingsOf(named: readonly Titled[]): ReadonlySet<string> {
  const behind = new Map<string, Set<string>>();
  for (const { service, words } of named) {
    if (isPaidByCard(service)) continue;
    for (let length = 1; length <= openingWordsMax && length < words.length; length++) {
      const opening = openingOf(words, length);
      const next = itemAt(words, length).plain;
      const names = behind.get(opening);
      if (names === undefined) behind.set(opening, new Set([next]));
      else names.add(next);
    }
  }
  return new Set([...behind].filter(([, names]) => names.size >= namesPerOpeningMin).map(([opening]) => opening));
}

function isPaidByCard({ payments }: RecognisedService): boolean {
  return itemAt(payments, payments.length - 1)
    .rawType.toUpperCase()
    .includes("CARD");
}

function openingOf(words: readonly Word[], length: number): string {
  return words
    .slice(0, length)
    .map(({ plain }) => plain)
    .join(" ");
}

/** The name behind the opening, and behind a label that stands there, up to the next label. */
function plainTitle(
  { service: { title }, words, isCatalogued }: Titled,
  labels: ReadonlySet<string>,
  openings: ReadonlySet<string>,
): string {
  if (isCatalogued || words.length === 0) return title;
  const isLabel = (at: number): boolean => labels.has(itemAt(words, at).plain);
  const end = (from: number): number => {
    let at = from + 1;
    while (at < words.length && !(isLabel(at) && namesSomeone(from, at))) at++;
    return at;
  };
  const textOf = (from: number, to: number): string => title.slice(itemAt(words, from).from, itemAt(words, to - 1).to);
  const namesSomeone = (from: number, to: number): boolean => namingLetters.test(textOf(from, to));
  let start = openingLength(title, words, openings);
  while (start > 0 && start < words.length - 1 && isLabel(start)) start++;
  let stop = end(start);
  // Behind the label a collector says whom it collects for.
  while (stop < words.length - 1 && collectsForOthers(normaliseText(textOf(start, stop))))
    [start, stop] = [stop + 1, end(stop + 1)];
  const plain = textOf(start, stop);
  return namingLetters.test(plain) ? plain.charAt(0).toUpperCase() + plain.slice(1) : title;
}

/** Among banks' words before a number ("den 05.10."), and a part of a name before others, as a number is ("7-Eleven"). */
const namesBegin = /^(?:DEN$|\d)/;

/** How many words the bank opens with. Something must be left. */
function openingLength(title: string, words: readonly Word[], openings: ReadonlySet<string>): number {
  const read = wordsIn(folded(title));
  // Letters that the bank's alphabet lacks may part words otherwise.
  const isName = read.length < words.length || namesBegin.test(read[0]?.text ?? "");
  const known = isName ? 0 : nameStart(read, noOpenings);
  let start = known < words.length ? known : 0;
  for (let length = 1; length <= openingWordsMax && length < words.length; length++)
    if (openings.has(openingOf(words, length))) start = Math.max(start, length);
  return start;
}
