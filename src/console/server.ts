/** Opens the console: on a listener of its own or beside the API, what holds for every answer, and every page in one picture. */
import formBody from "@fastify/formbody";
import rateLimit from "@fastify/rate-limit";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { Socket } from "node:net";
import Fastify, { type FastifyReply, type FastifyRequest } from "fastify";
import { listenedAddress } from "../machine/addresses.ts";
import { hostProblem } from "../machine/host-header.ts";
import { servedTls } from "../machine/tls/served.ts";
import type { ConsoleContext, ConsoleDependencies, Scope } from "./context.ts";
import { type Live, openLive } from "./live.ts";
import { openPlaces } from "./places.ts";
import { openShared } from "./shared.ts";
import { answerFailure, answerUnknown, ownOrigin, signedInScope, Turned } from "./access/guard.ts";
import { assetRoutes } from "./assets.ts";
import { providerRoutes } from "./access/provider-sign-in.ts";
import { signInRoutes } from "./access/sign-in.ts";
import { consoleRoutes } from "./routes.ts";

type Tls = { key: string; cert: string };

type Settings = {
  version: string;
  publicUrl: string | null;
};

export type ConsoleSettings = Settings & {
  host: string;
  /** 0 takes any free one. */
  port: number;
  /** PEM texts: the private key, and the certificate with its chain. */
  tls: Tls;
};

/** Of the console's cookie, pages and actions. */
const consolePath = "/console";

export type Console = {
  port: number;
  renewCertificate(tls: Tls): void;
  close(graceMs: number): Promise<void>;
};

/** Forms are a few short fields. */
const bodyBytesMax = 64 * 1024;
const requestWithinMs = 30_000;
/** TLS, and then the head of a request. */
const beginsWithinMs = 10_000;
const connectionsMax = 500;

/** Own scripts, styles and pictures alone; nothing of it is shown inside another page. */
const pagePolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

const headers = {
  "cache-control": "no-store",
  "content-security-policy": pagePolicy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=()",
  // Ids in addresses are nobody else's, and forms say from where they come.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const;
/**
 * A year, and what lies below the host as well (RFC 6797). Not for localhost: it would bind every other server on the
 * developer's machine.
 */
const strictTransport = "max-age=31536000; includeSubDomains";

/** Listens when it returns. @throws the system's EADDRINUSE or EACCES for a port that cannot be had */
export async function openConsole(settings: ConsoleSettings, dependencies: ConsoleDependencies): Promise<Console> {
  const { app, live } = await createConsole(settings, dependencies, { tls: settings.tls });
  await app.listen({ host: await listenedAddress(settings.host), port: settings.port });
  const address = app.server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    renewCertificate: (tls) => (app.server as unknown as Server).setSecureContext({ ...tls, ...servedTls }),
    async close(graceMs) {
      live.close();
      const cut = setTimeout(() => app.server.closeAllConnections(), graceMs);
      await app.close();
      clearTimeout(cut);
    },
  };
}

/** What the API's listener passes on. Its connections, their limits and their certificate are the API's. */
export type ConsoleBeside = {
  path: string;
  answer(request: IncomingMessage, response: ServerResponse): void;
  /** Ends the live parts that are open. */
  release(): void;
  close(): Promise<void>;
};

/** @param settings.trustedProxies CIDR texts: whose headers about the caller are believed */
export async function openConsoleBeside(
  { trustedProxies, ...settings }: Settings & { trustedProxies: readonly string[] },
  dependencies: ConsoleDependencies,
): Promise<ConsoleBeside> {
  const { app, live } = await createConsole(settings, dependencies, { trustedProxies });
  await app.ready();
  return {
    path: consolePath,
    answer: (request, response) => app.routing(request, response),
    release: () => live.close(),
    close: () => app.close(),
  };
}

/** Everything but the listener. @param tls null: the listener is another's */
export async function createConsole(
  { version, publicUrl }: Settings,
  dependencies: ConsoleDependencies,
  { tls = null, trustedProxies = [] }: { tls?: Tls | null; trustedProxies?: readonly string[] } = {},
): Promise<{ app: Scope; live: Live }> {
  const shared = openShared();
  const live = openLive(dependencies.reading, { changed: () => shared.renew() });
  const places = openPlaces();
  const context: ConsoleContext = { ...dependencies, live, shared, places, version, publicUrl };
  const app = Fastify({
    ...(tls !== null && {
      https: { ...tls, ...servedTls, handshakeTimeout: beginsWithinMs, headersTimeout: beginsWithinMs },
    }),
    trustProxy: trustedProxies.length > 0 && [...trustedProxies],
    bodyLimit: bodyBytesMax,
    requestTimeout: requestWithinMs,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 300 },
    // Both are answered before any hook runs.
    frameworkErrors: (error, request, reply) => {
      setHeaders(request, reply);
      answerFailure(context, error, request, reply);
    },
    clientErrorHandler: answerBrokenRequest,
  }) as unknown as Scope;
  app.server.maxConnections = connectionsMax;
  app.server.on("connection", places.take);
  await addRoutes(app, context);
  return { app, live };
}

async function addRoutes(app: Scope, context: ConsoleContext): Promise<void> {
  await app.register(formBody);
  await app.register(rateLimit, { global: false });
  app.addHook("onRequest", async (request, reply) => setHeaders(request, reply));
  app.addHook("onRequest", async (request) => oneHost(request));
  // Before anything is looked at: what another site's page sends changes nothing here.
  app.addHook("onRequest", async (request) => ownOrigin(request, context));
  app.addHook("onResponse", async (request, reply) => report(context, request, reply));
  app.setErrorHandler((error, request, reply) => answerFailure(context, error, request, reply));
  app.setNotFoundHandler((request, reply) => answerUnknown(request, reply));
  app.get("/", async (_request, reply) => reply.redirect("/console", 303));
  await app.register(async (scope: Scope) => assetRoutes(scope));
  await app.register(async (scope: Scope) => signInRoutes(scope, context));
  const { provider } = context;
  if (provider !== null) await app.register(async (scope: Scope) => providerRoutes(scope, context, provider));
  await app.register(async (scope: Scope) => {
    signedInScope(scope, context);
    consoleRoutes(scope, context);
  });
}

function setHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(headers);
  if (request.hostname !== "localhost") reply.header("strict-transport-security", strictTransport);
}

/** By it a form's origin is judged. @throws Turned */
function oneHost({ raw }: FastifyRequest): void {
  const message = hostProblem(raw);
  if (message !== null) throw new Turned(400, "Refused", `The request ${message}.`);
}

/** What is no HTTP request has no page. */
function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const lines = Object.entries({ ...headers, "content-length": "0", connection: "close" });
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`);
}

/** The pattern, never the path: paths hold ids. */
function report({ events }: ConsoleContext, request: FastifyRequest, reply: FastifyReply): void {
  events.emit("console.answered", {
    method: request.method,
    route: request.routeOptions.url ?? "unmatched",
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
  });
}
