/** What a partner's login JWT says, judged claim by claim (RFC 7519, 4.1). Pure: the signature is checked elsewhere. */
import type { LoginRules } from "./settings/login-rules.ts";

export type Login = {
  /** The user's id in the partner's system. */
  bankUserId: string;
  brandId: string;
  /** Who acts for the user, such as an adviser: the partner's own name of them. Null: the user. */
  actor: string | null;
  /** Null when the JWT names no id, which the partner's rules allow: then nothing can be told about a replay. */
  jti: string | null;
  /** Seconds since 1970. Of a JWT without iat the earliest that it can say by its end. */
  issuedAt: number;
  expiresAt: Date;
};

/** Reasons are for the operator's log; the caller is told LOGIN_INVALID whichever it is. */
export type Claims = { ok: true; login: Login } | { ok: false; reason: string };

/** A login JWT is made for the call at hand; a longer life would only widen the window for a stolen one. */
const lifetimeMaxSeconds = 600;
/** How far the partner's clock may be ahead of ours. */
const skewSeconds = 60;
/** As constraint users_bank_user_id_length. */
const bankUserIdLengthMax = 200;
/** Long enough for every id format in use; bounds the rows of used_login_ids. */
const jtiLengthMax = 256;
/** A name is printed on reports and travels in every token. */
const actorLengthMax = 100;

/** @param now seconds since 1970, as in the claims. */
export function judgeClaims(claims: Readonly<Record<string, unknown>>, rules: LoginRules, now: number): Claims {
  const { sub, exp, iat, nbf, jti, iss, aud, act } = claims;
  const brandId = claims[rules.brandClaim];
  if (typeof exp !== "number") return refused("exp missing");
  if (!(exp > now)) return refused("expired");
  if (!(exp <= now + lifetimeMaxSeconds)) return refused("exp too far ahead");
  if (!startsBy(nbf, now + skewSeconds)) return refused("nbf in the future");
  if (!startsBy(iat, now + skewSeconds)) return refused("iat in the future");
  if (rules.issuer !== null && iss !== rules.issuer) return refused("iss is another");
  if (rules.audience !== null && !audiences(aud).includes(rules.audience)) return refused("aud is another");
  if (!isText(sub, bankUserIdLengthMax)) return refused("sub missing");
  if (typeof brandId !== "string") return refused("brand claim missing");
  if (jti === undefined && rules.requiresId) return refused("jti missing");
  if (jti !== undefined && !isText(jti, jtiLengthMax)) return refused("jti is no text");
  const actor = act === undefined ? null : actorOf(act);
  if (actor === undefined) return refused("act names nobody");
  const issuedAt = typeof iat === "number" ? iat : exp - lifetimeMaxSeconds;
  const expiresAt = new Date(exp * 1000);
  return { ok: true, login: { bankUserId: sub, brandId, actor, jti: jti ?? null, issuedAt, expiresAt } };
}

function refused(reason: string): Claims {
  return { ok: false, reason };
}

function startsBy(claim: unknown, latest: number): boolean {
  return claim === undefined || (typeof claim === "number" && claim <= latest);
}

function audiences(aud: unknown): unknown[] {
  return Array.isArray(aud) ? aud : [aud];
}

/** RFC 8693, 4.1: the current actor is the outermost one. Undefined: there is no name in it. */
function actorOf(act: unknown): string | undefined {
  const name = typeof act === "object" && act !== null && "sub" in act ? act.sub : undefined;
  return isText(name, actorLengthMax) ? name : undefined;
}

/** Text that Postgres stores as it stands: no NUL, no lone surrogate. */
function isText(claim: unknown, lengthMax: number): claim is string {
  return (
    typeof claim === "string" &&
    claim.length > 0 &&
    claim.length <= lengthMax &&
    !claim.includes("\0") &&
    claim.isWellFormed()
  );
}
