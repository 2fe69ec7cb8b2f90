/**
 * Access tokens for receivers: a static one, or one by OAuth 2 client credentials, kept until a minute before it ends.
 */
import { createPrivateKey, webcrypto } from "node:crypto";
import type * as OAuth from "openid-client";
import { post, RequestFailure } from "../machine/guarded-request.ts";
import type { Authentication, Receiver } from "./receiver.ts";

export type AccessTokens = {
  /** @throws RequestFailure when the token's address does not answer or refuses */
  get(receiver: Receiver): Promise<string>;
  /** Forgets a token that the receiver refused. */
  drop(receiver: Receiver, token: string): void;
};

/** A token is renewed this long before it ends: it must last until the receiver looks at it. */
const renewBeforeSeconds = 60;
/** For answers that do not say when their token ends. */
const lifetimeSecondsDefault = 300;

/** value: null until the grant has been answered. */
type Kept = { key: string; until: number; value: string | null; token: Promise<string> };

export function createAccessTokens(now: () => number = Date.now): AccessTokens {
  const kept = new Map<string, Kept>();
  return {
    async get(receiver) {
      const { authentication, partnerId } = receiver;
      if (authentication.kind === "static") return authentication.token;
      const key = JSON.stringify(authentication);
      const known = kept.get(partnerId);
      if (known?.key === key && known.until > now()) return await known.token;
      // Whoever else needs one meanwhile waits for the same.
      const entry: Kept = { key, until: Number.POSITIVE_INFINITY, value: null, token: Promise.resolve("") };
      entry.token = grant(receiver, authentication).then(({ token, lifetimeSeconds }) => {
        entry.value = token;
        entry.until = now() + Math.max(1, lifetimeSeconds - renewBeforeSeconds) * 1000;
        return token;
      });
      entry.token.catch(() => kept.get(partnerId) === entry && kept.delete(partnerId));
      kept.set(partnerId, entry);
      return await entry.token;
    },
    drop({ partnerId }, token) {
      if (kept.get(partnerId)?.value === token) kept.delete(partnerId);
    },
  };
}

async function grant(
  receiver: Receiver,
  authentication: Exclude<Authentication, { kind: "static" }>,
): Promise<{ token: string; lifetimeSeconds: number }> {
  // Most receivers have a static token.
  const oauth = await import("openid-client");
  const server = { issuer: new URL(authentication.tokenUrl).origin, token_endpoint: authentication.tokenUrl };
  const configuration = new oauth.Configuration(
    server,
    authentication.clientId,
    undefined,
    await clientAuthentication(oauth, authentication),
  );
  configuration[oauth.customFetch] = (url, options) => guardedFetch(url, options, receiver);
  if (receiver.guard.allowsPrivateAddresses) oauth.allowInsecureRequests(configuration);
  try {
    const answer = await oauth.clientCredentialsGrant(
      configuration,
      authentication.scope === null ? {} : { scope: authentication.scope },
    );
    return { token: answer.access_token, lifetimeSeconds: answer.expires_in ?? lifetimeSecondsDefault };
  } catch (error) {
    throw asFailure(error);
  }
}

/** The library wraps what the request threw; an answer that is no token has a code of the library's own. */
function asFailure(error: unknown): RequestFailure {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof RequestFailure) return new RequestFailure(`TOKEN_${cause.code}`, error);
  return new RequestFailure("TOKEN_REFUSED", error);
}

async function clientAuthentication(
  oauth: typeof OAuth,
  authentication: Exclude<Authentication, { kind: "static" }>,
): Promise<OAuth.ClientAuth> {
  if (authentication.kind === "client_secret_basic") return oauth.ClientSecretBasic(authentication.secret);
  const der = createPrivateKey(authentication.secret).export({ format: "der", type: "pkcs8" });
  return oauth.PrivateKeyJwt(await importKey(new Uint8Array(der)));
}

/** RSA keys sign as PS256's elder RS256, which every token server knows; P-256 keys as ES256. */
async function importKey(pkcs8: Uint8Array<ArrayBuffer>): Promise<webcrypto.CryptoKey> {
  const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const ec = { name: "ECDSA", namedCurve: "P-256" };
  try {
    return await webcrypto.subtle.importKey("pkcs8", pkcs8, rsa, false, ["sign"]);
  } catch {
    return await webcrypto.subtle.importKey("pkcs8", pkcs8, ec, false, ["sign"]);
  }
}

async function guardedFetch(url: string, options: OAuth.CustomFetchOptions, { guard }: Receiver): Promise<Response> {
  const headers = Object.fromEntries(new Headers(options.headers).entries());
  const body = options.body instanceof URLSearchParams ? options.body.toString() : String(options.body ?? "");
  const answer = await post(new URL(url), headers, body, guard);
  const contentType = String(answer.headers["content-type"] ?? "application/json");
  return new Response(new Uint8Array(answer.body), { status: answer.status, headers: { "content-type": contentType } });
}
