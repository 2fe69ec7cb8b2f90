/** Headers on every answer, whatever it is. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { correlationHeader, traceOf } from "./correlation.ts";

/** What a browser must not do with our answers (OWASP REST security). Pages set a content policy of their own. */
export const securityHeaders = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;

/**
 * A year, and what lies below the host as well (RFC 6797). Not for localhost: it would bind every other server on the
 * developer's machine.
 */
const strictTransport = "max-age=31536000; includeSubDomains";

export function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(securityHeaders);
  reply.header("x-correlation-id", correlationHeader(request));
  const trace = traceOf(request.headers);
  if (trace !== null) reply.header("traceparent", trace.traceparent);
  if (request.hostname !== "localhost") reply.header("strict-transport-security", strictTransport);
}
