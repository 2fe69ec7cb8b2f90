/**
 * Signed receipts: beside `NAME.receipt.json` lies `NAME.receipt.json.jws`, a JWS over exactly the receipt's bytes, with
 * the payload left out (RFC 7515, appendix F), by which a bank proves to others what was accepted and what became of it.
 * EdDSA (RFC 8037): equal receipts have equal signatures. The key's public half is at the partner's JWKS by its `kid`,
 * after rotations too.
 */
import { sign } from "node:crypto";
import type { SigningKey } from "../../partners/keys/signing-keys.ts";

export const signatureEnding = ".jws";

export function detachedJws(text: string, { kid, privateKey }: SigningKey): string {
  const header = Buffer.from(JSON.stringify({ alg: "EdDSA", kid, typ: "receipt+jws" })).toString("base64url");
  const payload = Buffer.from(text).toString("base64url");
  return `${header}..${sign(null, Buffer.from(`${header}.${payload}`), privateKey).toString("base64url")}`;
}
