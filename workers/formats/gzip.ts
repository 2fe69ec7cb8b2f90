/** What every format ending in .gz has in common. */
import { createGunzip } from "node:zlib";
import { inflatedPieceBytes } from "../../config/limits.ts";
import { inflate, NotInflated } from "../bytes/inflate.ts";
import { DeliveryRefused } from "./reader.ts";

/** @throws DeliveryRefused when the bytes are no whole gzip stream, or inflate past the limits. */
export async function* gunzip(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* inflate(pieces, createGunzip({ chunkSize: inflatedPieceBytes }));
  } catch (error) {
    if (!(error instanceof NotInflated)) throw error;
    const reason = error.isTooLarge
      ? "The file decompresses to more than is allowed."
      : "The file is no whole gzip file.";
    throw new DeliveryRefused("FILE_DAMAGED", reason, { cause: error });
  }
}
