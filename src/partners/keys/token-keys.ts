/** The keys that sign our tokens: one current, retired ones kept until the tokens they signed have expired. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { JWK } from "jose";
import { type Database, inTransaction, type Queryable } from "../../database/database.ts";
import { keyIdOf } from "./key-id.ts";
import { decryptSecret } from "./secrets-at-rest.ts";
import { addServiceKey, retireTokenKey } from "./service-keys.ts";

export type TokenKey = {
  /** RFC 7638 thumbprint. */
  kid: string;
  publicKey: KeyObject;
  privateKey: KeyObject;
  /** Null: the current key. In the future: still verifies, signs no more. */
  retiredAt: Date | null;
};

export const tokenLifetimeSeconds = 3600;
/** How long a server signs with the keys that it read last; a rotation must overlap by more. */
export const keysRememberedMs = 10_000;

/**
 * Held while the first key is made, so that servers which start together make one. Any number that no other lock uses.
 */
const firstKeyLock = 7_431_001;

/** The keys that are not retired at `now`, the current one first. Makes the first key when there is none. */
export async function loadTokenKeys(database: Database, keyEncryptionKey: Buffer, now: Date): Promise<TokenKey[]> {
  const keys = await findTokenKeys(database, keyEncryptionKey, now);
  if (keys.some((key) => key.retiredAt === null)) return keys;
  return inTransaction(database, async (transaction) => {
    await transaction.query("select pg_advisory_xact_lock($1)", [firstKeyLock]);
    const present = await findTokenKeys(transaction, keyEncryptionKey, now);
    if (!present.some((key) => key.retiredAt === null)) await insertTokenKey(transaction, keyEncryptionKey);
    return findTokenKeys(transaction, keyEncryptionKey, now);
  });
}

/**
 * Makes the next key, which signs from now on, and lets the present one verify until `retireAt`: at least a token's
 * life and the time for which servers remember keys ahead (tokenLifetimeSeconds, keysRememberedMs). The caller owns the
 * transaction.
 */
export async function rotateTokenKey(
  transaction: Queryable,
  keyEncryptionKey: Buffer,
  retireAt: Date,
): Promise<{ kid: string }> {
  await retireTokenKey(transaction, retireAt);
  return insertTokenKey(transaction, keyEncryptionKey);
}

/** P-256: ES256 signs some twenty times faster than RSA and gives tokens a fifth of the size. */
async function insertTokenKey(database: Queryable, keyEncryptionKey: Buffer): Promise<{ kid: string }> {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("ec", { namedCurve: "P-256" });
  const bare = publicKey.export({ format: "jwk" }) as JWK;
  const kid = await keyIdOf(bare);
  const privateKeyPem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  await addServiceKey(database, keyEncryptionKey, {
    kid,
    purpose: "token-signing",
    partnerId: null,
    publicJwk: { ...bare, use: "sig", alg: "ES256", kid },
    privateKey: privateKeyPem,
    isNext: false,
  });
  return { kid };
}

async function findTokenKeys(database: Queryable, keyEncryptionKey: Buffer, now: Date): Promise<TokenKey[]> {
  const { rows } = await database.query<{ kid: string; privateSealed: Buffer; retiredAt: Date | null }>(
    `select kid, private_sealed as "privateSealed", retired_at as "retiredAt"
       from service_keys
      where purpose = 'token-signing'
        and (retired_at is null or retired_at > $1)
      order by retired_at desc nulls first, created_at desc`,
    [now],
  );
  return rows.map((row) => {
    const privateKey = createPrivateKey(decryptSecret(keyEncryptionKey, row.kid, row.privateSealed));
    return { kid: row.kid, privateKey, publicKey: createPublicKey(privateKey), retiredAt: row.retiredAt };
  });
}
