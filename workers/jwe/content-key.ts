/** Unwrapping the content key, without telling anyone whether it went well. */
import { constants, type KeyObject, privateDecrypt, randomBytes } from "node:crypto";

const contentKeyBytes = 32;

/**
 * RSAES-OAEP with SHA-1 and MGF1-SHA-1, the defaults of RFC 8017. When the padding is wrong or the key has not 32 bytes, a
 * random key is returned: the batch then fails at its tag like any damaged one, so a sender cannot learn about the padding
 * (Manger's attack; RFC 7516, section 11.5).
 */
export function unwrapContentKey(privateKey: KeyObject, encryptedKey: Buffer): Buffer {
  const substitute = randomBytes(contentKeyBytes);
  try {
    const key = privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: "sha1" }, encryptedKey);
    return key.length === contentKeyBytes ? key : substitute;
  } catch {
    return substitute;
  }
}
