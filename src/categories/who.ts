/** Whether a name is a person's or that of whoever sells, employs or governs: told by what either is called. */
import names from "../../config/given-names.json" with { type: "json" };
import { isNumberLike } from "./bank-words.ts";
import { findKeyword, hasMark, type KeywordHit } from "./keywords.ts";
import { Memory } from "./memory.ts";
import { findPayee } from "./merchants.ts";
import { groupOf } from "./tree.ts";
import { firstOf, lastOf } from "../present.ts";
import { folded, wordsIn } from "./words.ts";

/** UNKNOWN: nothing speaks for either. */
export type Who = "PERSON" | "COMPANY" | "UNKNOWN";

const givenNames: ReadonlySet<string> = new Set(Object.values(names).flat().map(folded));
/** Ends of family names, in the languages whose families are mostly called so. */
const familyName =
  /(?:SEN|SSON|SON|DOTTER|DATTER|DOTTIR|NEN|BERG|GARD|STROM|QVIST|KVIST|LUND|HOLM|DAHL|DAL|VIK|LIND|STAD|MANN|SKI|SKA|WICZ|OVA|CEK|OVIC|EZ|IAN)$/;
const company =
  /(?:^|[^\p{L}])(?:A\/S|APS|I\/S|K\/S|IVS|AB|HB|KB|AS|ASA|ANS|DA|ENK|OY|OYJ|RY|TMI|OSK|LTD|LIMITED|PLC|LLP|CIC|INC|LLC|GMBH|GGMBH|AG|KG|OHG|UG|EV|E\.V|GBR|BV|B\.V|NV|VOF|SP\.? ?Z ?O\.?O|SPOLKA|SA|SARL|SAS|S\.R\.O|A\.S|SE|ETS|DAC|A\.?M\.?B\.?A)(?=$|[^\p{L}])/iu;
const wordsMax = 4;
const familyLettersMin = 5;
/** A name so long that is known as a payee's is no person's. */
const knownLettersMin = 8;
/** Families are called by trades here, so a trade behind a given name says nothing. */
const tradesAreNames: ReadonlySet<string> = new Set(["GB", "IE", "DE", "NL"]);
/** What people pay each other for, so that words for it do not speak against a person. */
const betweenPeople: ReadonlySet<string> = new Set([
  "HOUSING_RENT",
  "CHILDREN_MAINTENANCE_PAID",
  "OTHER_TRANSFERS",
  "OTHER_EXPENSES",
  "SAVINGS_INVESTMENT",
]);
const tellingMin = 0.7;

const known = new Memory<Who>(20_000);

/** @param name folded, without the bank's words. @param text as the bank sent it: legal forms are told by their points. */
export function whoIs(name: string, text: string, countries: readonly string[]): Who {
  const place = `${firstOf(countries)}\n${name}\n${text}`;
  return known.recall(place, () => judged(name, text, countries));
}

function judged(name: string, text: string, countries: readonly string[]): Who {
  const words = wordsIn(name)
    .filter((word) => !isNumberLike(word))
    .map((word) => word.text);
  if (words.length === 0) return "UNKNOWN";
  if (company.test(text)) return "COMPANY";
  const towards = words.findLastIndex((word) => prepositions.has(word)) + 1;
  if (isPerson(words.slice(towards), countries)) return "PERSON";
  // What it is for may stand before the name: a loan, the rent.
  const behind = words.slice(-2);
  if (givenNames.has(firstOf(behind)) && isPerson(behind, countries)) return "PERSON";
  return judgedWords(words, countries);
}

/** Whom money is said to go to or come from: a present to somebody, a loan from somebody. */
const prepositions: ReadonlySet<string> = new Set(
  ["til", "till", "to", "an", "fra", "från", "from", "von", "for", "för", "fr"].map(folded),
);

function isPerson(words: readonly string[], countries: readonly string[]): boolean {
  return words.length > 1 && judgedWords(words, countries) === "PERSON";
}

function judgedWords(words: readonly string[], countries: readonly string[]): Who {
  const rest = words.slice(1);
  const payee = findPayee(words.join(" "), countries);
  if (payee !== null && payee.letters >= knownLettersMin) return "COMPANY";
  const isGiven = givenNames.has(firstOf(words));
  // Families are called by farms, streams and hills, as are shops and banks, and what is the end of other words.
  if (isGiven && rest.length === 1 && isFamily(words) && tellingWord(rest.join(" "), countries)?.isWhole !== true)
    return "PERSON";
  if (hasMark(words.join(" "), "organisation")) return "COMPANY";
  const isTrade = isTelling(rest.join(" "), countries);
  if (isGiven && (!isTrade || isFamilyTrade(rest, countries))) return "PERSON";
  if (isTrade || isTelling(words.join(" "), countries)) return "COMPANY";
  if (payee !== null && !payee.isWeak) return "COMPANY";
  return isFamily(words) ? "PERSON" : "UNKNOWN";
}

function isFamilyTrade(rest: readonly string[], countries: readonly string[]): boolean {
  return rest.length === 1 && tradesAreNames.has(firstOf(countries));
}

function isFamily(words: readonly string[]): boolean {
  const last = lastOf(words);
  return words.length > 1 && words.length <= wordsMax && last.length >= familyLettersMin && familyName.test(last);
}

function isTelling(words: string, countries: readonly string[]): boolean {
  return tellingWord(words, countries) !== null;
}

/** What says that something is sold, and not between people. */
function tellingWord(words: string, countries: readonly string[]): KeywordHit | null {
  const keyword = words === "" ? null : findKeyword(words, "OUT", countries);
  if (keyword === null || keyword.confidence < tellingMin) return null;
  return betweenPeople.has(keyword.categoryId) || groupOf(keyword.categoryId) === "DEBT" ? null : keyword;
}
