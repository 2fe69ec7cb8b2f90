/** Signing in through the identity provider, and out there too. */
import type { FastifyRequest } from "fastify";
import { recordAudit } from "../../partners/audit.ts";
import type { ConsoleContext, Scope } from "../context.ts";
import { putIdentity } from "./accounts.ts";
import { readClaims } from "./claims.ts";
import { firstTexts, originOf, ownAddress, Turned } from "./guard.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import { ProviderAway, ProviderRefused } from "./provider-failures.ts";
import { cookieIn, makeCookie, setCookie } from "./sessions.ts";
import { signIn } from "./sign-in.ts";
import { keepSignIn, takeSignIn } from "./sign-ins.ts";

/** Of one address; a row each is kept for some minutes. */
const triesPerMinute = 60;
const [beginning, end] = ["/console/sign-in/provider", "/console/sign-in/provider/end"];

export const providerSignInAddress = beginning;

/** @param provider who vouches for operators */
export function providerRoutes(scope: Scope, context: ConsoleContext, provider: IdentityProvider): void {
  const { database } = context;
  const config = { rateLimit: { max: triesPerMinute, timeWindow: 60_000 } };
  scope.get(beginning, { config }, async (request, reply) => {
    const goTo = ownAddress(firstTexts(request.query).to);
    const begun = await provider.begin(`${originOf(request, context)}${end}`).catch(turned);
    const cookie = cookieIn(request.headers.cookie) ?? makeCookie();
    await keepSignIn(database, begun.state, cookie, { nonce: begun.nonce, codeVerifier: begun.codeVerifier, goTo });
    return await reply.header("set-cookie", setCookie(cookie)).redirect(begun.address, 303);
  });

  scope.get(end, { config }, async (request, reply) => {
    const { state = "" } = firstTexts(request.query);
    const cookie = cookieIn(request.headers.cookie);
    const begun = cookie === null ? null : await takeSignIn(database, state, cookie);
    if (begun === null) return await refuse(context, request, "state");
    const address = new URL(request.url, originOf(request, context));
    const found = await provider.finish(address, { ...begun, state }).catch(async (error: unknown) => {
      if (error instanceof ProviderRefused) return await refuse(context, request, error.reason);
      return turned(error);
    });
    const claimed = readClaims(found.claims, provider.rules);
    if (claimed.outcome === "refused") return await refuse(context, request, claimed.reason);
    const identity = { ...claimed, issuer: provider.issuer, subject: found.subject };
    const account = await putIdentity(database, identity);
    if (account === null) return await refuse(context, request, "name-taken");
    await signIn(context, reply, account, { address: request.ip, by: "oidc", idToken: found.idToken, before: cookie });
    return await reply.redirect(begun.goTo, 303);
  });
}

const sentences: Readonly<Record<string, string>> = {
  state: "The sign-in did not begin in this browser, is too old, or has ended already. Begin again.",
  role: "The provider gives you no role in this console. Ask whoever gives out roles there.",
  partners: "The provider names no partner whom you may see.",
  name: "The provider gives you no name that the audit trail could use.",
  "name-taken": "Somebody else’s account has your name here. An admin can remove it: tideline console token remove.",
};

/** @throws Turned, with its line in the trail */
async function refuse({ database }: ConsoleContext, request: FastifyRequest, reason: string): Promise<never> {
  const details = { address: request.ip, by: "oidc", reason };
  await recordAudit(database, "console:nobody", { partnerId: null, event: "console.sign-in-refused", details });
  const sentence = Object.hasOwn(sentences, reason) ? sentences[reason] : undefined;
  throw new Turned(403, "Not signed in", sentence ?? `The identity provider’s answer was not taken (${reason}).`);
}

/** @throws Turned where the provider is away */
function turned(error: unknown): never {
  if (!(error instanceof ProviderAway)) throw error;
  throw new Turned(503, "The identity provider does not answer", "Try again in a moment, or sign in by console token.");
}
