/**
 * What money that left may have been for where no rule is sure: a bank cut the payee's name or word in the middle,
 * printed a letter of it wrong, or a shop takes its name from another language. Guesses say in which order to ask, and
 * decide nothing.
 */
import { merchantOf } from "../payments/merchant.ts";
import type { Candidate } from "./candidate.ts";
import { findForeignKeyword, findObject, keywordsBegun } from "./keywords.ts";
import { type ObjectOf, objectNames } from "./lexicon.ts";
import type { Line } from "./line.ts";
import { payeesLike } from "./merchants.ts";

/** How sure where all that a piece may be says the same; far below what decides. */
const sureness = { name: 0.36, word: 0.3, begun: 0.24, object: 0.12 } as const;
/** Less is no hint. */
const confidenceMin = 0.02;
const objects: readonly ObjectOf[] = objectNames;

/** Each category once, the likeliest first; empty where no piece is known. */
export function guessesOf({ merchant, reading, telling, countries, kind }: Line): Candidate[] {
  if (kind === "CASH") return [];
  const named = payeesLike(merchant.key, countries);
  const read = named.size > 0 ? named : payeesLike(merchantOf(null, reading.name).key, countries);
  const foreign = findForeignKeyword(telling);
  const sure = new Map<string, number>();
  const add = (categoryId: string, confidence: number): void => {
    if (confidence >= Math.max(confidenceMin, sure.get(categoryId) ?? 0)) sure.set(categoryId, confidence);
  };
  const addAll = (counts: ReadonlyMap<string, number>, most: number): void => {
    const all = counts.values().reduce((sum, count) => sum + count, 0);
    for (const [categoryId, count] of counts) add(categoryId, (most * count) / all);
  };
  addAll(read, sureness.name);
  if (foreign !== null) add(foreign.categoryId, sureness.word);
  addAll(keywordsBegun(telling, countries), sureness.begun);
  // A bill that names nothing but a thing insures it, or pays for it.
  if (kind !== "CARD")
    for (const object of objects) {
      const categoryId = findObject(telling, object, countries);
      if (categoryId !== null) add(categoryId, sureness.object);
    }
  return [...sure]
    .map(([categoryId, confidence]): Candidate => ({ categoryId, rule: "GUESS", confidence }))
    .sort((a, b) => b.confidence - a.confidence);
}
