/** The public keys by which a partner's login JWTs are checked. */
import { createPublicKey, type KeyObject } from "node:crypto";
import type { Queryable } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import type { LoginAlgorithm } from "../settings/login-rules.ts";
import { readPublicKey, suits } from "./public-key.ts";

export type LoginKey = {
  /** Null for keys registered without one, such as bare PEM files. */
  kid: string | null;
  /** The one algorithm that this key is for; a header that names another one never reaches it. */
  algorithm: string;
  publicKey: KeyObject;
};

/** Partners keep one or two keys; a list beyond this is a mistake, and each key tried costs a verification. */
const keysMax = 16;

/** A partner's keys that are neither revoked nor expired at that moment, newest first. */
export async function findLoginKeys(database: Queryable, partnerId: string, now: Date): Promise<LoginKey[]> {
  const { rows } = await database.query<{ kid: string | null; algorithm: string; publicKeyPem: string }>(
    `select kid, algorithm, public_key_pem as "publicKeyPem"
       from login_keys
      where partner_id = $1
        and (revoked_at is null or revoked_at > $2)
        and (expires_at is null or expires_at > $2)
      order by id desc
      limit $3`,
    [partnerId, now, keysMax],
  );
  return rows.map((row) => ({
    kid: row.kid,
    algorithm: row.algorithm,
    publicKey: createPublicKey(row.publicKeyPem),
  }));
}

/**
 * Registers a key; in force at once.
 * @param key.publicKeyPem a public key, an X.509 certificate or a JSON Web Key; its public key is what is kept.
 * @throws Fault COMMAND_USAGE when it is no public key for the algorithm.
 */
export async function addLoginKey(
  database: Queryable,
  key: {
    partnerId: string;
    kid: string | null;
    algorithm: LoginAlgorithm;
    publicKeyPem: string;
    expiresAt: Date | null;
  },
): Promise<void> {
  const publicKey = readPublicKey(key.publicKeyPem, key.algorithm);
  if (!suits(publicKey, key.algorithm))
    throw new Fault("COMMAND_USAGE", `The login key is not a public key for ${key.algorithm}.`);
  await database.query(
    `insert into login_keys (partner_id, kid, algorithm, public_key_pem, expires_at)
     values ($1, $2, $3, $4, $5)`,
    [key.partnerId, key.kid, key.algorithm, publicKey.export({ format: "pem", type: "spki" }), key.expiresAt],
  );
}

/**
 * In force at once; tokens made before live out their hour. @returns false when the partner has no such key in force.
 */
export async function revokeLoginKey(database: Queryable, partnerId: string, id: number): Promise<boolean> {
  const { rowCount } = await database.query(
    `update login_keys
        set revoked_at = now()
      where partner_id = $1
        and id = $2
        and revoked_at is null`,
    [partnerId, id],
  );
  return rowCount === 1;
}
