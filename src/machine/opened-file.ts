/** A file that was made without a turn through libuv's threads, which a FileHandle needs, and is used as one. */
import {
  type BigIntStats,
  close,
  closeSync,
  fchmod,
  fchmodSync,
  fdatasync,
  fstat,
  fsync,
  ftruncate,
  futimes,
  open,
  openSync,
  read,
  type Stats,
  writev,
  writevSync,
} from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";
import type { QuickSteps } from "./quick-steps.ts";

/** What an open file is used for here; a FileHandle is one. */
export type DiskFile = Pick<FileHandle, "fd" | "chmod" | "datasync" | "sync" | "truncate" | "utimes" | "close"> & {
  stat(): Promise<Stats>;
  stat(options: { bigint: true }): Promise<BigIntStats>;
  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }>;
  writev(pieces: Buffer[], position: number): Promise<{ bytesWritten: number }>;
};

const inThread = {
  open: promisify(open),
  close: promisify(close),
  chmod: promisify(fchmod),
  stat: promisify(fstat),
  datasync: promisify(fdatasync),
  sync: promisify(fsync),
  truncate: promisify(ftruncate),
  utimes: promisify(futimes),
};

function readInThread(
  descriptor: number,
  buffer: Buffer,
  offset: number,
  length: number,
  position: number,
): Promise<{ bytesRead: number }> {
  return new Promise((resolve, reject) =>
    read(descriptor, buffer, offset, length, position, (error, bytesRead) =>
      error === null ? resolve({ bytesRead }) : reject(error),
    ),
  );
}

function writeInThread(descriptor: number, pieces: Buffer[], position: number): Promise<{ bytesWritten: number }> {
  return new Promise((resolve, reject) =>
    writev(descriptor, pieces, position, (error, bytesWritten) =>
      error === null ? resolve({ bytesWritten }) : reject(error),
    ),
  );
}

/** The kernel takes so much from a file's beginning at once; more is a large file, written beside other work. */
const quickBytesMax = 64 * 1024;

/** @param flags of open(2). @throws what the system says, with its code */
export async function openQuickly(path: string, flags: number, mode: number, quickly: QuickSteps): Promise<DiskFile> {
  const descriptor = await quickly.take(
    () => openSync(path, flags, mode),
    () => inThread.open(path, flags, mode),
  );
  return new OpenedFile(descriptor, quickly);
}

class OpenedFile implements DiskFile {
  readonly #descriptor: number;
  readonly #quickly: QuickSteps;
  /** What is under way: the system gives a descriptor that was closed to the next file that is opened. */
  #uses = 0;
  #closing: PromiseWithResolvers<void> | undefined;

  constructor(descriptor: number, quickly: QuickSteps) {
    this.#descriptor = descriptor;
    this.#quickly = quickly;
  }

  /** As a FileHandle's: -1 once it is closed. */
  get fd(): number {
    return this.#closing === undefined ? this.#descriptor : -1;
  }

  chmod(mode: number): Promise<void> {
    return this.#use((descriptor) =>
      this.#quickly.take(
        () => fchmodSync(descriptor, mode),
        () => inThread.chmod(descriptor, mode),
      ),
    );
  }

  writev(pieces: Buffer[], position: number): Promise<{ bytesWritten: number }> {
    const sizeBytes = pieces.reduce((sum, piece) => sum + piece.length, 0);
    return this.#use((descriptor) => {
      const elsewhere = () => writeInThread(descriptor, pieces, position);
      if (position + sizeBytes > quickBytesMax) return elsewhere();
      return this.#quickly.take(() => ({ bytesWritten: writevSync(descriptor, pieces, position) }), elsewhere);
    });
  }

  read(buffer: Buffer, offset: number, length: number, position: number): Promise<{ bytesRead: number }> {
    return this.#use((descriptor) => readInThread(descriptor, buffer, offset, length, position));
  }

  stat(): Promise<Stats>;
  stat(options: { bigint: true }): Promise<BigIntStats>;
  stat(options?: { bigint: true }): Promise<Stats | BigIntStats> {
    return this.#use<Stats | BigIntStats>((descriptor) =>
      options === undefined ? inThread.stat(descriptor) : inThread.stat(descriptor, options),
    );
  }

  datasync(): Promise<void> {
    return this.#use(inThread.datasync);
  }

  sync(): Promise<void> {
    return this.#use(inThread.sync);
  }

  truncate(sizeBytes = 0): Promise<void> {
    return this.#use((descriptor) => inThread.truncate(descriptor, sizeBytes));
  }

  utimes(accessedAt: string | number | Date, modifiedAt: string | number | Date): Promise<void> {
    return this.#use((descriptor) => inThread.utimes(descriptor, accessedAt, modifiedAt));
  }

  /** Once nothing is under way any more; what is asked of the file from now on fails. Idempotent. */
  close(): Promise<void> {
    if (this.#closing === undefined) {
      this.#closing = Promise.withResolvers();
      this.#closeWhenUnused();
    }
    return this.#closing.promise;
  }

  async #use<Result>(work: (descriptor: number) => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw Object.assign(new Error("EBADF: the file is closed"), { code: "EBADF" });
    this.#uses += 1;
    try {
      return await work(this.#descriptor);
    } finally {
      this.#uses -= 1;
      this.#closeWhenUnused();
    }
  }

  #closeWhenUnused(): void {
    if (this.#closing === undefined || this.#uses > 0) return;
    const { resolve, reject } = this.#closing;
    this.#quickly
      .take(
        () => closeSync(this.#descriptor),
        () => inThread.close(this.#descriptor),
      )
      .then(resolve, reject);
  }
}
