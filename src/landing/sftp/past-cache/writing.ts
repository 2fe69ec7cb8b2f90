/**
 * Writing a large file past the kernel's cache: what comes in sequence is gathered in room of its own, from which the disk
 * takes it. Through the cache each GiB costs .3 to 1.3 s of processor more, for pages that are made and written back, and
 * less of the disk is had. What is left for a sync is next to nothing then.
 */
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { DiskFile } from "../../../machine/opened-file.ts";
import { failed } from "../wire/status.ts";
import { blockBytes, givePagesBack, openPastCache, pagesBytes, lendPages } from "./pages.ts";

const mebibyte = 1024 * 1024;
/** From so much on the disk is sent to work, and it gets at most half a room at once: the other half is filled meanwhile. */
const writtenBytesMin = mebibyte;
const writtenBytesMax = pagesBytes / 2;

export class WritingPastCache {
  readonly #file: DiskFile;
  readonly #direct: FileHandle;
  readonly #room: Buffer;
  /** Where in the file that begins which is gathered, a multiple of a block, and where it ends. */
  #start = 0;
  #end = 0;
  #writing: Promise<void> | undefined;
  #failure: unknown;
  #isRefused = false;
  #latest: Promise<void> = Promise.resolve();

  private constructor(file: DiskFile, direct: FileHandle, room: Buffer) {
    this.#file = file;
    this.#direct = direct;
    this.#room = room;
  }

  /** @returns null where the file system does not do that, or no room is left: then the cache takes it */
  static async begin(
    file: DiskFile,
    openAgain: typeof openPastCache = openPastCache,
  ): Promise<WritingPastCache | null> {
    const room = lendPages();
    if (room === null) return null;
    const direct = await openAgain(file, constants.O_WRONLY).catch(() => null);
    if (direct === null) givePagesBack(room);
    return direct === null ? null : new WritingPastCache(file, direct, room);
  }

  /** The file system took the handle and then not what was written by it: all goes through the cache. */
  get isRefused(): boolean {
    return this.#isRefused;
  }

  /**
   * Takes bytes that go on where those before ended, or begin anew once all was settled. Returns when there was room for
   * them. @throws the failure of earlier ones
   */
  add(offset: number, pieces: readonly Buffer[]): Promise<void> {
    return this.#inTurn(() => this.#add(offset, pieces));
  }

  /** Resolves when the file has all that was taken. @throws the first failure, each time */
  settle(): Promise<void> {
    return this.#inTurn(() => this.#settle());
  }

  /** To be called once, when nothing is added any more; what was not settled may be lost. */
  async close(): Promise<void> {
    await this.#latest;
    while (this.#writing !== undefined) await this.#writing;
    givePagesBack(this.#room);
    await this.#direct.close();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#latest.then(work);
    this.#latest = done.catch(() => undefined);
    return done;
  }

  async #add(offset: number, pieces: readonly Buffer[]): Promise<void> {
    const rest = this.#start === this.#end ? await this.#begin(offset, pieces) : pieces;
    for (const piece of rest)
      for (let at = 0; at < piece.length;) {
        const left = await this.#untilRoom();
        const place = this.#end % pagesBytes;
        const length = Math.min(piece.length - at, left, pagesBytes - place);
        piece.copy(this.#room, place, at, at + length);
        at += length;
        this.#end += length;
        this.#writeIfDue();
      }
  }

  /** The rest of a block that is begun goes through the cache. @returns what stands behind it */
  async #begin(offset: number, pieces: readonly Buffer[]): Promise<readonly Buffer[]> {
    const toBlock = (blockBytes - (offset % blockBytes)) % blockBytes;
    this.#start = this.#end = offset + toBlock;
    if (toBlock === 0) return pieces;
    const bytes = Buffer.concat(pieces);
    await writeFully(this.#file, [bytes.subarray(0, toBlock)], offset);
    return [bytes.subarray(toBlock)];
  }

  /** @returns for how many bytes there is room */
  async #untilRoom(): Promise<number> {
    while (this.#end - this.#start === pagesBytes && this.#failure === undefined) await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
    return pagesBytes - (this.#end - this.#start);
  }

  /**
   * One write at a time, in their order: of two at once the later might be on disk alone when the process ends, and
   * whoever goes on with the upload would go on behind a hole.
   */
  #writeIfDue(): void {
    if (this.#writing !== undefined || this.#failure !== undefined) return;
    const gathered = this.#end - this.#start;
    if (gathered < writtenBytesMin) return;
    const sizeBytes = Math.min(writtenBytesMax, gathered - (gathered % blockBytes));
    this.#writing = this.#write(sizeBytes)
      .then(
        () => void (this.#start += sizeBytes),
        (error: unknown) => void (this.#failure ??= error),
      )
      .finally(() => {
        this.#writing = undefined;
        this.#writeIfDue();
      });
  }

  async #write(sizeBytes: number): Promise<void> {
    const pieces = this.#gathered(sizeBytes);
    const written = this.#isRefused ? 0 : await this.#writeDirectly(pieces);
    if (written === sizeBytes) return;
    await writeFully(this.#file, [Buffer.concat(pieces).subarray(written)], this.#start + written);
  }

  async #writeDirectly(pieces: Buffer[]): Promise<number> {
    try {
      return (await this.#direct.writev(pieces, this.#start)).bytesWritten;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EINVAL") throw error;
      this.#isRefused = true;
      return 0;
    }
  }

  #gathered(sizeBytes: number): Buffer[] {
    const from = this.#start % pagesBytes;
    const first = this.#room.subarray(from, Math.min(pagesBytes, from + sizeBytes));
    return first.length === sizeBytes ? [first] : [first, this.#room.subarray(0, sizeBytes - first.length)];
  }

  async #settle(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
    const left = this.#end - this.#start;
    if (left === 0) return;
    try {
      await writeFully(this.#file, this.#gathered(left), this.#start);
      this.#start = this.#end;
    } catch (error) {
      throw (this.#failure = error);
    }
  }
}

/**
 * The kernel may write less than asked, on a nearly full disk above all: the rest is tried again and then fails by
 * name.
 */
export async function writeFully(file: DiskFile, pieces: Buffer[], offset: number): Promise<void> {
  const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const { bytesWritten } = await file.writev(pieces, offset);
  if (bytesWritten === sizeBytes) return;
  if (bytesWritten === 0) throw failed("The file system took no bytes.");
  const rest = Buffer.concat(pieces).subarray(bytesWritten);
  await writeFully(file, [rest], offset + bytesWritten);
}
