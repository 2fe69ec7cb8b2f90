/**
 * From what a bank prints about a payment to the payee: gateways, bank words, terminals, dates, order numbers and
 * masked cards are taken off, so that one payee has one key however its payments are described.
 */
import { lastOf } from "../present.ts";

export type Merchant = {
  /** As the bank sent it. */
  text: string;
  /** What remains, upper case, normalised to A–Z and digits, words joined by one space; may be empty. */
  key: string;
  /**
   * What a catalogue is looked up with: normalised, upper case and without the bank's own words, otherwise as it was sent.
   */
  searchText: string;
  /** Readable title made from what remains. */
  title: string;
  /** The gateway through which the payment went, null when it was paid directly. */
  gateway: string | null;
};

/** Longer texts are no descriptor; the rest carries nothing. */
const textLengthMax = 200;
/**
 * A user's distinct texts are few; the cache is for the run over all users. Order numbers fill it with what nobody
 * meets again.
 */
const cacheSizeMax = 30_000;

/** Prefixes that name who collects the money, not whom it is for. */
const gateways: readonly (readonly [string, RegExp])[] = [
  ["PAYPAL", /^(?:PAYPAL|PP) ?\* ?/],
  ["SQUARE", /^SQ ?\* ?/],
  ["SUMUP", /^SUMUP ?\* ?/],
  ["ZETTLE", /^(?:IZ|IZETTLE|ZETTLE|ZTL) ?[*_] ?/],
  ["TOAST", /^TST ?\* ?/],
  ["SHOPIFY", /^SP ?\* ?/],
  ["PADDLE", /^PADDLE(?:\.NET)? ?\* ?/],
  ["FASTSPRING", /^FS ?\* ?/],
  ["2CHECKOUT", /^2CO(?:\.COM)? ?\* ?/],
  ["DIGITAL RIVER", /^DRI ?\* ?/],
  ["GOOGLE", /^GOOGLE ?\* ?/],
  ["KLARNA", /^KLARNA ?\* ?/],
  ["STRIPE", /^STRIPE ?\* ?/],
  ["MOLLIE", /^MOLLIE ?\* ?/],
  ["ADYEN", /^ADYEN ?\* ?/],
  ["NETS", /^NETS ?\* ?/],
  ["MOBILEPAY", /^MOBILE ?PAY[ :*]+/],
  ["SWISH", /^SWISH[ :*]+/],
  ["VIPPS", /^VIPPS[ :*]+/],
];

const anyGateway = new RegExp(gateways.map(([, pattern]) => pattern.source).join("|"));
const gatewayNames: ReadonlySet<string> = new Set(gateways.map(([name]) => name));

/** Words with which banks open a line, in the languages we meet. */
const bankPrefix = new RegExp(
  `^(?:${[
    "DANKORT-?NOTA",
    "VISA/?DK",
    "VISA/?DANKORT",
    "MASTERCARD",
    "MC/SE",
    "KORTKOB",
    "KORTKOP",
    "VAREKJOP",
    "VISA VAREKJOP",
    "KORTBETALING",
    "KORTTIOSTO",
    "KARTENZAHLUNG",
    "LASTSCHRIFT",
    "SEPA[- ](?:(?:BASIS|FIRMEN)?LASTSCHRIFT|DIRECT DEBIT|INCASSO)",
    "DAUERAUFTRAG",
    "BETALAUTOMAT",
    "INCASSO",
    "IDEAL",
    "PERIODIEKE OVERBOEKING",
    "POLECENIE ZAPLATY",
    "OBCIAZENIE",
    "CARTE(?: BANCAIRE)?",
    "PAIEMENT(?: PAR)? CARTE",
    "ACHAT (?:CB|CARTE)",
    "(?:PRLV|PRELEVEMENT)(?: SEPA)?",
    "VIR(?:EMENT)?(?: SEPA| PERMANENT)?",
    "S?DD(?= [A-Z])",
    "RECIBO",
    "ADEUDO(?: SEPA)?",
    "COMPRA(?: TARJ(?:ETA)?)?",
    "PAGO CON TARJETA",
    "ADDEBITO(?: DIRETTO| SDD)?",
    "PAGAMENTO(?: POS)?",
    "PLATBA KARTOU",
    "ZAKUP (?:PRZY UZYCIU KARTY|KARTA)",
    "PLATNOSC KARTA",
    "CARD (?:PAYMENT|PURCHASE)(?: TO)?",
    "CONTACTLESS(?: PAYMENT)?",
    "POS(?: PURCHASE)?",
    "PURCHASE",
    "DIRECT DEBIT(?: TO)?",
    "STANDING ORDER(?: TO)?",
    "BILL PAYMENT(?: TO)?",
    "BETALINGSSERVICE",
    "PAYMENT TO",
    "BETALING TIL",
    "BETALNING TILL",
    "ZAHLUNG AN",
    "OVERFORSEL TIL",
    "OVERFORING TILL?",
    "INKASO",
    "TRVALY PRIKAZ",
    "ZLECENIE STALE",
    "LEVERANDORSERVICE",
    "PBS",
    "BS(?= [A-Z])",
    "AUTOGIRO",
    "AVTALEGIRO",
    "E-?LASKU",
    "VISA KOB",
    "TIL",
    "FRA",
    "E-?FAKTURA",
    "NETTGIRO",
    "GIRO",
    "RECURRING(?: PAYMENT)?",
    "APPLE PAY",
    "GOOGLE PAY",
  ].join("|")})[ :*,.-]+`,
);
/**
 * Lines that are lists of fields: where the payee's name stands in them (SWIFT's structured :86:, German and Dutch
 * banks'), normalised.
 */
