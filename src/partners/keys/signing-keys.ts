/**
 * Ed25519 keys by which the service stands for what it wrote: the audit trail's batches, receipts. Public halves are kept
 * for good, so that what was signed can be verified after a rotation.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import type { JWK } from "jose";
import { type Database, inTransaction, type Queryable } from "../../database/database.ts";
import { keyIdOf } from "./key-id.ts";
import { decryptSecret } from "./secrets-at-rest.ts";
import { addServiceKey, retireSigningKey } from "./service-keys.ts";

export type SigningPurpose = "audit-signing" | "receipt-signing";

export type SigningKey = { kid: string; privateKey: KeyObject };

/** Held while a first key is made. Any number that no other lock uses. */
const firstKeyLock = 7_431_002;

/** The one that signs now; made when there is none. */
export async function currentSigningKey(
  database: Database,
  keyEncryptionKey: Buffer,
  purpose: SigningPurpose,
): Promise<SigningKey> {
  const known = await findCurrent(database, keyEncryptionKey, purpose);
  if (known !== null) return known;
  return await inTransaction(database, async (transaction) => {
    await transaction.query("select pg_advisory_xact_lock($1)", [firstKeyLock]);
    return (
      (await findCurrent(transaction, keyEncryptionKey, purpose)) ??
      (await addSigningKey(transaction, keyEncryptionKey, purpose))
    );
  });
}

/** The next key signs from now on; what the present one signed stays verifiable. The caller owns the transaction. */
export async function rotateSigningKey(
  transaction: Queryable,
  keyEncryptionKey: Buffer,
  purpose: SigningPurpose,
): Promise<SigningKey> {
  await retireSigningKey(transaction, purpose);
  return await addSigningKey(transaction, keyEncryptionKey, purpose);
}

/**
 * By kid, retired ones included. Each is derived from its private half: a key that somebody put into the database who does
 * not know the key-encryption key is none. @throws Fault KEY_ENCRYPTION_KEY for such a one
 */
export async function trustedPublicKeys(
  database: Queryable,
  keyEncryptionKey: Buffer,
  purpose: SigningPurpose,
): Promise<Map<string, KeyObject>> {
  const { rows } = await database.query<{ kid: string; privateSealed: Buffer }>(
    'select kid, private_sealed as "privateSealed" from service_keys where purpose = $1',
    [purpose],
  );
  return new Map(
    rows.map(({ kid, privateSealed }) => [
      kid,
      createPublicKey(createPrivateKey(decryptSecret(keyEncryptionKey, kid, privateSealed))),
    ]),
  );
}

/** For partners: every key that ever signed, the current one first. */
export async function publishedSigningKeys(database: Queryable, purpose: SigningPurpose): Promise<JWK[]> {
  const { rows } = await database.query<{ publicJwk: JWK }>(
    `select public_jwk as "publicJwk" from service_keys where purpose = $1
      order by retired_at desc nulls first, created_at desc`,
    [purpose],
  );
  return rows.map(({ publicJwk }) => publicJwk);
}

async function findCurrent(
  database: Queryable,
  keyEncryptionKey: Buffer,
  purpose: SigningPurpose,
): Promise<SigningKey | null> {
  const { rows } = await database.query<{ kid: string; privateSealed: Buffer }>(
    `select kid, private_sealed as "privateSealed" from service_keys
      where purpose = $1 and retired_at is null order by created_at desc limit 1`,
    [purpose],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return { kid: row.kid, privateKey: createPrivateKey(decryptSecret(keyEncryptionKey, row.kid, row.privateSealed)) };
}

async function addSigningKey(
  database: Queryable,
  keyEncryptionKey: Buffer,
  purpose: SigningPurpose,
): Promise<SigningKey> {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const bare = publicKey.export({ format: "jwk" }) as JWK;
  const kid = await keyIdOf(bare);
  await addServiceKey(database, keyEncryptionKey, {
    kid,
    purpose,
    partnerId: null,
    publicJwk: { ...bare, use: "sig", alg: "EdDSA", kid },
    privateKey: privateKey.export({ format: "pem", type: "pkcs8" }).toString(),
    isNext: false,
  });
  return { kid, privateKey };
}
