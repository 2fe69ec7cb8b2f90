/**
 * What money that left may have been for where no rule is sure: a bank cut the payee's name or word in the middle,
 * printed a letter of it wrong, or a shop takes its name from another language. Guesses say in which order to ask, and
 * decide nothing.
 */
import { merchantOf } from "../payments/merchant.ts";
import type { Candidate } from "./candidate.ts";
import { findForeignKeyword, findObject, keywordsBegun } from "./keywords.ts";
import { objectNames } from "./lexicon.ts";
import type { Line } from "./line.ts";
import { payeesLike } from "./merchants.ts";

/** How sure where all that a piece may be says the same; far below what decides. */
const sureness = { name: 0.36, word: 0.3, begun: 0.24, object: 0.12 } as const;

/** A category as often as a piece says it; empty where no piece is known. */
export function guessesOf({ merchant, reading, telling, countries, kind }: Line): Candidate[] {
  const named = payeesLike(merchant.key, countries);
  const read = named.size > 0 ? named : payeesLike(merchantOf(null, reading.name).key, countries);
  const foreign = findForeignKeyword(telling);
  // A bill that names nothing but a thing insures it, or pays for it.
  const things = kind === "CARD" ? [] : objectNames.map((object) => findObject(telling, object, countries));
  return [
    ...shared(read, sureness.name),
    ...(foreign === null ? [] : [guess(foreign.categoryId, sureness.word)]),
    ...shared(keywordsBegun(telling, countries), sureness.begun),
    ...things.flatMap((categoryId) => (categoryId === null ? [] : [guess(categoryId, sureness.object)])),
  ];
}

function shared(counts: ReadonlyMap<string, number>, most: number): Candidate[] {
  const all = counts.values().reduce((sum, count) => sum + count, 0);
  return [...counts].map(([categoryId, count]) => guess(categoryId, (most * count) / all));
}

function guess(categoryId: string, confidence: number): Candidate {
  return { categoryId, rule: "GUESS", confidence };
}
