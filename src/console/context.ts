/** What every page of the console stands on. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Clock } from "../time/clock.ts";
import type { Database } from "../database/database.ts";
import type { Events } from "../events.ts";
import type { WatchedDisk } from "../landing/disk-guard.ts";
import type { Anchor, Verification } from "../partners/audit-chain.ts";
import type { FoundHandover } from "../operations/handover.ts";
import type { Vault } from "../vault/vault.ts";
import type { Account, ConsoleRole } from "./access/accounts.ts";
import type { IdentityProvider } from "./access/identity-provider.ts";
import type { SessionLife } from "./access/sessions.ts";
import type { Live } from "./live.ts";
import type { Places } from "./places.ts";
import type { Shared } from "./shared.ts";
import type { Html } from "./templates/html.ts";

export type ConsoleDependencies = {
  /** What pages ask: its connections change nothing. */
  reading: Database;
  /** What signing in and actions write with. */
  database: Database;
  clock: Clock;
  events: Events;
  /** Wakes workers; may fail: they look by themselves. */
  enqueue(deliveryIds: readonly string[]): Promise<void>;
  vault: Vault;
  /** This machine's, each once. */
  disks(): readonly WatchedDisk[];
  /** Holds the whole audit trail against its chain. */
  verifyTrail(anchor: Anchor | null): Promise<Verification>;
  /** Where operators sign in beside tokens; null: nowhere. */
  provider: IdentityProvider | null;
  /** When a session is over. */
  sessionLife: SessionLife;
  /** The key-encryption keys. */
  ring(): Promise<Buffer>;
  /** What a partner is handed to reach the service; null: there is no such partner. */
  handover(partnerId: string): Promise<FoundHandover | null>;
  /** Of the HTTPS doors, the console's among them. */
  certificateEndsAt(): Date;
  /** What wakes workers, in words. */
  queueEngine: string;
};

export type ConsoleContext = ConsoleDependencies & {
  version: string;
  live: Live;
  shared: Shared;
  places: Places;
  /** The address as browsers see it, where a proxy stands before it; null: as the request says. */
  publicUrl: string | null;
};

export type Scope = FastifyInstance;

/** One request of somebody who is signed in. */
export type Visit = {
  request: FastifyRequest;
  reply: FastifyReply;
  account: Account;
  cookie: string;
  /** For the forms of the page. */
  formToken: string;
  /** Of the query, or of the form: single texts by name. */
  given: Readonly<Record<string, string>>;
  /** By an open page's script that was told of a change: nobody sits there and asks. */
  isTold: boolean;
};

export type Page = {
  title: string;
  /** One after the other; of a live page that is open, those that changed are sent. */
  body: Html | readonly Html[];
  status?: number;
  /** Changes by itself while it is open. */ live?: true;
  /** What takes long to find out: it follows the body in the same answer, and never rejects. */
  rest?: Promise<Html>;
  /** The section that it belongs to, where its address does not say so. */
  section?: string;
  /** What tells the same on the command line, where it depends on what was asked for. */
  twin?: string;
};

/** @returns a page, or where to go, or null: the reply is under way already */
export type Handler = (visit: Visit) => Promise<Page | { goTo: string } | null>;

export type Route = { needs: ConsoleRole; handle: Handler };

/** What the audit trail calls whoever did it. */
export function actorOf({ account }: Visit): string {
  return `console:${account.name}`;
}

/** The partner's id stands in every statement about partners: null where all may be seen. */
export function partnersOf({ account }: Visit): readonly string[] | null {
  return account.partnerIds;
}

/** Equal for those who may see the same partners, and for nobody else. */
export function scopeOf(visit: Visit): string {
  const partnerIds = partnersOf(visit);
  return partnerIds === null ? "all" : JSON.stringify(partnerIds.toSorted());
}

export function maySee(visit: Visit, partnerId: string | null): boolean {
  return visit.account.partnerIds === null || (partnerId !== null && visit.account.partnerIds.includes(partnerId));
}
