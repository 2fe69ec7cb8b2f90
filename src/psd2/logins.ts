/**
 * Logins under way: each with a key in its address, a browser that claimed it, a state that the bank brings back, and
 * one end. SQL.
 */
import { createHash, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import type { Queryable } from "../database/database.ts";
import { encryptSecret, decryptSecret } from "../partners/keys/secrets-at-rest.ts";
import type { Psd2Status } from "./redirect.ts";
import type { Language } from "../texts/languages.ts";

export type Login = {
  id: string;
  userId: number;
  partnerId: string;
  partnerName: string;
  /** The partner's own words for its customer; null: it sent none. */
  customerHint: string | null;
  bankUserId: string;
  /** The user's brand's. */
  country: string | null;
  redirectUrl: string | null;
  requiresConfirmation: boolean;
  language: Language;
  /** SHA-256 of the cookie of the browser that claimed it; null: none has yet. */
  browserSha256: Buffer | null;
  bankId: string | null;
  consentReference: string | null;
  outcome: Psd2Status | null;
  isExpired: boolean;
};

export type NewLogin = {
  userId: number;
  partnerId: string;
  redirectUrl: string | null;
  customerHint: string | null;
  requiresConfirmation: boolean;
  language: Language;
};

/** Time to find the bank's key device; as OAuth servers give for their pages. */
const loginMinutes = 30;
export const loginSeconds = loginMinutes * 60;
/** Changing one's mind is human; each choice opens a consent at a bank. */
const consentsMax = 5;
const keyBytes = 32;

/** Those of live users of partners that are not suspended. */
const select = `
  select l.id, l.user_id as "userId", l.partner_id as "partnerId", partners.name as "partnerName", l.customer_hint as "customerHint", users.bank_user_id as "bankUserId",
         (select b.country from brands b where b.partner_id = users.partner_id and b.id = users.brand_id) as country,
         l.redirect_url as "redirectUrl", l.requires_confirmation as "requiresConfirmation", l.language, l.browser_sha256 as "browserSha256", l.bank_id as "bankId",
         l.consent_reference as "consentReference", l.outcome, l.expires_at < now() as "isExpired"
    from psd2_logins l
    join users on users.id = l.user_id and users.deleted_at is null
    join partners on partners.id = l.partner_id and partners.suspended_at is null`;

/** @returns the login's id and the key that its address carries, which is kept only as a digest. */
export async function startLogin(database: Queryable, login: NewLogin): Promise<{ id: string; key: string }> {
  const id = randomUUID();
  const key = randomBytes(keyBytes).toString("base64url");
  await database.query(
    `insert into psd2_logins (id, user_id, partner_id, key_sha256, redirect_url, customer_hint, requires_confirmation, language, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(mins => $9))`,
    [
      id,
      login.userId,
      login.partnerId,
      digest(key),
      login.redirectUrl,
      login.customerHint,
      login.requiresConfirmation,
      login.language,
      loginMinutes,
    ],
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

/**
 * Binds a login to the browser that has this cookie, from which the first form came. Of two browsers at once one wins.
 * @returns whether the login is this browser's now, be it since before.
 */
export async function claimLogin(database: Queryable, id: string, cookie: string): Promise<boolean> {
  const { rows } = await database.query<{ browserSha256: Buffer }>(
    `update psd2_logins
        set browser_sha256 = coalesce(browser_sha256, $2)
      where id = $1
        and outcome is null
        and expires_at > now()
     returning browser_sha256 as "browserSha256"`,
    [id, digest(cookie)],
  );
  return isBrowserOf(rows[0] ?? { browserSha256: null }, cookie);
}

/** Whether the browser with this cookie claimed the login. Nobody's login is no browser's. */
export function isBrowserOf({ browserSha256 }: Pick<Login, "browserSha256">, cookie: string | null): boolean {
  return browserSha256 !== null && cookie !== null && timingSafeEqual(browserSha256, digest(cookie));
}

/** A bank is about to be asked for a consent. @returns false: the login has had its number of them. */
export async function countConsent(database: Queryable, id: string): Promise<boolean> {
  const { rowCount } = await database.query(
    "update psd2_logins set consents_begun = consents_begun + 1 where id = $1 and outcome is null and consents_begun < $2",
    [id, consentsMax],
  );
  return rowCount === 1;
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

/** The login to which a bank's answer belongs, with nothing done to it yet. Null: nobody waits for the state. */
export async function findLoginByState(database: Queryable, state: string): Promise<Login | null> {
  const { rows } = await database.query<Login>(
    `${select} where l.state_sha256 = $1 and l.outcome is null and l.expires_at > now()`,
    [digest(state)],
  );
  return rows[0] ?? null;
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
