/**
 * The words of a line, normalised, that may tell who is paid: terminals, dates, order numbers, masked cards and what
 * processors add are taken off.
 */
import { hasCounter, hasDecimal, hasDigit, hasHash, hasMask, hasTime, marksIn } from "./line-marks.ts";

const maskedCard = /\b(?:[X*#]{2,}[ -]?)+\d{2,4}\b|\b\d{4,6}[X*]{2,}\d{0,4}\b/g;
const dateOrTime =
  /\b\d{1,2} ?(?:JAN|FEB|MAR|MRZ|APR|MAY|MAI|MAJ|MEI|JUN|JUL|AUG|SEP|OCT|OKT|NOV|DEC|DEZ|DES)(?:\d{2}|\d{4})?\b|\bKL[. ]+\d{1,2}[.:]\d{2}\b|\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d{2})\b|\b(?:DEN )?\d{1,2}[./]\d{1,2}\b|\b\d{1,2}:\d{2}(?::\d{2})?\b/g;
/** The third of twelve instalments; which one it is says nothing about who is paid. */
const counter = /\b\d{1,3} (?:OF|VON|AV|AF|VAN|SUR|Z|ZE|DI|DE) \d{1,3}\b/g;
const currencyAmount = /\b(?:EUR|USD|GBP|DKK|SEK|NOK|ISK|PLN|CZK|CHF) ?\d+(?:[., ]\d{3})*[.,]\d{2}\b/g;
const foreignAmount =
  /\b[A-Z]{3} ?\d+[.,]\d{2}\b|\b\d+[.,]\d{2} ?(?:EUR|USD|GBP|DKK|SEK|NOK|ISK|PLN|CZK|CHF)\b|\b(?:KURS|RATE)[: ]*\d+[.,]\d+/g;
/** What the bank itself calls a reference. */
const reference = /\bREF ?# ?[A-Z0-9]+/g;
const webAddress = /\b(?:HTTPS?:\/\/)?(?:WWW|HELP|PAY|BILLING|ACCOUNT|ACCOUNTS|SHOP|STORE|MY)\.(?=[A-Z0-9-]+\.)/g;
const topLevelDomain = /\.(?:COM|NET|ORG|IO|AI|APP|TV|EU|DK|NO|SE|FI|IS|CO\.UK|UK|IE|DE|NL|PL|CZ)(?=$|[^A-Z0-9])/g;
/** A path after a domain says which page, not who. */
const webPath = /(?<=[A-Z]\.[A-Z]{2,3})\/\S*/g;
const legalForms = new Set(
  "AS APS AB OY OYJ ASA LTD LIMITED GMBH AG BV NV INC LLC PLC SRO SPZOO SA SARL KG KGAA IVS AMBA SE CO CORP INTL".split(
    " ",
  ),
);

/** Whether a word, in capitals, is what companies of one kind are called behind their names. */
export function callsCompanies(word: string): boolean {
  return legalForms.has(word);
}

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

/** Where nothing else is left, an account number is all the name there is: the first, before those of what is billed. */
export function wordsOf(line: string): string[] {
  const text = withoutPoints(withoutAddresses(withoutNumbers(line)));
  const telling: string[] = [];
  let at = 0;
  let start = -1;
  let digits = 0;
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : 0;
    const isDigit = code >= codeOf0 && code <= codeOf9;
    if (isDigit || (code >= codeOfA && code <= codeOfZ)) {
      if (start < 0) {
        start = index;
        digits = 0;
      }
      if (isDigit) digits++;
      continue;
    }
    if (start < 0) continue;
    if (!isReferenceOf(digits, index - start)) at = addTelling(telling, text.slice(start, index), at, digits);
    else if (at === 0 && phoneDigits.has(digits))
      at = addTelling(telling, nameBeforePhone(text.slice(start, index)), at, 0);
    start = -1;
  }
  if (hasLetters(telling)) return telling;
  const numbers = text.match(wordsPattern) ?? [];
  return (numbers[0]?.length ?? 0) >= customerDigitsMin ? numbers.slice(0, 1) : numbers;
}

/** Numbers that banks break into groups have fewer digits in the first. */
const customerDigitsMin = 10;

/** Of a telephone number in North America, which companies there print at their names without a space. */
const phoneDigits: ReadonlySet<number> = new Set([10, 11]);
const phoneBehindName = /^([A-Z]{5,})\d+$/;

/** Empty where the word is none of a name and a number. */
function nameBeforePhone(word: string): string {
  return phoneBehindName.exec(word)?.[1] ?? "";
}

