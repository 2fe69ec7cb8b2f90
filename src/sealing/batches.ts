/** Cuts a stream of records into batches as the interface wants them. Pure but for the reading. */
import { requestRecordsMax } from "../../config/limits.ts";
import type { RawTransaction } from "../interface/record.ts";
import { requestIdOf } from "./request-id.ts";

export type Batch = {
  requestId: string;
  /** The JSON array, as it is encrypted. */
  plaintext: string;
  /** The array's elements, each as JSON text. */
  elements: readonly string[];
  /** Records that came from the source, markers of its own included. */
  records: number;
  /** Records of the source in the batches before. */
  recordsBefore: number;
  /** IMPORT_COMPLETED that were added here. */
  markersAdded: number;
  /** Whether any IMPORT_COMPLETED is in it: then everything before must have arrived first. */
  completes: boolean;
  userIds: ReadonlySet<string>;
};

export type CutOptions = {
  partnerId: string;
  /** Ends each user of the source with IMPORT_COMPLETED, after the source's last record. */
  complete: boolean;
  recordsMax?: number;
};

/**
 * Characters of plaintext: with base64url and an incompressible content it stays below 2 MiB, a usual request's body.
 */
const plaintextLengthMax = 1_400_000;

/**
 * The same records in the same order give the same batches with the same request ids. Memory: one batch, and each user
 * id once when `complete`.
 */
export async function* cutBatches(
  records: AsyncIterable<RawTransaction> | Iterable<RawTransaction>,
  options: CutOptions,
): AsyncGenerator<Batch> {
  const cutter = createCutter(options);
  const users = new Set<string>();
  for await (const record of records) {
    if (options.complete) users.add(record.uid);
    const full = cutter.add(record, true);
    if (full) yield full;
  }
  for (const uid of users) {
    const full = cutter.add({ uid, type: "IMPORT_COMPLETED" }, false);
    if (full) yield full;
  }
  const last = cutter.end();
  if (last) yield last;
}

function createCutter(options: CutOptions) {
  const recordsMax = options.recordsMax ?? requestRecordsMax;
  let draft = newDraft(0);
  const take = (): Batch | null => {
    if (draft.elements.length === 0) return null;
    const { length: _, ...taken } = draft;
    draft = newDraft(taken.recordsBefore + taken.records);
    const plaintext = `[${taken.elements.join(",")}]`;
    return { ...taken, plaintext, requestId: requestIdOf(options.partnerId, plaintext) };
  };
  return {
    /** @returns the batch that this record did not fit into any more. */
    add(record: RawTransaction, fromSource: boolean): Batch | null {
      const text = serialize(record);
      const full =
        draft.elements.length >= recordsMax || draft.length + text.length > plaintextLengthMax ? take() : null;
      draft.elements.push(text);
      draft.length += text.length + 1;
      draft.userIds.add(record.uid);
      if (fromSource) draft.records += 1;
      else draft.markersAdded += 1;
      if (record.type === "IMPORT_COMPLETED") draft.completes = true;
      return full;
    },
    end: take,
  };
}

function newDraft(recordsBefore: number) {
  return {
    elements: [] as string[],
    userIds: new Set<string>(),
    recordsBefore,
    records: 0,
    markersAdded: 0,
    completes: false,
    length: 0,
  };
}

/** Only keys with non-null values are sent (interface document, plaintext serialization rules). */
function serialize(record: RawTransaction): string {
  const text = JSON.stringify(record);
  return text.includes(":null")
    ? JSON.stringify(record, (_, value: unknown) => (value === null ? undefined : value))
    : text;
}
