/**
 * Batch keys for tests that are not about making them: a pair of RSA keys of full length takes a second of every test's
 * time.
 */
import { generateKeyPairSync } from "node:crypto";
import { calculateJwkThumbprint, type JWK } from "jose";
import type { Database } from "../src/database/database.ts";
import type { PublicBatchKey } from "../src/partners/keys/batch-keys.ts";
import { encryptSecret } from "../src/partners/keys/secrets-at-rest.ts";

/** The shortest that is allowed; made once a process, when first asked for. */
let made: { jwk: PublicBatchKey; privatePem: string }[] | undefined;

/** A current and a next key, as the first rotation leaves them. @returns the current one */
export async function giveBatchKeys(
  database: Database,
  keyEncryptionKey: Buffer,
  partnerId: string,
): Promise<PublicBatchKey> {
  const [current, next] = (made ??= [await make(), await make()]);
  if (!current || !next) throw new Error("no keys were made");
  for (const { jwk, privatePem } of [current, next]) {
    await database.query(
      "insert into service_keys (kid, purpose, partner_id, public_jwk, private_sealed, is_next) values ($1, 'batch-encryption', $2, $3, $4, $5)",
      [jwk.kid, partnerId, JSON.stringify(jwk), encryptSecret(keyEncryptionKey, jwk.kid, privatePem), jwk === next.jwk],
    );
  }
  return current.jwk;
}

async function make(): Promise<{ jwk: PublicBatchKey; privatePem: string }> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const bare = publicKey.export({ format: "jwk" }) as JWK;
  const jwk = { ...bare, use: "enc", alg: "RSA-OAEP", kid: await calculateJwkThumbprint(bare) };
  return { jwk, privatePem: privateKey.export({ format: "pem", type: "pkcs8" }).toString() };
}
