/**
 * Mutants judged by hand: nothing that the system does tells them from the original, so no test can. They are left out of
 * the score. Told by content, so that they stay judged when lines move; one that no longer exists is reported.
 */
import type { MutantKey } from "./mutant.ts";

export type Equivalent = Omit<MutantKey, "nth"> & {
  /** Where a line has several alike: which; else the first. */
  nth?: number;
  /** Why no test can tell it from the original. */
  reason: string;
};

export const equivalents: readonly Equivalent[] = [];