const nameFieldPattern = /\/NAME\/([^/]+)|\bNAM: ?(.+?)(?= [A-Z]+:|$)|\bABWA\+(.+?)(?= [A-Z]{3,4}\+|$)/;
/** Fields that follow a name: references of SEPA, and their French names. */
const fields = / (?:EREF|KREF|MREF|CRED|DEBT|SVWZ|ABWE|IBAN|BIC)\+.*$| (?:ECH|ID EMETTEUR|MDT|RUM|ICS|REF)\/[^ ].*$/;
const maskedCard = /\b(?:[X*#]{2,}[ -]?)+\d{2,4}\b|\b\d{4,6}[X*]{2,}\d{0,4}\b/g;
const dateOrTime =
  /\bKL[. ]+\d{1,2}[.:]\d{2}\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})\b|\b(?:DEN )?\d{1,2}[./]\d{1,2}\b|\b\d{1,2}:\d{2}(?::\d{2})?\b/g;
const currencyAmount = /\b(?:EUR|USD|GBP|DKK|SEK|NOK|ISK|PLN|CZK|CHF) ?\d+(?:[., ]\d{3})*[.,]\d{2}\b/g;
const foreignAmount =
  /\b[A-Z]{3} ?\d+[.,]\d{2}\b|\b\d+[.,]\d{2} ?(?:EUR|USD|GBP|DKK|SEK|NOK|ISK|PLN|CZK|CHF)\b|\b(?:KURS|RATE)[: ]*\d+[.,]\d+/g;
const webAddress = /\b(?:HTTPS?:\/\/)?(?:WWW|HELP|PAY|BILLING|ACCOUNT|ACCOUNTS|SHOP|STORE|MY)\.(?=[A-Z0-9-]+\.)/g;
const topLevelDomain = /\.(?:COM|NET|ORG|IO|AI|APP|TV|EU|DK|NO|SE|FI|IS|CO\.UK|UK|IE|DE|NL|PL|CZ)(?=$|[^A-Z0-9])/g;
/** A path after a domain says which page, not who. */
const webPath = /(?<=[A-Z]\.[A-Z]{2,3})\/\S*/g;
const legalForms = new Set(
  "AS APS AB OY OYJ ASA LTD LIMITED GMBH AG BV NV INC LLC PLC SRO SPZOO SA SARL KG KGAA IVS AMBA SE CO CORP INTL".split(
    " ",
  ),
);
/** Filler that processors add and drop at will. */
const filler = new Set(
  "REF REFERENCE MANDATE ORDER ORDRE ORDRENR INVOICE FAKTURA RECHNUNG FACTUUR KVARTAL QUARTER QUARTAL NR NO TRN TERMINAL TERM KVITTERING RECEIPT ID THE PENDING SUBSCRIPTION SUBSCR ABO".split(
    " ",
  ),
);
/** Months in the languages we meet, normalised, with their usual abbreviations. */
const monthNames = new Set(
  [
    "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER DECEMBER JAN FEB MAR APR JUN JUL AUG SEP SEPT OCT NOV DEC",
    "JANUAR FEBRUAR MARTS MARS MAJ JUNI JULI OKTOBER JANUARI FEBRUARI AUGUSTI OKT DES DESEMBER MARZ MAI DEZEMBER DEZ MART MEI AUGUSTUS",
    "TAMMIKUU HELMIKUU MALISKUU HUHTIKUU TOUKOKUU KESAKUU HEINAKUU ELOKUU SYYSKUU LOKAKUU MARRASKUU JOULUKUU",
    "STYCZEN LUTY MARZEC KWIECIEN CZERWIEC LIPIEC SIERPIEN WRZESIEN PAZDZIERNIK LISTOPAD GRUDZIEN",
    "LEDEN UNOR BREZEN DUBEN KVETEN CERVEN CERVENEC SRPEN ZARI RIJEN PROSINEC",
  ].flatMap((months) => months.split(" ")),
);
/** Processors' abbreviations of names that appear both ways. */
const abbreviations: ReadonlyMap<string, readonly string[]> = new Map([
  ["AMZN", ["AMAZON"]],
  ["AMZNPRIME", ["AMAZON", "PRIME"]],
  ["MSFT", ["MICROSOFT"]],
  ["FBPAY", ["FACEBOOK"]],
  ["FACEBK", ["FACEBOOK"]],
  ["GOOGL", ["GOOGLE"]],
  ["MKTPLACE", ["MARKETPLACE"]],
  ["MKTP", ["MARKETPLACE"]],
]);
const latinLetters: Readonly<Record<string, string>> = {
  Æ: "A",
  Ø: "O",
  Å: "A",
  Ð: "D",
  Þ: "TH",
  Ł: "L",
  ß: "SS",
  Œ: "O",
  Đ: "D",
  "’": "'",
  "–": "-",
  "—": "-",
};

