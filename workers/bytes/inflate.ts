/** Inflating what a stranger deflated: streamed, bounded in size and in ratio. */
import type { Gunzip, InflateRaw } from "node:zlib";
import { filePlaintextBytesMax, inflateRatioFromBytes, inflateRatioMax } from "../../config/limits.ts";
import { lend } from "./lend.ts";

/** The bytes are no whole stream of their kind, or become more than is allowed. */
export class NotInflated extends Error {
  override readonly name = "NotInflated";
  readonly isTooLarge: boolean;

  constructor(isTooLarge: boolean, options?: ErrorOptions) {
    super(isTooLarge ? "inflates to more than is allowed" : "is damaged", options);
    this.isTooLarge = isTooLarge;
  }
}

/**
 * Asks for a piece when the one before is used up, and lends what it inflates (see lend.ts). Closes its source with its
 * reader. Errors of the source itself pass through. @throws NotInflated
 */
export async function* inflate(pieces: AsyncIterable<Buffer>, inflater: Gunzip | InflateRaw): AsyncGenerator<Buffer> {
  const fed = feed(pieces, inflater);
  // Its failure also ends the iteration below; a reader that stops early is no failure at all.
  fed.catch(() => undefined);
  const guard = new InflationGuard();
  try {
    for await (const piece of lend(inflater as AsyncIterable<Buffer>)) {
      guard.note(piece.length, inflater.bytesWritten);
      yield piece;
    }
    if (!(await fed)) throw new NotInflated(false);
  } catch (error) {
    throw isOfZlib(error) ? new NotInflated(false, { cause: error }) : error;
  }
}

/** @returns false when something is left behind the end of what inflates */
async function feed(pieces: AsyncIterable<Buffer>, inflater: Gunzip | InflateRaw): Promise<boolean> {
  try {
    for await (const piece of pieces) {
      if (!(await isConsumed(piece, inflater))) return false;
    }
    inflater.end();
    return true;
  } catch (error) {
    inflater.destroy(error as Error);
    throw error;
  }
}

/**
 * @returns false when the inflater was closed before it had used up the piece: at the end of its stream, by its reader
 * or by an error, which its reader is told
 */
function isConsumed(piece: Buffer, inflater: Gunzip | InflateRaw): Promise<boolean> {
  return new Promise((resolve) => {
    const onClose = () => resolve(false);
    // A write under way then is never answered.
    inflater.once("close", onClose);
    inflater.write(piece, (error) => {
      inflater.off("close", onClose);
      resolve(error == null);
    });
  });
}

/** Counts what comes out against what went in. */
export class InflationGuard {
  #inflatedBytes = 0;

  /** @param consumedBytes so far, before inflation. @throws NotInflated */
  note(pieceBytes: number, consumedBytes: number): void {
    this.#inflatedBytes += pieceBytes;
    const isBomb = this.#inflatedBytes > inflateRatioFromBytes && this.#inflatedBytes > consumedBytes * inflateRatioMax;
    if (isBomb || this.#inflatedBytes > filePlaintextBytesMax) throw new NotInflated(true);
  }
}

function isOfZlib(error: unknown): boolean {
  return error instanceof Error && "code" in error && typeof error.code === "string" && error.code.startsWith("Z_");
}
