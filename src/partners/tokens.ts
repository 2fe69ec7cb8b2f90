/** Our bearer tokens: JWTs (RFC 7519) signed with ES256, valid for an hour, bound to one partner and one user. */
import { randomUUID } from "node:crypto";
import { type CompactJWSHeaderParameters, errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../time/clock.ts";
import type { Database } from "../database/database.ts";
import { keysRememberedMs, loadTokenKeys, type TokenKey, tokenLifetimeSeconds } from "./keys/token-keys.ts";

export type TokenSubject = {
  partnerId: string;
  brandId: string;
  /** users.subject */ subject: string;
  /** Who acts for the user; null: nobody else. */ actor: string | null;
  /** When the user's tokens were ended last, in milliseconds since 1970; null: not lately. */ revokedAt: number | null;
};

export type Tokens = {
  issue(subject: TokenSubject): Promise<string>;
  /**
   * Null: malformed, expired, or not signed by us. Says nothing about whether the user still exists. At once where the
   * token is known and nothing has to be looked up.
   */
  verify(token: string): TokenClaims | null | Promise<TokenClaims | null>;
};

export type TokenClaims = {
  partnerId: string;
  subject: string;
  actor: string | null;
  /** Seconds since 1970. */
  issuedAt: number;
  expiresAt: Date;
};

/**
 * Tokens signed elsewhere with a newer key ask for a new read; strangers' made-up kids must not ask more often than
 * this.
 */
const keysReadAgainMs = 1000;

/** Some 600 bytes each. Past them the oldest are checked anew, which takes 0.2 ms. */
const verifiedMax = 20_000;

const issuer = "tideline";
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createTokens(database: Database, keyEncryptionKey: Buffer, clock: Clock): Tokens {
  const keys = rememberKeys(() => loadTokenKeys(database, keyEncryptionKey, clock.now()), clock);
  return {
    async issue({ partnerId, brandId, subject, actor, revokedAt }) {
      const key = await keys.current();
      // In the second in which tokens were ended, the new one is told from the old ones by the next.
      const issuedAt = Math.max(seconds(clock.now()), revokedAt === null ? 0 : Math.floor(revokedAt / 1000) + 1);
      return new SignJWT({ brand: brandId, ...(actor === null ? {} : { act: { sub: actor } }) })
        .setProtectedHeader({ alg: "ES256", typ: "JWT", kid: key.kid })
        .setIssuer(issuer)
        .setAudience(partnerId)
        .setSubject(subject)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + tokenLifetimeSeconds)
        .sign(key.privateKey);
    },
    verify: rememberVerified((token) => verify(token, keys, clock), keys, clock),
  };
}

/** Finding none throws jose's JWKSNoMatchingKey. */
type Keys = {
  current(): Promise<TokenKey>;
  find(kid: string | undefined): Promise<TokenKey>;
  /** Whether the key is in force, as far as that is known without a look; it may be, where it is not. */
  isInForce(kid: string | undefined): boolean;
};
type Verify = Tokens["verify"];
type Verified = {
  claims: TokenClaims;
  /** The key that signed. */ kid: string | undefined;
};

async function verify(token: string, keys: Keys, clock: Clock): Promise<Verified | null> {
  try {
    const options = {
      issuer,
      algorithms: ["ES256"],
      requiredClaims: ["exp", "iat", "aud", "sub"],
      currentDate: clock.now(),
    };
    const { payload, protectedHeader } = await jwtVerify(
      token,
      async (header: CompactJWSHeaderParameters) => (await keys.find(header.kid)).publicKey,
      options,
    );
    const { aud, sub, exp, iat } = payload;
    const act = payload.act as { sub: string } | undefined;
    if (
      typeof aud !== "string" ||
      sub === undefined ||
      !uuidPattern.test(sub) ||
      exp === undefined ||
      iat === undefined
    )
      return null;
    return {
      claims: { partnerId: aud, subject: sub, actor: act?.sub ?? null, issuedAt: iat, expiresAt: new Date(exp * 1000) },
      kid: protectedHeader.kid,
    };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/**
 * A token's signature is checked once; what can end, the token and the key that signed it, is looked at with every
 * call.
 */
function rememberVerified(verifyNow: (token: string) => Promise<Verified | null>, keys: Keys, clock: Clock): Verify {
  const remembered = new Map<string, Verified>();
  const look = async (token: string): Promise<TokenClaims | null> => {
    const known = remembered.get(token);
    if (known && known.claims.expiresAt > clock.now() && (await isInForce(keys, known.kid))) return known.claims;
    remembered.delete(token);
    const verified = await verifyNow(token);
    if (verified === null) return null;
    const [oldest] = remembered.keys();
    if (remembered.size >= verifiedMax && oldest !== undefined) remembered.delete(oldest);
    remembered.set(token, verified);
    return verified.claims;
  };
  return (token) => {
    const known = remembered.get(token);
    const isKnown = known !== undefined && known.claims.expiresAt > clock.now() && keys.isInForce(known.kid);
    return isKnown ? known.claims : look(token);
  };
}

async function isInForce(keys: Keys, kid: string | undefined): Promise<boolean> {
  try {
    await keys.find(kid);
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError) return false;
    throw error;
  }
}

/** Keys read from the database at most once in the times above. Finding none throws jose's JWKSNoMatchingKey. */
function rememberKeys(load: () => Promise<TokenKey[]>, clock: Clock): Keys {
  let readAt = -Infinity;
  let keys: TokenKey[] = [];
  async function refresh(olderThanMs: number): Promise<void> {
    const now = clock.now().getTime();
    if (now - readAt < olderThanMs) return;
    keys = await load();
    readAt = now;
  }
  function verifying(kid: string | undefined): TokenKey | undefined {
    const key = keys.find((candidate) => candidate.kid === kid);
    return key && (key.retiredAt === null || key.retiredAt > clock.now()) ? key : undefined;
  }
  return {
    async current() {
      await refresh(keysRememberedMs);
      const key = keys[0];
      if (!key) throw new errors.JWKSNoMatchingKey();
      return key;
    },
    isInForce: (kid) => clock.now().getTime() - readAt < keysRememberedMs && verifying(kid) !== undefined,
    async find(kid) {
      await refresh(keysRememberedMs);
      if (!verifying(kid)) await refresh(keysReadAgainMs);
      const key = verifying(kid);
      if (!key) throw new errors.JWKSNoMatchingKey();
      return key;
    },
  };
}

function seconds(instant: Date): number {
  return Math.floor(instant.getTime() / 1000);
}
