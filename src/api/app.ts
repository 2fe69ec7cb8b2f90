/** The HTTPS server without its routes: what holds for every call, the ones that reach no route included. */
import { isUtf8 } from "node:buffer";
import type { Socket } from "node:net";
import { STATUS_CODES } from "node:http";
import { randomUUID } from "node:crypto";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import type { Events } from "../events.ts";
import { hostProblem } from "../machine/host-header.ts";
import { servedTls, servedTlsAsking } from "../machine/tls/served.ts";
import { namedNetworks } from "../partners/network.ts";
import type { Partner } from "../partners/partners.ts";
import { runFor, type Tenant } from "../database/tenant.ts";
import type { App } from "./context.ts";
import { answerBeside, type Beside } from "./beside.ts";
import { guardConnections, unguarded } from "./connections/guard.ts";
import { introduceConnections } from "./connections/introduced.ts";
import type { ConnectionLimits } from "./connections/watched.ts";
import { correlationIdOf, correlationProblem, traceCalls, traceOf } from "./correlation.ts";
import { securityHeaders, setHeaders } from "./headers.ts";
import { problemMediaType, problemOf, Refusal, statusOf } from "./problem.ts";
import { refusalOf } from "./refusals.ts";
import { compileValidator } from "./schema-validator.ts";

/** Every body but a batch is a few short fields; 64 KiB leaves room for a user's details. */
const bodyBytesMax = 64 * 1024;
/** A batch of 2 MiB takes this long at 300 kbit/s, the largest at 3.4 Mbit/s; slower senders only hold a connection. */
const requestWithinMs = 60_000;
/** Handshake and head: a client has both at hand when it connects. */
const beginsWithinMs = 15_000;
/** How often a time that has run out is noticed: every half a minute, Node's own, would let senders stay half as long again. */
const timeoutsSeenEveryMs = 5_000;
/** Just above the 60 s after which common proxies drop an idle connection, so that they and not we close it. */
const keepAliveMs = 72_000;
/** Ids in paths are at most 64 characters for partners and 36 for the rest. */
const parameterLengthMax = 200;

export type Tls = { key: string; cert: string };

export type NetworkSettings = {
  /** Whether the handshake asks for a client certificate; who shows none is served all the same. */
  asksForCertificates: boolean;
  /** CIDR texts of proxies whose headers about the caller are believed. */
  trustedProxies: readonly string[];
  /** CIDR texts of proxies that begin each connection with a PROXY header. */
  proxyProtocolNetworks?: readonly string[];
  connections?: ConnectionLimits;
  /** Within what a request must have come as a whole, its body included; then it is answered 408 and closed. */
  requestTimeoutMs?: number;
  /** How long a connection may say nothing between two requests. */
  keepAliveTimeoutMs?: number;
  beside?: Beside;
};

export function createApp(
  tls: Tls | null,
  events: Events,
  {
    asksForCertificates,
    trustedProxies,
    proxyProtocolNetworks = [],
    connections,
    requestTimeoutMs = requestWithinMs,
    keepAliveTimeoutMs = keepAliveMs,
    beside,
  }: NetworkSettings,
): App {
  const app = Fastify({
    // Whose certificate it is, the partner's rule judges: no public authority has a say in it.
    https: {
      ...tls,
      ...(asksForCertificates ? servedTlsAsking : servedTls),
      requestCert: asksForCertificates,
      rejectUnauthorized: false,
      requireHostHeader: false,
      handshakeTimeout: beginsWithinMs,
      // Node swaps the two when a head may take longer than its request.
      headersTimeout: Math.min(beginsWithinMs, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(timeoutsSeenEveryMs, requestTimeoutMs),
    },
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: bodyBytesMax,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    routerOptions: { maxParamLength: parameterLengthMax },
    // While closing, calls on open connections are still answered, and told to reconnect.
    forceCloseConnections: "idle",
    return503OnClosing: false,
    requestIdHeader: false,
    genReqId: (raw) => correlationIdOf(raw.headers),
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply);
      answerError(events, refusedCorrelation(request) ?? error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  }).withTypeProvider<TypeBoxTypeProvider>();
  // Filled by the scopes that identify the caller.
  app.decorateRequest("partner", null);
  app.decorateRequest("caller", null);
  app.decorateRequest("user", null);
  app.decorateRequest("actor", null);
  const guarded = connections
    ? guardConnections(app, connections, { events, isProxy: namedNetworks(trustedProxies) })
    : unguarded;
  if (beside) answerBeside(app.server, beside, guarded);
  if (proxyProtocolNetworks.length > 0)
    introduceConnections(app.server, namedNetworks(proxyProtocolNetworks), (address, reason) =>
      events.emit("proxy.refused", { address, reason }),
    );
  confine(app);
  answerForNode(app);
  readBodies(app);
  app.setValidatorCompiler(compileValidator);
  // Handlers are typed by their schemas; filtering every answer again would only cost time.
  app.setSerializerCompiler(() => JSON.stringify);
  app.addHook("onRequest", async (request, reply) => {
    setHeaders(request, reply);
    const message = hostProblem(request.raw);
    if (message === null) return;
    // Answered here: routes' own error handlers count on what is known of a caller only after this.
    answerError(events, new Refusal("REQUEST_INVALID", { errors: [{ pointer: "", message }] }), request, reply);
    return reply;
  });
  app.addHook("onRequest", async (request) => {
    const refused = refusedCorrelation(request);
    if (refused !== null) throw refused;
  });
  // Whose end came before anybody listened for it would be waited for as long as the process lives.
  app.addHook("preParsing", (request, _reply, payload, done) =>
    isGone(request) ? done(new Refusal("REQUEST_INVALID")) : done(null, payload),
  );
  // Node writes the headers in the encoding of a text body, and theirs is another.
  app.addHook("onSend", async (_request, _reply, payload) =>
    typeof payload === "string" ? Buffer.from(payload) : payload,
  );
  app.addHook("onResponse", async (request, reply) => report(events, request, reply));
  traceCalls(app);
  app.setErrorHandler((error, request, reply) => answerError(events, error, request, reply));
  app.setNotFoundHandler(async () => {
    throw new Refusal("ROUTE_UNKNOWN");
  });
  return app;
}

/** Whatever a call asks of the database is asked for its tenant: nobody, until it is known who calls. */
function confine(app: App): void {
  app.decorateRequest("tenant", null);
  app.addHook("onRequest", (request, _reply, done) => {
    const tenant: Tenant = { partnerId: null, subject: null };
    request.setDecorator("tenant", tenant);
    runFor(tenant, done);
  });
  // A body arrives in the name of its socket, not of the call.
  app.addHook("preValidation", (request, _reply, done) => runFor(request.getDecorator<Tenant>("tenant"), done));
}

/**
 * Node would answer these by itself, without the headers that every answer has. An expectation that is not known is
 * ignored (RFC 9110, 10.1.1).
 */
function answerForNode(app: App): void {
  app.server.on("checkExpectation", (request, response) => app.server.emit("request", request, response));
}

/**
 * JSON only. An empty body is no body, even where a client names its type; unknown keys stay and are never looked at.
 */
function readBodies(app: App): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    "application/json",
    { parseAs: "buffer" },
    async (_request: FastifyRequest, body: Buffer) => {
      return body.length === 0 ? undefined : parseJson(body);
    },
  );
}

