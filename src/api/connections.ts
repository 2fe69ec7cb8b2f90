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
/** Requests of one connection at once: clients that send the next before the answer to the first are rare. */
const pipelinedMax = 4;
/** Answers that wait for their readers, altogether: past it whoever leaves most unread is cut. */
const unsentBytesMax = 128 * 1024 * 1024;
/** A connection younger than that may still become one. */
const youngMs = 1000;
/** Addresses that were answered well: so many are remembered, to be spared penalties. */
const provenMax = 10_000;

/** For connections that were cut; who goes on as before waits longer each time. */
const penalty = { freeFailures: 3, firstDelayMs: 1000, delayMaxMs: 60_000, forgiveMs: 60_000, keysMax: 10_000 };

type Watched = {
  raw: Socket;
  secure: TLSSocket | null;
  address: string;
  openedAtMs: number;
  underWay: number;
  answered: number;
  /** A body that is arriving. */
  receiving: { request: FastifyRequest["raw"]; sinceMs: number; bytesBefore: number } | null;
  /** Answers that are not fetched. */
  unread: { sinceMs: number; fetchedBefore: number } | null;
};

export type CutReason = "slow-sender" | "slow-reader" | "pipelined" | "unread";
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
    if (guard.begins(request)) reply.raw.once("close", () => guard.ends(request, reply.statusCode));
    done();
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
      answered: 0,
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

  /** @returns whether the request's connection is watched */
  begins({ raw: request }: FastifyRequest): boolean {
    const watched = this.#bySecure.get(request.socket);
    if (!watched) return false;
    watched.underWay += 1;
    if (watched.underWay > pipelinedMax) this.#cutOff(watched, "pipelined");
    if (!request.complete)
      watched.receiving = { request, sinceMs: performance.now(), bytesBefore: request.socket.bytesRead };
    return true;
  }

  ends({ raw: request }: FastifyRequest, status: number): void {
    const watched = this.#bySecure.get(request.socket);
    if (!watched) return;
    watched.underWay -= 1;
    watched.answered += 1;
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
    this.#boundUnread();
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

  #boundUnread(): void {
    const unreadOf = ({ secure }: Watched) => secure?.writableLength ?? 0;
    const unread = [...this.#open.values()].filter((one) => unreadOf(one) > 0);
    let bytes = unread.reduce((sum, one) => sum + unreadOf(one), 0);
    for (const one of unread.toSorted((a, b) => unreadOf(b) - unreadOf(a))) {
      if (bytes <= unsentBytesMax) return;
      bytes -= unreadOf(one);
      this.#cutOff(one, "unread");
    }
  }

  /** Who sends too slowly is told so; who reads nothing is told nothing. */
  #cutOff(watched: Watched, reason: CutReason): void {
    count(this.#cut, reason, 1);
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
