/**
 * The guard over the server's connections: how many there are, of everybody and of one address, how fast they send and
 * read, and how much waits for those that do not read. What is refused or cut costs nobody else anything, and whoever was
 * cut again and again stays out for a while.
 */
import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { FastifyRequest } from "fastify";
import type { Events } from "../events.ts";
import { Backoff } from "../landing/backoff.ts";
import { neighbourhoodOf } from "../partners/network.ts";
import type { App } from "./context.ts";

export type ConnectionLimits = {
  connectionsMax: number;
  /** An address of IPv4, or a /64; proxies that are named are counted only among all. */
  connectionsPerAddressMax: number;
  /** Of a body that arrives, and of answers that are fetched. */
  bytesPerSecondMin: number;
  /** Before the rate is asked for. */
  graceMs?: number;
  watchEveryMs?: number;
};

/** Slow starts, retransmissions and a client's own pauses are over by then. */
const graceMsDefault = 5000;
const watchEveryMsDefault = 1000;
/**
 * Requests of one connection at once: clients that send the next before the answer to the first are rare. Only the first
 * is worked on; the next one's turn comes when that answer has been fetched.
 */
const pipelinedMax = 4;
/** Answers that wait for their readers, altogether: past it whoever leaves most unread is cut. */
const unsentBytesMax = 128 * 1024 * 1024;
/** The same of one address, for what still waits after a second. */
const unsentOfAddressBytesMax = 16 * 1024 * 1024;
/** A flood of long answers is noticed before the next look. */
const boundEveryMs = 100;
/** A connection younger than that may still become one. */
const youngMs = 1000;
/** Addresses that were answered well: so many are remembered, to be spared penalties. */
const provenMax = 10_000;

/** For connections that were cut; who goes on as before waits longer each time. */
const penalty = { freeFailures: 1, firstDelayMs: 2000, delayMaxMs: 60_000, forgiveMs: 60_000, keysMax: 10_000 };

type Watched = {
  raw: Socket;
  secure: TLSSocket | null;
  address: string;
  openedAtMs: number;
  /** Asked and not yet fetched, the ones that wait for their turn among them. */
  underWay: number;
  waiting: (() => void)[];
  answered: number;
  isCut: boolean;
  /** A body that is arriving. */
  receiving: { request: FastifyRequest["raw"]; sinceMs: number; bytesBefore: number } | null;
  /** Answers that are not fetched. */
  unread: { sinceMs: number; fetchedBefore: number } | null;
};

export type CutReason = "slow-sender" | "slow-reader" | "pipelined" | "unread";
type Unread = { watched: Watched; bytes: number };
type RefusedReason = "connection-limit" | "address-limit" | "penalty";

export function guardConnections(
  app: App,
  limits: ConnectionLimits,
  { events, isProxy }: { events: Events; isProxy(address: string): boolean },
): void {
  const guard = new Guard(app.server, limits, events, isProxy);
  app.server.on("connection", (raw: Socket) => guard.admit(raw));
  app.server.on("secureConnection", (secure: TLSSocket) => guard.secured(secure));
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.once("close", () => guard.ends(request, reply.statusCode));
    guard.begins(request, done);
  });
  const watch = setInterval(() => guard.watch(), limits.watchEveryMs ?? watchEveryMsDefault).unref();
  app.addHook("onClose", async () => clearInterval(watch));
}

class Guard {
  readonly #server: Server;
  readonly #limits: ConnectionLimits;
  readonly #events: Events;
  readonly #isProxy: (address: string) => boolean;
  readonly #open = new Map<string, Watched>();
  readonly #byAddress = new Map<string, number>();
  readonly #bySecure = new WeakMap<object, Watched>();
  readonly #penalties = new Backoff(penalty);
  readonly #outUntilMs = new Map<string, number>();
  readonly #proven = new Set<string>();
  /** Since the last look; told together, because a flood must not fill the log. */
  readonly #refused = new Map<RefusedReason, number>();
  readonly #cut = new Map<CutReason, number>();
  #boundedAtMs = 0;

