/**
 * What calls leave in the audit trail. A change, a login and an adviser's read are there before they are answered; a
 * user's reads by the own token, pushes and refusals are gathered and written as counts off the calls' way: by whom, what,
 * from where, how often, with what result. Pushes have their own record in `deliveries`; and refusals are anybody's to
 * cause, so that one line each would be an attack.
 */
import type { FastifyRequest } from "fastify";
import type { Tenant } from "../database/tenant.ts";
import type { AuditEntry } from "../partners/audit.ts";
import type { AuditTrail } from "../partners/audit-trail.ts";
import type { App } from "./context.ts";

/** Gathered so long at most, and then one line. */
const gatherMs = 10_000;
/** Different lines at once; what is beyond is counted together. */
const gatheredMax = 20_000;

type Gathered = { actor: string; entry: AuditEntry; count: number; first: string; last: string };

export function auditCalls(app: App, trail: AuditTrail): void {
  app.decorateRequest("told", null);
  const gathered = new Map<string, Gathered>();
  const write = async (): Promise<void> => {
    const lines = [...gathered.values()];
    gathered.clear();
    await Promise.all(
      lines.map(({ actor, entry, count, first, last }) =>
        trail.record(actor, { ...entry, details: { ...entry.details, count, first, last } }),
      ),
    );
  };
  const timer = setInterval(() => void write(), gatherMs).unref();
  const gather = (actor: string, entry: AuditEntry): void => {
    const now = new Date().toISOString();
    const isFull = gathered.size >= gatheredMax;
    const kept = isFull ? { ...entry, partnerId: null, details: { address: "several" } } : entry;
    const name = JSON.stringify([isFull ? "several" : actor, kept]);
    const known = gathered.get(name);
    if (known === undefined)
      gathered.set(name, { actor: isFull ? "several" : actor, entry: kept, count: 1, first: now, last: now });
    else [known.count, known.last] = [known.count + 1, now];
  };

  app.addHook("onSend", async (request, reply, payload) => {
    const kind = kindOf(request, reply.statusCode);
    if (kind === null) return payload;
    const entry = entryOf(request, reply.statusCode, kind);
    if (kind === "https.changed" || kind === "https.login" || kind === "https.read-by-adviser")
      await trail.record(actorOf(request), {
        ...entry,
        details: { ...entry.details, ...toldOf(request), correlationId: request.id },
      });
    else gather(actorOf(request), entry);
    return payload;
  });
  app.addHook("onClose", async () => {
    clearInterval(timer);
    await write();
  });
}

/** Says in the call's line what it changes; of a call that is refused it is not written. */
export function tellInTrail(request: FastifyRequest, details: AuditEntry["details"]): void {
  request.setDecorator("told", details);
}

function toldOf(request: FastifyRequest): AuditEntry["details"] {
  return request.getDecorator<AuditEntry["details"] | null>("told") ?? {};
}

type Kind =
  | "https.login"
  | "https.changed"
  | "https.read-by-adviser"
  | "https.reads"
  | "https.pushes"
  | "https.refusals";

/** Null: nobody's data, and nothing changed. */
function kindOf(request: FastifyRequest, status: number): Kind | null {
  const route = request.routeOptions.url ?? "";
  const { partnerId, subject } = tenantOf(request);
  if (status >= 500 || (partnerId === null && status < 400)) return null;
  if (status >= 400) return "https.refusals";
  if (route.endsWith("/users/logins")) return "https.login";
  if (route.endsWith("/transactions") && request.method === "POST") return "https.pushes";
  if (request.method !== "GET" && request.method !== "HEAD") return "https.changed";
  if (subject === null) return null;
  return adviserOf(request) === null ? "https.reads" : "https.read-by-adviser";
}

function entryOf(request: FastifyRequest, status: number, event: Kind): AuditEntry {
  const { partnerId } = tenantOf(request);
  // The pattern for what is counted: ids would make each call a line of its own.
  const isCounted = event === "https.reads" || event === "https.pushes" || event === "https.refusals";
  const what = isCounted ? (request.routeOptions.url ?? "unmatched") : pathOf(request);
  return { partnerId, event, details: { method: request.method, path: what, status, address: request.ip } };
}

/** Queries and the keys of pages stay out: a path of ours holds neither. */
function pathOf({ url }: FastifyRequest): string {
  return url.replace(/[?#].*$/s, "").slice(0, 300);
}

function actorOf(request: FastifyRequest): string {
  const { partnerId, subject } = tenantOf(request);
  const adviser = adviserOf(request);
  if (adviser !== null) return `adviser:${adviser} for user:${subject ?? ""}`;
  if (subject !== null) return `user:${subject}`;
  return partnerId === null ? "anybody" : `https:${partnerId}`;
}

function adviserOf(request: FastifyRequest): string | null {
  return request.getDecorator<string | null>("actor");
}

function tenantOf(request: FastifyRequest): Tenant {
  return request.getDecorator<Tenant | null>("tenant") ?? { partnerId: null, subject: null };
}
