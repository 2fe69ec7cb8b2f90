/** What a key is called that partners see in a set of keys. The library is read where keys are made, and not where they are told. */
import type { JWK } from "jose";

/** RFC 7638 thumbprint. @param jwk the public half */
export async function keyIdOf(jwk: JWK): Promise<string> {
  const { calculateJwkThumbprint } = await import("jose");
  return await calculateJwkThumbprint(jwk);
}
