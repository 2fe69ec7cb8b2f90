/** Who calls: the partner of the path, then the user of the token. Both run before any body is read. */
import rateLimit from "@fastify/rate-limit";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isEnded, lastRevoked } from "../partners/revocations.ts";
import type { Brand, Partner } from "../partners/partners.ts";
import { type Caller, findUserBySubject, type User } from "../partners/users.ts";
import { setTenant } from "../database/tenant.ts";
import { preferred } from "./negotiation.ts";
import type { ApiContext, App } from "./context.ts";
import { Refusal } from "./problem.ts";
import { shownCertificates } from "./shown-certificates.ts";

/** Longer than any token of ours; a longer header is not worth a look. */
const tokenLengthMax = 2048;

const minuteMs = 60_000;

/**
 * Every route in the scope is for a live partner that may be exposed where calls come from elsewhere, an allowed address,
 * an allowed certificate, and within the partner's rate for such calls.
 */
export async function identifyPartner(scope: App, context: ApiContext): Promise<void> {
  await scope.register(rateLimit, { global: false });
  const count = scope.createRateLimit({
    timeWindow: minuteMs,
    max: (request) => partnerOf(request).requestsPerMinute,
    keyGenerator: (request) => `${partnerOf(request).id} ${request.routeOptions.config.rateClass ?? "users"}`,
  });
  scope.addHook("onRequest", async (request) => {
    const { partnerId = "" } = request.params as { partnerId?: string };
    const partner = await context.partners.find(partnerId);
    if (partner === null) throw new Refusal("PARTNER_UNKNOWN");
    if (context.isExposed && !partner.mayBeExposed) throw new Refusal("PARTNER_UNGUARDED");
    if (!partner.mayCallFrom(request.ip)) throw new Refusal("ADDRESS_NOT_ALLOWED");
    if (!partner.mayShow(shownCertificates(request, context.isProxy), context.clock.now()))
      throw new Refusal("CLIENT_CERTIFICATE_NOT_ALLOWED");
    request.setDecorator("partner", partner);
    setTenant({ partnerId: partner.id, subject: null });
    const counted = await count(request);
    if (!counted.isAllowed && counted.isExceeded)
      throw new Refusal("TOO_MANY_REQUESTS", { headers: { "retry-after": String(counted.ttlInSeconds) } });
  });
}

/** Every route in the scope is for a live user of the path's partner. The scope lies inside a partner's scope. */
export function identifyUser(scope: App, context: ApiContext): void {
  scope.addHook("onRoute", (route) => {
    route.schema = { ...route.schema, security: [{ Bearer: [] }] };
  });
  scope.addHook("onRequest", async (request) => {
    const token = tokenOf(request.headers.authorization);
    const verified = token === null ? null : context.tokens.verify(token);
    // Nearly all are known, and waiting for what is there costs each call a turn.
    const claims = verified instanceof Promise ? await verified : verified;
    if (claims === null) throw unauthorised(token !== null);
    const partner = partnerOf(request);
    if (claims.partnerId !== partner.id) throw new Refusal("TOKEN_FOREIGN");
    if (isEnded(claims.issuedAt, lastRevoked(partner.revocations, claims.subject))) throw unauthorised(true);
    request.setDecorator("caller", { partnerId: partner.id, subject: claims.subject } satisfies Caller);
    request.setDecorator("actor", claims.actor);
    setTenant({ partnerId: partner.id, subject: claims.subject });
    if (request.routeOptions.config.findsUser === true) return;
    // One indexed read a call, so that a deleted user's token ends at once.
    const user = await findUserBySubject(context.database, partner.id, claims.subject);
    if (user === null) throw unauthorised(true);
    request.setDecorator("user", user);
  });
}

/** Refuses callers who do not accept what the route answers with. */
export function negotiate(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { produces } = request.routeOptions.config;
  const isRefused = produces !== undefined && preferred(request.headers.accept, [produces].flat()) === null;
  done(isRefused ? new Refusal("NOT_ACCEPTABLE") : undefined);
}

export function partnerOf(request: FastifyRequest): Partner {
  return request.getDecorator<Partner>("partner");
}

/** The brand of the token's user. */
export function brandOf(request: FastifyRequest): Brand {
  const brand = partnerOf(request).brands.get(userOf(request).brandId);
  if (!brand) throw new Error("a user's brand has vanished");
  return brand;
}

export function userOf(request: FastifyRequest): User {
  return request.getDecorator<User>("user");
}

/** Of a route with `findsUser`, whose query says whether the caller is a live user. */
export function callerOf(request: FastifyRequest): Caller {
  return request.getDecorator<Caller>("caller");
}

/** What such a query found; null: the user was deleted. @throws Refusal TOKEN_INVALID */
export function ofLiveUser<Found>(found: Found | null): Found {
  if (found === null) throw unauthorised(true);
  return found;
}

/** Who acts for the user, as the partner's login called them; null: the user. */
export function actorOf(request: FastifyRequest): string | null {
  return request.getDecorator<string | null>("actor");
}

/**
 * The interface leaves the form open, so the bare token is read like `Bearer <token>` (RFC 6750). Null: there is none.
 */
function tokenOf(authorization: string | undefined): string | null {
  const token = authorization?.trim().replace(/^bearer +/i, "") ?? "";
  return token === "" || token.length > tokenLengthMax ? null : token;
}

/** RFC 6750, section 3: the challenge names an error only when a token was given. */
function unauthorised(given: boolean): Refusal {
  return new Refusal("TOKEN_INVALID", {
    headers: { "www-authenticate": given ? 'Bearer error="invalid_token"' : "Bearer" },
  });
}
