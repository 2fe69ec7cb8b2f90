/** Logins under way: each with a key in its address, a state that the bank brings back, and one end. SQL. */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import type { Queryable } from "../database/database.ts";
import { encryptSecret, decryptSecret } from "../partners/keys/secrets-at-rest.ts";
import type { Psd2Status } from "./redirect.ts";
import type { Language } from "../texts/languages.ts";

export type Login = {
  id: string;
  userId: number;
  partnerId: string;
  bankUserId: string;
  redirectUrl: string | null;
  language: Language;
  bankId: string | null;
  consentReference: string | null;
  outcome: Psd2Status | null;
  isExpired: boolean;
};

/** Time to find the bank's key device; as OAuth servers give for their pages. */
const loginMinutes = 30;
const keyBytes = 32;

const select = `
  select l.id, l.user_id as "userId", l.partner_id as "partnerId", users.bank_user_id as "bankUserId", l.redirect_url as "redirectUrl", l.language, l.bank_id as "bankId",
         l.consent_reference as "consentReference", l.outcome, l.expires_at < now() as "isExpired"
    from psd2_logins l
    join users on users.id = l.user_id and users.deleted_at is null`;

/** @returns the login's id and the key that its address carries, which is kept only as a digest. */
export async function startLogin(
  database: Queryable,
  login: { userId: number; partnerId: string; redirectUrl: string | null; language: Language },
): Promise<{ id: string; key: string }> {
  const id = randomUUID();
  const key = randomBytes(keyBytes).toString("base64url");
  await database.query(
    `insert into psd2_logins (id, user_id, partner_id, key_sha256, redirect_url, language, expires_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(mins => $7))`,
    [id, login.userId, login.partnerId, digest(key), login.redirectUrl, login.language, loginMinutes],
  );
  return { id, key };
}

export async function readLocale(database: Queryable, userId: number): Promise<string> {
  const { rows } = await database.query<{ locale: string }>("select locale from users where id = $1", [userId]);
  return rows[0]?.locale ?? "";
}

export type LoginOwner = { partnerId: string; /** users.subject */ subject: string };

/**
 * Whose a login is, for who has its key. Anybody may ask, before it is known who does. Null: no such login, or a wrong
 * key.
 */
export async function ownerByKey(database: Queryable, id: string, key: string): Promise<LoginOwner | null> {
  const { rows } = await database.query<LoginOwner>(
    'select partner_id as "partnerId", subject from psd2_login_of_key($1, $2)',
    [id, digest(key)],
  );
  return rows[0] ?? null;
}

/** The same for who brings back a bank's answer. Null: a state that nobody waits for. */
export async function ownerByState(database: Queryable, state: string): Promise<LoginOwner | null> {
  const { rows } = await database.query<LoginOwner>(
    'select partner_id as "partnerId", subject from psd2_login_of_state($1)',
    [digest(state)],
  );
  return rows[0] ?? null;
}

/** Null: no such login, a wrong key, or a deleted user. Ended and expired ones are told. */
export async function findLogin(database: Queryable, id: string, key: string): Promise<Login | null> {
  const { rows } = await database.query<Login & { keySha256: Buffer }>(
    select.replace("select l.id", `select l.key_sha256 as "keySha256", l.id`).concat(" where l.id = $1"),
    [id],
  );
  const row = rows[0];
  if (row === undefined || !timingSafeEqual(row.keySha256, digest(key))) return null;
  const { keySha256: _, ...login } = row;
  return login;
}

/** A bank was chosen: from now on its answer is known by the state. An earlier choice is forgotten. */
export async function chooseBank(
  database: Queryable,
  keyEncryptionKey: Buffer,
  id: string,
  choice: { bankId: string; reference: string; state: string; verifier: string },
): Promise<void> {
  await database.query(
    "update psd2_logins set bank_id = $2, consent_reference = $3, state_sha256 = $4, verifier_sealed = $5 where id = $1 and outcome is null",
    [
      id,
      choice.bankId,
      choice.reference,
      digest(choice.state),
      encryptSecret(keyEncryptionKey, `psd2-verifier:${id}`, choice.verifier),
    ],
  );
}

/** Redeems the state for the login to which a bank's answer belongs; a second answer with the same state finds nothing. */
export async function redeemState(
  database: Queryable,
  keyEncryptionKey: Buffer,
  state: string,
): Promise<(Login & { verifier: string }) | null> {
  const { rows } = await database.query<{ id: string; verifierSealed: Buffer }>(
    `with taken as (
       select id, verifier_sealed from psd2_logins where state_sha256 = $1 and outcome is null and expires_at > now() for update
     ),
     used as (
       update psd2_logins set state_sha256 = null, verifier_sealed = null where id in (select id from taken)
     )
     select id, verifier_sealed as "verifierSealed" from taken`,
    [digest(state)],
  );
  const redeemed = rows[0];
  if (redeemed === undefined) return null;
  const found = await database.query<Login>(`${select} where l.id = $1`, [redeemed.id]);
  const login = found.rows[0];
  return login === undefined
    ? null
    : { ...login, verifier: decryptSecret(keyEncryptionKey, `psd2-verifier:${redeemed.id}`, redeemed.verifierSealed) };
}

/** @returns false when it had ended before. */
export async function endLogin(database: Queryable, id: string, outcome: Psd2Status): Promise<boolean> {
  const { rowCount } = await database.query(
    "update psd2_logins set outcome = $2, state_sha256 = null, verifier_sealed = null where id = $1 and outcome is null",
    [id, outcome],
  );
  return rowCount === 1;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