/** Parsed texts: those met since the last turn, and those of the turn before, of which what is met again is kept. */
let recent = new Map<string, Merchant>();
let earlier = new Map<string, Merchant>();

/** The payee behind a merchant name, or behind the description where there is no name or it says only the gateway. */
export function merchantOf(name: string | null, description: string): Merchant {
  const named = name === null || name.trim() === "" ? null : parsed(name);
  if (named !== null && named.key !== "" && named.key !== named.gateway) return named;
  const fromDescription = parsed(description);
  return fromDescription.key === "" && named !== null ? named : fromDescription;
}

function parsed(text: string): Merchant {
  const known = recent.get(text);
  if (known !== undefined) return known;
  const merchant = earlier.get(text) ?? parse(text);
  if (recent.size >= cacheSizeMax) {
    earlier = recent;
    recent = new Map();
  }
  recent.set(text, merchant);
  return merchant;
}

const shortened = new WeakMap<Merchant, Map<string, Merchant>>();
const punctuation = /^[^A-Z0-9]+/;

/**
 * The payee behind words that its key begins with, which are the bank's and not the payee's. The merchant itself where
 * nobody is named behind them.
 */
export function merchantBehind(merchant: Merchant, opening: string): Merchant {
  let known = shortened.get(merchant);
  if (known === undefined) shortened.set(merchant, (known = new Map()));
  let behind = known.get(opening);
  if (behind === undefined) known.set(opening, (behind = parseBehind(merchant, opening)));
  return behind;
}

function parseBehind(merchant: Merchant, opening: string): Merchant {
  let rest = merchant.searchText;
  for (const word of opening.split(" ")) {
    const at = new RegExp(`\\b${word}\\b`).exec(rest)?.index;
    if (at === undefined) return merchant;
    rest = rest.slice(at + word.length);
  }
  const behind = parseLine(merchant.text, withoutBankWords(withoutNumbers(rest).replace(punctuation, "")));
  return hasLetters([behind.key]) ? behind : merchant;
}

function parse(text: string): Merchant {
  return parseLine(text, withoutBankWords(nameField(normaliseText(text.slice(0, textLengthMax)))));
}

/** The name where a line says which of its fields that is, else what stands before the fields. */
function nameField(text: string): string {
  // Nearly all lines are no lists, and are spared the patterns.
  if (!/[/+:]/.test(text)) return text;
  const [, ...names] = nameFieldPattern.exec(text) ?? [];
  const name = names.find((one) => one !== undefined) ?? text.replace(fields, "");
  return hasLetters([name]) ? name : text;
}

function parseLine(text: string, searchText: string): Merchant {
  const prefix = anyGateway.test(searchText) ? gateways.find(([, pattern]) => pattern.test(searchText)) : undefined;
  const words = prefix ? withoutNumber(wordsOf(searchText.replace(prefix[1], ""))) : wordsOf(withoutOrder(searchText));
  const key = words.length > 0 ? words.join(" ") : (prefix?.[0] ?? "");
  return new ParsedMerchant(text, searchText, key, prefix?.[0] ?? (gatewayNames.has(key) ? key : null));
}

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

/** Of the texts of a history only few are titles, so a title is made when it is asked for. */
class ParsedMerchant implements Merchant {
  readonly text: string;
  readonly key: string;
  readonly searchText: string;
  readonly gateway: string | null;
  #title: string | null = null;

