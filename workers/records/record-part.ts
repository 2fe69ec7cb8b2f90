/** What a batch is cut into. */
import type { ReadRows } from "../bytes/read-rows.ts";

/** Records that were read on the hot path, ready to load but for their owners; or values to be checked. */
export type RecordPart =
  | { kind: "rows"; rows: ReadRows }
  | {
      kind: "values";
      /** Parsed and unchecked; UnreadableRecord where an element could not be read. */
      values: readonly unknown[];
      /** Where each record stands on a line of its own: those lines. */
      lines: readonly number[] | null;
    };
