/**
 * Loading a file at once: its rows go into the ledger while it is read for the first time, and are committed when its
 * end has shown nothing that refuses it. Nothing is sent before the file's tag was verified, nobody sees a row before
 * the commit, and until then nothing is locked but the rows, their txids and the delivery: users, accounts and all else
 * that others write follow at its end. Reading costs a third less than with a look through the file before, and the
 * server does not wait for that.
 *
 * A chunk that does not simply go in, a row that is there already, somebody who waits to call the load off, or a file
 * that goes on past the bounds ends it: the file is looked through then, what is there is committed, and the rest is loaded chunk by chunk.
 */
import {
  atOnceChunksMax,
  atOnceCopyRecordsMax,
  atOnceMsMax,
  atOnceSealedBytesMax,
  chunkRecordsMax,
  problemsKeptMax,
} from "../../config/limits.ts";
import { isOfStatement, transact } from "../../src/database/database.ts";
import { askTogether } from "../../src/database/pg-inside.ts";
import { hold, type HeldRecord, toRanges } from "../../src/deliveries/held.ts";
import { keepProblems, type KeptProblem } from "../../src/deliveries/problems.ts";
import { advance, isWaitedFor, lockCheckpoint, noteBytesLoaded } from "../../src/deliveries/progress.ts";
import { arrivalsOf } from "../../src/ledger/posting.ts";
import { DirectCopy } from "../../src/ledger/transactions.ts";
import type { Arrival } from "../../src/partners/changed-users.ts";
import { keepLoaded, type LoadedPiece } from "../../src/partners/loaded-pieces.ts";
import type { AssignedChunk } from "./assign.ts";
import { type Chunk, chunksOf, releaseBlocks } from "./chunk.ts";
import { ChunksTogether } from "./together.ts";
import { assignChunk, countsOfNew, landedBytesRead, type Load, type LoadEnd, pieceUseOf } from "./load.ts";
import { LoadPieces, type PieceUse } from "./pieces.ts";

/** @returns null when what is left behind the checkpoint, or all, is to be loaded chunk by chunk */
export async function loadAtOnce(load: Load): Promise<LoadEnd | null> {
  const { context, delivery, reader, turn } = load;
  const use = pieceUseOf(load);
  if (load.surveyed || use === null || load.pace !== null || reader.cutsPieces !== true) return null;
  if (delivery.sizeBytes > atOnceSealedBytesMax) return null;
  const pieces = await LoadPieces.begin(context, delivery, use.rules);
  const loading = new LoadingAtOnce(load, pieces, use);
  turn.whenParkedLong = () => loading.abandon();
  try {
    return await loading.run();
  } finally {
    turn.whenParkedLong = null;
  }
}

/** A few milliseconds' work of the server, as the next chunk is of this thread. */
const firstRecordsMax = chunkRecordsMax / 32;

/** A chunk whose rows were sent, and which the server has not yet answered for. */
type SentChunk = { chunk: Chunk; assigned: AssignedChunk; epoch: number; arrivals: readonly Arrival[] };

class LoadingAtOnce {
  readonly #load: Load;
  readonly #pieces: LoadPieces;
  readonly #use: PieceUse;
  readonly #startedAtMs = performance.now();
  /** What chunks go into now, those that went, and the last one on its way. */
  #copy: DirectCopy | null = null;
  #sent: SentChunk[] = [];
  #sending: Promise<boolean> = Promise.resolve(true);
  #isAbandoned = false;
  /** Of all chunks that are in the transaction, but for those that were sent and not yet answered. */
  readonly #together = new ChunksTogether();
  #problems: KeptProblem[] = [];
  readonly #held: HeldRecord[] = [];
  /** By the epoch in which they were looked at. */
  readonly #kept = new Map<number, LoadedPiece[]>();

  constructor(load: Load, pieces: LoadPieces, use: PieceUse) {
    this.#load = load;
    this.#pieces = pieces;
    this.#use = use;
  }

