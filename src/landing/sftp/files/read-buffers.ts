/**
 * Buffers that one channel reads files into, used again and again: a fresh one for each READ made the garbage collector
 * a fifth of a download's cost. At most as many exist as reads are under way.
 */
import { sftpLimits } from "../limits.ts";
import { dataHeaderSizeBytes } from "../wire/replies.ts";

export class ReadBuffers {
  readonly #free: Buffer[] = [];
  readonly #lent = new Map<ArrayBufferLike, Buffer>();

  /** Room for the header of a DATA reply and the most that one READ gets; smaller reads get a buffer of their own. */
  take(sizeBytes: number): Buffer {
    if (sizeBytes < sftpLimits.transferSizeBytesMax / 2) return Buffer.allocUnsafe(dataHeaderSizeBytes + sizeBytes);
    const buffer = this.#free.pop() ?? Buffer.allocUnsafeSlow(dataHeaderSizeBytes + sftpLimits.transferSizeBytesMax);
    this.#lent.set(buffer.buffer, buffer);
    return buffer;
  }

  /** Takes back the buffer of which `reply` is a view, if it is one of these, when nobody reads it any more. */
  giveBack(reply: Buffer): void {
    const buffer = this.#lent.get(reply.buffer);
    if (!buffer) return;
    this.#lent.delete(reply.buffer);
    this.#free.push(buffer);
  }
}
