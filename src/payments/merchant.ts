/**
 * From what a bank prints about a payment to the payee: gateways, bank words, terminals, dates, order numbers and
 * masked cards are taken off, so that one payee has one key however its payments are described.
 */
import { hasDigits, KeptAlike } from "./line-day/alike.ts";
import { withoutBankWords } from "./bank-words.ts";
import { gatewayBefore, gatewayNames } from "./line-day/gateways.ts";
import { withoutFieldLabels } from "./line-day/field-labels.ts";
import { hasLetters, isReference, wholeWordAt, withoutNumbers, wordsOf } from "./line-day/telling-words.ts";
import { type DirectedName, Kept, type Name, nameOf } from "./name.ts";
import { normaliseText } from "./normalise.ts";
import type { PaymentKind } from "./payment-kind.ts";
import type { Product } from "./product.ts";

export { normaliseText } from "./normalise.ts";

export type Merchant = {
  /** As the bank sent it. */
  text: string;
  /** What remains, upper case, normalised to A–Z and digits, words joined by one space; may be empty. */
  key: string;
  /**
   * What a catalogue is looked up with: normalised, upper case and without the bank's own words, otherwise as it was sent.
   */
  readonly searchText: string;
  /** Readable title made from what remains. */
  readonly title: string;
  /** The gateway through which the payment went, null when it was paid directly. */
  gateway: string | null;
  /** The key taken apart. */
  readonly name: Name;
  /** What was said last of this text alone. */
  found: FoundMerchant | null;
  readonly alike: Alike;
};

/**
 * What is the same of all texts that differ in digits alone, where none of those is left in the key; of any other text
 * its own.
 */
export type Alike = {
  readonly key: string;
  readonly gateway: string | null;
  title: string | null;
  name: Name | null;
  /** What was said of them last, where no product is found by digits that some of them may have. */
  found: FoundMerchant | null;
  /** The words of their lines that are not the name's (line-kind.ts); null: nobody has asked yet. */
  otherWords: ReadonlySet<string> | null;
  /** Who is behind the opening words that were taken off one of them last. */
  behind: { opening: string; merchant: Merchant } | null;
};

/** Lines that differ in digits alone. */
export type Line = {
  /** What they say of how it was paid (history.ts); null: nobody has asked yet. */
  cash: boolean | null;
  kind: PaymentKind | null;
  /** What was read in one of them; null: nobody has, or each is read by itself. */
  alike: Alike | null;
  isReadEach: boolean;
  latest: Merchant | null;
};

/** What a catalogue said of a merchant in a country, and as which payee it is grouped; null: nobody has asked yet. */
export type FoundMerchant = {
  catalogue: object;
  country: string;
  product: Product | null;
  key: string | null;
  isCatalogued: boolean;
  out: DirectedName | null;
  in: DirectedName | null;
};

/** Longer texts are no descriptor; the rest carries nothing. */
const textLengthMax = 200;
/**
 * A user's distinct texts are few; the cache is for the run over all users. Order numbers fill it with what nobody
 * meets again.
 */
const cacheSizeMax = 30_000;

/**
 * Lines that are lists of fields: where the payee's name stands in them (SWIFT's structured :86:, German, Dutch and
 * French banks'), normalised.
 */
const nameFieldPattern = /\/NAME\/([^/]+)|\bNAM: ?(.+?)(?= [A-Z]+:|$)|\bABWA\+(.+?)(?= [A-Z]{3,4}\+|$)|\/BEN ([^/]+)/;
/** Fields of SEPA; banks that write lines of 27 letters may break even their names. */
const sepaFields = ["EREF", "KREF", "MREF", "CRED", "DEBT", "SVWZ", "ABWE", "IBAN", "BIC"]
  .map((name) => [...name].join(" ?"))
  .join("|");
/** Fields that follow a name: references of SEPA, and what German and French banks call them. */
const fields = new RegExp(
  ` (?:${sepaFields}) ?\\+.*$| (?:ECH|ID EMETTEUR|MDT|RUM|ICS|REF)/[^ ].*$| (?:GLAUBIGER-?ID|CREDITOR-?ID|MANDATSREF(?:ERENZ)?):.*$`,
);
const purposePattern = / SVWZ\+(.+?)(?= [A-Z]{3,4}\+|$)/;
/** Who collects for others and writes whom it is for into the text: wallets, pay-later and direct-debit agents. */
const collector =
  /^(?:PAYPAL|KLARNA|GOCARDLESS|STRIPE|MOLLIE|ADYEN|PADDLE|RATEPAY|RIVERTY|AFTERPAY|CLEARPAY|TRUSTLY|WORLDLINE|UNZER|BILLPAY|PAYONE|SUMUP|ZETTLE|AMAZON PAY)\b/;

