/**
 * Opens a request-size compact JWE held in one string. Plain node:crypto and zlib, because node-jose inflates without
 * bound (519 KB became 400 MB) and both JOSE libraries are slower: 1.4 ms a 750-record batch against 3.5 and 4.5.
 */
import { createDecipheriv, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import { encryptedKeyLengthMax, inflatedPieceBytes, requestPlaintextBytesMax, requestTokenLengthMax } from "../../config/limits.ts";
import { decodeBase64Url } from "./base64url.ts";
import { unwrapContentKey } from "./content-key.ts";
import { type BatchHeader, readHeader } from "./header.ts";

/** The private key of that name among the partner's keys that were valid; null when there is none. */
export type FindKey = (kid: string) => Promise<KeyObject | null>;

const inflateOffThread = promisify(inflateRaw);

export const ivBytes = 12;
export const tagBytes = 16;

type Segments = { header: BatchHeader; additionalData: Buffer; encryptedKey: Buffer; iv: Buffer; ciphertext: Buffer; tag: Buffer };

/** The plaintext, at most requestPlaintextBytesMax; null for everything that is wrong, whatever it is. */
export async function openToken(token: string, findKey: FindKey): Promise<Buffer | null> {
  const segments = splitToken(token);
  if (segments === null) return null;
  const privateKey = await findKey(segments.header.kid);
  if (privateKey === null) return null;
  const compressed = decrypt(segments, await unwrapContentKey(privateKey, segments.encryptedKey));
  if (compressed === null || !segments.header.deflated) return withinLimit(compressed);
  return await inflate(compressed);
}

function splitToken(token: string): Segments | null {
  if (token.length > requestTokenLengthMax) return null;
  const [header, key, iv, ciphertext, tag, ...more] = token.split(".", 6);
  if (header === undefined || key === undefined || iv === undefined || ciphertext === undefined || tag === undefined || more.length > 0) return null;
  const readable = readHeader(header);
  if (readable === null || key.length > encryptedKeyLengthMax) return null;
  const parts = [key, iv, ciphertext, tag].map(decodeBase64Url);
  const [keyPart, ivPart, ciphertextPart, tagPart] = parts;
  if (!keyPart || !ciphertextPart || ivPart?.length !== ivBytes || tagPart?.length !== tagBytes) return null;
  return { header: readable, additionalData: Buffer.from(header, "latin1"), encryptedKey: keyPart, iv: ivPart, ciphertext: ciphertextPart, tag: tagPart };
}

function decrypt(segments: Segments, contentKey: Buffer): Buffer | null {
  const decipher = createDecipheriv("aes-256-gcm", contentKey, segments.iv, { authTagLength: tagBytes });
  decipher.setAAD(segments.additionalData);
  decipher.setAuthTag(segments.tag);
  const plaintext = decipher.update(segments.ciphertext);
  try {
    decipher.final();
    return plaintext;
  } catch {
    // The tag is wrong: what was deciphered must not be looked at.
    return null;
  }
}

/** Off this thread, like the private key's operation, so that other batches are read meanwhile. */
async function inflate(compressed: Buffer): Promise<Buffer | null> {
  try {
    const inflated: unknown = await inflateOffThread(compressed, { maxOutputLength: requestPlaintextBytesMax, chunkSize: inflatedPieceBytes, info: true });
    const { buffer, engine } = inflated as { buffer: Buffer; engine: { bytesWritten: number } };
    // Bytes behind the end of the deflate stream would be content that nobody reads.
    return engine.bytesWritten === compressed.length ? buffer : null;
  } catch {
    return null;
  }
}

function withinLimit(plaintext: Buffer | null): Buffer | null {
  return plaintext !== null && plaintext.length <= requestPlaintextBytesMax ? plaintext : null;
}
