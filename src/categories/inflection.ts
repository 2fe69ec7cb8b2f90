/**
 * The forms in which a language's words stand in names: with the article behind them and in the plural, as the north has
 * them, in English and French the plural, and at the end of compounds, which say what the whole is.
 */
import type { Entry } from "./lexicon.ts";

const suffixing: ReadonlySet<string> = new Set(["DK", "SE", "NO"]);
const compounding: ReadonlySet<string> = new Set(["DK", "SE", "NO", "FI", "DE", "NL"]);
const plural: ReadonlySet<string> = new Set(["GB", "FR", "NL"]);
/** Shorter words are too much like the ends of others. */
const lettersMin = 5;
const compoundLettersMin = 6;
const pluralLettersMin = 4;
const consonants = "BDFGKLMNPRST";

/** Forms of one folded word, which has nothing open but its beginning: `*` stands before the end of a compound. */
export function formsOf({ text, countries, isWeak }: Entry): string[] {
  const word = text.startsWith("*") ? text.slice(1) : text;
  if (!/^[A-Z]+$/.test(word)) return [];
  const isIn = (places: ReadonlySet<string>): boolean => countries.some((country) => places.has(country));
  const isCompound = isIn(compounding) && !isWeak && word.length >= compoundLettersMin && word === text;
  const own = [
    ...(isIn(suffixing) && word.length >= lettersMin ? withArticle(word) : []),
    ...(isIn(plural) && word.length >= pluralLettersMin && !word.endsWith("S") ? [`${word}S`] : []),
  ].map((form) => `${text.startsWith("*") ? "*" : ""}${form}`);
  return isCompound ? [...own, ...[word, ...own].map((form) => `*${form}`)] : own;
}

/** butik: butiken, butikken, butikker; kafé: kaféen; handel: handeln, handlen; skola: skolan, skolor; kasse: kassen. */
function withArticle(word: string): string[] {
  const end = word.slice(-1);
  const stem = word.slice(0, -1);
  if (end === "A") return [`${word}N`, `${stem}OR`, `${stem}ORNA`];
  if (end === "E") return [`${word}N`, `${word}T`, `${word}R`, `${word}RNE`, `${stem}A`, `${stem}ENE`];
  if ("IOUY".includes(end)) return [`${word}N`, `${word}T`, `${word}EN`, `${word}ET`, `${word}ER`, `${word}ERNE`];
  const endings = ["EN", "ET", "ER", "ERNE", "ERNA", "ENE", "AR", "ARNA"];
  const doubled = consonants.includes(end) ? endings.map((ending) => `${word}${end}${ending}`) : [];
  const short = /[AEIOUY][LR]$/.test(word) ? [`${word}N`, `${word}NA`, `${word}NE`] : [];
  const contracted = /[A-Z]E[LR]$/.test(word) ? endings.map((ending) => `${word.slice(0, -2)}${end}${ending}`) : [];
  return [...endings.map((ending) => `${word}${ending}`), ...doubled, ...short, ...contracted];
}
