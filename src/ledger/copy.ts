/** Sending rows into a table by COPY in its binary format; how rows look therein, see row-block.ts. */
import { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import type { Transaction } from "../database/database.ts";
import { untilTaken } from "../database/pg-inside.ts";

/** What a binary COPY begins with: signature, no flags, no extension. */
const head = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
/** What it ends with: −1 in the place of a row's number of columns. */
const tail = Buffer.from([0xff, 0xff]);

/** Filled one after the other with rows; large, so that each costs the stream nothing, and at least one row. */
const pieceBytes = 256 * 1024;

/** Sends rows into a table. The caller owns the transaction. @param target table and columns */
export async function copyRows(transaction: Transaction, target: string, pieces: Iterable<Buffer>): Promise<void> {
  await pipeline(Readable.from(framed(pieces), { objectMode: false }), transaction.query(copyInto(target)));
}

function copyInto(target: string): ReturnType<typeof copyFrom> {
  return copyFrom(`copy ${target} from stdin with (format binary)`);
}

function* framed(pieces: Iterable<Buffer>): Generator<Buffer> {
  yield head;
  yield* pieces;
  yield tail;
}

/** A buffer that rows are gathered in. */
export type Piece = { bytes: Buffer; view: DataView };

/** Buffers of one connection, used again for each COPY once the server has answered the one before. */
export class CopyPieces {
  readonly #pieces: Piece[] = [];

  nth(n: number): Piece {
    return (this.#pieces[n] ??= newPiece());
  }

  /** Pieces of whole rows, each made when the one before was taken. @param write puts a row at a place of a piece */
  *gather(
    count: number,
    bytesOf: (n: number) => number,
    write: (n: number, piece: Piece, at: number) => void,
  ): Generator<Buffer> {
    for (let n = 0, used = 0; n < count; used += 1) {
      const piece = this.nth(used);
      let at = 0;
      for (let bytes = bytesOf(n); n < count && at + bytes <= pieceBytes; n += 1) {
        write(n, piece, at);
        at += bytes;
        if (n + 1 < count) bytes = bytesOf(n + 1);
      }
      yield piece.bytes.subarray(0, at);
    }
  }
}

/**
 * A COPY that stays open: rows are added as they come, and the server has work while the next ones are read, where it
 * would wait for a few answers between two COPYs. Of two pieces one is filled while the other is sent.
 * Nothing else may be asked of the connection until it was ended or given up.
 */
export class OpenCopy {
  readonly #transaction: Transaction;
  readonly #stream: ReturnType<typeof copyFrom>;
  readonly #over: Promise<void>;
  #hasFailed = false;
  #hasSent = false;
  #filling: Piece;
  #other: Piece;
  #at: number;
  #sending: Promise<void> = Promise.resolve();

  /** @param target table and columns */
  constructor(transaction: Transaction, target: string, pieces: CopyPieces) {
    this.#transaction = transaction;
    [this.#filling, this.#other] = [pieces.nth(0), pieces.nth(1)];
    this.#at = head.copy(this.#filling.bytes);
    this.#stream = transaction.query(copyInto(target));
    this.#stream.once("error", () => {
      this.#hasFailed = true;
      // Else it would send what it still has over a connection that is another statement's by then.
      this.#stream.destroy();
    });
    this.#over = finished(this.#stream);
    // Whoever adds or ends is told.
    this.#over.catch(() => undefined);
  }

  /**
   * Adds whole rows; they are copied when this returns, and most of them are sent, of the first all. @param write puts a
   * row at a place of a piece @throws what the server says of earlier rows
   */
  async add(
    count: number,
    bytesOf: (n: number) => number,
    write: (n: number, piece: Piece, at: number) => void,
  ): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      const bytes = bytesOf(n);
      if (this.#at + bytes > pieceBytes) await this.#send();
      write(n, this.#filling, this.#at);
      this.#at += bytes;
    }
    // The server has nothing to do before it has the first of them.
    if (!this.#hasSent && count > 0) await this.#send();
  }

  /** Returns when all rows are in the table. @throws what the server says */
  async end(): Promise<void> {
    await this.#send();
    await this.#sending;
    if (!this.#hasFailed) this.#stream.end(tail);
    await this.#over;
  }

  /** Has the server forget the rows, as any statement that fails. */
  async giveUp(): Promise<void> {
    if (!this.#hasFailed) this.#stream.destroy(new Error("the COPY was given up"));
    await this.#over.catch(() => undefined);
  }

  /** The piece before must have been taken, since it is filled next. */
  async #send(): Promise<void> {
    await this.#sending;
    this.#hasSent = true;
    this.#sending = this.#write(this.#filling.bytes.subarray(0, this.#at));
    // Awaited with the next piece; until then a failure must not count as unhandled.
    this.#sending.catch(() => undefined);
    [this.#filling, this.#other] = [this.#other, this.#filling];
    this.#at = 0;
  }

  async #write(bytes: Buffer): Promise<void> {
    // What failed takes nothing more.
    if (this.#hasFailed) return await this.#over;
    const written = new Promise<void>((resolve) => this.#stream.write(bytes, () => resolve()));
    await Promise.race([written, this.#over]);
    await untilTaken(this.#transaction);
  }
}

function newPiece(): Piece {
  const bytes = Buffer.allocUnsafeSlow(pieceBytes);
  return { bytes, view: new DataView(bytes.buffer) };
}
