/** Secrets at rest: AES-256-GCM under the key-encryption key, which comes from outside the database. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { Fault } from "../errors.ts";

const ivBytes = 12;
const tagBytes = 16;

/**
 * @param context what the secret is (its kid): bound in as additional data, so a sealed secret cannot be moved to another row.
 * @returns IV, ciphertext and tag in one buffer.
 */
export function seal(keyEncryptionKey: Buffer, context: string, secret: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv("aes-256-gcm", keyEncryptionKey, iv, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(context));
  return Buffer.concat([iv, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

/** @throws Fault KEY_ENCRYPTION_KEY when the key or the context is not the one it was sealed with. */
export function unseal(keyEncryptionKey: Buffer, context: string, sealed: Buffer): string {
  const decipher = createDecipheriv("aes-256-gcm", keyEncryptionKey, sealed.subarray(0, ivBytes), { authTagLength: tagBytes });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(-tagBytes));
  try {
    return decipher.update(sealed.subarray(ivBytes, -tagBytes), undefined, "utf8") + decipher.final("utf8");
  } catch (cause) {
    throw new Fault("KEY_ENCRYPTION_KEY", undefined, { cause });
  }
}
