/** What every file format is to the loader: a file of the format's name here, and its entry in formats.ts. */
import { openedBytesAlways, openedRatioMax } from "../../config/limits.ts";
import type { ErrorCode } from "../../src/errors.ts";
import type { CsvDialect } from "../../src/partners/settings/csv-rules.ts";
import type { IbanRules } from "../../src/partners/settings/iban-rules.ts";
import type { StatedBalance, StatementSeen } from "../camt/statement.ts";
import type { Piece, PieceCutter } from "../bytes/piece-cutter.ts";
import type { BatchOpener } from "../records/batch.ts";
import type { Turn } from "../turn.ts";
import type { RecordPart } from "../records/record-part.ts";
import type { CheckedRecord, FieldNames, Problem } from "../records/record.ts";

/** A landed file, and how its partner sends. */
export type FileInput = {
  /** Absolute path in the vault. */
  path: string;
  /** All of it, where it is small and was read already: then nothing need lie at the path. */
  bytes?: Buffer;
  sizeBytes: number;
  opener: BatchOpener;
  /** The partner's OpenPGP keys, as armoured text. */
  findPgpKeys(): Promise<string[]>;
  /** The delivery's, which its rows bear. */
  deliveryPosition: number;
  /** How the partner's accounts are called of which a file tells the IBAN. */
  ibanRules: IbanRules;
  /** How the partner writes its tables. */
  csv: CsvDialect;
  /** Whether the partner's files must end with a manifest. */
  manifestRequired: boolean;
  /** Asked before each piece. */
  turn: Turn;
};

/** How much of a delivery is committed. */
export type Checkpoint = { batches: number; records: number };

/**
 * Consecutive records of one batch, or one batch that is refused whole. The same file always yields the same groups.
 */
export type RecordGroup = {
  /** Index of the batch in the delivery, from 0. */
  batch: number;
  /** Line of the batch in the file, from 1; 0 where the format has no lines. */
  line: number;
  /** Index of the first record within its batch. */
  firstIndex: number;
  /** The records in their order. */
  parts: readonly RecordPart[];
  /** How many they are. */
  records: number;
  /** Plaintext bytes, for the bound on what is held. */
  sizeBytes: number;
  startsBatch: boolean;
  /** Set where the format carries reqIds that no door has recorded yet. */
  request: { id: string; contentSha256: Buffer } | null;
  /**
   * The batch is an earlier line of the same file once more: `parts` is empty, and `records` are known whatever they
   * are.
   */
  isRepeat?: true;
  /** Of a repeat that an earlier delivery brought: whose its records are, by our numbers. */
  userIds?: readonly number[];
  /** Why the batch is refused whole, and how many records it was seen to hold; `parts` is empty then. */
  refusal: { field: string; reason: string; records: number } | null;
  /** What banks' statements say beside their entries: those that ended in this group, and what their accounts held. */
  statements?: readonly StatementSeen[];
  balances?: readonly StatedBalance[];
};

/** A piece of which nothing is new, and whose its records are. */
export type KnownPiece = Piece & { userIds: readonly number[] };

/** A batch as it came, still sealed, with the digest of its bytes and what its reqId seems to be at a glance. */
export type SealedBatch = { batch: number; sha256: Buffer; requestId: string };

/** A batch of which nothing is new: what it is known to hold, and whose its records are. */
export type KnownBatch = { records: number; userIds: readonly number[] };

/** Batches of a file that the ledger has as they stand. */
export type KnownBatches = {
  /** By the batch's index: known by its sealed bytes, with what its reqId stands for. */
  sealed: ReadonlyMap<number, KnownBatch & { request: { id: string; contentSha256: Buffer } }>;
  /** Asked of a batch that was opened. Null: it is to be read. */
  findOpened(contentSha256: Buffer): Promise<KnownBatch | null>;
};

/**
 * What groups() need not read: pieces in the order of the file, each of which comes as a repeat; or whole batches.
 * @param cutter of a file that was not surveyed: told where elements end as they are read
 */
export type Known = { pieces?: readonly KnownPiece[]; batches?: KnownBatches; cutter?: PieceCutter };

export type DeliveryReader = {
  /** Whatever must be known before anything may be loaded: tag, manifest, end of the file. @throws DeliveryRefused */
  verify(): Promise<void>;
  /**
   * Reads to the end for faults that refuse the whole delivery and show only there. Asked when the delivery is too long
   * to be loaded in one transaction. @param cutter asked of those that cut pieces only @throws DeliveryRefused
   */
  survey(cutter?: PieceCutter): Promise<void>;
  /** Surveys cut the plaintext into pieces, and groups() can leave out those that are known. */
  cutsPieces?: true;
  /** Of a format of many batches: as they came, at most so many; groups() can leave out those that are known. */
  digestBatches?(batchesMax: number): Promise<SealedBatch[]>;
  /**
   * The groups behind the checkpoint; with `asValues` none has rows, so that any of its records can be picked.
   * @param known each comes as a repeat
   * @throws DeliveryRefused for faults that survey() finds.
   */
  groups(from: Checkpoint, asValues?: boolean, known?: Known): AsyncIterable<RecordGroup>;
  /** A group's record ready to load, or everything that is wrong with it. */
  check(value: unknown): CheckedRecord | Problem[];
  fields: FieldNames;
};

/** What a file of that size may open to, over all its layers. */
export function openedBytesMaxOf({ sizeBytes }: Pick<FileInput, "sizeBytes">): number {
  return Math.max(openedBytesAlways, sizeBytes * openedRatioMax);
}

/** From the beginning. */
export const start: Checkpoint = { batches: 0, records: 0 };

/**
 * The part of a group of the delivery's first and only batch that lies behind the checkpoint; null when none does. Of
 * values only.
 */
export function behind(group: RecordGroup, from: Checkpoint): RecordGroup | null {
  const skipped = Math.max(0, from.records - group.firstIndex);
  if (skipped === 0) return group;
  return skipped >= group.records ? null : pick(group, skipped, group.records);
}

/** Some of a group's records, which do not begin its batch anew. Of values only. */
export function pick(group: RecordGroup, from: number, to: number): RecordGroup {
  const [part, ...others] = group.parts;
  if (part?.kind !== "values" || others.length > 0) throw new TypeError("records can be picked from values only");
  const values = part.values.slice(from, to);
  return {
    ...group,
    startsBatch: false,
    firstIndex: group.firstIndex + from,
    records: values.length,
    parts: [{ kind: "values", values, lines: part.lines?.slice(from, to) ?? null }],
  };
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