/** Whether a normalised name is that of somebody who collects for others. */
export function collectsForOthers(name: string): boolean {
  return collector.test(name);
}

/** The words with which they do, in the languages we meet; German banks may break theirs, as they do fields. */
const purchasePattern =
  /\b(?:IHR EINKAUF BEI|E ?I ?N ?K ?A ?U ?F BEI|YOUR PURCHASE (?:AT|FROM)|PURCHASE (?:AT|FROM)|DIT KOB (?:HOS|I)|KOB HOS|DITT KJOP (?:HOS|I)|KJOP HOS|DITT KOP (?:HOS|FRAN)|KOP HOS|UW AANKOOP BIJ|AANKOOP BIJ|VOTRE ACHAT CHEZ|ACHAT CHEZ|OSTOKSESI|TU COMPRA EN|ON BEHALF OF) (.+?)(?=[,;]|$)/;

const lines = new KeptAlike<Line>(cacheSizeMax);
const merchants = new Kept<Merchant>(cacheSizeMax);

/** What is kept of lines like this one. */
export function lineOf(text: string): Line {
  return lines.of(text, newLine);
}

function newLine(): Line {
  return { cash: null, kind: null, alike: null, isReadEach: false, latest: null };
}

/**
 * The payee behind a merchant name, or behind the description where there is no name or it says only the gateway.
 * @param line the description's
 */
export function merchantOf(name: string | null, description: string, line: Line = lineOf(description)): Merchant {
  const named = name === null || name.trim() === "" ? null : parsed(name, lineOf(name));
  if (named !== null && saysWho(named) && !saysMore(description, named)) return named;
  const fromDescription = parsed(description, line);
  return (fromDescription.key === "" || fromDescription.key === named?.gateway) && named !== null
    ? named
    : fromDescription;
}

function saysWho({ key, gateway }: Merchant): boolean {
  return key !== "" && key !== gateway && !collector.test(key);
}

/** Companies of which each sells much else than what one subscribes to, and says in its own line which it is. */
const sellers: ReadonlySet<string> = new Set(["APPLE", "AMAZON", "GOOGLE", "MICROSOFT"]);

/** Whether the name is just such a company's, as those have it who make names out of lines, and the line goes on behind it. */
function saysMore(description: string, { key }: Merchant): boolean {
  return sellers.has(key) && normaliseText(description).includes(`${key}.COM/`);
}

function parsed(text: string, line: Line): Merchant {
  if (line.latest?.text === text) return line.latest;
  if (line.isReadEach) return merchants.of(text, parse);
  if (line.alike !== null) return (line.latest = new ParsedMerchant(text, line.alike));
  const merchant = parse(text);
  line.isReadEach = isToldByDigits(merchant);
  if (!line.isReadEach) line.alike = merchant.alike;
  // The same line is asked for again soon, and hardly another one is like one with a code in it.
  return (line.latest = merchant);
}

/** Whether texts that differ in digits alone may name others. All that is taken off a text asks where digits are, never which. */
function isToldByDigits({ text, key }: Merchant): boolean {
  return hasDigits(key) || gatewayDigits.test(normaliseText(text));
}

/** But for a gateway that begins with one. */
const gatewayDigits = /\dC(?:O|HECKOUT)/;

const punctuation = /^[^A-Z0-9]+/;

/**
 * The payee behind words that its key begins with, which are the bank's and not the payee's. The merchant itself where
 * nobody is named behind them.
 */
export function merchantBehind(merchant: Merchant, opening: string): Merchant {
  const { alike, text } = merchant;
  if (alike.behind?.opening !== opening) alike.behind = { opening, merchant: parseBehind(merchant, opening) };
  const { merchant: behind } = alike.behind;
  if (behind.text === text) return behind;
  if (behind.alike === alike) return merchant;
  return hasDigits(behind.key) ? parseBehind(merchant, opening) : new ParsedMerchant(text, behind.alike, opening);
}