  constructor(text: string, searchText: string, key: string, gateway: string | null) {
    this.text = text;
    this.searchText = searchText;
    this.key = key;
    this.gateway = gateway;
  }

  get title(): string {
    return (this.#title ??= titleOf(this.key, this.text));
  }
}

/** Banks put one word of theirs before another, rarely a third. */
const bankWordsMax = 3;

function withoutBankWords(text: string): string {
  let rest = text;
  for (let words = 0; words < bankWordsMax && bankPrefix.test(rest); words++) rest = rest.replace(bankPrefix, "");
  return rest;
}

const plainPattern = /^[\u0020-\u007e]*$/;

/** Upper case without diacritics and with single spaces; Æ, Ø and Å written as two letters become the same one. */
export function normaliseText(text: string): string {
  const upper = text.toUpperCase();
  const plain = plainPattern.test(upper) ? upper : unaccented(upper);
  return plain
    .replace(/AE|AA|OE/g, (pair) => pair.charAt(0))
    .replace(/\s+/g, " ")
    .trim();
}

function unaccented(upper: string): string {
  return upper
    .replace(/[ÆØÅÐÞŁŒĐ’–—]/g, (letter) => latinLetters[letter] ?? letter)
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "");
}

function wordsOf(text: string): string[] {
  const all = withoutPoints(withoutAddresses(withoutNumbers(text))).match(wordsPattern) ?? [];
  const words = all.filter((word) => !isReference(word)).flatMap((word) => abbreviations.get(word) ?? word);
  const telling = words.filter((word, at) => !legalForms.has(word) && !filler.has(word) && !isPeriod(word, at));
  if (hasLetters(telling)) return dropTrailingInitial(telling);
  return all; // an account number is all the name there is
}

const wordsPattern = /[A-Z0-9]+/g;

/** A/S, S.R.O, McDonald's */
function withoutPoints(text: string): string {
  return /[.'/]/.test(text) ? text.replace(/[.'](?=[A-Z]\b)|(?<=\b[A-Z])[./](?=[A-Z]\b)/g, "") : text;
}

/** Most descriptors have neither digits nor dots; those are spared the patterns that need them. */
function withoutNumbers(text: string): string {
  if (!/\d/.test(text)) return text;
  return text
    .replace(maskedCard, " ")
    .replace(currencyAmount, " ")
    .replace(dateOrTime, " ")
    .replace(foreignAmount, " ");
}

function withoutAddresses(text: string): string {
  if (!text.includes(".")) return text;
  return text.replace(webPath, " ").replace(webAddress, " ").replace(topLevelDomain, " ");
}

/** Fewer letters than this name nobody; then the numbers beside them do. */
const nameLettersMin = 3;
const referenceDigitsMin = 3;
/** Of letters and digits, digits have the lower codes. */
const codeOf9 = "9".charCodeAt(0);

/** Months and instalment numbers behind a name say which bill it is. A name may begin with either. */
function isPeriod(word: string, at: number): boolean {
  return (at > 0 && monthNames.has(word)) || (at > 1 && /^\d+$/.test(word));
}

/** Order numbers, terminals, phone numbers: words that are mostly digits. */
function isReference(word: string): boolean {
  let digits = 0;
  for (let index = 0; index < word.length; index++) if (word.charCodeAt(index) <= codeOf9) digits++;
  return digits >= referenceDigitsMin && digits * 2 >= word.length;
}

/** A single letter left at the end is the stump of a reference. */
function dropTrailingInitial(words: string[]): string[] {
  return words.length > 1 && lastOf(words).length === 1 ? words.slice(0, -1) : words;
}

function hasLetters(words: readonly string[]): boolean {
  let letters = 0;
  for (const word of words)
    for (let index = 0; index < word.length; index++)
      if (word.charCodeAt(index) > codeOf9 && ++letters >= nameLettersMin) return true;
  return false;
}

/** The key's words as the bank wrote them, letters of the country included; shouted words are calmed. */
function titleOf(key: string, text: string): string {
  const written = new Map(text.split(/[^\p{L}\p{N}]+/u).map((word) => [normaliseText(word), word]));
  return key
    .split(" ")
    .map((word) => titleWord(written.get(word) ?? word))
    .join(" ");
}

/** Words of consonants alone are abbreviations and stay as they are, and so does mixed case. */
function titleWord(word: string): string {
  if (word !== word.toUpperCase()) return word.charAt(0).toUpperCase() + word.slice(1);
  if (word.length <= 3 && !/[AEIOUYÆØÅÄÖ]/.test(word)) return word;
  return word.charAt(0) + word.slice(1).toLowerCase();
}
