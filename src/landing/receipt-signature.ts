/**
 * Signed receipts: beside `NAME.receipt.json` lies `NAME.receipt.json.jws`, a JWS over exactly the receipt's bytes, with
 * the payload left out (RFC 7515, appendix F), by which a bank proves to others what was accepted and what became of it.
 * EdDSA (RFC 8037): equal receipts have equal signatures. The key's public half is at the partner's JWKS by its `kid`,
 * after rotations too.
 */
import { type KeyObject, sign } from "node:crypto";
import type { Database } from "../database/database.ts";
import { currentSigningKey } from "../partners/keys/signing-keys.ts";

/** @returns the signature's line for a receipt's text */
export type SignReceipt = (text: string) => Promise<string>;

export const signatureEnding = ".jws";

/** How long a process goes on with the key that it knows: after a rotation the previous one signs so long at most. */
export const keyRememberedMs = 60_000;

export function createReceiptSigner(database: Database, keyEncryptionKey: Buffer): SignReceipt {
  let known: Promise<{ kid: string; privateKey: KeyObject }> | null = null;
  let knownSince = Number.NEGATIVE_INFINITY;
  return async (text) => {
    if (known === null || performance.now() - knownSince > keyRememberedMs) {
      knownSince = performance.now();
      known = currentSigningKey(database, keyEncryptionKey, "receipt-signing");
      known.catch(() => (known = null));
    }
    const { kid, privateKey } = await known;
    return detachedJws(text, kid, privateKey);
  };
}

export function detachedJws(text: string, kid: string, privateKey: KeyObject): string {
  const header = Buffer.from(JSON.stringify({ alg: "EdDSA", kid, typ: "receipt+jws" })).toString("base64url");
  const payload = Buffer.from(text).toString("base64url");
  return `${header}..${sign(null, Buffer.from(`${header}.${payload}`), privateKey).toString("base64url")}`;
}
