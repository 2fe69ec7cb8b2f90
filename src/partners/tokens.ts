/** Our bearer tokens: JWTs (RFC 7519) signed with ES256, valid for an hour, bound to one partner and one user. */
import { randomUUID } from "node:crypto";
import { type CompactJWSHeaderParameters, errors, jwtVerify, SignJWT } from "jose";
import type { Clock } from "../clock.ts";
import type { Database } from "../database.ts";
import { loadTokenKeys, type TokenKey } from "./token-keys.ts";

export type TokenSubject = { partnerId: string; brandId: string; /** users.subject */ subject: string };

export type Tokens = {
  issue(subject: TokenSubject): Promise<string>;
  /** Null: malformed, expired, or not signed by us. Says nothing about whether the user still exists. */
  verify(token: string): Promise<{ partnerId: string; subject: string; expiresAt: Date } | null>;
};

export const tokenLifetimeSeconds = 3600;
/** How long a server signs with the keys that it read last; a rotation must overlap by more. */
export const keysRememberedMs = 10_000;
/** Tokens signed elsewhere with a newer key ask for a new read; strangers' made-up kids must not ask more often than this. */
const keysReadAgainMs = 1000;

/** A key outlives its retirement by less than this. */
const verifiedRememberedMs = 1000;
/** Some 400 bytes each; more callers than this within a second are beyond one process. */
const verifiedMax = 5000;

const issuer = "tideline";
const uuidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function createTokens(database: Database, keyEncryptionKey: Buffer, clock: Clock): Tokens {
  const keys = rememberKeys(() => loadTokenKeys(database, keyEncryptionKey, clock.now()), clock);
  return {
    async issue({ partnerId, brandId, subject }) {
      const key = await keys.current();
      const issuedAt = seconds(clock.now());
      return new SignJWT({ brand: brandId })
        .setProtectedHeader({ alg: "ES256", typ: "JWT", kid: key.kid })
        .setIssuer(issuer)
        .setAudience(partnerId)
        .setSubject(subject)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + tokenLifetimeSeconds)
        .sign(key.privateKey);
    },
    verify: rememberVerified((token) => verify(token, keys, clock), clock),
  };
}

type Keys = { current(): Promise<TokenKey>; find(kid: string | undefined): Promise<TokenKey> };
type Verify = Tokens["verify"];

async function verify(token: string, keys: Keys, clock: Clock): ReturnType<Verify> {
  try {
    const options = { issuer, algorithms: ["ES256"], requiredClaims: ["exp", "aud", "sub"], currentDate: clock.now() };
    const { payload } = await jwtVerify(token, async (header: CompactJWSHeaderParameters) => (await keys.find(header.kid)).publicKey, options);
    const { aud, sub, exp } = payload;
    if (typeof aud !== "string" || sub === undefined || !uuidPattern.test(sub) || exp === undefined) return null;
    return { partnerId: aud, subject: sub, expiresAt: new Date(exp * 1000) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
}

/** An app that opens calls several endpoints at once: its token's signature is checked once in `verifiedRememberedMs`. */
function rememberVerified(verifyNow: Verify, clock: Clock): Verify {
  const verified = new Map<string, { until: number; claims: Awaited<ReturnType<Verify>> }>();
  return async (token) => {
    const now = clock.now().getTime();
    const known = verified.get(token);
    if (known && known.until > now) return known.claims;
    const claims = await verifyNow(token);
    if (verified.size >= verifiedMax) verified.clear();
    if (claims !== null) verified.set(token, { until: Math.min(now + verifiedRememberedMs, claims.expiresAt.getTime()), claims });
    return claims;
  };
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
