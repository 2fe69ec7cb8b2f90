/** Writing one file in the order in which requests came, with what is contiguous written in one call. */
import { createHash, type Hash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { keptWithRowBytesMax } from "../../../../config/landing.ts";
import type { DiskFile } from "../../../machine/opened-file.ts";
import { sftpLimits } from "../limits.ts";
import { keepReceived } from "../wire/received.ts";
import { failed, type Refusal } from "../wire/status.ts";
import { openPastCache } from "../past-cache/pages.ts";
import { writeFully, WritingPastCache } from "../past-cache/writing.ts";

/** `data` in pieces, as it came. */
type Write = { offset: number; data: Buffer[]; sizeBytes: number; settle: (error?: unknown) => void };

/** writev takes so many pieces on Linux and macOS (IOV_MAX). */
const piecesMax = 1024;

export type WritingSettings = {
  file: DiskFile;
  sizeBytes: number;
  append: boolean;
  /** SHA-256 so far of all that the file holds, where it is known. */
  hash?: Hash | null;
  /** Is told how large the file is going to be, before it is, and may refuse. */
  grow?: (sizeBytes: number) => Refusal | undefined;
  flushEverySizeBytes?: number;
  /** From where on what comes in sequence is written past the cache. */
  pastCacheFromSizeBytes?: number;
  openPastCache?: typeof openPastCache;
};

/**
 * A file being written through one handle. Nothing is written after a failure: what a client sent after it would leave
 * a hole. The hash runs along while bytes come in sequence from the start, as almost every client sends them. So long as
 * they are few they are held as well: a small file is recorded with them when it is closed, and need not be read again.
 * What a large file has beyond its front is gathered, and written past the kernel's cache: such a write is answered when it
 * is gathered.
 */
export class Writing {
  readonly #file: DiskFile;
  readonly #append: boolean;
  readonly #grow: (sizeBytes: number) => Refusal | undefined;
  readonly #flushEverySizeBytes: number;
  readonly #pastCacheFromSizeBytes: number;
  readonly #openPastCache: typeof openPastCache;
  /** Undefined: not asked yet; null: not to be had. */
  #pastCache: WritingPastCache | null | undefined;
  /** Where what was written so far ends. */
  #writtenEnd: number;
  #queue: Write[] = [];
  #running: Promise<void> | undefined;
  #flushing: Promise<void> | undefined;
  #unflushedSizeBytes = 0;
  #failure: unknown;
  #sizeBytes: number;
  #receivedSizeBytes = 0;
  #hash: Hash | null;
  #hashedSizeBytes: number;
  /** All that the file holds, while it is small and came in sequence. */
  #held: Buffer[] | null;

  constructor({
    file,
    sizeBytes,
    append,
    hash = null,
    grow = () => undefined,
    flushEverySizeBytes = sftpLimits.flushEverySizeBytes,
    pastCacheFromSizeBytes = sftpLimits.pastCacheFromSizeBytes,
    openPastCache: openAgain = openPastCache,
  }: WritingSettings) {
    this.#file = file;
    this.#flushEverySizeBytes = flushEverySizeBytes;
    this.#pastCacheFromSizeBytes = pastCacheFromSizeBytes;
    this.#openPastCache = openAgain;
    this.#writtenEnd = sizeBytes;
    this.#grow = grow;
    this.#sizeBytes = sizeBytes;
    this.#append = append;
    this.#hash = sizeBytes === 0 ? createHash("sha256") : hash;
    this.#hashedSizeBytes = this.#hash ? sizeBytes : 0;
    this.#held = sizeBytes === 0 ? [] : null;
  }

  /** From now on every write and `settled` fails so: some clients look at the answer to CLOSE only. */
  refuse(refusal: Refusal): void {
    this.#failure ??= refusal;
  }

  /** Where the file ends once everything taken so far is written. */
  get sizeBytes(): number {
    return this.#sizeBytes;
  }

  get receivedSizeBytes(): number {
    return this.#receivedSizeBytes;
  }

  /**
   * Takes a write at once and resolves when it is in the file, or held: then its failure is the next write's, or the
   * close's. @throws Refusal, or what the file system said
   */
  async write(offset: number, data: Buffer[]): Promise<void> {
    const start = this.#append ? this.#sizeBytes : offset;
    const sizeBytes = data.reduce((sum, piece) => sum + piece.length, 0);
    this.#failure ??= limitMet(start, sizeBytes, this.#sizeBytes) ?? this.#growthRefused(start + sizeBytes);
    if (this.#failure !== undefined) throw this.#failure;
    const isHeld = this.#hold(start, data, sizeBytes);
    this.#sizeBytes = Math.max(this.#sizeBytes, start + sizeBytes);
    this.#receivedSizeBytes += sizeBytes;
    const writing = this.#enqueue(start, data, sizeBytes, isHeld);
    if (!isHeld) await writing;
    else writing.catch(() => undefined);
  }

  #hold(start: number, data: readonly Buffer[], sizeBytes: number): boolean {
    const fits = start === this.#sizeBytes && start + sizeBytes <= keptWithRowBytesMax;
    if (this.#held === null || !fits) {
      this.#held = null;
      return false;
    }
    data.forEach(keepReceived);
    this.#held.push(...data);
    return true;
  }

  /** All that the file holds, where that is known without reading it; to be asked after `settled`. */
  get bytes(): Buffer | null {
    return this.#held === null ? null : Buffer.concat(this.#held);
  }

  async #enqueue(start: number, data: Buffer[], sizeBytes: number, isHeld: boolean): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#queue.push({
        offset: start,
        data,
        sizeBytes,
        settle: (error) => (error === undefined ? resolve() : reject(error)),
      });
      // What is held is answered first.
      this.#running ??= isHeld ? nextTurn().then(() => this.#drain()) : this.#drain();
    });
  }

  /** Resolves when everything taken is in the file. @throws the first failure, each time */
  async settled(): Promise<void> {
    await this.#running;
    await this.#settlePastCache();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /**
   * As `settled`, and the disk has nothing under way any more. @throws also what the disk said of bytes that were taken
   * before
   */
  async flushed(): Promise<void> {
    await this.#running;
    await this.#settlePastCache();
    await this.#flushing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #settlePastCache(): Promise<void> {
    await this.#pastCache?.settle().catch((error: unknown) => void (this.#failure ??= error));
  }

  /** To be called once, when nobody writes any more. */
  async release(): Promise<void> {
    const pastCache = this.#pastCache;
    this.#pastCache = null;
    await pastCache?.close();
  }

  /** Cuts the file, or lets it grow by as much as a write may leave out. */
  async truncate(sizeBytes: number): Promise<void> {
    await this.settled();
    const refusal = limitMet(sizeBytes, 0, this.#sizeBytes) ?? this.#grow(sizeBytes);
    if (refusal) throw refusal;
    await this.#file.truncate(sizeBytes);
    this.#sizeBytes = this.#writtenEnd = sizeBytes;
    this.#hash = sizeBytes === 0 ? createHash("sha256") : null;
    this.#hashedSizeBytes = 0;
    this.#held = sizeBytes === 0 ? [] : null;
  }

  #growthRefused(endBytes: number): Refusal | undefined {
    return endBytes > this.#sizeBytes ? this.#grow(endBytes) : undefined;
  }

  /** SHA-256 so far of the whole file if it is known without reading it again; to be asked once, after `settled`. */
  detachHash(): Hash | null {
    const hash = this.#hashedSizeBytes === this.#sizeBytes ? this.#hash : null;
    this.#hash = null;
    return hash;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = dequeueContiguous(this.#queue);
      await this.#writeBatch(batch);
    }
    this.#running = undefined;
  }

  async #writeBatch(batch: Write[]): Promise<void> {
    try {
      if (this.#failure !== undefined) throw this.#failure;
      const writing = this.#writePieces(
        batch[0]?.offset ?? 0,
        batch.flatMap((write) => write.data),
        batch.reduce((sum, write) => sum + write.sizeBytes, 0),
      );
      // The hash is computed here while a thread of the pool writes.
      for (const write of batch) this.#hashWrite(write);
      await writing;
      for (const write of batch) write.settle();
      this.#flushIfDue(batch.reduce((sum, write) => sum + write.sizeBytes, 0));
    } catch (error) {
      this.#failure = error;
      for (const write of batch) write.settle(error);
    }
  }

  async #writePieces(offset: number, pieces: Buffer[], sizeBytes: number): Promise<void> {
    const isInSequence = offset === this.#writtenEnd;
    this.#writtenEnd = Math.max(this.#writtenEnd, offset + sizeBytes);
    const pastCache = isInSequence && offset >= this.#pastCacheFromSizeBytes ? await this.#beginPastCache() : null;
    if (pastCache !== null) return await pastCache.add(offset, pieces);
    await this.#pastCache?.settle();
    await writeFully(this.#file, pieces, offset);
  }

  async #beginPastCache(): Promise<WritingPastCache | null> {
    if (this.#pastCache === undefined) this.#pastCache = await WritingPastCache.begin(this.#file, this.#openPastCache);
    return this.#pastCache?.isRefused === true ? null : this.#pastCache;
  }

  /** Sends the disk to work while bytes still come: at the end little is left to wait for. */
  #flushIfDue(writtenSizeBytes: number): void {
    this.#unflushedSizeBytes += writtenSizeBytes;
    if (this.#unflushedSizeBytes < this.#flushEverySizeBytes || this.#flushing) return;
    this.#unflushedSizeBytes = 0;
    this.#flushing = this.#file
      .datasync()
      // The kernel tells a lost page once only: a later sync would succeed.
      .catch((error: unknown) => void (this.#failure ??= error))
      .finally(() => (this.#flushing = undefined));
  }

  #hashWrite({ offset, data, sizeBytes }: Write): void {
    if (offset === this.#hashedSizeBytes) {
      for (const piece of data) this.#hash?.update(piece);
      this.#hashedSizeBytes += sizeBytes;
    } else {
      this.#hash = null;
    }
  }
}

function limitMet(offset: number, sizeBytes: number, endBytes: number): Refusal | undefined {
  if (offset + sizeBytes > sftpLimits.fileSizeBytesMax) return failed("The file is too large.");
  if (offset > endBytes + sftpLimits.gapSizeBytesMax) return failed("The write starts too far beyond the end.");
  return undefined;
}

/** Takes the first write off the queue, and those after it that continue it. */
function dequeueContiguous(queue: Write[]): Write[] {
  let count = 0;
  let pieces = 0;
  let batchSizeBytes = 0;
  let end: number | undefined;
  for (const { offset, data, sizeBytes } of queue) {
    const fits = pieces + data.length <= piecesMax && batchSizeBytes + sizeBytes <= sftpLimits.writeSizeBytesMax;
    if (end !== undefined && (offset !== end || !fits)) break;
    count += 1;
    pieces += data.length;
    batchSizeBytes += sizeBytes;
    end = offset + sizeBytes;
  }
  return queue.splice(0, count);
}
