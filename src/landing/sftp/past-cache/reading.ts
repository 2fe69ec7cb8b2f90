/**
 * Reading a large file past the kernel's cache, as it was written: in sequence, a few pieces ahead of who asks. Of a file
 * that nobody writes any more only.
 */
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { DiskFile } from "../../../machine/opened-file.ts";
import { sftpLimits } from "../limits.ts";
import { givePagesBack, openPastCache, pagesBytes, lendPages } from "./pages.ts";

const pieceBytes = 1024 * 1024;

/** A piece of the file that is read, or being read, and how many wait for it. */
type Piece = { nth: number; bytes: Buffer; filled: Promise<boolean>; readers: number };

type Begun = { direct: FileHandle; room: Buffer; pieces: Piece[] };

export class ReadingPastCache {
  readonly #file: DiskFile;
  readonly #sizeBytes: number;
  readonly #open: typeof openPastCache;
  #begun: Promise<Begun | null> | undefined;
  readonly #under = new Set<Promise<unknown>>();

  /** @param sizeBytes of the file, which keeps it */
  constructor(file: DiskFile, sizeBytes: number, open: typeof openPastCache = openPastCache) {
    this.#file = file;
    this.#sizeBytes = sizeBytes;
    this.#open = open;
  }

  /** @returns false, with nothing read, where the cache is to be asked */
  read(target: Buffer, at: number, sizeBytes: number, offset: number): Promise<boolean> {
    const end = offset + sizeBytes;
    const lastWhole = this.#sizeBytes - (this.#sizeBytes % pieceBytes);
    if (offset < sftpLimits.pastCacheFromSizeBytes || sizeBytes === 0 || end > lastWhole) return Promise.resolve(false);
    const reading = this.#read(target, at, offset, end).finally(() => this.#under.delete(reading));
    this.#under.add(reading);
    return reading;
  }

  /** To be called once, when nothing is asked any more. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#under);
    const begun = await this.#begun;
    if (!begun) return;
    await Promise.all(begun.pieces.map(({ filled }) => filled));
    givePagesBack(begun.room);
    await begun.direct.close();
  }

  async #read(target: Buffer, at: number, offset: number, end: number): Promise<boolean> {
    const begun = await (this.#begun ??= this.#begin());
    if (begun === null) return false;
    const first = Math.floor(offset / pieceBytes);
    const last = Math.floor((end - 1) / pieceBytes);
    const wanted: (Piece | null)[] = [];
    for (let nth = first; nth <= last; nth += 1) wanted.push(this.#take(begun, nth));
    // Nobody waits for it yet, but somebody will.
    if ((last + 2) * pieceBytes <= this.#sizeBytes) this.#leave(this.#take(begun, last + 1));
    try {
      for (const piece of wanted) if (piece === null || !(await piece.filled)) return false;
      for (const piece of wanted) {
        const start = (piece?.nth ?? 0) * pieceBytes;
        const from = Math.max(offset, start);
        piece?.bytes.copy(target, at + from - offset, from - start, Math.min(end, start + pieceBytes) - start);
      }
      return true;
    } finally {
      for (const piece of wanted) this.#leave(piece);
    }
  }

  async #begin(): Promise<Begun | null> {
    const room = lendPages();
    if (room === null) return null;
    const direct = await this.#open(this.#file, constants.O_RDONLY).catch(() => null);
    if (direct === null) givePagesBack(room);
    return direct && { direct, room, pieces: [] };
  }

  /** The piece, for one reader more; null: those that others wait for leave no room. */
  #take({ direct, room, pieces }: Begun, nth: number): Piece | null {
    const known = pieces.find((piece) => piece.nth === nth);
    if (known !== undefined) {
      known.readers += 1;
      return known;
    }
    const bytes = pieces.length * pieceBytes < pagesBytes ? pieceOf(room, pieces.length) : this.#drop(pieces);
    if (bytes === null) return null;
    const piece = { nth, bytes, readers: 1, filled: fill(direct, bytes, nth * pieceBytes) };
    pieces.push(piece);
    return piece;
  }

  #leave(piece: Piece | null): void {
    if (piece !== null) piece.readers -= 1;
  }

  /** The first one of the file that nobody waits for is the least likely to be asked again. @returns its room */
  #drop(pieces: Piece[]): Buffer | null {
    const [first] = pieces.filter(({ readers }) => readers === 0).sort((one, other) => one.nth - other.nth);
    if (first === undefined) return null;
    pieces.splice(pieces.indexOf(first), 1);
    return first.bytes;
  }
}

function pieceOf(room: Buffer, nth: number): Buffer {
  return room.subarray(nth * pieceBytes, (nth + 1) * pieceBytes);
}

/** What fails is asked of the cache, which says why. */
async function fill(direct: FileHandle, bytes: Buffer, offset: number): Promise<boolean> {
  const { bytesRead } = await direct.read(bytes, 0, bytes.length, offset).catch(() => ({ bytesRead: 0 }));
  return bytesRead === bytes.length;
}
