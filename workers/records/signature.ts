/**
 * Batches signed inside their encryption: the JWE's plaintext is a compact JWS (RFC 7515) by one of the partner's login
 * keys.
 */
import type { KeyObject } from "node:crypto";
import { compactVerify, decodeProtectedHeader } from "jose";
import { headerLengthMax } from "../../config/limits.ts";

export type Signer = { kid: string | null; algorithm: string; publicKey: KeyObject };

/**
 * The signed content, or null when no key of the partner made the signature. The plaintext's size is bounded by the
 * caller.
 */
export async function verifySignature(plaintext: Buffer, signers: readonly Signer[]): Promise<Buffer | null> {
  const named = readNames(plaintext);
  if (named === null) return null;
  const candidates = signers.filter(
    (signer) =>
      signer.algorithm === named.alg && (signer.kid === null || named.kid === undefined || signer.kid === named.kid),
  );
  for (const candidate of candidates) {
    try {
      const { payload } = await compactVerify(plaintext, candidate.publicKey, { algorithms: [candidate.algorithm] });
      return Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
    } catch {
      // Not by this key; the next one may fit, and if none does the batch is refused.
    }
  }
  return null;
}

/** What is inside the signature of a batch that was judged before; content without one is returned as it is. */
export function unwrapSigned(plaintext: Buffer): Buffer {
  if (readNames(plaintext) === null) return plaintext;
  const [from, to] = [plaintext.indexOf(".") + 1, plaintext.lastIndexOf(".")];
  return Buffer.from(plaintext.toString("latin1", from, to), "base64url");
}

function readNames(plaintext: Buffer): { alg: string | undefined; kid: string | undefined } | null {
  const dot = plaintext.indexOf(".");
  if (dot < 0 || dot > headerLengthMax) return null;
  try {
    const { alg, kid } = decodeProtectedHeader(`${plaintext.toString("latin1", 0, dot)}..`);
    return { alg, kid };
  } catch {
    // No JOSE header: the plaintext is not signed at all.
    return null;
  }
}
