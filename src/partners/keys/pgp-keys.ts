/** The OpenPGP keys to which partners encrypt their files: one current key a partner, retired ones for an overlap. */
import type { Queryable } from "../../database/database.ts";
import { decryptSecret } from "./secrets-at-rest.ts";
import { addServiceKey, retirePgpKeys } from "./service-keys.ts";

/** As for batches: RSA-3072 is worth 128 bits (NIST SP 800-57 part 1, table 2), and every OpenPGP program knows RSA. */
const rsaBits = 3072;

/** fingerprint: 40 hexadecimal digits, as senders compare it over another channel; armored: what they import. */
export type PublicPgpKey = { fingerprint: string; armored: string };

/** Makes a partner's next key and retires the present ones at `retireAt`. The caller owns the transaction. */
export async function rotatePgpKey(
  database: Queryable,
  keyEncryptionKey: Buffer,
  partner: { id: string; name: string },
  retireAt: Date,
): Promise<PublicPgpKey> {
  const { key, privateArmored } = await generate(partner.name);
  await retirePgpKeys(database, partner.id, retireAt);
  await addServiceKey(database, keyEncryptionKey, {
    kid: key.fingerprint,
    purpose: "openpgp",
    partnerId: partner.id,
    publicJwk: { kid: key.fingerprint, armored: key.armored },
    privateKey: privateArmored,
    isNext: false,
  });
  return key;
}

/** The keys that were not retired, newest first; the first is the one to encrypt to. */
export async function publicPgpKeys(
  database: Queryable,
  partnerId: string,
): Promise<(PublicPgpKey & { createdAt: Date; retiredAt: Date | null })[]> {
  const { rows } = await database.query<PublicPgpKey & { createdAt: Date; retiredAt: Date | null }>(
    `select kid as fingerprint, public_jwk->>'armored' as armored, created_at as "createdAt", retired_at as "retiredAt"
       from service_keys
      where purpose = 'openpgp'
        and partner_id = $1
        and (retired_at is null or retired_at > now())
      order by retired_at is null desc, created_at desc`,
    [partnerId],
  );
  return rows;
}

/** The private keys, armoured, that were not retired at `acceptedAt`: what was accepted in time can be opened later. */
export async function findPgpKeys(
  database: Queryable,
  keyEncryptionKey: Buffer,
  partnerId: string,
  acceptedAt: Date,
): Promise<string[]> {
  const { rows } = await database.query<{ kid: string; privateSealed: Buffer }>(
    `select kid, private_sealed as "privateSealed"
       from service_keys
      where purpose = 'openpgp'
        and partner_id = $1
        and (retired_at is null or retired_at > $2)
      order by created_at desc`,
    [partnerId, acceptedAt],
  );
  return rows.map((row) => decryptSecret(keyEncryptionKey, row.kid, row.privateSealed));
}

/**
 * A version 4 key, which every program since GnuPG 1.4 can encrypt to. It never expires: retiring it is the service's
 * business. Its preferences ask for AES-256 and for zlib, since CSV files shrink to a tenth.
 */
async function generate(name: string): Promise<{ key: PublicPgpKey; privateArmored: string }> {
  // Loaded here only: a tenth of a second that no other command should wait for.
  const { enums, generateKey } = await import("openpgp");
  const { privateKey, publicKey } = await generateKey({
    type: "rsa",
    rsaBits,
    userIDs: [{ name: `Tideline for ${name}` }],
    format: "object",
    config: { preferredCompressionAlgorithm: enums.compression.zlib, v6Keys: false },
  });
  return {
    key: { fingerprint: publicKey.getFingerprint().toUpperCase(), armored: publicKey.armor() },
    privateArmored: privateKey.armor(),
  };
}
