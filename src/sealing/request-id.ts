/** reqId of a batch: derived from what it holds, so that the same batch sent again is known to the service. */
import { createHash } from "node:crypto";

/** Namespace of this sender's request ids: a UUID of its own (RFC 9562, 6.5). */
const namespace = Buffer.from("5b0f0c5e6a5a4d0c9f0e1a7d3c2b4e61", "hex");

/** UUIDv5 (RFC 9562, 5.5) over partner and plaintext. */
export function requestIdOf(partnerId: string, plaintext: string): string {
  const bytes = createHash("sha1")
    .update(namespace)
    .update(partnerId)
    .update("\0")
    .update(plaintext)
    .digest()
    .subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
