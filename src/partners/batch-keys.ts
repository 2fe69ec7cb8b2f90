/** The RSA keys to which partners encrypt their batches: one current key a partner, retired ones for an overlap. */
import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import { calculateJwkThumbprint, type JWK } from "jose";
import type { Queryable } from "../database.ts";
import { seal, unseal } from "./sealing.ts";

/** RSA-3072 is worth 128 bits of security (NIST SP 800-57 part 1, table 2); RSA-4096 would double the cost of each batch. */
const modulusLengthBits = 3072;

/** A public key as senders see it in the JWKS: use enc, alg RSA-OAEP, kid = RFC 7638 thumbprint. */
export type PublicBatchKey = JWK & { kid: string };

/** Makes a partner's next key and retires the present ones at `retireAt`. The caller owns the transaction. */
export async function rotateBatchKey(database: Queryable, keyEncryptionKey: Buffer, partnerId: string, retireAt: Date): Promise<PublicBatchKey> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", { modulusLength: modulusLengthBits });
  const bare = publicKey.export({ format: "jwk" }) as JWK;
  const kid = await calculateJwkThumbprint(bare);
  const jwk = { ...bare, use: "enc", alg: "RSA-OAEP", kid };
  const privatePem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  await database.query(
    `update service_keys
        set retired_at = $2
      where purpose = 'batch-encryption'
        and partner_id = $1
        and retired_at is null`,
    [partnerId, retireAt],
  );
  await database.query(
    `insert into service_keys (kid, purpose, partner_id, public_jwk, private_sealed)
     values ($1, 'batch-encryption', $2, $3, $4)`,
    [kid, partnerId, JSON.stringify(jwk), seal(keyEncryptionKey, kid, privatePem)],
  );
  return jwk;
}

/** The keys a sender may use now, newest first: those not retired. */
export async function publicBatchKeys(database: Queryable, partnerId: string): Promise<PublicBatchKey[]> {
  const { rows } = await database.query<{ public_jwk: PublicBatchKey }>(
    `select public_jwk
       from service_keys
      where purpose = 'batch-encryption'
        and partner_id = $1
        and retired_at is null
      order by created_at desc`,
    [partnerId],
  );
  return rows.map((row) => row.public_jwk);
}

/**
 * The private key that a batch names, or null when the partner has no such key or it was retired at `acceptedAt`: what
 * was accepted in time can be opened later.
 */
export async function findBatchKey(database: Queryable, keyEncryptionKey: Buffer, partnerId: string, kid: string, acceptedAt: Date): Promise<KeyObject | null> {
  const { rows } = await database.query<{ private_sealed: Buffer }>(
    `select private_sealed
       from service_keys
      where kid = $2
        and purpose = 'batch-encryption'
        and partner_id = $1
        and (retired_at is null or retired_at > $3)`,
    [partnerId, kid, acceptedAt],
  );
  const row = rows[0];
  return row ? createPrivateKey(unseal(keyEncryptionKey, kid, row.private_sealed)) : null;
}
