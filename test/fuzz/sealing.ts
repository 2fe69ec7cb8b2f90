/** Batches sealed by hand with numbers that follow from the seed, each part open to being wrong. */
import { constants, createCipheriv, publicEncrypt } from "node:crypto";
import type { BatchKey } from "../faults/generated.ts";
import type { Random } from "../faults/random.ts";

export function bytesOf(random: Random, count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => random.between(0, 255)));
}

/** A version 4 UUID (RFC 9562) of the seed. */
export function uuidOf(random: Random): string {
  const hex = bytesOf(random, 16).toString("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}

export type Parts = {
  /** The protected header's bytes as they are written. */
  header: string | Buffer;
  /** Bytes of the second segment. */
  wrap(contentKey: Buffer): Buffer;
  contentKey: Buffer;
  iv: Buffer;
  /** What is encrypted: deflated already, where the header says so. */
  content: Buffer;
  tagBytes: number;
};

export function headerOf(key: BatchKey, deflated: boolean): Record<string, unknown> {
  return { alg: "RSA-OAEP", enc: "A256GCM", kid: key.kid, ...(deflated ? { zip: "DEF" } : {}) };
}

export function oaep(
  key: Pick<BatchKey, "publicKey">,
  contentKey: Buffer,
  more: { oaepHash?: string; oaepLabel?: Buffer } = {},
): Buffer {
  return publicEncrypt(
    { key: key.publicKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1", ...more },
    contentKey,
  );
}

/** A compact JWE (RFC 7516); right unless `parts` makes it wrong. */
export function seal(random: Random, key: BatchKey, content: Buffer, parts: Partial<Parts> = {}): string {
  const {
    header = JSON.stringify(headerOf(key, false)),
    wrap = (contentKey) => oaep(key, contentKey),
    contentKey = bytesOf(random, 32),
    iv = bytesOf(random, 12),
    tagBytes = 16,
  } = parts;
  const segment = Buffer.from(header).toString("base64url");
  const cipher = createCipheriv("aes-256-gcm", contentKey.length === 32 ? contentKey : Buffer.alloc(32), iv, {
    authTagLength: tagBytes,
  });
  cipher.setAAD(Buffer.from(segment));
  const ciphertext = Buffer.concat([cipher.update(parts.content ?? content), cipher.final()]);
  return [
    segment,
    ...[wrap(contentKey), iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString("base64url")),
  ].join(".");
}
