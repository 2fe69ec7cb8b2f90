/**
 * Revisiting: held records of a loaded delivery are read again from the kept original, at exactly their positions, and
 * loaded where they can be now. What still cannot is held again. Idempotent: a range that was taken is due no more.
 */
import { atOnceMsMax, chunkBytesMax, chunkRecordsMax } from "../../config/limits.ts";
import { isOfStatement, transact } from "../../src/database/database.ts";
import { Fault } from "../../src/errors.ts";
import { dueRanges, type DueRange, removeDue } from "../../src/deliveries/held.ts";
import { forgetProblems } from "../../src/deliveries/problems.ts";
import { addCounts, isWaitedFor, type LoadCounts } from "../../src/deliveries/progress.ts";
import { finishRevisit, lockLoaded, noteRevisited } from "../../src/deliveries/revisits.ts";
import { assign, type AssignedChunk } from "./assign.ts";
import { addGroup, type Check, type Chunk, emptyChunk } from "./chunk.ts";
import type { RecordPart } from "../records/record-part.ts";
import { type ReadRows, releaseRows } from "../bytes/read-rows.ts";
import { type RecordGroup, start } from "../formats/reader.ts";
import { ChunksTogether } from "./together.ts";
import type { PostedRows } from "../../src/ledger/post.ts";
import { commitAssigned, landedBytesRead, type Load, postChunk } from "./load.ts";

/**
 * Several chunks a transaction, as long as they are nothing but rows; where the database refuses one of those, chunk by
 * chunk.
 */
export async function revisitHeld(load: Load): Promise<void> {
  await load.reader.verify();
  if (!(await revisitTogether(load))) await revisitOneByOne(load);
  await finishRevisit(load.client, load.delivery.id);
}

type Assigned = { gathered: Gathered; assigned: AssignedChunk };

/**
 * @returns false when the database refused a statement: another loader brings the same rows in another order, which chunk
 * by chunk would wait; or one row is no row, and those before it are to be kept
 */
async function revisitTogether(load: Load): Promise<boolean> {
  const chunks = new Ahead(chunksOfRevisit(load));
  let { problemsKept } = load;
  try {
    for (let one = await chunks.next; one !== null; one = await chunks.next) {
      if (isSimple(one.assigned)) await commitTogether(load, chunks);
      else await commitGathered(load, chunks.take(one));
      problemsKept = load.problemsKept;
    }
    return true;
  } catch (error) {
    if (!isOfStatement(error)) throw error;
    load.problemsKept = problemsKept;
    return false;
  } finally {
    await chunks.end();
  }
}

async function revisitOneByOne(load: Load): Promise<void> {
  const chunks = new Ahead(chunksOfRevisit(load));
  try {
    for (let one = await chunks.next; one !== null; one = await chunks.next)
      await commitGathered(load, chunks.take(one));
  } finally {
    await chunks.end();
  }
}

/** What is due of the delivery, a chunk at a time, and whose it is now. */
async function* chunksOfRevisit({ context, delivery, reader }: Load): AsyncGenerator<Assigned> {
  // Of lines that are repeats every record is wanted too.
  const groups = reader.groups(start, delivery.format === "request" || delivery.format.startsWith("jsonl"));
  for await (const gathered of chunksOfRanges(groups, dueRanges(context.database, delivery.id), reader.check))
    yield { gathered, assigned: await assign(context.database, delivery, gathered.chunk, reader.fields) };
}

/** Whether nothing is locked for it but its rows, their txids and the delivery. */
function isSimple({ mappings, missingAccounts, requests, entryPayments, ...rest }: AssignedChunk): boolean {
  return (
    mappings.length + missingAccounts.length + requests.length + entryPayments.length === 0 &&
    rest.wholeEntryUserIds.length + rest.balances.length === 0
  );
}

