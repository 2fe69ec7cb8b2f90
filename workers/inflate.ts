/** Inflating what a stranger deflated: streamed, bounded in size and in ratio. */
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Gunzip, InflateRaw } from "node:zlib";
import { filePlaintextBytesMax, inflateRatioFromBytes, inflateRatioMax } from "../config/limits.ts";

/** The bytes are no whole stream of their kind, or become more than is allowed. */
export class NotInflated extends Error {
  override readonly name = "NotInflated";
  readonly isTooLarge: boolean;

  constructor(isTooLarge: boolean, options?: ErrorOptions) {
    super(isTooLarge ? "inflates to more than is allowed" : "is damaged", options);
    this.isTooLarge = isTooLarge;
  }
}

/** Closes the inflater's source with its reader. Errors of the source itself pass through. @throws NotInflated */
export async function* inflate(pieces: AsyncIterable<Buffer>, inflater: Gunzip | InflateRaw): AsyncGenerator<Buffer> {
  const fed = pipeline(Readable.from(pieces, { objectMode: false }), inflater);
  // Its failure also ends the iteration below; a reader that stops early is no failure at all.
  fed.catch(() => undefined);
  const guard = new InflationGuard();
  try {
    for await (const piece of inflater) {
      guard.note((piece as Buffer).length, inflater.bytesWritten);
      yield piece as Buffer;
    }
    await fed;
  } catch (error) {
    throw isOfZlib(error) ? new NotInflated(false, { cause: error }) : error;
  }
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
