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

type Gathered = { actor: string; entry: AuditEntry; count: number; firstMs: number; lastMs: number };

export function auditCalls(app: App, trail: AuditTrail): void {
  app.decorateRequest("told", null);
  const gathered = new Map<string, Gathered>();
  const write = async (): Promise<void> => {
    const lines = [...gathered.values()];
    gathered.clear();
    await Promise.all(
      lines.map(({ actor, entry, count, firstMs, lastMs }) => {
        const [first, last] = [firstMs, lastMs].map((ms) => new Date(ms).toISOString());
        return trail.record(actor, { ...entry, details: { ...entry.details, count, first, last } });
      }),
    );
  };
  const timer = setInterval(() => void write(), gatherMs).unref();
  const count = (name: string, nowMs: number): boolean => {
    const known = gathered.get(name);
    if (known === undefined) return false;
    known.count += 1;
    known.lastMs = nowMs;
    return true;
  };
  const gather = (request: FastifyRequest, status: number, kind: Kind): void => {
    const nowMs = Date.now();
    const actor = actorOf(request);
    const name = nameOf(request, status, kind, actor);
    if (count(name, nowMs)) return;
    const entry = entryOf(request, status, kind);
    const begun = { count: 1, firstMs: nowMs, lastMs: nowMs };
    if (gathered.size < gatheredMax) gathered.set(name, { ...begun, actor, entry });
    else if (!count(kind, nowMs))
      gathered.set(kind, {
        ...begun,
        actor: "several",
        entry: { ...entry, partnerId: null, details: { address: "several" } },
      });
  };

  app.addHook("onSend", (request, reply, payload, done) => {
    const kind = kindOf(request, reply.statusCode);
    const isTold = kind === "https.changed" || kind === "https.login" || kind === "https.read-by-adviser";
    if (!isTold) {
      if (kind !== null) gather(request, reply.statusCode, kind);
      return done(null, payload);
    }
    const entry = entryOf(request, reply.statusCode, kind);
    const details = { ...entry.details, ...toldOf(request), correlationId: request.id };
    trail.record(actorOf(request), { ...entry, details }).then(() => done(null, payload), done);
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

/** Equal for calls that one line counts, and no others: before the actor nothing can hold a line feed. */
function nameOf(request: FastifyRequest, status: number, kind: Kind, actor: string): string {
  const { method, ip, routeOptions } = request;
  return `${kind}\n${status}\n${method}\n${tenantOf(request).partnerId}\n${routeOptions.url}\n${ip}\n${actor}`;
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
