/**
 * What became of a loaded delivery in one word, for whoever reads no counts: `loaded` says that it was read to its end,
 * also where every record was refused. Pure.
 */
import type { Delivery } from "./deliveries.ts";

/**
 * all: nothing of it has to be looked at, known records included; partly: some was refused, conflicts or waits; nothing:
 * no record of it is in the ledger, and none waits.
 */
export type LoadResult = "all" | "partly" | "nothing";

export type ResultCounts = Pick<
  Delivery,
  | "batchesRefused"
  | "records"
  | "recordsNew"
  | "recordsKnown"
  | "recordsCorrected"
  | "recordsConflicting"
  | "recordsRefused"
  | "recordsWaiting"
  | "markers"
>;

/** A file without records is all there: nothing of it is missing. A record that replaced another one is in. */
export function resultOf(counts: ResultCounts): LoadResult {
  const conflicting = counts.recordsConflicting - counts.recordsCorrected;
  const out = counts.recordsRefused + counts.batchesRefused + conflicting;
  if (out + counts.recordsWaiting === 0) return "all";
  const inside = counts.recordsNew + counts.recordsKnown + counts.recordsCorrected + counts.markers;
  return inside + counts.recordsWaiting === 0 ? "nothing" : "partly";
}
