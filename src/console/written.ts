/** Pieces of pages as they were written last, kept by everything that stands in them: equal keys are equal pieces. */
import type { Html } from "./templates/html.ts";

export type Written = { of(key: string, write: () => Html): Html };

/** @param most so many are kept, those asked for last */
export function createWritten(most: number): Written {
  const kept = new Map<string, Html>();
  return {
    of(key, write) {
      const piece = kept.get(key) ?? write();
      kept.delete(key);
      kept.set(key, piece);
      if (kept.size > most) kept.delete(kept.keys().next().value ?? "");
      return piece;
    },
  };
}
