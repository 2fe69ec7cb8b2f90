/**
 * The OpenID provider at which operators sign in: authorization code with PKCE, state and nonce (OpenID Connect Core, 3.1;
 * RFC 9700, 2.1.1), the ID token's signature checked, and signing out there (RP-Initiated Logout).
 */
import * as oidc from "openid-client";
import { type Claims, type ClaimRules, lacks } from "./claims.ts";
import { ProviderAway, ProviderRefused } from "./provider-failures.ts";

export type ProviderSettings = ClaimRules & {
  issuer: string;
  clientId: string;
  clientSecret: string | null;
  scope: string;
};

export type Begun = { address: string; state: string; nonce: string; codeVerifier: string };

export type IdentityProvider = {
  /** As pages call it. */
  name: string;
  issuer: string;
  rules: ClaimRules;
  /** @throws ProviderAway */
  begin(redirectUri: string): Promise<Begun>;
  /**
   * @param address as the browser was sent back, with the query
   * @throws ProviderAway, or ProviderRefused
   */
  finish(
    address: URL,
    expected: Pick<Begun, "state" | "nonce" | "codeVerifier">,
  ): Promise<{ subject: string; claims: Claims; idToken: string }>;
  /** Where a browser goes to sign out there; null: the provider has no such place, or is away. */
  endSession(idToken: string | null, backTo: string): Promise<string | null>;
};

const answersWithinSeconds = 10;
/** Keys change by themselves; what else a provider says of itself is asked for again after so long. */
const knownForMs = 3_600_000;

export function openIdentityProvider(settings: ProviderSettings, now: () => number = Date.now): IdentityProvider {
  const { issuer, scope } = settings;
  let known: { configuration: Promise<oidc.Configuration>; until: number } | null = null;

  const configuration = async (): Promise<oidc.Configuration> => {
    if (known === null || known.until < now()) known = { configuration: discover(settings), until: now() + knownForMs };
    const asked = known;
    return await asked.configuration.catch((error: unknown) => {
      if (known === asked) known = null;
      throw new ProviderAway(`The identity provider ${issuer} does not answer.`, { cause: error });
    });
  };

  return {
    name: new URL(issuer).host,
    issuer,
    rules: settings,
    async begin(redirectUri) {
      const provider = await configuration();
      const [state, nonce, codeVerifier] = [
        oidc.randomState(),
        oidc.randomNonce(),
        oidc.randomPKCECodeVerifier(),
      ] as const;
      const address = oidc.buildAuthorizationUrl(provider, {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: "S256",
      });
      return { address: address.href, state, nonce, codeVerifier };
    },
    async finish(address, { state, nonce, codeVerifier }) {
      const provider = await configuration();
      try {
        const answer = await oidc.authorizationCodeGrant(provider, address, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        });
        const claims = answer.claims();
        if (claims === undefined || answer.id_token === undefined) throw new Error("no ID token");
        const more =
          lacks(claims, settings) && provider.serverMetadata().userinfo_endpoint !== undefined
            ? await oidc.fetchUserInfo(provider, answer.access_token, claims.sub)
            : {};
        return { subject: claims.sub, claims: { ...more, ...claims }, idToken: answer.id_token };
      } catch (error) {
        throw new ProviderRefused(reasonOf(error), error);
      }
    },
    async endSession(idToken, backTo) {
      const provider = await configuration().catch(() => null);
      if (provider?.serverMetadata().end_session_endpoint === undefined) return null;
      return oidc.buildEndSessionUrl(provider, {
        post_logout_redirect_uri: backTo,
        ...(idToken === null ? {} : { id_token_hint: idToken }),
      }).href;
    },
  };
}

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<oidc.Configuration> {
  const authentication = clientSecret === null ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
  const address = new URL(issuer);
  return await oidc.discovery(
    address,
    clientId,
    clientSecret === null ? {} : { client_secret: clientSecret },
    authentication,
    {
      timeout: answersWithinSeconds,
      execute: [oidc.enableNonRepudiationChecks, ...(address.protocol === "http:" ? [oidc.allowInsecureRequests] : [])],
    },
  );
}

/** A short word: what providers add in words may hold anything. */
function reasonOf(error: unknown): string {
  const { error: said, code } = error as { error?: unknown; code?: unknown };
  const word = [said, code].find((one) => typeof one === "string") ?? "failed";
  return /^[\w.-]{1,60}$/.test(String(word)) ? String(word) : "failed";
}
