/** A chunk: as many records as are committed in one transaction, checked as they come. */
import { chunkBytesMax, chunkRecordsMax, problemsKeptMax } from "../../config/limits.ts";
import type { HeldRecord } from "../../src/deliveries/held.ts";
import type { KeptProblem } from "../../src/deliveries/problems.ts";
import type { StatedBalance, StatementSeen } from "../camt/statement.ts";
import { releaseRows, type ReadRows } from "../bytes/read-rows.ts";
import type { DeliveryReader, RecordGroup } from "../formats/reader.ts";
import type { CheckedRecord } from "../records/record.ts";

/** Where a record stands: its batch and index therein, from 0; its line, from 1, or 0 where there are none. */
export type RecordLocation = { batch: number; line: number; index: number };

/** A record that may be loaded, and where it stands. */
export type LocatedRecord<Checked extends CheckedRecord = CheckedRecord> = RecordLocation & { record: Checked };

/**
 * Rows of one batch that stand behind each other; line: null where each has a line of its own. Row by row whether it
 * counts; taken null: all do.
 */
export type LocatedRows = {
  batch: number;
  line: number | null;
  firstIndex: number;
  rows: ReadRows;
  taken: Uint8Array | null;
};

/** A batch that carries a reqId, and how many records it holds. */
export type LineRequest = { batch: number; line: number; records: number; id: string; contentSha256: Buffer };

export type Chunk = {
  /** Everything consumed: good records, bad ones, and those of batches refused whole. */
  records: number;
  batches: number;
  batchesRefused: number;
  recordsRefused: number;
  /** Records that came before, by batch; they are not among the good ones. */
  repeats: Repeat[];
  /** Single records and whole runs of rows, in the order in which they came. */
  good: (LocatedRecord | LocatedRows)[];
  /** Positions of what was refused. */
  held: HeldRecord[];
  problems: KeptProblem[];
  requests: LineRequest[];
  /** Of banks' own statements. */
  statements: StatementSeen[];
  balances: StatedBalance[];
  sizeBytes: number;
  /** Records to be posted or held; of repeats, which are neither, users to be looked after. */
  work: number;
  /** No group follows. */
  isLast: boolean;
};

/** userIds: whose the records are that an earlier delivery brought; null: an earlier line of the same file did. */
export type Repeat = { batch: number; records: number; userIds: readonly number[] | null };

/** Index of a problem that concerns a whole batch. */
export const wholeBatch = -1;

const balancesDiffer =
  "opening balance and booked entries do not come to the closing balance: entries are missing, or there twice";

export type Check = DeliveryReader["check"];

/**
 * Groups gathered to chunks. The last one may be empty; there always is a last one.
 * @param recordsMax of each, or given how many records stand before it
 */
export async function* chunksOf(
  groups: AsyncIterable<RecordGroup>,
  check: Check,
  recordsMax: number | ((before: number) => number) = chunkRecordsMax,
): AsyncGenerator<Chunk> {
  const maxBehind = typeof recordsMax === "number" ? () => recordsMax : recordsMax;
  let chunk = emptyChunk();
  let before = 0;
  for await (const group of groups) {
    if (chunk.records + chunk.batches > 0 && !hasRoom(chunk, group, maxBehind(before))) {
      before += chunk.records;
      yield chunk;
      chunk = emptyChunk();
    }
    addGroup(chunk, group, check);
  }
  yield { ...chunk, isLast: true };
}

/** Batches count like records: a file may consist of refused lines. */
function hasRoom(chunk: Chunk, group: RecordGroup, recordsMax: number): boolean {
  return chunk.work + chunk.batches + workOf(group) <= recordsMax && chunk.sizeBytes + group.sizeBytes <= chunkBytesMax;
}

function workOf({ isRepeat, records, userIds = [] }: RecordGroup): number {
  return isRepeat ? userIds.length : records;
}

export function emptyChunk(): Chunk {
  return {
    records: 0,
    batches: 0,
    batchesRefused: 0,
    recordsRefused: 0,
    repeats: [],
    work: 0,
    good: [],
    held: [],
    problems: [],
    requests: [],
    statements: [],
    balances: [],
    sizeBytes: 0,
    isLast: false,
  };
}

export function addGroup(chunk: Chunk, group: RecordGroup, check: Check): void {
  const { batch, line, refusal } = group;
  if (group.startsBatch) chunk.batches += 1;
  chunk.sizeBytes += group.sizeBytes;
  if (group.request) chunk.requests.push({ batch, line, records: group.records, ...group.request });
  if (group.balances) chunk.balances.push(...group.balances);
  for (const statement of group.statements ?? []) {
    chunk.statements.push(statement);
    if (statement.balances === "differ")
      note(chunk, { line: statement.line, index: wholeBatch, field: "Bal", reason: balancesDiffer });
  }
  if (refusal) {
    chunk.batchesRefused += 1;
    chunk.records += refusal.records;
    chunk.recordsRefused += refusal.records;
    chunk.work += refusal.records;
    note(chunk, { line, index: wholeBatch, field: refusal.field, reason: refusal.reason });
    chunk.held.push(refusedRecord({ batch, line, index: wholeBatch }, refusal, refusal.records));
  }
  chunk.records += group.records;
  if (group.isRepeat) {
    if (refusal === null) chunk.repeats.push({ batch, records: group.records, userIds: group.userIds ?? null });
    chunk.work += workOf(group);
    return;
  }
  chunk.work += workOf(group);
  let index = group.firstIndex;
  for (const part of group.parts) {
    index = part.firstIndex ?? index;
    if (part.kind === "rows") {
      chunk.good.push({
        batch,
        line: line === 0 ? null : line,
        firstIndex: index,
        rows: part.rows,
        taken: part.taken ?? null,
      });
      index += part.rows.count;
      continue;
    }
    for (const [offset, value] of part.values.entries()) {
      addRecord(chunk, { batch, line: part.lines?.[offset] ?? line, index }, check(value));
      index += 1;
    }
  }
}

/** Of a run's records that one. */
export function locationOf({ batch, line, firstIndex, rows }: LocatedRows, row: number): RecordLocation {
  return { batch, line: line ?? (rows.lines[row] as number), index: firstIndex + row };
}

/** How many of its rows count. */
export function countTaken({ rows, taken }: LocatedRows): number {
  return taken === null ? rows.count : taken.reduce((sum, one) => sum + one, 0);
}

/** When nobody reads the chunk's rows any more. */
export function releaseBlocks(chunk: Chunk): void {
  releaseRows(chunk.good.flatMap((item) => ("rows" in item ? [item.rows] : [])));
}

export function refusedRecord(
  location: RecordLocation,
  problem: { field: string; reason: string },
  records = 1,
): HeldRecord {
  return {
    batch: location.batch,
    line: location.line,
    index: location.index,
    kind: "refused",
    field: problem.field,
    reason: problem.reason,
    records,
    accountKey: null,
  };
}

function addRecord(chunk: Chunk, location: RecordLocation, record: ReturnType<Check>): void {
  if (!Array.isArray(record)) {
    chunk.good.push({ record, ...location });
    return;
  }
  chunk.recordsRefused += 1;
  for (const problem of record) note(chunk, { line: location.line, index: location.index, ...problem });
  chunk.held.push(refusedRecord(location, record[0] ?? { field: "", reason: "" }));
}

/** No more are kept of a whole delivery. */
function note(chunk: Chunk, problem: KeptProblem): void {
  if (chunk.problems.length < problemsKeptMax) chunk.problems.push(problem);
}
