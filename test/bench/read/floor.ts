/**
 * The two floors of a read, from one server as the API's own: a call finds one row by an index and answers a text that
 * was there before. At the bare one nobody is identified; at the other the caller is, by the API's own hooks and under
 * row-level security, which says what the documents themselves cost.
 */
import type { AddressInfo } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { apiConnectionsMax } from "../../../config/connections.ts";
import { createApp, type Tls } from "../../../src/api/app.ts";
import type { ApiContext, App } from "../../../src/api/context.ts";
import { callerOf, identifyPartner, identifyUser, negotiate } from "../../../src/api/identify.ts";
import { sendJson } from "../../../src/api/reply.ts";
import { takesGzip } from "../../../src/api/negotiation.ts";
import { findCallerRole } from "../../../src/database/role-rights.ts";
import type { Clock } from "../../../src/time/clock.ts";
import { type Database, openDatabase } from "../../../src/database/database.ts";
import { createEvents } from "../../../src/events.ts";
import { createPartnerDirectory } from "../../../src/partners/partners.ts";
import { createTokens } from "../../../src/partners/tokens.ts";
import type { Answering } from "./servers.ts";
import { TenantClaims } from "../../../src/database/tenant-claims.ts";
import { presentTenant } from "../../../src/database/tenant.ts";

export type Floor = { port: number; answer(answering: Answering): void; close(): Promise<void> };
export type FloorSettings = { tls: Tls; databaseUrl: string; keyEncryptionKey: Buffer; clock: Clock };
/** isPacked: it passes for gzip. */
type Answer = { body: Buffer; isPacked: boolean };

const text = "select id from users where subject = $1";

/** Answers at /constant/SUBJECT, and to its user at /partner/PARTNER/2.0.0/constant: nothing, until it is told what. */
export async function openFloor(settings: FloorSettings): Promise<Floor> {
  const { tls, databaseUrl } = settings;
  const database = openDatabase(databaseUrl, { sizeMax: apiConnectionsMax, applicationName: "floor" });
  const role = await findCallerRole(database);
  if (role === null) throw new Error("the floor's callers are not confined as the API's are");
  const claims = new TenantClaims(database);
  const callers = openDatabase(databaseUrl, {
    sizeMax: apiConnectionsMax,
    applicationName: "floor api",
    role,
    tenant: { present: presentTenant, claims },
  });
  const answer: Answer = { body: Buffer.alloc(0), isPacked: false };
  const app = createApp(tls, createEvents({ level: "silent" }), { asksForCertificates: false, trustedProxies: [] });
  app.get("/constant/:subject", async (request, reply) => {
    const { subject } = request.params as { subject: string };
    const { rows } = await database.query({ name: "floor", text, values: [subject] });
    return send(request, reply, rows.length === 1 ? answer : null);
  });
  await app.register(async (scope: App) => identified(scope, callers, settings, answer), {
    prefix: "/partner/:partnerId/2.0.0",
  });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return {
    port: (app.server.address() as AddressInfo).port,
    answer({ bytes, isPacked }) {
      Object.assign(answer, { body: Buffer.alloc(bytes, "x"), isPacked } satisfies Answer);
    },
    async close() {
      await app.close();
      await callers.end();
      await claims.close();
      await database.end();
    },
  };
}

async function identified(
  scope: App,
  database: Database,
  { keyEncryptionKey, clock }: FloorSettings,
  answer: Answer,
): Promise<void> {
  // What identifying asks of the context, and no more.
  const context = {
    database,
    clock,
    partners: createPartnerDirectory(database, clock),
    tokens: createTokens(database, keyEncryptionKey, clock),
    isProxy: () => false,
  } as Partial<ApiContext> as ApiContext;
  await identifyPartner(scope, context);
  await scope.register(async (bearer: App) => {
    identifyUser(bearer, context);
    bearer.addHook("onRequest", negotiate);
    bearer.get("/constant", { config: { produces: "application/json", findsUser: true } }, async (request, reply) => {
      const { rows } = await database.query({ name: "floor", text, values: [callerOf(request).subject] });
      return send(request, reply, rows.length === 1 ? answer : null);
    });
  });
}

/** Negotiated as documents are. */
function send(request: FastifyRequest, reply: FastifyReply, found: Answer | null): FastifyReply {
  reply.header("vary", "accept-encoding");
  const isPacked = takesGzip(request.headers["accept-encoding"]) && found?.isPacked === true;
  if (isPacked) reply.header("content-encoding", "gzip");
  return sendJson(reply, found?.body ?? "");
}
