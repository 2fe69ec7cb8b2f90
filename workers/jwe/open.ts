/**
 * Opens a request-size compact JWE held in one string. Plain node:crypto and zlib, because node-jose inflates without
 * bound (519 KB became 400 MB) and both JOSE libraries are slower: 1.4 ms a 750-record batch against 3.5 and 4.5.
 */
import { createDecipheriv, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { inflateRaw, inflateRawSync, type ZlibOptions } from "node:zlib";
import {
  encryptedKeyLengthMax,
  inflatedPieceBytes,
  inflateRatioUsual,
  requestPlaintextBytesMax,
  requestTokenLengthMax,
} from "../../config/limits.ts";
import { free } from "../bytes/lend.ts";
import { decodeBase64Url } from "./base64url.ts";
import { unwrapContentKey, unwrapContentKeyHere } from "./content-key.ts";
import { type BatchHeader, readHeader } from "./header.ts";

/** The private key of that name among the partner's keys that were valid; null when there is none. */
export type FindKey = (kid: string) => Promise<KeyObject | null>;

/** The two steps that take time. */
export type CostlySteps = {
  unwrap(privateKey: KeyObject, encryptedKey: Buffer): Promise<Buffer> | Buffer;
  /** With `info`. */
  inflate(compressed: Buffer, options: ZlibOptions): Promise<unknown> | unknown;
};

/** Off this thread, so that other batches are read meanwhile: for files of many batches, which one thread reads. */
export const beside: CostlySteps = {
  unwrap: unwrapContentKey,
  inflate: promisify<Buffer, ZlibOptions, unknown>(inflateRaw),
};

/**
 * On this thread: for requests, each of which has a thread. On a busy machine a 750-record batch took 1.5 ms of
 * processor time, beside it 2.0.
 */
export const here: CostlySteps = { unwrap: unwrapContentKeyHere, inflate: inflateRawSync };

export const ivBytes = 12;
export const tagBytes = 16;

type Segments = {
  header: BatchHeader;
  additionalData: Buffer;
  encryptedKey: Buffer;
  iv: Buffer;
  ciphertext: Buffer;
  tag: Buffer;
};

/**
 * The plaintext in memory of its own, at most requestPlaintextBytesMax; null for everything that is wrong, whatever it
 * is.
 */
export async function openToken(token: string, findKey: FindKey, steps: CostlySteps = beside): Promise<Buffer | null> {
  const segments = splitToken(token);
  if (segments === null) return null;
  const privateKey = await findKey(segments.header.kid);
  if (privateKey === null) return null;
  const compressed = decrypt(segments, await steps.unwrap(privateKey, segments.encryptedKey));
  free(segments.ciphertext);
  if (compressed === null || !segments.header.deflated) return withinLimit(compressed);
  const plaintext = await inflate(compressed, steps);
  free(compressed);
  return plaintext;
}

function splitToken(token: string): Segments | null {
  if (token.length > requestTokenLengthMax) return null;
  const [header, key, iv, ciphertext, tag, ...more] = token.split(".", 6);
  if (
    header === undefined ||
    key === undefined ||
    iv === undefined ||
    ciphertext === undefined ||
    tag === undefined ||
    more.length > 0
  )
    return null;
  const readable = readHeader(header);
  if (readable === null || key.length > encryptedKeyLengthMax) return null;
  const parts = [key, iv, ciphertext, tag].map(decodeBase64Url);
  const [keyPart, ivPart, ciphertextPart, tagPart] = parts;
  if (!keyPart || !ciphertextPart || ivPart?.length !== ivBytes || tagPart?.length !== tagBytes) return null;
  return {
    header: readable,
    additionalData: Buffer.from(header, "latin1"),
    encryptedKey: keyPart,
    iv: ivPart,
    ciphertext: ciphertextPart,
    tag: tagPart,
  };
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

/**
 * Mostly the whole at once, so that nothing is put together, and not much more: what is only reserved must be collected
 * too.
 */
function pieceBytes(compressedBytes: number): number {
  return Math.min(Math.max(inflatedPieceBytes, compressedBytes * inflateRatioUsual), requestPlaintextBytesMax);
}

async function inflate(compressed: Buffer, steps: CostlySteps): Promise<Buffer | null> {
  try {
    const inflated = await steps.inflate(compressed, {
      maxOutputLength: requestPlaintextBytesMax,
      chunkSize: pieceBytes(compressed.length),
      info: true,
    });
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
