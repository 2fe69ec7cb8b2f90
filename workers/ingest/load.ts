/**
 * Loading: one chunk, one transaction, in which the rows, everything that follows from them and the delivery's
 * checkpoint are committed together. So a loader may die anywhere, and the next one goes on behind the checkpoint.
 */
import { stat } from "node:fs/promises";
import { chunkAttemptsMax, problemsKeptMax } from "../../config/limits.ts";
import { transact, type Transaction } from "../../src/database/database.ts";
import { Fault } from "../../src/errors.ts";
import {
  accountKey,
  findAccountOwners,
  lockAccountsForReading,
  lockAccountsForWriting,
  type MappingOutcome,
  postMappings,
} from "../../src/ledger/account-owners.ts";
import { hold, type HeldRecord, toRanges } from "../../src/deliveries/held.ts";
import { findToldOtherwise, findUsersWithParts, lockEntries } from "../../src/ledger/entry-parts.ts";
import { post, type PostedRows, type PostingHabit } from "../../src/ledger/post.ts";
import { keepProblems } from "../../src/deliveries/problems.ts";
import {
  advance,
  lockCheckpoint,
  type LoadableDelivery,
  type LoadCounts,
  noteBytesLoaded,
} from "../../src/deliveries/progress.ts";
import { claimRequests } from "../../src/deliveries/requests.ts";
import { keepStatements, type KeptStatement } from "../../src/deliveries/statements.ts";
import type { StatementSeen } from "../camt/statement.ts";
import { asProblem, assign, type AssignedChunk, conflictRuleOf } from "./assign.ts";
import type { Turn } from "../turn.ts";
import type { Pace } from "./pace.ts";
import { bytesReadOf } from "../bytes/reading.ts";
import { type Chunk, chunksOf, releaseBlocks, type RecordLocation } from "./chunk.ts";
import type { WorkerContext } from "../context.ts";
import type { Checkpoint, DeliveryReader } from "../formats/reader.ts";
import { postConsequences } from "./consequences.ts";
import { KnownVoided, type LoadKnown } from "./known.ts";
import { LoadBatches } from "./known-batches.ts";
import { LoadPieces, type PieceUse, usualPieces } from "./pieces.ts";

export type Load = {
  context: WorkerContext;
  /** The connection of the load's transactions. */
  client: Transaction;
  delivery: LoadableDelivery;
  reader: DeliveryReader;
  /** Whether everything that could refuse the delivery whole has been looked for. */
  surveyed: boolean;
  /** Null: nothing is known of the file, or no longer. */
  known: LoadKnown | null;
  /** Moves with each commit. */
  checkpoint: Checkpoint;
  habit: PostingHabit;
  problemsKept: number;
  /** Null: as fast as it goes. */
  pace: Pace | null;
  turn: Turn;
};

/** Why a load ended: nothing is left; it is ahead of its rate by so much; others have their turn. */
export type LoadEnd = { state: "loaded" | "yielded" } | { state: "paused"; restMs: number };

/**
 * Loads what lies behind the checkpoint. While one chunk is on its way into the database, the next is read and checked.
 */
export async function loadChunks(load: Load): Promise<LoadEnd> {
  await surveyFirst(load);
  try {
    return await loadRest(load);
  } catch (error) {
    if (!(error instanceof KnownVoided)) throw error;
    load.known = null;
    return await loadRest(load);
  }
}

