/**
 * Loading: one chunk, one transaction, in which the rows, everything that follows from them and the delivery's checkpoint
 * are committed together. So a loader may die anywhere, and the next one goes on behind the checkpoint.
 */
import { chunkAttemptsMax, problemsKeptMax } from "../config/limits.ts";
import type { Transaction } from "../src/database.ts";
import { Fault } from "../src/errors.ts";
import { ascending, markChanged, postMarkers, touchUsers } from "../src/ledger/changes.ts";
import { postAccounts, postCards } from "../src/ledger/holdings.ts";
import { post, type PostedRows, type PostingHabit } from "../src/ledger/post.ts";
import { advance, holdCheckpoint, keepProblems, type KeptProblem, type LoadableDelivery, type LoadCounts } from "../src/ledger/progress.ts";
import { claimRequests } from "../src/ledger/requests.ts";
import { assign, type AssignedChunk, type PlacedRow } from "./assign.ts";
import { type Chunk, chunksOf } from "./chunk.ts";
import type { WorkerContext } from "./context.ts";
import type { Checkpoint, DeliveryReader } from "./formats/reader.ts";

export type Load = {
  context: WorkerContext;
  /** The connection of the load's transactions. */
  client: Transaction;
  delivery: LoadableDelivery;
  reader: DeliveryReader;
  /** Whether everything that could refuse the delivery whole has been looked for. */
  surveyed: boolean;
  /** Moves with each commit. */
  checkpoint: Checkpoint;
  habit: PostingHabit;
  problemsKept: number;
};

/** Loads what lies behind the checkpoint. While one chunk is on its way into the database, the next is read and checked. */
export async function loadChunks(load: Load): Promise<void> {
  let committing: Promise<void> = Promise.resolve();
  try {
    for await (const chunk of chunksOf(load.reader.groups(load.checkpoint))) {
      await surveyOnce(load, chunk);
      const assigned = await assign(load.context.database, load.delivery, chunk);
      await committing;
      committing = commitChunk(load, chunk, assigned);
      // Awaited with the next chunk; until then a failure must not count as unhandled.
      committing.catch(() => undefined);
    }
  } finally {
    // The connection must be at rest before anything else is asked of it, also when reading failed.
    await committing.catch(() => undefined);
  }
  await committing;
}

/** A delivery of one transaction shows its faults before it commits anything; a longer one is read to its end before. */
async function surveyOnce(load: Load, chunk: Chunk): Promise<void> {
  if (load.surveyed || chunk.isLast) return;
  await load.reader.survey();
  load.surveyed = true;
}

async function commitChunk(load: Load, chunk: Chunk, firstAssigned: AssignedChunk): Promise<void> {
  let assigned = firstAssigned;
  for (let attempt = 1; attempt <= chunkAttemptsMax; attempt += 1) {
    if (await inTransaction(load.client, () => postChunk(load, chunk, assigned))) {
      load.checkpoint = { batches: load.checkpoint.batches + chunk.batches, records: load.checkpoint.records + chunk.records };
      return;
    }
    assigned = await assign(load.context.database, load.delivery, chunk);
  }
  throw new Fault("LOAD_OVERTAKEN");
}

/** @returns false, to be rolled back, when a reqId came to mean other content since the chunk was assigned. */
async function postChunk(load: Load, chunk: Chunk, assigned: AssignedChunk): Promise<boolean> {
  const { client, delivery } = load;
  await holdCheckpoint(client, delivery.id, load.checkpoint);
  if (!(await claimRequests(client, delivery.partnerId, delivery.id, assigned.requests))) return false;
  const posted = await post(client, assigned.posting, load.habit);
  await postConsequences(client, delivery, assigned, posted);
  const problems = problemsOf(assigned, posted).slice(0, Math.max(0, problemsKeptMax - load.problemsKept));
  await keepProblems(client, delivery.id, problems);
  await advance(client, delivery.id, countsOf(chunk, assigned, posted), chunk.isLast);
  load.problemsKept += problems.length;
  return true;
}

async function postConsequences(client: Transaction, delivery: LoadableDelivery, assigned: AssignedChunk, posted: PostedRows<PlacedRow>): Promise<void> {
  await postAccounts(client, assigned.accounts);
  await postCards(client, assigned.cards);
  await postMarkers(client, delivery, assigned.markerUserIds);
  await touchUsers(client, assigned.userIds);
  await markChanged(client, ascending([...posted.changedUserIds, ...assigned.markerUserIds]));
}

const conflictReason = "is loaded already with other content";

function problemsOf(assigned: AssignedChunk, posted: PostedRows<PlacedRow>): KeptProblem[] {
  return [...assigned.problems, ...posted.conflicting.map(({ line, index }) => ({ line, index, field: "tx.txid", reason: conflictReason }))];
}

function countsOf(chunk: Chunk, assigned: AssignedChunk, posted: PostedRows<PlacedRow>): LoadCounts {
  return {
    batches: chunk.batches,
    batchesRefused: assigned.batchesRefused,
    records: chunk.records,
    recordsNew: posted.recordsNew,
    recordsKnown: posted.recordsKnown,
    recordsConflicting: posted.conflicting.length,
    recordsRefused: assigned.recordsRefused,
    markers: assigned.markers,
  };
}

/** Commits when `work` returns true, rolls back when it returns false or throws. */
async function inTransaction(client: Transaction, work: () => Promise<boolean>): Promise<boolean> {
  await client.query("begin");
  try {
    const done = await work();
    await client.query(done ? "commit" : "rollback");
    return done;
  } catch (error) {
    // A connection that is gone rolls back by itself; its first error is the one to tell.
    await client.query("rollback").catch(() => undefined);
    throw error;
  }
}