/** The next chunks, as many as may go together; at least one. */
async function commitTogether(load: Load, chunks: Ahead<Assigned>): Promise<void> {
  const { client, context, delivery, turn } = load;
  const startedAtMs = performance.now() - turn.parkedMs;
  const follows = new ChunksTogether();
  const parked = Promise.withResolvers<null>();
  // A load that is parked for long has nobody wait for its rows.
  turn.whenParkedLong = async () => parked.resolve(null);
  const isOver = async () =>
    performance.now() - startedAtMs - turn.parkedMs > atOnceMsMax ||
    follows.isFull() ||
    (await isWaitedFor(context.database, delivery.id));
  const work = async () => {
    await lockLoaded(client, delivery.id);
    const read = { records: 0, bytes: 0 };
    for (let one = await chunks.next; one !== null; one = await Promise.race([chunks.next, parked.promise])) {
      if (!isSimple(one.assigned)) break;
      await addTogether(load, chunks.take(one), follows);
      read.records += one.gathered.chunk.records;
      read.bytes = await landedBytesRead(load, one.gathered.chunk);
      if (await isOver()) break;
    }
    await follows.post(client, delivery);
    await addCounts(client, delivery.id, follows.counts);
    await noteRevisited(client, delivery.id, read);
  };
  try {
    await transact(client, work, { begin: "begin; set local synchronous_commit = off" });
  } finally {
    turn.whenParkedLong = null;
  }
}

async function addTogether(load: Load, { gathered, assigned }: Assigned, follows: ChunksTogether): Promise<void> {
  const { chunk, ranges, done } = gathered;
  let arrivals: PostedRows["arrivals"] = [];
  await postChunk(load, chunk, assigned, {
    begin: () => removeRanges(load, ranges),
    follows: (_, posted) => void ({ arrivals } = posted),
    end: async (counts) => follows.note(subtract(counts, ranges, chunk), assigned, arrivals),
    awaitsDisk: false,
  });
  releaseRows(done);
}

async function commitGathered(load: Load, { gathered, assigned }: Assigned): Promise<void> {
  const { client, delivery } = load;
  const { chunk, ranges, done } = gathered;
  await commitAssigned(load, chunk, assigned, {
    async begin() {
      await lockLoaded(client, delivery.id);
      await removeRanges(load, ranges);
    },
    // As in a load: what ends the revisit is written behind all of it, and waits for the disk.
    awaitsDisk: false,
    async end(counts) {
      await addCounts(client, delivery.id, subtract(counts, ranges, chunk));
      await noteRevisited(client, delivery.id, { records: chunk.records, bytes: await landedBytesRead(load, chunk) });
    },
  });
  releaseRows(done);
}

async function removeRanges({ client, delivery }: Load, ranges: readonly DueRange[]): Promise<void> {
  if (!(await removeDue(client, delivery.id, ranges))) throw new Fault("LOAD_OVERTAKEN");
  await forgetProblems(client, delivery.id, ranges, delivery.format.startsWith("jsonl"));
}

/**
 * What the ranges counted as before goes, what their records count as now comes. A batch of which nothing was seen
 * brings records of its own.
 */
function subtract(counts: LoadCounts, ranges: readonly DueRange[], chunk: Chunk): LoadCounts {
  const before = (kind: DueRange["kind"]) =>
    ranges.filter((range) => range.kind === kind).reduce((sum, range) => sum + range.records, 0);
  const wholeBatches = ranges.filter((range) => range.firstIndex < 0).length;
  return {
    ...counts,
    batches: 0,
    batchesRefused: counts.batchesRefused - wholeBatches,
    records: chunk.records - before("refused") - before("waiting") - before("conflicting"),
    recordsConflicting: counts.recordsConflicting - before("conflicting"),
    recordsRefused: counts.recordsRefused - before("refused"),
    recordsWaiting: counts.recordsWaiting - before("waiting"),
  };
}

type Gathered = {
  chunk: Chunk;
  ranges: DueRange[];
  /** What nobody reads after this chunk. */
  done: ReadRows[];
};

/** The next item is read while the one before it is taken in. */
class Ahead<Item> {
  /** Null: there is none. */
  next: Promise<Item | null>;
  readonly #items: AsyncGenerator<Item>;

  constructor(items: AsyncGenerator<Item>) {
    this.#items = items;
    this.next = this.#read();
  }

  /** @param item what `next` is @returns the same */
  take(item: Item): Item {
    this.next = this.#read();
    return item;
  }

  /** Nothing is read any more. */
  async end(): Promise<void> {
    await this.next.catch(() => undefined);
    await this.#items.return(undefined);
  }

  #read(): Promise<Item | null> {
    const reading = this.#items.next().then(({ done, value }) => (done === true ? null : (value as Item)));
    // Awaited when it is its turn; until then a failure must not count as unhandled.
    reading.catch(() => undefined);
    return reading;
  }
}

/** Records of a group, by their places therein. */
type Span = { from: number; to: number; isWholeBatch: boolean };

