/** The framing of SFTP: each packet is a 32-bit length and so many bytes (draft-ietf-secsh-filexfer-02, section 3). */
import { countReceived, useReceived } from "./received.ts";

const lengthSizeBytes = 4;

/**
 * A packet in more pieces than this is put together on the way: 255 KiB in single bytes would cost 100 times its size
 * in views.
 */
const piecesMax = 256;

/** The peer does not speak SFTP as it should, so that nothing after it can be understood. */
export class ProtocolViolation extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ProtocolViolation";
  }
}

/**
 * One packet without its length, in the pieces in which it came: a packet of 255 KiB comes in eight. At least one, none
 * empty.
 */
export type Packet = readonly [Buffer, ...Buffer[]];

/**
 * Cuts a byte stream into packets; their pieces are views into received memory, so that what a file consists of is not
 * copied. A stream that ends within a packet just ends.
 * @throws ProtocolViolation on a length of zero or above `sizeBytesMax`, before that packet is collected.
 */
export async function* readPackets(chunks: AsyncIterable<Buffer>, sizeBytesMax: number): AsyncGenerator<Packet> {
  const length: Buffer = Buffer.alloc(lengthSizeBytes);
  let lengthKnownSizeBytes = 0;
  let missingSizeBytes = 0;
  let pieces: Buffer[] = [];
  for await (const chunk of chunks) {
    countReceived(chunk);
    for (let offset = 0; offset < chunk.length;) {
      if (lengthKnownSizeBytes < lengthSizeBytes) {
        const copied = chunk.copy(length, lengthKnownSizeBytes, offset);
        lengthKnownSizeBytes += copied;
        useReceived(chunk.subarray(offset, offset + copied));
        offset += copied;
        if (lengthKnownSizeBytes === lengthSizeBytes)
          missingSizeBytes = checkedSizeBytes(length.readUInt32BE(), sizeBytesMax);
        continue;
      }
      const piece = chunk.subarray(offset, offset + missingSizeBytes);
      if (pieces.length === piecesMax) pieces = [joinedAtOnce(pieces)];
      pieces.push(piece);
      offset += piece.length;
      missingSizeBytes -= piece.length;
      if (missingSizeBytes > 0) continue;
      yield pieces as [Buffer, ...Buffer[]];
      pieces = [];
      lengthKnownSizeBytes = 0;
    }
  }
}

function joinedAtOnce(pieces: readonly Buffer[]): Buffer {
  const together = Buffer.concat(pieces);
  pieces.forEach(useReceived);
  return together;
}

function checkedSizeBytes(sizeBytes: number, sizeBytesMax: number): number {
  if (sizeBytes === 0 || sizeBytes > sizeBytesMax) throw new ProtocolViolation(`A packet of ${sizeBytes} bytes.`);
  return sizeBytes;
}

export function sizeBytesOf(packet: Packet): number {
  return packet.reduce((sum, piece) => sum + piece.length, 0);
}

/** The packet in one piece. */
export function joined(packet: Packet): Buffer {
  return packet.length === 1 ? packet[0] : Buffer.concat(packet);
}