async function loadRest(load: Load): Promise<LoadEnd> {
  let committing: Promise<void> = Promise.resolve();
  try {
    const groups = load.reader.groups(load.checkpoint, false, load.known?.known);
    for await (const chunk of chunksOf(groups, load.reader.check, load.pace?.chunkRecordsMax)) {
      await surveyOnce(load, chunk);
      const epoch = (await load.known?.epoch(load.context.database)) ?? null;
      const assigned = await assignChunk(load, chunk);
      await committing;
      committing = commitChunk(load, chunk, assigned, epoch);
      // Awaited with the next chunk; until then a failure must not count as unhandled.
      committing.catch(() => undefined);
      if (chunk.isLast || (load.pace === null && !load.turn.isOver)) continue;
      await committing;
      const restMs = await load.turn.rest(load.pace?.note(chunk.records) ?? 0);
      if (restMs > 0) return { state: "paused", restMs };
      if (load.turn.isOver) return { state: "yielded" };
    }
  } finally {
    // The connection must be at rest before anything else is asked of it, also when reading failed.
    await committing.catch(() => undefined);
  }
  await committing;
  return { state: "loaded" };
}

/** A large file is read to its end before, and known by its pieces or batches then. */
async function surveyFirst(load: Load): Promise<void> {
  const { context, delivery, reader } = load;
  const use = pieceUseOf(load);
  if (load.surveyed || use === null) return;
  if (reader.cutsPieces === true) load.known = await LoadPieces.survey(context, delivery, reader, use.rules);
  else if (isDigesting(reader))
    load.known = await LoadBatches.survey(context.database, delivery, reader, use.rules.piecesMax);
  else return;
  load.surveyed = true;
}

/** Null: the file is not known by what it holds, because it is too small or has begun. */
export function pieceUseOf({ context, delivery }: Load): PieceUse | null {
  const use = context.pieces === undefined ? usualPieces : context.pieces;
  return use === null || delivery.sizeBytes < use.fromBytes ? null : use;
}

function isDigesting(
  reader: DeliveryReader,
): reader is DeliveryReader & Required<Pick<DeliveryReader, "digestBatches">> {
  return reader.digestBatches !== undefined;
}

/**
 * A delivery of one transaction shows its faults before it commits anything; a longer one is read to its end before.
 */
async function surveyOnce(load: Load, chunk: Chunk): Promise<void> {
  if (load.surveyed || chunk.isLast) return;
  await load.reader.survey();
  load.surveyed = true;
}

export function assignChunk(load: Load, chunk: Chunk): Promise<AssignedChunk> {
  return assign(load.context.database, load.delivery, chunk, load.reader.fields);
}

async function commitChunk(
  load: Load,
  chunk: Chunk,
  firstAssigned: AssignedChunk,
  epoch: number | null,
): Promise<void> {
  const { client, delivery, known, checkpoint } = load;
  const hasKnown = chunk.repeats.some(({ userIds }) => userIds !== null);
  let kept: (() => void) | undefined;
  await commitAssigned(load, chunk, firstAssigned, {
    async begin() {
      await lockCheckpoint(client, delivery.id, checkpoint);
      if (hasKnown) await known?.confirm(client);
    },
    awaitsDisk: chunk.isLast,
    async end(counts, assigned, conflicting) {
      // Of a partner that corrects, a file's records of one txid are judged together.
      if (hasKnown && counts.recordsConflicting > 0 && conflictRuleOf(delivery) === "correct") throw new KnownVoided();
      await advance(client, delivery.id, counts, chunk.isLast);
      await noteHowFar(load, chunk);
      if (known === null || epoch === null) return;
      const isMixed = assigned.descriptionsDiffer || counts.recordsCorrected > 0;
      kept = await known.keep(client, {
        from: checkpoint.records,
        to: checkpoint.records + chunk.records,
        epoch,
        assigned,
        requests: assigned.requests,
        spoiled: isMixed ? "all" : conflicting,
      });
    },
  });
  kept?.();
  releaseBlocks(chunk);
  load.checkpoint = {
    batches: load.checkpoint.batches + chunk.batches,
    records: load.checkpoint.records + chunk.records,
  };
}

/** Reading is ahead of committing by a chunk or two, which nobody notices in a percentage. */
export async function noteHowFar(load: Load, chunk: Pick<Chunk, "isLast">): Promise<void> {
  if (load.delivery.vaultReference === null) return;
  await noteBytesLoaded(load.client, load.delivery.id, await landedBytesRead(load, chunk));
}