/** @throws Refusal REQUEST_INVALID */
export function parseJson(body: Buffer): unknown {
  // Decoding would put a replacement in the place of what is none, and it would be stored so (RFC 8259, section 8.1).
  if (!isUtf8(body)) throw new Refusal("REQUEST_INVALID", { errors: [{ pointer: "", message: "is not UTF-8" }] });
  try {
    return JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw new Refusal("REQUEST_INVALID", { cause, errors: [{ pointer: "", message: "is not JSON" }] });
  }
}

/** An id that is not taken as it came would be found nowhere by its sender. */
function refusedCorrelation({ headers }: FastifyRequest): Refusal | null {
  const message = correlationProblem(headers);
  return message === null ? null : new Refusal("REQUEST_INVALID", { errors: [{ pointer: "", message }] });
}

/** Says what was refused as a problem document; what nobody expected is logged and told as INTERNAL. */
function answerError(events: Events, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const refusal =
    (isGone(request) ? new Refusal("REQUEST_INVALID", { cause: error }) : refusalOf(error)) ??
    new Refusal("INTERNAL", { cause: error });
  const status = statusOf(refusal.code);
  if (status >= 500) {
    events.emit("api.failed", {
      correlationId: request.id,
      method: request.method,
      route: routeOf(request),
      error: refusal.cause ?? refusal,
    });
  }
  reply
    .code(status)
    .headers(refusal.headers)
    .type(problemMediaType)
    .send(Buffer.from(JSON.stringify(problemOf(refusal, request.id))));
}

/** Whether the caller went away in the middle of its body: nobody hears the answer, and nothing failed here. */
function isGone({ raw }: FastifyRequest): boolean {
  return raw.destroyed && !raw.complete;
}

function report(events: Events, request: FastifyRequest, reply: FastifyReply): void {
  const partner = request.getDecorator<Partner | null>("partner");
  const trace = traceOf(request.headers);
  events.emit("api.answered", {
    correlationId: request.id,
    method: request.method,
    route: routeOf(request),
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    ...(partner ? { partnerId: partner.id } : {}),
    ...(trace ? { traceId: trace.traceId } : {}),
  });
}

/** The pattern, never the path: paths hold ids, and metrics need a bounded number of routes. */
function routeOf(request: FastifyRequest): string {
  return request.routeOptions.url ?? "unmatched";
}

/** What is no HTTP request never reaches a route, and is answered on the bare socket. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const correlationId = randomUUID();
  const status = error.code === "HPE_HEADER_OVERFLOW" ? 431 : error.code === "ERR_HTTP_REQUEST_TIMEOUT" ? 408 : 400;
  const body = JSON.stringify({ ...problemOf(new Refusal("REQUEST_INVALID"), correlationId), status });
  const headers = {
    ...securityHeaders,
    "x-correlation-id": correlationId,
    "content-type": problemMediaType,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}
