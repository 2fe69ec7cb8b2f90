/** What a batch is cut into. */
import type { ReadRows } from "../bytes/read-rows.ts";

/** Records that were read on the hot path, ready to load but for their owners; or values to be checked. */
export type RecordPart = {
  /** Of its first record within the batch, where it does not stand behind the part before it. */
  firstIndex?: number;
} & (
  | {
      kind: "rows";
      rows: ReadRows;
      /** Row by row whether it counts; all do where this is absent. */
      taken?: Uint8Array;
    }
  | {
      kind: "values";
      /** Parsed and unchecked; UnreadableRecord where an element could not be read. */
      values: readonly unknown[];
      /** Where each record stands on a line of its own: those lines. */
      lines: readonly number[] | null;
    }
);