/**
 * Of the landed bytes; all with the last chunk, none of a request, which is loaded in one go. A CSV file that came in the
 * clear lies compressed and sealed in the vault, a quarter of what it was when it landed.
 */
export async function landedBytesRead({ context, delivery }: Load, chunk: Pick<Chunk, "isLast">): Promise<number> {
  if (delivery.vaultReference === null) return 0;
  if (chunk.isLast) return delivery.sizeBytes;
  const path = context.pathInVault(delivery.vaultReference);
  const { size } = await stat(path);
  return Math.round((bytesReadOf(path) / size) * delivery.sizeBytes);
}

/** What a chunk's transaction does before and after everything else. */
export type Bookkeeping = {
  /** What follows from the chunk's rows is written by who gathers it from several; absent: with the chunk. */
  follows?(assigned: AssignedChunk, posted: PostedRows): void;
  begin(): Promise<void>;
  /**
   * Whether the commit waits until it is on disk. A chunk in the middle of a load need not: after a crash of the server
   * its rows and its checkpoint are either both there or both not, and nothing counts as loaded before the last commit,
   * which waits for all before it too.
   */
  awaitsDisk: boolean;
  end(counts: LoadCounts, assigned: AssignedChunk, conflicting: readonly RecordLocation[]): Promise<void>;
};

/** Commits a chunk; anew when the world it was assigned in has changed meanwhile. @throws Fault LOAD_OVERTAKEN */
export async function commitAssigned(
  load: Load,
  chunk: Chunk,
  firstAssigned: AssignedChunk,
  bookkeeping: Bookkeeping,
): Promise<void> {
  let assigned = firstAssigned;
  for (let attempt = 1; attempt <= chunkAttemptsMax; attempt += 1) {
    if (
      await chunkTransaction(load.client, bookkeeping.awaitsDisk, () => postChunk(load, chunk, assigned, bookkeeping))
    )
      return;
    assigned = await assignChunk(load, chunk);
  }
  throw new Fault("LOAD_OVERTAKEN");
}

/**
 * @returns false, to be rolled back, when a reqId or an account came to mean something else since the chunk was
 * assigned.
 */
export async function postChunk(
  load: Load,
  chunk: Chunk,
  assigned: AssignedChunk,
  bookkeeping: Bookkeeping,
): Promise<boolean> {
  const { client, delivery } = load;
  if (!(await lockAccounts(load, assigned)) || !(await lockEntryPayments(load, assigned))) return false;
  await bookkeeping.begin();
  const requests = assigned.requests.map((request) => ({ ...request, deliveryId: delivery.id }));
  if (!(await claimRequests(client, delivery.partnerId, requests))) return false;
  const posted = await post(client, assigned.posting, load.habit, conflictRuleOf(delivery));
  const mapped = await postMappings(client, delivery, assigned.mappings, conflictRuleOf(delivery) === "correct");
  if (bookkeeping.follows === undefined) await postConsequences(client, delivery, assigned, posted, mapped);
  else bookkeeping.follows(assigned, posted);
  const conflicting = conflictingRecords(load, assigned, posted, mapped);
  const held = [...assigned.held, ...conflicting];
  const accountKeys = assigned.held.flatMap((one) => one.accountKey ?? []);
  await hold(client, delivery.id, toRanges(held), accountKeys);
  const problems = [...assigned.problems, ...conflicting.map(asProblem)].slice(
    0,
    Math.max(0, problemsKeptMax - load.problemsKept),
  );
  await keepProblems(client, delivery.id, problems);
  await keepStatements(
    client,
    delivery.id,
    chunk.statements.map((one) => asKept(delivery, one)),
  );
  await bookkeeping.end(countsOf(chunk, assigned, posted, mapped), assigned, conflicting);
  load.problemsKept += problems.length;
  return true;
}

/**
 * Before any row is locked, in every loader, so that none waits in a circle. @returns false when an account was named
 * meanwhile.
 */
