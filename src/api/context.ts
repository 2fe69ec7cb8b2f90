/** What the API stands on, and how its routes are typed. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import type { BudgetReportOutcome, BudgetReportTask } from "../reports/task.ts";
import type { Clock } from "../time/clock.ts";
import type { Database } from "../database/database.ts";
import type { Reads } from "../database/replica.ts";
import type { ErrorCode } from "../errors.ts";
import type { Events } from "../events.ts";
import type { BytesInFlightLimits } from "../landing/https/bytes-in-flight.ts";
import type { PushDoor } from "../landing/https/receive.ts";
import type { Readiness } from "../observation/readiness.ts";
import type { AuditTrail } from "../partners/audit-trail.ts";
import type { PartnerDirectory } from "../partners/partners.ts";
import type { Tokens } from "../partners/tokens.ts";
import type { Connecting } from "../psd2/flow.ts";
import type { RememberedDocuments } from "./documents/remembered.ts";
import type { ServedDocuments } from "./documents/served.ts";
import type { Convert } from "../rates/rates.ts";

export type ApiDependencies = PushDoor & {
  /** That open batches. */
  doorThreads: number;
  /** Of pushed bodies. */
  bytesInFlight: BytesInFlightLimits;
  database: Database;
  /** What callers read most: by a replica, where there is one. */
  reads: Reads;
  /** 32 bytes; opens the token-signing keys. */
  keyEncryptionKey: Buffer;
  clock: Clock;
  events: Events;
  convert: Convert;
  /** On connections that see all partners: a line may be of none. */
  trail: AuditTrail;
  psd2: Connecting;
  /** Recomputes one user's read model; when it returns, reads tell the new state. @param userId users.id */
  refreshUser(userId: number): Promise<void>;
  /** Makes one user's stale budgets anew; when it returns, reads tell the new state. @param userId users.id */
  refreshBudgets(userId: number): Promise<void>;
  makeBudgetReport(task: BudgetReportTask): Promise<BudgetReportOutcome | "BUSY">;
  /** The API's base address as partners see it, without trailing slash. */
  baseUrl(): string;
  /** Whether reads and writes can be served, and each thing that was looked at with what was found. */
  isReady(): Promise<Readiness>;
};

export type ApiContext = ApiDependencies & {
  partners: PartnerDirectory;
  tokens: Tokens;
  documents: RememberedDocuments;
  served: ServedDocuments;
  /** The package's version. */
  version: string;
  /** Whether calls come from beyond this machine, be it through named proxies. */
  isExposed: boolean;
  /** Whether an address is a proxy whose headers about the caller are believed. */
  isProxy(address: string): boolean;
  mayReadMetrics(address: string): boolean;
};

/**
 * What anybody may read, what anybody may send to become somebody, pushes, and what a user's token is for: whoever uses
 * one up takes nothing of the others.
 */
export type RateClass = "keys" | "logins" | "pushes" | "users";

/** The server, or one scope of it, whose handlers are typed by their schemas. */
export type App = FastifyInstance<Server, IncomingMessage, ServerResponse, FastifyBaseLogger, TypeBoxTypeProvider>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** Calls of one class are counted apart from the others'; default "users". */
    rateClass?: RateClass;
    /** What the route refuses besides what its scope refuses; for the OpenAPI document. */
    refusals?: readonly ErrorCode[];
    /** The media types of its answer, the preferred one first; a caller who accepts none of them gets 406. */
    produces?: string | readonly string[];
    /** The route's own query looks for the token's user too, so nobody does before; see ofLiveUser. */
    findsUser?: true;
    /** A call without a body is a call too. */
    bodyOptional?: true;
    /** Marks the routes that only answer 405. */
    refusesMethod?: true;
  }
}