  constructor(server: Server, limits: ConnectionLimits, events: Events, isProxy: (address: string) => boolean) {
    this.#server = server;
    this.#limits = limits;
    this.#events = events;
    this.#isProxy = isProxy;
  }

  admit(raw: Socket): void {
    const { remoteAddress, remotePort } = raw;
    if (remoteAddress === undefined || remotePort === undefined) return void raw.destroy();
    const address = neighbourhoodOf(remoteAddress);
    const reason = this.#refusalOf(remoteAddress, address);
    if (reason !== null) {
      count(this.#refused, reason, 1);
      return void raw.destroy();
    }
    const key = `${remoteAddress} ${remotePort}`;
    const openedAtMs = performance.now();
    this.#open.set(key, {
      raw,
      secure: null,
      address,
      openedAtMs,
      underWay: 0,
      waiting: [],
      answered: 0,
      isCut: false,
      receiving: null,
      unread: null,
    });
    count(this.#byAddress, address, 1);
    raw.once("close", () => {
      this.#open.delete(key);
      count(this.#byAddress, address, -1);
    });
  }

  secured(secure: TLSSocket): void {
    const watched = this.#open.get(`${secure.remoteAddress} ${secure.remotePort}`);
    if (!watched) return;
    watched.secure = secure;
    this.#bySecure.set(secure, watched);
  }

  /** @param goOn is called when it is the request's turn; never for what was cut, of which more may be parsed already */
  begins({ raw: request }: FastifyRequest, goOn: () => void): void {
    const watched = this.#bySecure.get(request.socket);
    if (!watched) return goOn();
    if (watched.isCut) return;
    watched.underWay += 1;
    if (watched.underWay > pipelinedMax) return this.#cutOff(watched, "pipelined");
    const now = performance.now();
    if (now - this.#boundedAtMs > boundEveryMs) this.#boundUnread(now);
    if (watched.isCut) return;
    const start = () => {
      // Not before: nobody takes the body of one that waits, however quickly it is sent.
      if (!request.complete)
        watched.receiving = { request, sinceMs: performance.now(), bytesBefore: request.socket.bytesRead };
      goOn();
    };
    if (watched.underWay > 1) watched.waiting.push(start);
    else start();
  }

  /** Its answer has left for the reader's machine, or nobody will fetch it. */
  ends({ raw: request }: FastifyRequest, status: number): void {
    const watched = this.#bySecure.get(request.socket);
    if (!watched || watched.isCut || watched.raw.destroyed) return;
    watched.underWay -= 1;
    watched.answered += 1;
    watched.waiting.shift()?.();
    if (status >= 400 || request.headers.authorization === undefined) return;
    this.#proven.add(watched.address);
    const [oldest] = this.#proven;
    if (oldest !== undefined && this.#proven.size > provenMax) this.#proven.delete(oldest);
  }

  watch(): void {
    const now = performance.now();
    for (const watched of this.#open.values()) {
      if (this.#isSlowSender(watched, now)) this.#cutOff(watched, "slow-sender");
      else if (this.#isSlowReader(watched, now)) this.#cutOff(watched, "slow-reader");
    }
    this.#boundUnread(now);
    for (const [address, untilMs] of this.#outUntilMs) if (untilMs <= now) this.#outUntilMs.delete(address);
    for (const [reason, connections] of this.#refused)
      this.#events.emit("https.connections-refused", { reason, connections });
    for (const [reason, connections] of this.#cut) this.#events.emit("https.connections-cut", { reason, connections });
    this.#refused.clear();
    this.#cut.clear();
  }

  #refusalOf(remoteAddress: string, address: string): RefusedReason | null {
    const { connectionsMax, connectionsPerAddressMax } = this.#limits;
    if (!this.#isProxy(remoteAddress)) {
      if ((this.#outUntilMs.get(address) ?? 0) > performance.now()) return "penalty";
      if ((this.#byAddress.get(address) ?? 0) >= connectionsPerAddressMax) return "address-limit";
    }
    return this.#open.size < connectionsMax || this.#makeRoom(address) ? null : "connection-limit";
  }

  /** Of the address that holds most, who never asked anything, and then who asks nothing now. */
  #makeRoom(newcomer: string): boolean {
    const now = performance.now();
    const idle = [...this.#open.values()].filter((one) => one.underWay === 0 && now - one.openedAtMs > youngMs);
    const held = ({ address }: Watched) => this.#byAddress.get(address) ?? 0;
    const [chosen] = idle.toSorted(
      (a, b) => Math.min(a.answered, 1) - Math.min(b.answered, 1) || held(b) - held(a) || a.openedAtMs - b.openedAtMs,
    );
    if (chosen === undefined || (chosen.answered > 0 && held(chosen) <= (this.#byAddress.get(newcomer) ?? 0)))
      return false;
    chosen.raw.destroy();
    return true;
  }

  #isSlowSender(watched: Watched, now: number): boolean {
    const { receiving } = watched;
    if (receiving === null) return false;
    if (receiving.request.complete || receiving.request.destroyed) {
      watched.receiving = null;
      return false;
    }
    return this.#isBelowRate(receiving.request.socket.bytesRead - receiving.bytesBefore, now - receiving.sinceMs);
  }

  #isSlowReader(watched: Watched, now: number): boolean {
    const { secure } = watched;
    if (secure === null || secure.writableLength === 0) {
      watched.unread = null;
      return false;
    }
    const fetched = secure.bytesWritten - secure.writableLength;
    watched.unread ??= { sinceMs: now, fetchedBefore: fetched };
    const { sinceMs, fetchedBefore } = watched.unread;
    if (this.#isBelowRate(fetched - fetchedBefore, now - sinceMs)) return true;
    // What was fetched quickly once is no credit for ever.
    if (now - sinceMs > 2 * this.#graceMs) watched.unread = { sinceMs: now, fetchedBefore: fetched };
    return false;
  }

  #isBelowRate(bytes: number, elapsedMs: number): boolean {
    return elapsedMs > this.#graceMs && bytes < (elapsedMs / 1000) * this.#limits.bytesPerSecondMin;
  }

  get #graceMs(): number {
    return this.#limits.graceMs ?? graceMsDefault;
  }

  /** Whoever leaves most unread goes first: of everybody, and of an address what it has left for a while. */
  #boundUnread(now: number): void {
    this.#boundedAtMs = now;
    const most = [...this.#open.values()]
      .map((watched) => ({ watched, bytes: watched.secure?.writableLength ?? 0 }))
      .filter(({ bytes }) => bytes > 0)
      .sort((a, b) => b.bytes - a.bytes);
    const isLeft = ({ watched: { unread, raw } }: Unread) =>
      unread !== null && now - unread.sinceMs > youngMs && !this.#isProxy(raw.remoteAddress ?? "");
    this.#cutDownTo(unsentBytesMax, most);
    for (const left of Map.groupBy(most.filter(isLeft), ({ watched }) => watched.address).values())
      this.#cutDownTo(unsentOfAddressBytesMax, left);
  }

  #cutDownTo(bytesMax: number, most: readonly Unread[]): void {
    let all = most.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { watched, bytes } of most) {
      if (all <= bytesMax) return;
      all -= bytes;
      if (!watched.isCut) this.#cutOff(watched, "unread");
    }
  }

  /** Who sends too slowly is told so; who reads nothing is told nothing. */
  #cutOff(watched: Watched, reason: CutReason): void {
    count(this.#cut, reason, 1);
    watched.isCut = true;
    const { address, raw, secure } = watched;
    if (!this.#proven.has(address) && !this.#isProxy(raw.remoteAddress ?? "")) {
      this.#penalties.failed(address);
      this.#outUntilMs.set(address, performance.now() + this.#penalties.delayMs(address));
    }
    watched.receiving = null;
    if (reason === "slow-sender" && secure !== null)
      this.#server.emit(
        "clientError",
        Object.assign(new Error("too slow"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }),
        secure,
      );
    // What was said may still go out.
    if (reason === "slow-sender") setTimeout(() => raw.destroy(), youngMs).unref();
    else raw.destroy();
  }
}

function count<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  const next = (counts.get(key) ?? 0) + change;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}
