/** A partner logs one of its users in: its signed JWT in, our token out. */
import {
  type CompactVerifyResult,
  type ProtectedHeaderParameters,
  compactVerify,
  decodeProtectedHeader,
  errors,
} from "jose";
import type { Queryable } from "../database/database.ts";
import { judgeClaims, type Claims } from "./login-claims.ts";
import { findLoginKeys, type LoginKey } from "./keys/login-keys.ts";
import type { LoginRules } from "./settings/login-rules.ts";
import type { Partner } from "./partners.ts";
import { isEnded, readLastRevoked } from "./revocations.ts";
import type { Tokens } from "./tokens.ts";
import { findUserForLogin } from "./users.ts";

export type LoginOutcome =
  | { outcome: "accepted"; token: string }
  /** `reason` is for the operator's log, never for the caller. */
  | { outcome: "refused"; reason: string }
  | { outcome: "user-unknown" };

/**
 * @param payload what the partner sent: a compact JWS (RFC 7515) over the claims.
 * Not idempotent for a payload with a jti: the second call is refused as a replay.
 */
export async function logIn(
  database: Queryable,
  tokens: Tokens,
  partner: Partner,
  payload: string,
  now: Date,
): Promise<LoginOutcome> {
  const claims = await readClaims(payload, partner.loginRules, await findLoginKeys(database, partner.id, now), now);
  if (!claims.ok) return refused(claims.reason);
  const { login } = claims;
  if (!partner.brands.has(login.brandId)) return refused("brand unknown");
  const user = await findUserForLogin(database, partner.id, login.brandId, login.bankUserId);
  if (user === null) return { outcome: "user-unknown" };
  const revokedAt = await readLastRevoked(database, partner.id, user.subject);
  if (isEnded(login.issuedAt, revokedAt)) return refused("made before the tokens were ended");
  // Last, so that a login for a user who is still to be created does not use its JWT up.
  if (login.jti !== null && !(await useOnce(database, partner.id, login.jti, login.expiresAt)))
    return refused("replayed");
  return {
    outcome: "accepted",
    token: await tokens.issue({
      partnerId: partner.id,
      brandId: login.brandId,
      subject: user.subject,
      actor: login.actor,
      revokedAt,
    }),
  };
}

/** The claims of a JWT that one of the keys signed. The token names a key at most; it never brings one. */
export async function readClaims(
  payload: string,
  rules: LoginRules,
  keys: readonly LoginKey[],
  now: Date,
): Promise<Claims> {
  const header = readHeader(payload);
  if (header === null) return { ok: false, reason: "no JWT" };
  const algorithm = rules.algorithms.find((allowed) => allowed === header.alg);
  if (algorithm === undefined) return { ok: false, reason: "algorithm not allowed" };
  // No extension is understood here (RFC 7515, 4.1.11), unencoded payloads (RFC 7797) least of all.
  if (header.crit !== undefined) return { ok: false, reason: "critical extension" };
  for (const key of candidates(keys, algorithm, header.kid)) {
    const verified = await verify(payload, key);
    if (verified) return judgeClaims(readObject(verified.payload), rules, Math.floor(now.getTime() / 1000));
  }
  return { ok: false, reason: "signed by no key of the partner" };
}

/** A key without a kid may be meant by any kid; a JWT without one may mean any key. */
function candidates(keys: readonly LoginKey[], algorithm: string, kid: unknown): LoginKey[] {
  return keys.filter(
    (key) => key.algorithm === algorithm && (kid === undefined || key.kid === null || key.kid === kid),
  );
}

function readHeader(payload: string): ProtectedHeaderParameters | null {
  try {
    return decodeProtectedHeader(payload);
  } catch {
    // Not three segments, no base64url, no JSON object: each the same to the caller.
    return null;
  }
}

async function verify(payload: string, key: LoginKey): Promise<CompactVerifyResult | null> {
  try {
    return await compactVerify(payload, key.publicKey, { algorithms: [key.algorithm] });
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** The claims set; empty when the signed bytes are no JSON object, which then lacks every claim. */
function readObject(bytes: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof value === "object" && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function refused(reason: string): LoginOutcome {
  return { outcome: "refused", reason };
}

/** Whether this is the first time; of two calls at once one wins. */
async function useOnce(database: Queryable, partnerId: string, jti: string, expiresAt: Date): Promise<boolean> {
  const { rowCount } = await database.query(
    `insert into used_login_ids (partner_id, jti, expires_at)
     values ($1, $2, $3)
     on conflict do nothing`,
    [partnerId, jti, expiresAt],
  );
  return rowCount === 1;
}

/** Deletes the ids whose JWT has expired, which nobody can replay any more. */
export async function deleteExpiredLoginIds(database: Queryable): Promise<void> {
  await database.query("delete from used_login_ids where expires_at < now()");
}