/** Adds the word, or what it abbreviates, where that names somebody. @returns the place of the next word */
function addTelling(telling: string[], word: string, at: number, digits: number): number {
  if (word === "") return at;
  const use = useOf.get(word);
  if (use === undefined) {
    // Numbers of few digits behind a name say which bill it is.
    if (at <= 1 || digits < word.length) telling.push(word);
    return at + 1;
  }
  if (typeof use !== "string") return use.reduce((place, one) => addTelling(telling, one, place, 0), at);
  if (use === "LEGAL_FORM" ? !isLegalForm(word, at) : use === "MONTH" && at === 0) telling.push(word);
  return at + 1;
}

const wordsPattern = /[A-Z0-9]+/g;

/** A/S, S.R.O, McDonald's */
function withoutPoints(text: string): string {
  return /[.'/]/.test(text) ? text.replace(/[.'](?=[A-Z]\b)|(?<=\b[A-Z])[./](?=[A-Z]\b)/g, "") : text;
}

/** One after the other, each with the marks that a line must have in which it stands. */
const numberPatterns: readonly (readonly [marks: number, pattern: RegExp])[] = [
  [hasMask, maskedCard],
  [hasDecimal, currencyAmount],
  [hasCounter, counter],
  [hasHash, reference],
  [hasTime, dateOrTime],
  [hasDecimal, foreignAmount],
];

/** Most descriptors have hardly any digits; those are spared the patterns that need them. */
export function withoutNumbers(text: string): string {
  let marks = marksIn(text);
  if ((marks & hasDigit) === 0) return text;
  let rest = text;
  for (const [needed, pattern] of numberPatterns) {
    if ((marks & needed) === 0) continue;
    const left = rest.replace(pattern, " ");
    if (left === rest) continue;
    rest = left;
    marks = marksIn(rest);
  }
  return rest;
}

/** A point beside a letter. */
const addressPoint = /[A-Z]\.|\.[A-Z]/;

function withoutAddresses(text: string): string {
  if (!addressPoint.test(text)) return text;
  return text.replace(webPath, " ").replace(webAddress, " ").replace(topLevelDomain, " ");
}

/** Fewer letters than this name nobody; then the numbers beside them do. */
const nameLettersMin = 3;
const referenceDigitsMin = 3;
/** Of letters and digits, digits have the lower codes. */
const codeOf0 = "0".charCodeAt(0);
const codeOf9 = "9".charCodeAt(0);
const codeOfA = "A".charCodeAt(0);
const codeOfZ = "Z".charCodeAt(0);

/** ASA stands behind a company's name; in front of one it is a person's. */
function isLegalForm(word: string, at: number): boolean {
  return at > 0 || word !== "ASA";
}

/** What a word is that names nobody, or what it abbreviates. */
type Use = "LEGAL_FORM" | "FILLER" | "MONTH" | readonly string[];
/** Months behind a name say which bill it is; a name may begin with one. */
const useOf: ReadonlyMap<string, Use> = new Map<string, Use>([
  ...[...monthNames].map((word) => [word, "MONTH"] as const),
  ...[...legalForms].map((word) => [word, "LEGAL_FORM"] as const),
  ...[...filler].map((word) => [word, "FILLER"] as const),
  ...abbreviations,
]);

/** Order numbers, terminals, phone numbers: words that are mostly digits. */
export function isReference(word: string): boolean {
  let digits = 0;
  for (let index = 0; index < word.length; index++) if (word.charCodeAt(index) <= codeOf9) digits++;
  return isReferenceOf(digits, word.length);
}

function isReferenceOf(digits: number, letters: number): boolean {
  return digits >= referenceDigitsMin && digits * 2 >= letters;
}

export function hasLetters(words: readonly string[]): boolean {
  let letters = 0;
  for (const word of words)
    for (let index = 0; index < word.length; index++)
      if (word.charCodeAt(index) > codeOf9 && ++letters >= nameLettersMin) return true;
  return false;
}

/** Where a word of letters and digits stands alone; −1: nowhere. */
export function wholeWordAt(text: string, word: string): number {
  let at = text.indexOf(word);
  while (at >= 0 && (isWordCode(text.charCodeAt(at - 1)) || isWordCode(text.charCodeAt(at + word.length))))
    at = text.indexOf(word, at + 1);
  return at;
}

/** Upper or lower case, digits and the underscore, as \w has them; not a number: beyond the text. */
function isWordCode(code: number): boolean {
  return (
    (code >= codeOf0 && code <= codeOf9) ||
    (code >= codeOfA && code <= codeOfZ) ||
    (code >= 0x61 && code <= 0x7a) ||
    code === 0x5f
  );
}
