/**
 * Revisiting: held records of a loaded delivery are read again from the kept original, at exactly their positions, and
 * loaded where they can be now. What still cannot is held again. Idempotent: a range that was taken is due no more.
 */
import { chunkBytesMax, chunkRecordsMax } from "../../config/limits.ts";
import { Fault } from "../../src/errors.ts";
import { dueRanges, type HeldRange, removeDue } from "../../src/deliveries/held.ts";
import { forgetProblems } from "../../src/deliveries/problems.ts";
import { addCounts, type LoadCounts } from "../../src/deliveries/progress.ts";
import { finishRevisit, lockLoaded } from "../../src/deliveries/revisits.ts";
import { assign } from "./assign.ts";
import { addGroup, type Check, type Chunk, emptyChunk } from "./chunk.ts";
import { pick, type RecordGroup, start } from "../formats/reader.ts";
import { commitAssigned, type Load } from "./load.ts";

export async function revisitHeld(load: Load): Promise<void> {
  const { client, context, delivery, reader } = load;
  await reader.verify();
  for await (const { chunk, ranges } of chunksOfRanges(
    reader.groups(start, true),
    dueRanges(context.database, delivery.id),
    reader.check,
  )) {
    const assigned = await assign(context.database, delivery, chunk, reader.fields);
    await commitAssigned(load, chunk, assigned, {
      begin: () => removeRanges(load, ranges),
      awaitsDisk: true,
      end: (counts) => addCounts(client, delivery.id, subtract(counts, ranges, chunk)),
    });
  }
  await finishRevisit(client, delivery.id);
}

async function removeRanges({ client, delivery }: Load, ranges: readonly HeldRange[]): Promise<void> {
  await lockLoaded(client, delivery.id);
  if (!(await removeDue(client, delivery.id, ranges))) throw new Fault("LOAD_OVERTAKEN");
  await forgetProblems(client, delivery.id, ranges, delivery.format.startsWith("jsonl"));
}

/**
 * What the ranges counted as before goes, what their records count as now comes. A batch of which nothing was seen
 * brings records of its own.
 */
function subtract(counts: LoadCounts, ranges: readonly HeldRange[], chunk: Chunk): LoadCounts {
  const before = (kind: HeldRange["kind"]) =>
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

type RangesChunk = { chunk: Chunk; ranges: HeldRange[] };

/** Whole ranges gathered to chunks. A range was held by one chunk, so it has no more records than one. */
async function* chunksOfRanges(
  groups: AsyncIterable<RecordGroup>,
  ranges: AsyncIterable<HeldRange>,
  check: Check,
): AsyncGenerator<RangesChunk> {
  let gathered: RangesChunk = { chunk: emptyChunk(), ranges: [] };
  for await (const { range, group } of findRanges(groups, ranges)) {
    const { chunk } = gathered;
    const isAnother = gathered.ranges.at(-1) !== range;
    if (
      isAnother &&
      (chunk.records + chunk.batches + range.records > chunkRecordsMax || chunk.sizeBytes > chunkBytesMax)
    ) {
      yield gathered;
      gathered = { chunk: emptyChunk(), ranges: [] };
    }
    if (isAnother) gathered.ranges.push(range);
    addGroup(gathered.chunk, group, check);
  }
  if (gathered.ranges.length > 0) yield gathered;
}

/** Each range with the parts of groups that it covers. Both sides come in order of location, so each is read once. */
async function* findRanges(
  groups: AsyncIterable<RecordGroup>,
  ranges: AsyncIterable<HeldRange>,
): AsyncGenerator<{ range: HeldRange; group: RecordGroup }> {
  const pending = ranges[Symbol.asyncIterator]();
  let next = await pending.next();
  for await (const group of groups) {
    while (next.done !== true && next.value.batch === group.batch && next.value.firstIndex < endOf(group)) {
      yield { range: next.value, group: cut(group, next.value) };
      if (next.value.lastIndex >= endOf(group)) break;
      next = await pending.next();
    }
    if (next.done === true) return;
  }
}

function endOf(group: RecordGroup): number {
  return group.firstIndex + group.records;
}

/**
 * A batch refused whole is taken as it is now; of others the range's records, which are none that begin the batch anew.
 */
function cut(group: RecordGroup, range: HeldRange): RecordGroup {
  if (range.firstIndex < 0) return group;
  const from = Math.max(0, range.firstIndex - group.firstIndex);
  const to = range.lastIndex + 1 - group.firstIndex;
  return {
    ...pick(group, from, to),
    request: null,
    sizeBytes: Math.ceil((group.sizeBytes * (to - from)) / group.records),
  };
}
