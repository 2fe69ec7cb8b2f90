/**
 * Secrets at rest: AES-256-GCM under a key-encryption key, which comes from outside the database. Keys come as a ring
 * in one buffer, 32 bytes each: the first encrypts, every one decrypts what it encrypted. Each secret names its key, so
 * that a new key can take over one secret at a time.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { Fault } from "../../errors.ts";

/** AES-256. */
export const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
/** What begins a secret that names its key; secrets of before begin with their IV. */
const mark = Buffer.from("K1");
const kidBytes = 8;
/** Mark and kid: by its first so many bytes a secret's key is known, to the database too. */
export const headerBytes = mark.length + kidBytes;

/**
 * @param ring one or more keys; the first one encrypts. @param context what the secret is (its kid): bound in as
 * additional data, so a secret cannot be moved to another row. @returns header, IV, ciphertext and tag in one
 * buffer.
 */
export function encryptSecret(ring: Buffer, context: string, secret: string): Buffer {
  const key = firstKey(ring);
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", key, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([headerOf(key), iv, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Fault KEY_ENCRYPTION_KEY when no key of the ring, or not the context, is the one it was encrypted with. */
export function decryptSecret(ring: Buffer, context: string, encrypted: Buffer): string {
  const header = encrypted.subarray(0, headerBytes);
  const named = keysOf(ring).find((key) => headerOf(key).equals(header));
  if (named) return decrypt(named, context, encrypted.subarray(headerBytes));
  for (const key of keysOf(ring)) {
    try {
      return decrypt(key, context, encrypted);
    } catch {
      // One from before keys were named: the next may be its key.
    }
  }
  throw new Fault("KEY_ENCRYPTION_KEY");
}

/** What a key is called: says nothing of it. 16 hexadecimal digits. */
export function kidOf(key: Buffer): string {
  return headerOf(key).subarray(mark.length).toString("hex");
}

/** What everything begins with that a key encrypted. */
export function headerOf(key: Buffer): Buffer {
  return Buffer.concat([
    mark,
    createHash("sha256").update("key-encryption key\0").update(key).digest().subarray(0, kidBytes),
  ]);
}

/** The kid in a secret's first bytes; null: one from before keys were named. */
export function kidIn(encrypted: Buffer): string | null {
  return encrypted.subarray(0, mark.length).equals(mark)
    ? encrypted.subarray(mark.length, headerBytes).toString("hex")
    : null;
}

export function firstKey(ring: Buffer): Buffer {
  return ring.subarray(0, keyBytes);
}

export function keysOf(ring: Buffer): Buffer[] {
  return Array.from({ length: ring.length / keyBytes }, (_, index) =>
    ring.subarray(index * keyBytes, (index + 1) * keyBytes),
  );
}

function decrypt(key: Buffer, context: string, encrypted: Buffer): string {
  const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context));
  try {
    decipher.setAuthTag(encrypted.subarray(-tagBytes));
    return decipher.update(encrypted.subarray(ivBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8");
  } catch (cause) {
    throw new Fault("KEY_ENCRYPTION_KEY", undefined, { cause });
  }
}
