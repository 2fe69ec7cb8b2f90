/** Finds the mutants that were judged by hand, and those judgements of which the mutant is gone. */
import { idOf, type Mutant } from "./mutant.ts";

/** Mutants of one line, for one reason. */
export type Equivalents = {
  file: string;
  /** Without the white space around it. */
  lineText: string;
  /** Why no test can tell them from the original. */
  reason: string;
  /** Where a line has several alike: which, from 1; else the first. */
  changes: readonly (readonly [original: string, replacement: string, nth?: number])[];
};

export type Judged = {
  isEquivalent: (mutant: Mutant) => boolean;
  /** `file: original → replacement in line`, of those that no mutant is any more. */
  gone: string[];
};

/** @param mutants all of a room */
export function judge(
  equivalents: readonly Equivalents[],
  mutants: readonly Mutant[],
  isOfRoom: (file: string) => boolean,
): Judged {
  const ids = new Set(mutants.map(({ id }) => id));
  const judged = equivalents
    .filter(({ file }) => isOfRoom(file))
    .flatMap(({ file, lineText, changes }) =>
      changes.map(([original, replacement, nth = 1]) => ({ file, lineText, original, replacement, nth })),
    )
    .map((key) => ({ ...key, id: idOf(key) }));
  const judgedIds = new Set(judged.map(({ id }) => id));
  return {
    isEquivalent: ({ id }) => judgedIds.has(id),
    gone: judged
      .filter(({ id }) => !ids.has(id))
      .map(({ file, lineText, original, replacement }) => `${file}: ${original} → ${replacement} in ${lineText}`),
  };
}
