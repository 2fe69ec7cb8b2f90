/** Cuts a stream of bytes into the bodies of OpenPGP packets. Source: RFC 9580, 4.2, both formats of headers. */
import { NotOpened } from "../not-opened.ts";

/** Types of packets (RFC 9580, 5). */
export const packetType = {
  wrappedKey: 1,
  signature: 2,
  passwordKey: 3,
  onePassSignature: 4,
  compressed: 8,
  literal: 11,
  marker: 10,
  protectedData: 18,
  padding: 21,
} as const;

/** Consecutive bytes of a packet's body, as they lie in the piece. */
export type PacketPart = { type: number; /** Whether the packet begins with them. */ isFirst: boolean; bytes: Buffer };

/** Set in every header; and in those of the new format. */
const headerBit = 0x80;
const newFormatBit = 0x40;

/** How many length bytes follow, by the old format's length type; the last one has none and goes on to the end. */
const oldLengthBytes = [1, 2, 4];

export class PacketSplitter {
  #awaits: "type" | "length" | "body" = "type";
  #type = 0;
  #isNewFormat = true;
  #isFirst = false;
  /** Of a length: how many bytes of it are still to come, and its value so far. */
  #lengthBytes = 0;
  #length = 0;
  /** What a length of two bytes counts from. */
  #offset = 0;
  /**
   * Of a body: how many bytes are to come; Infinity where it ends with the stream; and whether another length follows
   * it.
   */
  #remaining = 0;
  #isPartial = false;

  /** @throws NotOpened where no packet begins */
  push(piece: Buffer): PacketPart[] {
    const parts: PacketPart[] = [];
    for (let at = 0; at < piece.length;) {
      if (this.#awaits === "body") {
        const bytes = piece.subarray(at, at + this.#remaining);
        this.#take(parts, bytes);
        at += bytes.length;
      } else {
        this.#readHeader(piece[at] as number);
        at += 1;
        if (this.#isAtEmptyBody()) this.#take(parts, piece.subarray(at, at));
      }
    }
    return parts;
  }

  /** @throws NotOpened in the middle of a packet */
  end(): void {
    if (this.#awaits !== "type" && this.#remaining !== Infinity) throw new NotOpened();
  }

  #take(parts: PacketPart[], bytes: Buffer): void {
    parts.push({ type: this.#type, isFirst: this.#isFirst, bytes });
    this.#isFirst = false;
    this.#remaining -= bytes.length;
    if (this.#remaining > 0) return;
    this.#awaits = this.#isPartial ? "length" : "type";
    this.#lengthBytes = 0;
  }

  #isAtEmptyBody(): boolean {
    return this.#awaits === "body" && this.#remaining === 0;
  }

  #readHeader(byte: number): void {
    if (this.#awaits === "type") this.#readType(byte);
    else this.#readLength(byte);
  }

  #readType(byte: number): void {
    if ((byte & headerBit) === 0) throw new NotOpened();
    this.#isNewFormat = (byte & newFormatBit) !== 0;
    this.#type = this.#isNewFormat ? byte & 0x3f : (byte & 0x3c) >> 2;
    this.#isFirst = true;
    this.#isPartial = false;
    this.#length = 0;
    this.#lengthBytes = this.#isNewFormat ? 0 : (oldLengthBytes[byte & 3] ?? 0);
    this.#awaits = "length";
    if (!this.#isNewFormat && this.#lengthBytes === 0) this.#await(Infinity);
  }

  /** The first byte of the new format's length says how many follow. */
  #readLength(byte: number): void {
    if (this.#lengthBytes > 0) {
      this.#lengthBytes -= 1;
      this.#length = this.#length * 256 + byte;
      if (this.#lengthBytes === 0) this.#await(this.#length);
    } else if (byte < 192) {
      this.#await(byte);
    } else if (byte < 224) {
      // The second byte adds what the first left out: (first − 192) × 256 + second + 192.
      this.#length = byte - 192;
      this.#lengthBytes = 1;
      this.#offset = 192;
    } else if (byte < 255) {
      this.#isPartial = true;
      this.#remaining = 2 ** (byte & 0x1f);
      this.#awaits = "body";
    } else {
      this.#length = 0;
      this.#lengthBytes = 4;
    }
  }

  #await(length: number): void {
    this.#remaining = length + this.#offset;
    this.#offset = 0;
    this.#isPartial = false;
    this.#awaits = "body";
  }
}

/** A whole packet of a short body. */
export function packetOf(type: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(6);
  head[0] = headerBit | newFormatBit | type;
  head[1] = 255;
  head.writeUInt32BE(body.length, 2);
  return Buffer.concat([head, body]);
}