  async run(): Promise<LoadEnd | null> {
    const load = this.#load;
    let isWhole = false;
    try {
      const isCommitted = await transact(
        load.client,
        async () => {
          isWhole = await this.#bringIn();
          if (!isWhole && this.#together.chunks > 0) await this.#lookThrough();
          if (this.#together.chunks === 0 || this.#isAbandoned) return false;
          await this.#finish(isWhole);
          return true;
        },
        { keeps: (done) => done },
      );
      if (!isCommitted) return null;
    } catch (error) {
      // Another loader brings the same rows in another order, which chunk by chunk would wait; or one row is no row, and
      // those before it are to be kept.
      if (isOfStatement(error)) return null;
      throw error;
    }
    const { batches, records } = this.#together.counts;
    load.checkpoint = { batches, records };
    load.problemsKept += this.#problems.length;
    if (isWhole) return { state: "loaded" };
    return load.turn.isOver ? { state: "yielded" } : null;
  }

  /** A load that is parked for long has nobody wait for its rows. */
  async abandon(): Promise<void> {
    if (this.#isAbandoned) return;
    this.#isAbandoned = true;
    await this.#sending.catch(() => false);
    await this.#giveUpCopy();
    await this.#load.client.query("rollback");
  }

  /** Copies chunks as long as they simply go in. @returns whether that was to the file's end */
  async #bringIn(): Promise<boolean> {
    const load = this.#load;
    await lockCheckpoint(load.client, load.delivery.id, load.checkpoint);
    try {
      // Before the first rows are there: while this thread reads on behind them, it would not hear for some milliseconds
      // that the server is ready for them.
      this.#copy = await DirectCopy.begin(load.client, load.habit.pieces);
      const isToTheEnd = await this.#sendChunks();
      return (await this.#sending) && (await this.#endCopy()) && isToTheEnd;
    } finally {
      // The connection must be at rest before anything else is asked of it, also when reading failed.
      await this.#sending.catch(() => false);
      await this.#giveUpCopy();
    }
  }

  /** @returns whether that was to the file's end, but for the last chunk that is being sent */
  async #sendChunks(): Promise<boolean> {
    const load = this.#load;
    const { database } = load.context;
    const groups = load.reader.groups(load.checkpoint, false, this.#pieces.known);
    // Asked while a chunk is read: the epoch before anything of it is looked at, and who waits since the one before.
    let epochThen = handled(this.#pieces.epoch(database));
    let isWaitedThen = Promise.resolve(false);
    for await (const chunk of chunksOf(groups, load.reader.check, (before) => this.#recordsBehind(before))) {
      const isKnown = handled(this.#pieces.isFrontKnown(database));
      const epoch = await epochThen;
      const assigned = await assignChunk(load, chunk);
      if ((await isKnown) || !(await this.#sending) || this.#isAbandoned || !isSimple(assigned)) {
        releaseBlocks(chunk);
        return false;
      }
      this.#sending = handled(this.#send(chunk, assigned, epoch));
      if (chunk.isLast) return true;
      if (this.#isOver() || (await isWaitedThen)) return false;
      isWaitedThen = handled(isWaitedFor(database, load.delivery.id));
      epochThen = handled(this.#pieces.epoch(database));
    }
    return false;
  }

  /**
   * The first chunks are small, so that the server does not wait for the first of them. That has the end of a piece in it
   * nevertheless, so that of a file that comes again nothing is sent.
   */
  #recordsBehind(before: number): number {
    if (before === 0 && this.#pieces.hasCut) return firstRecordsMax;
    return Math.min(chunkRecordsMax, Math.max(chunkRecordsMax / 8, before / 4));
  }

  #isOver(): boolean {
    const heldOfSent = this.#sent.reduce((sum, { assigned }) => sum + assigned.held.length, 0);
    return (
      this.#together.chunks + this.#sent.length >= atOnceChunksMax ||
      performance.now() - this.#startedAtMs - this.#load.turn.parkedMs > atOnceMsMax ||
      this.#together.isFull(this.#sent.map(({ assigned, arrivals }) => ({ followed: assigned, arrivals }))) ||
      this.#held.length + heldOfSent > problemsKeptMax ||
      this.#load.turn.isOver
    );
  }

  /** @returns false, with nothing of the COPY in the transaction, when a row was there already */
  async #send(chunk: Chunk, assigned: AssignedChunk, epoch: number): Promise<boolean> {
    const { client, habit } = this.#load;
    const { posting } = assigned;
    const records = this.#sent.reduce((sum, sent) => sum + sent.chunk.records, chunk.records);
    if (records > atOnceCopyRecordsMax && !(await this.#endCopy())) return false;
    if (posting.firsts.length > 0) {
      this.#copy ??= await DirectCopy.begin(client, habit.pieces);
      if (!(await this.#copy.add(posting))) {
        this.#dropSent();
        return false;
      }
    }
    this.#sent.push({ chunk, assigned, epoch, arrivals: arrivalsOf(posting) });
    releaseBlocks(chunk);
    return true;
  }

  /** Has the server answer for what was sent. @returns false, with nothing of it in the transaction */
  async #endCopy(): Promise<boolean> {
    const copy = this.#copy;
    this.#copy = null;
    if (copy !== null && !(await copy.end())) {
      this.#dropSent();
      return false;
    }
    for (const sent of this.#sent) this.#note(sent);
    this.#sent = [];
    return true;
  }

  /** What is dropped is read again, and is not tried as new then. */
  #dropSent(): void {
    this.#copy = null;
    this.#sent = [];
    this.#load.habit.expectsNew = false;
  }

  async #giveUpCopy(): Promise<void> {
    const copy = this.#copy;
    this.#copy = null;
    this.#sent = [];
    await copy?.giveUp();
  }

  #note({ chunk, assigned, epoch, arrivals }: SentChunk): void {
    const from = this.#together.counts.records;
    this.#together.note(countsOfNew(chunk, assigned), assigned, arrivals);
    this.#held.push(...assigned.held);
    this.#problems = [...this.#problems, ...assigned.problems].slice(0, problemsKeptMax);
    const kept = this.#pieces.gather({
      from,
      to: this.#together.counts.records,
      epoch,
      assigned,
      requests: [],
      spoiled: assigned.descriptionsDiffer ? "all" : [],
    });
    this.#kept.set(epoch, [...(this.#kept.get(epoch) ?? []), ...kept]);
  }

  /** For what refuses a file and shows at its end only. @throws DeliveryRefused */
  async #lookThrough(): Promise<void> {
    const load = this.#load;
    const { context, delivery, reader } = load;
    const after = { records: this.#together.counts.records, pieces: this.#pieces };
    const known = await LoadPieces.survey(context, delivery, reader, this.#use.rules, after);
    // What was seen of it so far tells nothing of it when it is loaded again.
    load.known = this.#isAbandoned ? null : known;
    load.surveyed = true;
  }

  async #finish(isWhole: boolean): Promise<void> {
    const load = this.#load;
    const { client, delivery } = load;
    if (!isWhole) await client.query("set local synchronous_commit = off");
    await this.#together.post(client, delivery);
    const accountKeys = this.#held.flatMap((one) => one.accountKey ?? []);
    await hold(client, delivery.id, toRanges(this.#held), accountKeys);
    await keepProblems(client, delivery.id, this.#problems);
    const bytes = await landedBytesRead(load, { isLast: isWhole });
    // An account that is described in two ways is not as each of the pieces has it.
    const kept = this.#together.descriptionsDiffer ? [] : [...this.#kept];
    await askTogether(client, () => [
      advance(client, delivery.id, this.#together.counts, isWhole),
      noteBytesLoaded(client, delivery.id, bytes),
      ...kept.map(([epoch, pieces]) => keepLoaded(client, delivery, epoch, pieces)),
    ]);
  }
}

/** Awaited with the next chunk; until then a failure must not count as unhandled. */
function handled<Result>(asking: Promise<Result>): Promise<Result> {
  asking.catch(() => undefined);
  return asking;
}

/** Whether nothing of it is judged by what the ledger has, but for the txids. */
function isSimple({ posting, mappings, missingAccounts, requests, entryPayments, ...rest }: AssignedChunk): boolean {
  return (
    posting.repeats.length + mappings.length + missingAccounts.length + requests.length + entryPayments.length === 0 &&
    rest.wholeEntryUserIds.length + rest.balances.length + rest.recordsRepeated === 0
  );
}
