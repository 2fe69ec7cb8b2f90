/** What every file format is to the loader: a file of the format's name here, and its place in the table of open.ts. */
import type { ErrorCode } from "../../src/errors.ts";
import type { BatchOpener } from "../batch.ts";
import type { CheckedRecord, FieldNames, Problem } from "../record.ts";

/** A landed file, and how its partner sends. */
export type FileInput = {
  /** Absolute path in the vault. */
  path: string;
  sizeBytes: number;
  opener: BatchOpener;
  /** The partner's OpenPGP keys, as armoured text. */
  findPgpKeys(): Promise<string[]>;
  /** Whether the partner's files must end with a manifest. */
  manifestRequired: boolean;
};

/** How much of a delivery is committed. */
export type Checkpoint = { batches: number; records: number };

/** Consecutive records of one batch, or one batch that is refused whole. The same file always yields the same groups. */
export type RecordGroup = {
  /** Place of the batch in the delivery, from 0. */
  batch: number;
  /** Line of the batch in the file, from 1; 0 where the format has no lines. */
  line: number;
  /** Where each record stands on a line of its own: those lines. */
  lines: readonly number[] | null;
  /** Place of the first record within its batch. */
  firstIndex: number;
  /** Parsed and unchecked; UnreadableRecord where an element could not be read. */
  records: readonly unknown[];
  /** Plaintext bytes, for the bound on what is held. */
  sizeBytes: number;
  startsBatch: boolean;
  /** Set where the format carries reqIds that no door has recorded yet. */
  request: { id: string; contentSha256: Buffer } | null;
  /** Why the batch is refused whole, and how many records it was seen to hold; `records` is empty then. */
  refusal: { field: string; reason: string; records: number } | null;
};

export type DeliveryReader = {
  /** Whatever must be known before anything may be loaded: tag, manifest, end of the file. @throws DeliveryRefused */
  verify(): Promise<void>;
  /**
   * Reads to the end for faults that refuse the whole delivery and show only there. Asked when the delivery is too long to
   * be loaded in one transaction. @throws DeliveryRefused
   */
  survey(): Promise<void>;
  /** The groups behind the checkpoint. @throws DeliveryRefused for faults that survey() finds. */
  groups(from: Checkpoint): AsyncIterable<RecordGroup>;
  /** A group's record ready to load, or everything that is wrong with it. */
  check(value: unknown): CheckedRecord | Problem[];
  fields: FieldNames;
};

/** From the beginning. */
export const start: Checkpoint = { batches: 0, records: 0 };

/** The part of a group of the delivery's first and only batch that lies behind the checkpoint; null when none does. */
export function behind(group: RecordGroup, from: Checkpoint): RecordGroup | null {
  const cut = Math.max(0, from.records - group.firstIndex);
  if (cut === 0) return group;
  if (cut >= group.records.length) return null;
  return { ...group, startsBatch: false, firstIndex: group.firstIndex + cut, records: group.records.slice(cut), lines: group.lines?.slice(cut) ?? null };
}

/** The delivery is refused whole; nothing of it is loaded. Thrown because it is found deep inside a stream. */
export class DeliveryRefused extends Error {
  override readonly name = "DeliveryRefused";
  readonly code: ErrorCode;

  constructor(code: ErrorCode, reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.code = code;
  }
}
