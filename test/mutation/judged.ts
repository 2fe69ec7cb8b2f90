/** Finds the mutants that were judged by hand, and those judgements of which the mutant is gone. */
import { idOf, type Mutant, type MutantKey } from "./mutant.ts";

export type Equivalent = Omit<MutantKey, "nth"> & {
  /** Where a line has several alike: which; else the first. */
  nth?: number;
  /** Why no test can tell it from the original. */
  reason: string;
};

export type Judged = { isEquivalent: (mutant: Mutant) => boolean; gone: Equivalent[] };

/** @param mutants all of a room @param files of the room, and those that a judgement names and that exist no more */
export function judge(
  equivalents: readonly Equivalent[],
  mutants: readonly Mutant[],
  isOfRoom: (file: string) => boolean,
): Judged {
  const ids = new Set(mutants.map(({ id }) => id));
  const own = equivalents
    .filter(({ file }) => isOfRoom(file))
    .map((one) => ({ one, id: idOf({ ...one, nth: one.nth ?? 1 }) }));
  const judged = new Set(own.map(({ id }) => id));
  return { isEquivalent: ({ id }) => judged.has(id), gone: own.filter(({ id }) => !ids.has(id)).map(({ one }) => one) };
}
