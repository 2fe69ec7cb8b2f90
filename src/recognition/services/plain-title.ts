/**
 * Titles without the words that a bank prints around a name. Which these are is told from one user's own services: a
 * label stands behind many different names and has a number or a colon behind it ("KDNR 63954781", "Omschrijving:"),
 * what a bank opens its lines with stands before many different names, and the account holder's own name ends several.
 * Pure.
 */
import { nameStart, noOpenings } from "../../categories/reading.ts";
import { folded, wordsIn } from "../../categories/words.ts";
import { productById } from "../../payments/catalogue.ts";
import { merchantIn } from "../../payments/history.ts";
import { collectsForOthers, normaliseText } from "../../payments/merchant.ts";
import { Kept } from "../../payments/name.ts";
import { itemAt, lastOf } from "../../present.ts";
import type { RecognisedService } from "./recognised.ts";
import { nameLength } from "./title-end.ts";

/** Behind so many names a word that a number follows is a label; a name that has one so far is one name. */
const namesPerLabelMin = 4;
/** Mostly followed by one: towns and legal forms now and then are. */
const labelShareMin = 0.7;
/** Before so many names the same words are the bank's: one company hardly has so many bills, paid without a card. */
const namesPerOpeningMin = 5;
const openingWordsMax = 4;
/** Two words and more that so many names end with say nothing of any of them. */
const namesPerEndingMin = 3;
const endingWordsMin = 2;
const endingWordsMax = 5;
/** What is left must still name someone. */
const namingLetters = /\p{L}{3}/u;

/** @returns the services, in their order, by their names alone. */
export function withPlainTitles(services: readonly RecognisedService[]): RecognisedService[] {
  const named = services.map(titled);
  const openings = openingsOf(named);
  const unlabelled = named.map((one) => nameIn(one, openings, none));
  const labels = labelsOf(named);
  const unended = named.map((one) => nameIn(one, openings, labels));
  const endings = endingsOf(unended);
  const alone = unended.map((name, at) => nameAlone(withoutEnding(name, endings), itemAt(named, at)));
  const titles = alone.map(titleOf);
  const shared = sharedTitles(named, titles);
  return named.map(({ service }, at) => {
    const title = itemAt(titles, at);
    const sharing = (): NamePart[] => unlabelled.filter((_, other) => other !== at && titles[other] === title);
    // What is said of two payments to one payee tells them apart.
    const told = shared.has(title) ? titleApart(itemAt(unlabelled, at), itemAt(alone, at), sharing()) : title;
    return told === service.title ? service : { ...service, title: told, printedTitle: service.title };
  });
}

/** So much of a name that it is none of the others' that begin alike. */
function titleApart(whole: NamePart, alone: NamePart, others: readonly NamePart[]): string {
  for (let length = alone.end - alone.start + 1; length < whole.end - whole.start; length++) {
    const own = textOf(whole.words, whole.start, whole.start + length);
    const isOwn = others.every(({ words, start, end }) => own !== textOf(words, start, Math.min(start + length, end)));
    if (isOwn) return titleOf({ ...whole, end: whole.start + length });
  }
  return titleOf(whole);
}