function parseBehind(merchant: Merchant, opening: string): Merchant {
  const rest = searchTextBehind(merchant.searchText, opening);
  if (rest === null) return merchant;
  const behind = parseLine(merchant.text, rest);
  return hasLetters([behind.key]) ? behind : merchant;
}

/** Null where the text does not have the opening's words in their order. */
function searchTextBehind(searchText: string, opening: string): string | null {
  let rest = searchText;
  for (const word of opening.split(" ")) {
    const at = wholeWordAt(rest, word);
    if (at < 0) return null;
    rest = rest.slice(at + word.length);
  }
  return withoutBankWords(withoutNumbers(rest).replace(punctuation, ""));
}

function parse(text: string): Merchant {
  const line = withoutAddress(normaliseText(text.slice(0, textLengthMax)));
  const shop = shopWithin(line);
  if (shop === null) return parseLine(text, withoutBankWords(withoutFieldLabels(nameField(line))));
  return parseLine(text, withoutBankWords(shop), collectorIn(line));
}

/** An address on the web without its scheme, and without numbers before the name of its host. */
function withoutAddress(line: string): string {
  return addressMark.test(line) ? line.replace(scheme, "").replace(numberedHost, "") : line;
}

const addressMark = /:\/\/|\d\.[A-Z]/;
const scheme = /\bHTTPS?:\/\//g;
const numberedHost = /\b\d{1,3}\.(?=[A-Z][A-Z-]{2,}\.[A-Z]{2,3}\b)/g;

/** The gateway that a line names beside the shop; null where it names none. */
function collectorIn(line: string): string | null {
  return paypalMark.test(line) ? "PAYPAL" : (line.split(/\W+/).find((word) => gatewayNames.has(word)) ?? null);
}

/** Where the bank gives PayPal's name in a field of its own, the line has its mark alone. */
const paypalMark = /\bPP\.\d+\.PP\b/;

/** Whom a purchase was from where the line says so; null where it does not. */
function shopWithin(line: string): string | null {
  if (!shopWords.test(line)) return null;
  const shop = purchasePattern.exec(line)?.[1]?.replace(fields, "");
  return shop !== undefined && hasLetters([shop]) ? shop : null;
}

const shopWords = / (?:BEI|AT|FROM|HOS|I|FRAN|BIJ|CHEZ|OSTOKSESI|EN|OF) /;

/**
 * The name where a line says which of its fields that is, else what stands before the fields, else, where those are
 * the bank's words alone, what the payment is said to be for.
 */
function nameField(text: string): string {
  // Nearly all lines are no lists, and are spared the patterns.
  if (!fieldMark.test(text)) return text;
  const [, ...names] = nameFieldPattern.exec(text) ?? [];
  const name = names.find((one) => one !== undefined) ?? beforeFields(text);
  return hasLetters([name]) ? name : text;
}

/** What ends the name of a field. */
const fieldMark = /[A-Z] ?\+|[A-Z][/:]|\/BEN /;

function beforeFields(text: string): string {
  const name = text.replace(fields, "");
  if (name.length === text.length || hasLetters([withoutBankWords(`${name} `)])) return name;
  return purposePattern.exec(text)?.[1] ?? name;
}

function parseLine(text: string, searchText: string, collectedBy: string | null = null): Merchant {
  const prefix = gatewayBefore(searchText);
  const words = prefix
    ? withoutNumber(wordsOf(withoutBankWords(searchText.replace(prefix[1], "").replace(helpAddress, ""))))
    : wordsOf(withoutOrder(searchText));
  const named = words.length > 0 ? words.join(" ") : (prefix?.[0] ?? "");
  const key = prefix === undefined && gatewayCompany.test(named) ? named.slice(0, named.indexOf(" ")) : named;
  const gateway = prefix?.[0] ?? (gatewayNames.has(key) ? key : collectedBy);
  return new ParsedMerchant(text, alikeOf(key, gateway), null, searchText);
}

/** A gateway by its company's whole name and what banks write behind it, as direct debits give it: no shop is named. */
const gatewayCompany = /^PAYPAL EUROPE(?: S ?A ?R ?L| RL| ET CIE| SCA| SEPA| BASISLASTSCHR\w*| IFT| LASTSCHRIFT)*$/;

