/** What stands inside a message's protected data: a literal, compressed or not, perhaps with signatures around it. */
import { createInflate, createInflateRaw } from "node:zlib";
import { inflatedPieceBytes } from "../../config/limits.ts";
import { inflate } from "../bytes/inflate.ts";
import { free } from "../bytes/lend.ts";
import { NotOpened } from "../not-opened.ts";
import { type PacketPart, PacketSplitter, packetType } from "./packets.ts";

/** The message is made in a way that is left to OpenPGP.js. */
export class NotUnderstood extends Error {
  override readonly name = "NotUnderstood";
}

/** Compression algorithms (RFC 9580, 9.4). */
const compression = { none: 0, zip: 1, zlib: 2 } as const;

/** Parts of one piece together: senders cut packets into parts of 8 KiB, each of which would cost all that follows. */
type Parts = readonly PacketPart[];

/**
 * The literal's bytes in pieces that are lent, as those are that it is made of (see lend.ts). @throws NotOpened,
 * NotInflated, NotUnderstood
 */
export async function* readContent(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const packets = packetsOf(pieces);
  const { value, done } = await packets.next();
  if (done) throw new NotOpened();
  if (value[0]?.type === packetType.compressed) yield* literalOf(packetsOf(decompress(value, packets)));
  else yield* literalOf(joined(value, packets));
}

/** Never an empty list. */
async function* packetsOf(pieces: AsyncIterable<Buffer>): AsyncGenerator<Parts> {
  const splitter = new PacketSplitter();
  for await (const piece of pieces) {
    const parts = splitter.push(piece);
    if (parts.length > 0) yield parts;
  }
  splitter.end();
}

async function* joined<One>(first: One, others: AsyncIterable<One>): AsyncGenerator<One> {
  yield first;
  yield* others;
}

function decompress(first: Parts, others: AsyncIterable<Parts>): AsyncIterable<Buffer> {
  const algorithm = first.find((part) => part.bytes.length > 0)?.bytes[0];
  const body = bodyOf(joined(first, others));
  if (algorithm === compression.none) return body;
  if (algorithm !== compression.zip && algorithm !== compression.zlib) throw new NotUnderstood();
  const options = { chunkSize: inflatedPieceBytes };
  return inflate(body, algorithm === compression.zip ? createInflateRaw(options) : createInflate(options));
}

/** Of the compressed packet, which stands alone, without the byte that names the algorithm. */
async function* bodyOf(packets: AsyncIterable<Parts>): AsyncGenerator<Buffer> {
  let isBegun = false;
  let hasAlgorithm = false;
  for await (const parts of packets) {
    if (
      parts.some((part) => part.type !== packetType.compressed) ||
      parts.filter((part) => part.isFirst).length > (isBegun ? 0 : 1)
    )
      throw new NotOpened();
    isBegun = true;
    const bytes = join(parts.map((part) => part.bytes));
    if (bytes.length > 0) {
      yield hasAlgorithm ? bytes : bytes.subarray(1);
      hasAlgorithm = true;
    }
    if (parts.length > 1) free(bytes);
  }
}

/** Beside the literal: a signature, which is not looked at, and what means nothing. */
const passedOver: ReadonlySet<number> = new Set([
  packetType.signature,
  packetType.onePassSignature,
  packetType.marker,
  packetType.padding,
]);

/** Of the one literal among the packets. */
async function* literalOf(packets: AsyncIterable<Parts>): AsyncGenerator<Buffer> {
  const literals = new LiteralHead();
  for await (const parts of packets) {
    const bytes = join(parts.map((part) => literals.take(part)));
    if (bytes.length > 0) yield bytes;
    if (parts.length > 1) free(bytes);
  }
  literals.end();
}

/** Format, length of the name, date: what a literal has before its content, beside the name. */
const headBytesMin = 6;

class LiteralHead {
  #literals = 0;
  /** What of the head has come; null behind it. */
  #head: Buffer | null = null;

  /** What of the part is content. @throws NotOpened for packets that have no place in a message */
  take({ type, isFirst, bytes }: PacketPart): Buffer {
    if (type !== packetType.literal) {
      if (!passedOver.has(type)) throw new NotOpened();
      return nothing;
    }
    if (isFirst) {
      this.#literals += 1;
      if (this.#literals > 1 || this.#head !== null) throw new NotOpened();
      this.#head = nothing;
    }
    if (this.#head === null) return bytes;
    const begun = Buffer.concat([this.#head, bytes]);
    const headBytes = headBytesMin + (begun[1] ?? 0);
    this.#head = begun.length < headBytes ? begun : null;
    return begun.subarray(headBytes);
  }

  end(): void {
    if (this.#literals !== 1 || this.#head !== null) throw new NotOpened();
  }
}

const nothing: Buffer = Buffer.alloc(0);

/** In memory of their own when there are several. */
function join(parts: readonly Buffer[]): Buffer {
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
}
