/**
 * Words with which a user's banks open their lines, in whatever language, learned from the user's own lines. Two things
 * tell a bank's words from a payee's: what they stand before is of many kinds, as the merchants' codes and the known
 * names behind them say; or the merchant's own name is given beside the line, and they stand before it there.
 */
import { merchantCategory } from "../payments/catalogue.ts";
import { itemAt } from "../present.ts";
import type { BudgetTransaction } from "./budget-history.ts";
import { isNumberLike } from "./bank-words.ts";
import { findKeyword } from "./keywords.ts";
import { Memory } from "./memory.ts";
import { findPayee } from "./merchants.ts";
import { nameStart, noOpenings, type Openings, withoutLongNumbers } from "./reading.ts";
import { groupOf } from "./tree.ts";
import { folded, type Word, wordsIn } from "./words.ts";

/** A payee with several businesses has fewer names behind its own, and they are of fewer kinds. */
const namesMin = 4;
const kindsMin = 3;
/** So many merchants whose own names are known leave no doubt what stands before them. */
const namedMin = 2;
/** Counted by words too, which say less than names: more must follow. A name that is known itself needs yet more. */
const toldNamesMin = 6;
const toldKindsMin = 5;
const knownNamesMin = 8;
const wordSure = 0.7;
const openingWordsMax = 3;
/** Fewer lines than this have no habits. */
const linesMin = 8;

/** kinds: as codes and known names say; told: as words say, too. */
type Followers = { names: Set<string>; kinds: Set<string>; told: Set<string>; named: Set<string> };

export function openingsOf(rows: readonly BudgetTransaction[], country: string): Openings {
  const followers = new Map<string, Followers>();
  const read = new Set<string>();
  const seen = new Set<string>();
  for (const row of rows) {
    const bare = withoutLongNumbers(row.description);
    if (read.has(bare)) continue;
    read.add(bare);
    const line = beginningsOf(bare, country);
    if (line.beginnings.length === 0 || seen.has(line.likeness)) continue;
    seen.add(line.likeness);
    follow(followers, line, row);
  }
  if (seen.size < linesMin) return noOpenings;
  return new Set([...followers].filter(([opening, one]) => isBanks(opening, one, country)).map(([opening]) => opening));
}

/** What might open a line, where the name would then begin, and the kind of what is known by that name. */
type Beginning = { opening: string; name: string; at: number; kind: string | null; told: string | null };
/** likeness: the line without its numbers, which is counted once. */
type Beginnings = { words: readonly Word[]; start: number; likeness: string; beginnings: readonly Beginning[] };

const known = new Memory<Beginnings>(30_000);

function beginningsOf(text: string, country: string): Beginnings {
  return known.recall(`${country}${text}`, () => readBeginnings(text, country));
}

function readBeginnings(text: string, country: string): Beginnings {
  const words = wordsIn(folded(text));
  const start = nameStart(words, noOpenings);
  const beginnings: Beginning[] = [];
  let opening = "";
  for (let count = 1; count <= openingWordsMax && start + count < words.length; count++) {
    const word = itemAt(words, start + count - 1);
    const at = wordBehind(words, start + count);
    if (isNumberLike(word) || at === null) break;
    opening = count === 1 ? word.text : `${opening} ${word.text}`;
    beginnings.push({ opening, name: itemAt(words, at).text, at, ...kindsBehind(words, at, country) });
  }
  return { words, start, likeness: words.slice(start).map(withoutDigits).join(" "), beginnings };
}

function follow(followers: Map<string, Followers>, { words, start, beginnings }: Beginnings, row: BudgetTransaction) {
  const named = row.merchantName === null ? null : nameAt(words, start, row.merchantName);
  const code = row.mcc === null ? null : merchantCategory(row.mcc);
  for (const { opening, name, at, kind, told } of beginnings) {
    let own = followers.get(opening);
    if (own === undefined) followers.set(opening, (own = newFollowers()));
    own.names.add(name);
    const coded = code === null ? kind : groupOf(code.category);
    if (coded !== null) own.kinds.add(coded);
    const any = coded ?? told;
    if (any !== null) own.told.add(any);
    if (named === at) own.named.add(name);
  }
}

/** Numbers of cards and references may stand between a bank's word and the name. */
function wordBehind(words: readonly Word[], start: number): number | null {
  for (let at = start; at < words.length; at++) if (!isNumberLike(itemAt(words, at))) return at;
  return null;
}

/** Where the merchant's own name begins in the line; null when it is not in it, or begins it. */
function nameAt(words: readonly Word[], start: number, name: string): number | null {
  const [first] = wordsIn(folded(name));
  if (first === undefined) return null;
  const at = words.findIndex(({ text }) => text === first.text);
  return at > start ? at : null;
}

function newFollowers(): Followers {
  return { names: new Set(), kinds: new Set(), told: new Set(), named: new Set() };
}

/** The groups of what is known to be sold there: by the name, and by the words of it. */
function kindsBehind(words: readonly Word[], at: number, country: string): Pick<Beginning, "kind" | "told"> {
  const name = words
    .slice(at)
    .map(({ text }) => text)
    .join(" ");
  const hit = findPayee(name, [country]);
  if (hit !== null && !hit.isWeak) return { kind: groupOf(hit.categoryId), told: null };
  const word = findKeyword(name, "OUT", [country]) ?? findKeyword(name, "IN", [country]);
  return { kind: null, told: word === null || word.confidence < wordSure ? null : groupOf(word.categoryId) };
}

/** A payee that is known by such a name has a few businesses, and a bank's word stands before everything. */
function isBanks(opening: string, { names, kinds, told, named }: Followers, country: string): boolean {
  const isMany = told.size >= toldKindsMin;
  if (findPayee(opening, [country]) !== null) return isMany && names.size >= knownNamesMin;
  if (named.size >= namedMin || (names.size >= namesMin && kinds.size >= kindsMin)) return true;
  return isMany && names.size >= toldNamesMin;
}

function withoutDigits({ text }: Word): string {
  return text.replace(/\d+/g, "#");
}
