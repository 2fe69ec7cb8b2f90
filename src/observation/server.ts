/**
 * The port on which a process of any role is looked at: plain HTTP, for probes and scrapers inside the operator's own
 * network. Nothing on it changes anything.
 *
 *   /health/live           200 while the process lives
 *   /health/ready          200 when reads and writes are served, else 503; …/reads and …/writes answer for one of them
 *   /metrics               figures for Prometheus, for the networks that may read them
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Readiness } from "./readiness.ts";

export type Observed = {
  version: string;
  roles: readonly string[];
  readiness(): Promise<Readiness>;
  metrics(): Promise<{ text: string; type: string }>;
  mayReadMetrics(address: string): boolean;
};

export type ObserveServer = { port: number; close(): Promise<void> };

/** A probe, a scraper or two, an operator's curl. */
const connectionsMax = 64;
/** A head of some hundred bytes. */
const requestWithinMs = 5_000;
/** An orchestrator asks again by itself; a person sees how soon that makes sense. */
const retrySeconds = "2";

type Reply = { status: number; type: string; body: string; headers?: Record<string, string> };

/** @throws the system's EADDRINUSE or EACCES for a port that cannot be had */
export async function openObserveServer(
  at: { host: string; port: number },
  observed: Observed,
): Promise<ObserveServer> {
  const server = createServer((request, response) => {
    answer(request, observed).then(
      (reply) => send(request, response, reply),
      // Nothing of what failed is anybody's to read here.
      () => send(request, response, asJson(500, { status: "failed" })),
    );
  });
  server.maxConnections = connectionsMax;
  server.requestTimeout = server.headersTimeout = requestWithinMs;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(at.port, at.host, resolve);
  });
  return { port: portOf(server), close: () => close(server) };
}

async function answer(request: IncomingMessage, observed: Observed): Promise<Reply> {
  if (request.method !== "GET" && request.method !== "HEAD")
    return { ...asJson(405, { status: "method-not-allowed" }), headers: { allow: "GET, HEAD" } };
  const [path = ""] = (request.url ?? "").split("?");
  if (path === "/health/live")
    return asJson(200, { status: "alive", version: observed.version, roles: observed.roles });
  if (path === "/metrics") {
    if (!observed.mayReadMetrics(request.socket.remoteAddress ?? "")) return asJson(403, { status: "not-allowed" });
    const { text, type } = await observed.metrics();
    return { status: 200, type, body: text };
  }
  const [, asked] = /^\/health\/ready(?:\/(reads|writes))?$/.exec(path) ?? [null, null];
  if (asked === null) return asJson(404, { status: "unknown" });
  const readiness = await observed.readiness();
  const found = asked === undefined ? readiness.status : readiness[asked as "reads" | "writes"];
  if (found === "ready") return asJson(200, readiness);
  return { ...asJson(503, readiness), headers: { "retry-after": retrySeconds } };
}

function asJson(status: number, body: object): Reply {
  return { status, type: "application/json", body: `${JSON.stringify(body)}\n` };
}

function send(request: IncomingMessage, response: ServerResponse, { status, type, body, headers = {} }: Reply): void {
  response.writeHead(status, {
    ...headers,
    "content-type": type,
    "content-length": Buffer.byteLength(body),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(request.method === "HEAD" ? undefined : body);
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

async function close(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise<void>((resolve) => server.close(() => resolve()));
}
