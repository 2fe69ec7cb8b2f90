/**
 * Mutants judged by hand: nothing that the system does tells them from the original, so no test can. They are left out of
 * the score. Told by content, so that they stay judged when lines move; one that no longer exists is reported.
 */
import { ofMerchants } from "./equivalent-merchants.ts";
import { ofPayments } from "./equivalent-payments.ts";
import type { MutantKey } from "./mutant.ts";

export type Equivalent = Omit<MutantKey, "nth"> & {
  /** Where a line has several alike: which; else the first. */
  nth?: number;
  /** Why no test can tell it from the original. */
  reason: string;
};

/** Several on one line, for one reason. */
type EquivalentLine = Omit<Equivalent, "original" | "replacement" | "nth"> & {
  changes: readonly (readonly [original: string, replacement: string, nth?: number])[];
};

export const equivalents: readonly Equivalent[] = [...eachOf(ofMerchants), ...eachOf(ofPayments)];

function eachOf(lines: readonly EquivalentLine[]): Equivalent[] {
  return lines.flatMap(({ changes, ...line }) => changes.map(([original, replacement, nth = 1]) => ({ ...line, original, replacement, nth })));
}