/** Whole ranges gathered to chunks, none of which is larger than one; of a group that two chunks share, each takes its part. */
async function* chunksOfRanges(
  groups: AsyncIterable<RecordGroup>,
  ranges: AsyncIterable<DueRange>,
  check: Check,
): AsyncGenerator<Gathered> {
  let gathered: Gathered = { chunk: emptyChunk(), ranges: [], done: [] };
  for await (const { group, covering } of findRanges(groups, ranges)) {
    let spans: Span[] = [];
    let spanned = 0;
    for (const range of covering) {
      const isAnother = gathered.ranges.at(-1) !== range;
      if (isAnother && !hasRoom(gathered.chunk, spanned, range)) {
        takeSpans(gathered.chunk, group, spans, check);
        yield gathered;
        gathered = { chunk: emptyChunk(), ranges: [], done: [] };
        [spans, spanned] = [[], 0];
      }
      if (isAnother) gathered.ranges.push(range);
      const span = spanOf(group, range);
      spans.push(span);
      spanned += span.to - span.from;
    }
    takeSpans(gathered.chunk, group, spans, check);
    gathered.done.push(...group.parts.flatMap((part) => (part.kind === "rows" ? [part.rows] : [])));
  }
  if (gathered.ranges.length > 0) yield gathered;
}

function hasRoom(chunk: Chunk, gathered: number, range: DueRange): boolean {
  const taken = chunk.records + chunk.batches + gathered;
  return taken === 0 || (taken + range.records <= chunkRecordsMax && chunk.sizeBytes <= chunkBytesMax);
}

function countSpans(spans: readonly Span[]): number {
  return spans.reduce((sum, { from, to }) => sum + to - from, 0);
}

function takeSpans(chunk: Chunk, group: RecordGroup, spans: readonly Span[], check: Check): void {
  if (spans.length > 0) addGroup(chunk, cut(group, spans), check);
}

/** Groups with the ranges that cover some of them. Both come in order of location, so each is read once. */
async function* findRanges(
  groups: AsyncIterable<RecordGroup>,
  ranges: AsyncIterable<DueRange>,
): AsyncGenerator<{ group: RecordGroup; covering: DueRange[] }> {
  const pending = ranges[Symbol.asyncIterator]();
  let next = await pending.next();
  for await (const group of groups) {
    const covering: DueRange[] = [];
    while (next.done !== true && next.value.batch === group.batch && next.value.firstIndex < endOf(group)) {
      covering.push(next.value);
      if (next.value.lastIndex >= endOf(group)) break;
      next = await pending.next();
    }
    if (covering.length > 0) yield { group, covering };
    if (next.done === true) return;
  }
}

function endOf(group: RecordGroup): number {
  return group.firstIndex + group.records;
}

function spanOf(group: RecordGroup, range: DueRange): Span {
  if (range.firstIndex < 0) return { from: 0, to: group.records, isWholeBatch: true };
  return {
    from: Math.max(0, range.firstIndex - group.firstIndex),
    to: Math.min(group.records, range.lastIndex + 1 - group.firstIndex),
    isWholeBatch: false,
  };
}

/**
 * A batch refused whole is taken as it is now; of others the spans' records, which are none that begin the batch anew.
 */
function cut(group: RecordGroup, spans: readonly Span[]): RecordGroup {
  if (spans.some((span) => span.isWholeBatch)) return group;
  const records = countSpans(spans);
  if (records === group.records) return { ...group, startsBatch: false, request: null };
  const parts: RecordPart[] = [];
  let at = 0;
  for (const part of group.parts) {
    const length = part.kind === "rows" ? part.rows.count : part.values.length;
    const inPart = spans.flatMap(({ from, to }) => {
      const [first, behind] = [Math.max(from, at) - at, Math.min(to, at + length) - at];
      return first < behind ? [{ from: first, to: behind }] : [];
    });
    parts.push(...pickPart(part, group.firstIndex + at, inPart));
    at += length;
  }
  return {
    ...group,
    startsBatch: false,
    request: null,
    parts,
    records,
    sizeBytes: Math.ceil((group.sizeBytes * records) / group.records),
  };
}

function pickPart(part: RecordPart, firstIndex: number, spans: readonly { from: number; to: number }[]): RecordPart[] {
  if (spans.length === 0) return [];
  if (part.kind === "rows") {
    const taken = new Uint8Array(part.rows.count);
    for (const { from, to } of spans) taken.fill(1, from, to);
    return [{ ...part, firstIndex, taken }];
  }
  return spans.map(({ from, to }) => ({
    ...part,
    firstIndex: firstIndex + from,
    values: part.values.slice(from, to),
    lines: part.lines?.slice(from, to) ?? null,
  }));
}
