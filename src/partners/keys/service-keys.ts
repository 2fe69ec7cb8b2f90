/**
 * The table of the service's own keys, whichever they are for: batches, OpenPGP files and tokens. Their private halves
 * are encrypted under the key-encryption keys, with the key's own name as context.
 */
import type { JWK } from "jose";
import type { Queryable } from "../../database/database.ts";
import { encryptSecret } from "./secrets-at-rest.ts";

export type NewServiceKey = {
  kid: string;
  purpose: "batch-encryption" | "openpgp" | "token-signing" | "audit-signing" | "receipt-signing";
  /** Null: the service's own. */
  partnerId: string | null;
  /** What others may see of it. */
  publicJwk: JWK | { kid: string; armored: string };
  /** PEM, or armoured. */
  privateKey: string;
  /** Announced beside the current one. */
  isNext: boolean;
};

export async function addServiceKey(database: Queryable, keyEncryptionKey: Buffer, key: NewServiceKey): Promise<void> {
  await database.query(
    `insert into service_keys (kid, purpose, partner_id, public_jwk, private_sealed, is_next)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      key.kid,
      key.purpose,
      key.partnerId,
      JSON.stringify(key.publicJwk),
      encryptSecret(keyEncryptionKey, key.kid, key.privateKey),
      key.isNext,
    ],
  );
}

/** The partner's current batch key; the next one stays announced. */
export async function retireBatchKey(database: Queryable, partnerId: string, retireAt: Date): Promise<void> {
  await database.query(
    `update service_keys
        set retired_at = $2
      where purpose = 'batch-encryption'
        and partner_id = $1
        and retired_at is null
        and not is_next`,
    [partnerId, retireAt],
  );
}

/** The announced batch key becomes the current one. @returns its public half; null when none was announced */
export async function promoteNextBatchKey<Key extends JWK>(
  database: Queryable,
  partnerId: string,
): Promise<Key | null> {
  const { rows } = await database.query<{ publicJwk: Key }>(
    `update service_keys
        set is_next = false
      where purpose = 'batch-encryption'
        and partner_id = $1
        and is_next
      returning public_jwk as "publicJwk"`,
    [partnerId],
  );
  return rows[0]?.publicJwk ?? null;
}

/** Every OpenPGP key of the partner that is not to be retired sooner. */
export async function retirePgpKeys(database: Queryable, partnerId: string, retireAt: Date): Promise<void> {
  await database.query(
    `update service_keys
        set retired_at = $2
      where purpose = 'openpgp'
        and partner_id = $1
        and (retired_at is null or retired_at > $2)`,
    [partnerId, retireAt],
  );
}

/** The key that signs tokens; what it signed verifies until then. */
export async function retireTokenKey(database: Queryable, retireAt: Date): Promise<void> {
  await database.query(
    `update service_keys
        set retired_at = $1
      where purpose = 'token-signing'
        and retired_at is null`,
    [retireAt],
  );
}

/** The one that signs what the service stands for; its public half stays, and what it signed can be verified. */
export async function retireSigningKey(database: Queryable, purpose: NewServiceKey["purpose"]): Promise<void> {
  await database.query(
    `update service_keys
        set retired_at = now()
      where purpose = $1
        and retired_at is null`,
    [purpose],
  );
}