async function lockAccounts({ client, delivery }: Load, assigned: AssignedChunk): Promise<boolean> {
  if (assigned.mappings.length > 0) await lockAccountsForWriting(client, delivery.partnerId);
  if (assigned.missingAccounts.length === 0) return true;
  await lockAccountsForReading(client, delivery.partnerId);
  return (await findAccountOwners(client, delivery.partnerId, assigned.missingAccounts)).size === 0;
}

/** @returns false when one of them was loaded in another way meanwhile. */
async function lockEntryPayments({ client, delivery }: Load, assigned: AssignedChunk): Promise<boolean> {
  const { entryPayments, wholeEntryUserIds } = assigned;
  if (entryPayments.length + wholeEntryUserIds.length === 0) return true;
  await lockEntries(client, delivery.partnerId);
  if ((await findUsersWithParts(client, wholeEntryUserIds)).size > 0) return false;
  return (await findToldOtherwise(client, entryPayments)).size === 0;
}

function asKept({ partnerId }: LoadableDelivery, { owner, ...statement }: StatementSeen): KeptStatement {
  return { ...statement, accountKey: accountKey(partnerId, owner) };
}

const conflictReason = "is loaded already with other content";
const ownerConflictReason = "belongs to another user already";

function conflictingRecords(
  load: Load,
  assigned: AssignedChunk,
  posted: PostedRows,
  mapped: readonly MappingOutcome[],
): HeldRecord[] {
  const { fields } = load.reader;
  return [
    ...posted.conflicting.map((row) => conflictingRecord(assigned.locationOf(row), fields.transaction, conflictReason)),
    ...assigned.mappings
      .filter((_, at) => mapped[at] === "conflicting")
      .map((mapping) => conflictingRecord(mapping, fields.account, ownerConflictReason)),
  ];
}

function conflictingRecord({ batch, line, index }: RecordLocation, field: string, reason: string): HeldRecord {
  return { batch, line, index, kind: "conflicting", field, reason, records: 1, accountKey: null };
}

/** Of a chunk whose rows were all new. */
export function countsOfNew(chunk: Chunk, assigned: AssignedChunk): LoadCounts {
  const recordsNew = assigned.posting.firsts.length;
  const posted = { recordsNew, recordsKnown: 0, conflicting: [], recordsCorrected: 0, arrivals: [] };
  return countsOf(chunk, assigned, posted, []);
}

/** A row of accounts counts once: by its mapping when that is news, else as the marker that it carries. */
function countsOf(
  chunk: Chunk,
  assigned: AssignedChunk,
  posted: PostedRows,
  mapped: readonly MappingOutcome[],
): LoadCounts {
  const count = (outcome: MappingOutcome) => mapped.filter((one) => one === outcome).length;
  const corrected = posted.recordsCorrected + count("corrected");
  const knownMarkers = assigned.mappings.filter(
    (mapping, at) => mapping.completesImport && mapped[at] === "known",
  ).length;
  return {
    batches: chunk.batches,
    batchesRefused: assigned.batchesRefused,
    records: chunk.records,
    recordsNew: posted.recordsNew + count("new"),
    recordsKnown: posted.recordsKnown + count("known") - knownMarkers + assigned.recordsRepeated,
    recordsConflicting: posted.conflicting.length + count("conflicting") + corrected,
    recordsCorrected: corrected,
    recordsRefused: assigned.recordsRefused,
    recordsWaiting: assigned.recordsWaiting,
    markers: assigned.markers + knownMarkers,
  };
}

/** Commits when `work` returns true, rolls back when it returns false or throws. */
function chunkTransaction(client: Transaction, awaitsDisk: boolean, work: () => Promise<boolean>): Promise<boolean> {
  return transact(client, work, {
    begin: awaitsDisk ? "begin" : "begin; set local synchronous_commit = off",
    keeps: (done) => done,
  });
}