/** Titles that differed before. */
function sharedTitles(named: readonly Titled[], titles: readonly string[]): ReadonlySet<string> {
  const before = new Map<string, string>();
  const shared = new Set<string>();
  for (const [at, { service }] of named.entries()) {
    const title = itemAt(titles, at);
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
  /** Empty where the title is a product's, which stays. */
  words: readonly Word[];
  /** Words of its line, normalised, behind which a number or a colon stands. */
  labelled: ReadonlySet<string>;
  /** Null where the bank says by itself who the merchant is. */
  line: string | null;
};

/** Some of a title's words, those before `end`. */
type NamePart = { title: string; words: readonly Word[]; start: number; end: number };

const none: ReadonlySet<string> = new Set();

function titled(service: RecognisedService): Titled {
  const isProducts = service.productId !== null && productById(service.productId)?.title === service.title;
  if (isProducts) return { service, words: [], labelled: none, line: null };
  const { text, isName } = lineOf(service);
  const labelled = labelledWords.of(text, labelledIn);
  return { service, words: wordsOf(service.title), labelled, line: isName ? null : text };
}

function wordsOf(title: string): Word[] {
  return [...title.matchAll(/[\p{L}\p{N}]+/gu)].map(({ 0: word, index }) => ({
    plain: normaliseText(word),
    from: index,
    to: index + word.length,
  }));
}

/** Of the latest payment that has the title. isName: it is the merchant's name as the bank sent it. */
function lineOf({ title, payments }: RecognisedService): { text: string; isName: boolean } {
  const payment = payments.findLast((payment) => merchantIn(payment).title === title) ?? lastOf(payments);
  const { text } = merchantIn(payment);
  return { text, isName: text === payment.merchantName };
}

/** Lines kept of one run over all users. */
const linesMax = 5_000;
const labelledWords = new Kept<ReadonlySet<string>>(linesMax);
/** Numbers may be masked. */
const labelPattern = /([A-Z]{2,})\.?(?: ?[:+]| +[#*X]*\d)/g;

function labelledIn(line: string): ReadonlySet<string> {
  return new Set([...normaliseText(line).matchAll(labelPattern)].map(([, word = ""]) => word));
}

/** Different names that a word stands behind, and those behind which it is labelled. */
type Counts = { names: Set<string>; labelled: Set<string> };

function labelsOf(named: readonly Titled[]): ReadonlySet<string> {
  const standing = new Map<string, Counts>();
  for (const { words, labelled } of named)
    for (let at = 1; at < words.length; at++) {
      const word = itemAt(words, at).plain;
      let counts = standing.get(word);
      if (counts === undefined) standing.set(word, (counts = { names: new Set(), labelled: new Set() }));
      const name = textOf(words, 0, at);
      counts.names.add(name);
      if (labelled.has(word)) counts.labelled.add(name);
    }
  const isLabel = ({ names, labelled: labelledNames }: Counts): boolean =>
    labelledNames.size >= namesPerLabelMin && labelledNames.size >= labelShareMin * names.size;
  return new Set([...standing].filter(([, counts]) => isLabel(counts)).map(([word]) => word));
}

/** The plain words from one on, before another. */
function textOf(words: readonly Word[], start: number, end: number): string {
  let text = "";
  for (let at = start; at < end; at++) text += at === start ? itemAt(words, at).plain : ` ${itemAt(words, at).plain}`;
  return text;
}

/** Beginnings of several different names. Shops of a chain are paid by card, under its name. */
function openingsOf(named: readonly Titled[]): ReadonlySet<string> {
  const behind = new Map<string, Set<string>>();
  for (const { service, words } of named) {
    if (lastOf(service.payments).rawType.toUpperCase().includes("CARD")) continue;
    for (let length = 1; length <= openingWordsMax && length < words.length; length++)
      addTo(behind, textOf(words, 0, length), itemAt(words, length).plain);
  }
  return ofSeveral(behind, namesPerOpeningMin);
}

/** The endings of several words of different names. */
function endingsOf(names: readonly NamePart[]): ReadonlySet<string> {
  const before = new Map<string, Set<string>>();
  for (const { words, start, end } of names)
    for (let length = endingWordsMin; length <= endingWordsMax && length < end - start; length++)
      addTo(before, textOf(words, end - length, end), textOf(words, start, end - length));
  return ofSeveral(before, namesPerEndingMin);
}

function addTo(sets: Map<string, Set<string>>, key: string, value: string): void {
  const set = sets.get(key);
  if (set === undefined) sets.set(key, new Set([value]));
  else set.add(value);
}

function ofSeveral(sets: ReadonlyMap<string, ReadonlySet<string>>, least: number): ReadonlySet<string> {
  return new Set([...sets].filter(([, { size }]) => size >= least).map(([key]) => key));
}

/** The name behind the opening, and behind a label that stands there, up to the next label. */
function nameIn(
  { service: { title }, words }: Titled,
  openings: ReadonlySet<string>,
  labels: ReadonlySet<string>,
): NamePart {
  const isLabel = (at: number): boolean => labels.has(itemAt(words, at).plain);
  const upToLabel = (from: number): NamePart => {
    let end = Math.min(from + 1, words.length);
    while (end < words.length && !(isLabel(end) && namesSomeone({ title, words, start: from, end }))) end++;
    return { title, words, start: from, end };
  };
  let start = Math.max(openingLength(title, words, openings), collectorLength(words));
  while (start > 0 && start < words.length - 1 && isLabel(start)) start++;
  let name = upToLabel(start);
  // Behind the label a collector says whom it collects for.
  while (name.end < words.length - 1 && collectsForOthers(textOf(words, name.start, name.end)))
    name = upToLabel(name.end + 1);
  return namesSomeone(name) ? name : { title, words, start: 0, end: words.length };
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
    if (openings.has(textOf(words, 0, length))) start = Math.max(start, length);
  return start;
}

/** How many words name PayPal's company as its direct debits do, where somebody is named behind them. */
function collectorLength(words: readonly Word[]): number {
  const company = words.findIndex(({ plain }, at) => plain === "PAYPAL" && words[at + 1]?.plain === "EUROPE");
  if (company < 0) return 0;
  const length = words.findIndex(({ plain }, at) => at > company && !collectorWords.has(plain));
  return Math.max(0, length);
}

const collectorWords: ReadonlySet<string> = new Set("PAYPAL EUROPE S A R L RL SARL ET CIE C SCA SEPA MOTIF".split(" "));

function withoutEnding(name: NamePart, endings: ReadonlySet<string>): NamePart {
  if (endings.size === 0) return name;
  for (let length = endingWordsMax; length >= endingWordsMin; length--) {
    const end = name.end - length;
    const shorter = { ...name, end };
    if (end > name.start && endings.has(textOf(name.words, end, name.end)) && namesSomeone(shorter)) return shorter;
  }
  return name;
}

/** Where the name is told by a line, which goes on behind it. */
function nameAlone(name: NamePart, { line }: Titled): NamePart {
  if (line === null) return name;
  const { words, start, end } = name;
  const plain = words.slice(start, end).map((word) => word.plain);
  const shorter = { ...name, end: start + nameLength(plain, line) };
  return namesSomeone(shorter) ? shorter : name;
}

function namesSomeone(name: NamePart): boolean {
  return namingLetters.test(titleOf(name));
}

function titleOf({ title, words, start, end }: NamePart): string {
  if (start === 0 && end === words.length) return title;
  const plain = title.slice(itemAt(words, start).from, itemAt(words, end - 1).to);
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
