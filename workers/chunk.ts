/** A chunk: as many records as are committed in one transaction, checked as they come. */
import { chunkBytesMax, chunkRecordsMax, problemsKeptMax } from "../config/limits.ts";
import type { KeptProblem } from "../src/ledger/progress.ts";
import type { RecordGroup } from "./formats/reader.ts";
import { type CheckedRecord, checkRecord } from "./record.ts";

/** A record that may be loaded, and where it stands. */
export type PlacedRecord = { record: CheckedRecord; line: number; index: number };

export type LineRequest = { line: number; id: string; contentSha256: Buffer };

export type Chunk = {
  /** Everything consumed: good records, bad ones, and those of batches refused whole. */
  records: number;
  batches: number;
  batchesRefused: number;
  recordsRefused: number;
  good: PlacedRecord[];
  problems: KeptProblem[];
  requests: LineRequest[];
  sizeBytes: number;
  /** No group follows. */
  isLast: boolean;
};

/** Index of a problem that concerns a whole line. */
export const wholeLine = -1;

/** Groups gathered to chunks. The last one may be empty; there always is a last one. */
export async function* chunksOf(groups: AsyncIterable<RecordGroup>): AsyncGenerator<Chunk> {
  let chunk = emptyChunk();
  for await (const group of groups) {
    if (chunk.records + chunk.batches > 0 && !hasRoom(chunk, group)) {
      yield chunk;
      chunk = emptyChunk();
    }
    addGroup(chunk, group);
  }
  yield { ...chunk, isLast: true };
}

/** Batches count like records: a file may consist of refused lines. */
function hasRoom(chunk: Chunk, group: RecordGroup): boolean {
  return chunk.records + chunk.batches + group.records.length <= chunkRecordsMax && chunk.sizeBytes + group.sizeBytes <= chunkBytesMax;
}

function emptyChunk(): Chunk {
  return { records: 0, batches: 0, batchesRefused: 0, recordsRefused: 0, good: [], problems: [], requests: [], sizeBytes: 0, isLast: false };
}

function addGroup(chunk: Chunk, group: RecordGroup): void {
  const { line, refusal } = group;
  if (group.startsBatch) chunk.batches += 1;
  chunk.sizeBytes += group.sizeBytes;
  if (group.request) chunk.requests.push({ line, ...group.request });
  if (refusal) {
    chunk.batchesRefused += 1;
    chunk.records += refusal.records;
    chunk.recordsRefused += refusal.records;
    note(chunk, { line, index: wholeLine, field: refusal.field, reason: refusal.reason });
  }
  chunk.records += group.records.length;
  for (const [offset, value] of group.records.entries()) addRecord(chunk, line, group.firstIndex + offset, value);
}

function addRecord(chunk: Chunk, line: number, index: number, value: unknown): void {
  const record = checkRecord(value);
  if (Array.isArray(record)) {
    chunk.recordsRefused += 1;
    for (const problem of record) note(chunk, { line, index, ...problem });
  } else {
    chunk.good.push({ record, line, index });
  }
}

/** No more are kept of a whole delivery. */
function note(chunk: Chunk, problem: KeptProblem): void {
  if (chunk.problems.length < problemsKeptMax) chunk.problems.push(problem);
}
