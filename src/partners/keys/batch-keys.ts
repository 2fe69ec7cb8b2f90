/**
 * The RSA keys to which partners encrypt their batches: one current key a partner, the next one announced beside it,
 * retired ones for an overlap.
 */
import { createPrivateKey, generateKeyPair, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { JWK } from "jose";
import type { Queryable } from "../../database/database.ts";
import { keyIdOf } from "./key-id.ts";
import { decryptSecret } from "./secrets-at-rest.ts";
import { present } from "../../present.ts";
import { addServiceKey, promoteNextBatchKey, retireBatchKey } from "./service-keys.ts";

/**
 * RSA-3072 is worth 128 bits of security (NIST SP 800-57 part 1, table 2); RSA-4096 would double the cost of each
 * batch.
 */
const modulusLengthBits = 3072;

/** A public key as senders see it in the JWKS: use enc, alg RSA-OAEP, kid = RFC 7638 thumbprint. */
export type PublicBatchKey = JWK & { kid: string };

/**
 * The next key, which senders have seen announced, takes the current one's place, and another is announced. Without a
 * next one, as for a new partner, both are made. The caller owns the transaction.
 * @param retireAt until when what is encrypted to the earlier keys is opened
 * @returns the key that is current from now on
 */
export async function rotateBatchKey(
  database: Queryable,
  keyEncryptionKey: Buffer,
  partnerId: string,
  retireAt: Date,
): Promise<PublicBatchKey> {
  // Two rotations at once would announce two keys, or none.
  await database.query("select 1 from partners where id = $1 for update", [partnerId]);
  await retireBatchKey(database, partnerId, retireAt);
  const promoted = await promoteNextBatchKey<PublicBatchKey>(database, partnerId);
  // At once: each takes a processor for a while.
  const [next, first] = await Promise.all([makePair(), promoted === null ? makePair() : null]);
  const current =
    promoted ?? (await addPair(database, keyEncryptionKey, partnerId, { ...present(first, "a pair"), isNext: false }));
  await addPair(database, keyEncryptionKey, partnerId, { ...next, isNext: true });
  return current;
}

type KeyPair = { publicKey: KeyObject; privateKey: KeyObject };

function makePair(): Promise<KeyPair> {
  return promisify(generateKeyPair)("rsa", { modulusLength: modulusLengthBits });
}

async function addPair(
  database: Queryable,
  keyEncryptionKey: Buffer,
  partnerId: string,
  { publicKey, privateKey, isNext }: KeyPair & { isNext: boolean },
): Promise<PublicBatchKey> {
  const bare = publicKey.export({ format: "jwk" }) as JWK;
  const kid = await keyIdOf(bare);
  const jwk = { ...bare, use: "enc", alg: "RSA-OAEP", kid };
  const privateKeyPem = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
  await addServiceKey(database, keyEncryptionKey, {
    kid,
    purpose: "batch-encryption",
    partnerId,
    publicJwk: jwk,
    privateKey: privateKeyPem,
    isNext,
  });
  return jwk;
}

/** The keys a sender may use now, the current one first, then the next: those not retired. */
export async function publicBatchKeys(database: Queryable, partnerId: string): Promise<PublicBatchKey[]> {
  const { rows } = await database.query<{ publicJwk: PublicBatchKey }>(
    `select public_jwk as "publicJwk"
       from service_keys
      where purpose = 'batch-encryption'
        and partner_id = $1
        and retired_at is null
      order by is_next, created_at desc`,
    [partnerId],
  );
  return rows.map((row) => row.publicJwk);
}

/**
 * The private key that a batch names, or null when the partner has no such key or it was retired at `acceptedAt`: what
 * was accepted in time can be opened later.
 */
export async function findBatchKey(
  database: Queryable,
  keyEncryptionKey: Buffer,
  partnerId: string,
  kid: string,
  acceptedAt: Date,
): Promise<KeyObject | null> {
  const { rows } = await database.query<{ privateSealed: Buffer }>(
    `select private_sealed as "privateSealed"
       from service_keys
      where kid = $2
        and purpose = 'batch-encryption'
        and partner_id = $1
        and (retired_at is null or retired_at > $3)`,
    [partnerId, kid, acceptedAt],
  );
  const row = rows[0];
  return row ? createPrivateKey(decryptSecret(keyEncryptionKey, kid, row.privateSealed)) : null;
}