/** Where a gateway's customers are helped, which it prints behind what they bought. */
const helpAddress = / (?:G\.CO|CC@GOOGLE|SUPPORT\.GOOGLE)\b.*$/;

/** A number alone behind a gateway names a payment, not a payee; one that stands at a name is a name with a number. */
function withoutNumber(words: string[]): string[] {
  return words.every((word) => isReference(word) && !numberedName.test(word)) ? [] : words;
}

const numberedName = /^[A-Z]{4,}\d+$/;

/** What a merchant prints behind its name and an asterisk, digits among letters, is an order. */
const order = /(?<=[A-Z]{3}[^*]*)\* ?(?=[A-Z]*\d+[A-Z]+\w*$)(?=(?:[A-Z]*\d){2})[A-Z0-9]{6,}$/;

function withoutOrder(text: string): string {
  return text.includes("*") ? text.replace(order, "") : text;
}

/**
 * What was made of a text before, put together again without taking it apart.
 * @param opening behind which it stands; null: nothing was taken off the text
 */
export function knownMerchant(text: string, alike: Alike, opening: string | null = null): Merchant {
  return new ParsedMerchant(text, alike, opening);
}

/** Of texts of which nothing else is known yet. */
export function alikeOf(key: string, gateway: string | null): Alike {
  return { key, gateway, title: null, name: null, found: null, otherWords: null, behind: null };
}

/**
 * Of the texts of a history only few are titles, so a title is made when it is asked for, and so is the search text of
 * what was taken apart before.
 */
class ParsedMerchant implements Merchant {
  readonly text: string;
  readonly key: string;
  readonly gateway: string | null;
  readonly alike: Alike;
  found: FoundMerchant | null = null;
  readonly #opening: string | null;
  #searchText: string | null;

  /** @param opening behind which it stands */
  constructor(text: string, alike: Alike, opening: string | null = null, searchText: string | null = null) {
    this.text = text;
    this.key = alike.key;
    this.gateway = alike.gateway;
    this.alike = alike;
    this.#opening = opening;
    this.#searchText = searchText;
  }

  get searchText(): string {
    return (this.#searchText ??= searchTextOf(this.text, this.#opening));
  }

  get title(): string {
    return (this.alike.title ??= titleOf(this.key, this.text));
  }

  get name(): Name {
    return (this.alike.name ??= nameOf(this.key));
  }
}

function searchTextOf(text: string, opening: string | null): string {
  const { searchText } = parse(text);
  return opening === null ? searchText : (searchTextBehind(searchText, opening) ?? searchText);
}

/** What joins two words into one name. */
const joints = /^(?: ?[&+] ?|[-'’./])$/;

/**
 * The key's words as the bank wrote them, letters of the country and what joins them included; shouted words are
 * calmed.
 */
function titleOf(key: string, text: string): string {
  const written = text.match(writtenWords) ?? [];
  const words = key.split(" ");
  let title = "";
  let at = 0;
  let end = 0; // in the text, of the word before
  for (const word of words) {
    const before = end;
    let start = end;
    for (; at < written.length; at++) {
      const one = written[at] as string;
      // Nothing but what joins words stands before the next one.
      start = text.indexOf(one, end);
      end = start + one.length;
      if (normaliseText(one) === word) break;
    }
    if (at === written.length) return titleOfWords(words, written);
    const between = text.slice(before, start);
    title += (title === "" ? "" : joints.test(between) ? between : " ") + titleWord(written[at++] as string);
  }
  return title;
}

const writtenWords = /[\p{L}\p{N}]+/gu;

function titleOfWords(words: readonly string[], written: readonly string[]): string {
  const asWritten = new Map(written.map((word) => [normaliseText(word), word]));
  return words.map((word) => titleWord(asWritten.get(word) ?? word)).join(" ");
}

/** Words of consonants alone are abbreviations and stay as they are, and so does mixed case. */
function titleWord(word: string): string {
  if (word !== word.toUpperCase()) return word.charAt(0).toUpperCase() + word.slice(1);
  if (word.length <= 3 && !/[AEIOUYÆØÅÄÖ]/.test(word)) return word;
  return word.charAt(0) + word.slice(1).toLowerCase();
}
