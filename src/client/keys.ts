/** What a partner's keys do: seal batches to the service, sign logins and, where asked, batches. */
import { randomUUID } from "node:crypto";
import { CompactEncrypt, CompactSign, importJWK, importPKCS8, type JWK, SignJWT } from "jose";
import type { PartnerAccess } from "./access.ts";
import { AccessInvalid } from "./failures.ts";
import type { EncryptionKey } from "./generated/schemas.ts";

/** The service takes at most ten minutes; the clocks of both need not agree to the second. */
const loginValidFor = "5m";

/** A compact JWE (RFC 7516, 3.1): RSA-OAEP, A256GCM, DEF. */
export async function seal(plaintext: string | Uint8Array, key: EncryptionKey): Promise<string> {
  const bytes = typeof plaintext === "string" ? new TextEncoder().encode(plaintext) : plaintext;
  return await new CompactEncrypt(bytes)
    .setProtectedHeader({ alg: "RSA-OAEP", enc: "A256GCM", zip: "DEF", kid: key.kid })
    .encrypt(await importJWK(key as JWK, "RSA-OAEP"));
}

/** The payload of a login: for one use, as each has a `jti` of its own. @param actor who acts for the user (RFC 8693) */
export async function signLogin(
  access: PartnerAccess,
  user: { bankUserId: string; brand?: string | undefined; actor?: string | undefined },
): Promise<string> {
  const { key, header } = await signingKey(access);
  const { bankUserId, brand = access.brand, actor } = user;
  return await new SignJWT({ brand, ...(actor === undefined ? {} : { act: { sub: actor } }) })
    .setProtectedHeader(header)
    .setSubject(bankUserId)
    .setJti(randomUUID())
    .setIssuedAt()
    .setExpirationTime(loginValidFor)
    .sign(key);
}

/** The plaintext of a batch that is to be signed: a compact JWS around it. */
export async function signBatch(plaintext: string, access: PartnerAccess): Promise<string> {
  const { key, header } = await signingKey(access);
  return await new CompactSign(new TextEncoder().encode(plaintext)).setProtectedHeader(header).sign(key);
}

/** @throws AccessInvalid without a login key */
async function signingKey(access: PartnerAccess) {
  if (access.loginKey === undefined)
    throw new AccessInvalid("Logging in needs the login key: login-private.pem in the partner's folder.");
  const { loginAlgorithm: alg = "RS256", loginKeyId: kid } = access;
  return { key: await importPKCS8(access.loginKey, alg), header: { alg, ...(kid === undefined ? {} : { kid }) } };
}
