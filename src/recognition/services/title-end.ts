/**
 * Where a name ends in a line that goes on behind it: behind the company's legal form, before its street or the bank's own
 * words, before it begins again, and at the latest where it would be longer than anybody calls a company. Pure.
 */
import { normaliseText } from "../../payments/merchant.ts";
import { itemAt } from "../../present.ts";

/** The legal forms that stand behind a name and are hardly ever a word of another one. */
const legalForms: ReadonlySet<string> = new Set(
  "AG GMBH MBH KG KGAA SE EG VVAG LTD LIMITED LLC INC PLC CORP AB ASA OYJ OY APS BV NV SRL SPA SARL SAS SRO".split(" "),
);
/** By their first words: those of which titles leave nothing out, and nobody says them; and a field of SEPA's. */
const writtenForms: readonly (readonly string[])[] = [
  ["END", "TO", "END"],
  ["SP", "Z"],
  ["SPOLKA", "AKCYJNA"],
  ["SPOLKA", "Z"],
];
/** What no name goes on with: streets, and what banks write about a payment behind whom it went to. */
const noNames: ReadonlySet<string> = new Set(
  (
    "UL PAYPAL DEBITKARTE KARTENZAHLUNG KARTENVERFUGUNG KAUFUMSATZ LASTSCHRIFT BASISLASTSCHRIFT DAUERAUFTRAG UBERWEISUNG " +
    "PRZELEW ZAKUP BLIK POLECENIE ADDEBITO INCASSO OMSCHRIJVING KENMERK GLAUBIGER GLAUBIGERID MANDAT MANDATSREF " +
    "VERWENDUNGSZWECK EREF KREF MREF SVWZ IBAN BIC"
  ).split(" "),
);
/** A word that stands at its other place by chance: articles, initials. */
const againLettersMin = 4;
const lettersMax = 45;
/** Behind a name that was cut off nobody expects "Und" or "Der". */
const looseEnd = /^(?:.{1,3}|\d+)$/;

/**
 * @param words of a title, normalised, each of them a word of the line. @param line in which they stand, as the bank wrote it
 * @returns how many of them name somebody
 */
export function nameLength(words: readonly string[], line: string): number {
  const named = Math.min(
    untilAgain(words),
    untilLegalForm(words, line),
    untilNoName(words),
    untilPlace(words, line),
    untilState(words, line),
  );
  let [length, letters] = [0, 0];
  while (length < named && letters + itemAt(words, length).length <= lettersMax)
    letters += itemAt(words, length++).length + 1;
  if (length === 0) return words.length;
  if (length < named) while (length > 1 && looseEnd.test(itemAt(words, length - 1))) length--;
  return length;
}

/** Up to where the first word comes again, or any word at once, and the line goes on: some names are a word twice. */
function untilAgain(words: readonly string[]): number {
  for (let at = 1; at < words.length - 1; at++) {
    const word = itemAt(words, at);
    if (word.length >= againLettersMin && word === words[0]) return at;
    if (word === words[at - 1] && !/\d/.test(word)) return at;
  }
  return words.length;
}

/** Up to what no name goes on with, a legal form that the title has included. */
function untilNoName(words: readonly string[]): number {
  for (let at = 1; at < words.length; at++) {
    if (noNames.has(itemAt(words, at))) return at;
    if (legalForms.has(itemAt(words, at))) return at + 1;
    if (writtenForms.some((form) => form.every((word, index) => words[at + index] === word))) return at;
  }
  return words.length;
}

/** Up to the legal form behind the name that the title leaves out and the line has. */
function untilLegalForm(words: readonly string[], line: string): number {
  let at = 0;
  for (const [written] of line.matchAll(writtenWords)) {
    const word = normaliseText(written);
    if (word === words[at]) at++;
    else if (at > 0 && legalForms.has(word)) return at;
    if (at === words.length) return at;
  }
  return words.length;
}

/** Up to the town and country of a shop, which card schemes put behind strokes. */
function untilPlace(words: readonly string[], line: string): number {
  const at = line.search(place);
  if (at <= 0) return words.length;
  const before = [...line.slice(0, at).matchAll(writtenWords)].map(([written]) => normaliseText(written));
  const count = words.findIndex((word) => !before.includes(word));
  return count > 0 ? count : words.length;
}

/** Up to the state that card schemes put behind a shop's telephone number in North America. */
function untilState(words: readonly string[], line: string): number {
  const state = telephoneAndState.exec(line)?.[1];
  const at = state === undefined ? -1 : words.indexOf(state, 1);
  return at < 0 ? words.length : at;
}

const telephoneAndState = /\d[\d-]{5,}\d ([A-Z]{2})\b/;
const place = /\/+[^/]+\/[A-Z]{2}\b/;
const writtenWords = /[\p{L}\p{N}]+/gu;
