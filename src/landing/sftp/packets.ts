/** The framing of SFTP: each packet is a 32-bit length and so many bytes (draft-ietf-secsh-filexfer-02, section 3). */

const lengthSizeBytes = 4;

/** The peer does not speak SFTP as it should, so that nothing after it can be understood. */
export class ProtocolViolation extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ProtocolViolation";
  }
}

/**
 * Cuts a byte stream into packets, without their lengths. Packets are views into received memory where they arrived in one piece.
 * A stream that ends within a packet just ends.
 * @throws ProtocolViolation on a length of zero or above `sizeBytesMax`, before that packet is collected.
 */
export async function* readPackets(chunks: AsyncIterable<Buffer>, sizeBytesMax: number): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let heldSizeBytes = 0;
  let neededSizeBytes = lengthSizeBytes;
  for await (const chunk of chunks) {
    held.push(chunk);
    heldSizeBytes += chunk.length;
    // A packet of 255 KiB comes in eight pieces: they are joined once, not with each piece.
    if (heldSizeBytes < neededSizeBytes) continue;
    const received = held.length === 1 ? chunk : Buffer.concat(held, heldSizeBytes);
    let offset = 0;
    for (;;) {
      neededSizeBytes = packetEnd(received, offset, sizeBytesMax) - offset;
      if (offset + neededSizeBytes > received.length) break;
      yield received.subarray(offset + lengthSizeBytes, offset + neededSizeBytes);
      offset += neededSizeBytes;
    }
    held = offset < received.length ? [received.subarray(offset)] : [];
    heldSizeBytes = received.length - offset;
  }
}

/** Where the packet that starts at `offset` ends, or the end of its length field while that is incomplete. */
function packetEnd(received: Buffer, offset: number, sizeBytesMax: number): number {
  const start = offset + lengthSizeBytes;
  if (start > received.length) return start;
  const sizeBytes = received.readUInt32BE(offset);
  if (sizeBytes === 0 || sizeBytes > sizeBytesMax) throw new ProtocolViolation(`A packet of ${sizeBytes} bytes.`);
  return start + sizeBytes;
}
