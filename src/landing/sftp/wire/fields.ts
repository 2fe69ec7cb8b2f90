/**
 * Reading and writing the fields of which SFTP packets are made (draft-ietf-secsh-filexfer-02; RFC 4251, section 5).
 */
import { Refusal, statusCodes } from "./status.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads fields one after the other. Each method throws Refusal BAD_MESSAGE when the field is not there whole. */
export class FieldReader {
  readonly #packet: Buffer;
  #offset: number;

  constructor(packet: Buffer, offset: number) {
    this.#packet = packet;
    this.#offset = offset;
  }

  uint32(): number {
    return this.#packet.readUInt32BE(this.#advance(4));
  }

  /** @throws Refusal also above 2^53 - 1, where no file ends. */
  uint64(): number {
    const value = this.#packet.readBigUInt64BE(this.#advance(8));
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw malformed("A number is too large.");
    return Number(value);
  }

  /** A view into the packet. */
  bytes(): Buffer {
    const sizeBytes = this.uint32();
    const start = this.#advance(sizeBytes);
    return this.#packet.subarray(start, start + sizeBytes);
  }

  /** All that has not been read. */
  rest(): Buffer {
    return this.#packet.subarray(this.#offset);
  }

  /** @throws Refusal also when the bytes are not UTF-8. */
  text(): string {
    const bytes = this.bytes();
    try {
      return utf8.decode(bytes);
    } catch {
      throw malformed("A name is not UTF-8.");
    }
  }

  #advance(sizeBytes: number): number {
    const start = this.#offset;
    if (start + sizeBytes > this.#packet.length) throw malformed("The packet ends too early.");
    this.#offset = start + sizeBytes;
    return start;
  }
}

function malformed(message: string): Refusal {
  return new Refusal(statusCodes.badMessage, message);
}

export function uint32(value: number): Buffer {
  const field = Buffer.allocUnsafe(4);
  field.writeUInt32BE(value);
  return field;
}

export function uint64(value: number | bigint): Buffer {
  const field = Buffer.allocUnsafe(8);
  field.writeBigUInt64BE(BigInt(value));
  return field;
}

/** A length and the bytes; text as UTF-8. */
export function sized(value: string | Buffer): Buffer {
  const bytes = typeof value === "string" ? Buffer.from(value) : value;
  return Buffer.concat([uint32(bytes.length), bytes]);
}
