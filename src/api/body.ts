/** Reading a request's body into memory that is counted, piece by piece as it comes. */
import type { Readable } from "node:stream";
import type { Held } from "../landing/https/bytes-in-flight.ts";
import { busy } from "./refusals.ts";
import { Refusal } from "./problem.ts";

/** About as long as a large batch is in hand. */
const retrySeconds = 5;
/** What a piece costs besides its bytes: a body that comes byte by byte is no small one. */
const pieceBytes = 256;

/** Of a body that was refused: reading costs as much as if it were wanted. */
const heardOutBytesMax = 256 * 1024;

export type ReadingBody = {
  bytes: Promise<Buffer>;
  /** There is no more room for it. */
  giveUp(): void;
};

/**
 * @param declaredBytes how long its sender has said that it is; 0: nothing was said
 * @throws Refusal BODY_TOO_LARGE, BUSY
 */
export function readBody(
  payload: Readable,
  { sizeBytesMax, declaredBytes }: { sizeBytesMax: number; declaredBytes: number },
  take: Held["take"],
): ReadingBody {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  const onData = (piece: Buffer) => {
    sizeBytes += piece.length;
    if (sizeBytes > sizeBytesMax) return end(new Refusal("BODY_TOO_LARGE"));
    if (!take(piece.length + pieceBytes)) return end(busy(retrySeconds));
    pieces.push(piece);
  };
  const end = (refusal: Error | null) => {
    payload.off("data", onData).off("end", onEnd).off("close", onClose);
    if (refusal === null) return resolve(Buffer.concat(pieces, sizeBytes));
    pieces.length = 0;
    hearOut(payload, declaredBytes - sizeBytes);
    reject(refusal);
  };
  const onEnd = () => end(null);
  const onClose = () => end(new Refusal("REQUEST_INVALID"));
  payload.on("data", onData).once("end", onEnd).once("close", onClose);
  return { bytes: promise, giveUp: () => end(busy(retrySeconds)) };
}

/** What still comes is not kept: who is nearly done may finish, and of one that goes on and on no more is read. */
function hearOut(payload: Readable, remainingBytes: number): void {
  if (remainingBytes > heardOutBytesMax) return void payload.pause();
  let bytes = 0;
  payload.on("data", (piece: Buffer) => {
    bytes += piece.length;
    if (bytes > heardOutBytesMax) payload.pause();
  });
}
