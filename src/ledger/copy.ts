/** Sending rows into a table by COPY in its binary format; how rows look therein, see row-block.ts. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { from as copyFrom } from "pg-copy-streams";
import type { Transaction } from "../database/database.ts";

/** What a binary COPY begins with: signature, no flags, no extension. */
const head = Buffer.from("PGCOPY\n\xff\r\n\0\0\0\0\0\0\0\0\0", "latin1");
/** What it ends with: −1 in the place of a row's number of columns. */
const tail = Buffer.from([0xff, 0xff]);

/** Filled one after the other with rows; large, so that each costs the stream nothing, and at least one row. */
const pieceBytes = 256 * 1024;

/** Sends rows into a table. The caller owns the transaction. @param target table and columns */
export async function copyRows(transaction: Transaction, target: string, pieces: Iterable<Buffer>): Promise<void> {
  await pipeline(
    Readable.from(framed(pieces), { objectMode: false }),
    transaction.query(copyFrom(`copy ${target} from stdin with (format binary)`)),
  );
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

  /** Pieces of whole rows, each made when the one before was taken. @param write puts a row at a place of a piece */
  *gather(
    count: number,
    bytesOf: (n: number) => number,
    write: (n: number, piece: Piece, at: number) => void,
  ): Generator<Buffer> {
    for (let n = 0, used = 0; n < count; used += 1) {
      const piece = (this.#pieces[used] ??= newPiece());
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

function newPiece(): Piece {
  const bytes = Buffer.allocUnsafeSlow(pieceBytes);
  return { bytes, view: new DataView(bytes.buffer) };
}
