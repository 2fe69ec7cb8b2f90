/**
 * The guard over the server's connections: how many there are, of everybody and of one address, how many begin, how fast
 * they send and read, and how much waits for those that do not read. What is refused or cut costs nobody else anything,
 * and whoever was cut again and again waits for a while before it may begin anew.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server } from "node:https";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { FastifyRequest } from "fastify";
import type { Events } from "../../events.ts";
import { neighbourhoodOf } from "../../partners/network.ts";
import type { Partner } from "../../partners/partners.ts";
import type { Caller } from "../../partners/users.ts";
import type { App } from "../context.ts";
import { holdConnection } from "./held.ts";
import { KnownAddresses } from "./known-addresses.ts";
import type { ConnectionLimits, CutReason, RefusedReason, Unread, Watched } from "./watched.ts";
import { HandshakeTurns, type Standing } from "./handshake-turns.ts";

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
/** Of all connections, for networks that some partner's list names: strangers get the others. */
const listedReserveShare = 1 / 4;
/** Of all connections, those that wait for their handshake. */
const waitingShare = 1 / 4;
/** How often it is looked whose turn it is, while somebody waits. */
const turnEveryMs = 20;
/** What a client says before it is answered: a ClientHello with post-quantum keys and a ticket is some 3 kB. */
const helloBytesMax = 16 * 1024;

type Listener = (raw: Socket) => void;

/** Calls `goOn` when it is the request's turn, and never for what was cut. */
export type Guarded = (request: IncomingMessage, response: ServerResponse, goOn: () => void) => void;

export const unguarded: Guarded = (_request, _response, goOn) => goOn();

/** @returns what a request goes through that the server answers, but not the app */
export function guardConnections(
  app: App,
  limits: ConnectionLimits,
  { events, isProxy }: { events: Events; isProxy(address: string): boolean },
): Guarded {
  const guard = new Guard(app.server, limits, events, isProxy);
  // TLS begins its handshake as soon as it hears of a connection.
  const listeners = app.server.listeners("connection") as Listener[];
  app.server.removeAllListeners("connection");
  app.server.on("connection", (raw: Socket) =>
    guard.admit(raw, () => {
      for (const listener of listeners) listener.call(app.server, raw);
    }),
  );
  app.server.on("secureConnection", (secure: TLSSocket) => guard.secured(secure));
  app.addHook("onRequest", (request, reply, done) => {
    reply.raw.once("close", () => guard.ends(request.raw, reply.statusCode, isOfSomebody(request)));
    guard.begins(request.raw, done);
  });
  events.gauge("tideline_https_connections", "Open connections of the HTTPS port.", () => guard.open);
  events.gauge(
    "tideline_https_connections_waiting",
    "Those of them that wait for their TLS handshake.",
    () => guard.waiting,
  );
  const watch = setInterval(() => guard.watch(), limits.watchEveryMs ?? watchEveryMsDefault).unref();
  app.addHook("preClose", async () => guard.close());
  app.addHook("onClose", async () => clearInterval(watch));
  return (request, response, goOn) => {
    response.once("close", () => guard.ends(request, response.statusCode, false));
    guard.begins(request, goOn);
  };
}

/** Anybody is answered well somewhere, whatever he calls himself: only who was found to be somebody counts. */
function isOfSomebody(request: FastifyRequest): boolean {
  const partner = request.getDecorator<Partner | null>("partner");
  return request.getDecorator<Caller | null>("caller") !== null || partner?.namesItsCallers === true;
}

class Guard {
  readonly #server: Server;
  readonly #limits: ConnectionLimits;
  readonly #events: Events;
  readonly #isProxy: (address: string) => boolean;
  readonly #open = new Map<string, Watched>();
  readonly #byAddress = new Map<string, number>();
  readonly #bySecure = new WeakMap<object, Watched>();
  readonly #turns: HandshakeTurns;
  readonly #known: KnownAddresses;
  #turning: NodeJS.Timeout | null = null;
  #unlisted = 0;
  /** Since the last look; told together, because a flood must not fill the log. */
  readonly #refused = new Map<RefusedReason, number>();
  readonly #cut = new Map<CutReason, number>();
  readonly #waited = { connections: 0, longestMs: 0 };
  #boundedAtMs = 0;

  constructor(server: Server, limits: ConnectionLimits, events: Events, isProxy: (address: string) => boolean) {
    this.#server = server;
    this.#limits = limits;
    this.#events = events;
    this.#isProxy = isProxy;
    const waitingMax = Math.ceil(limits.connectionsMax * waitingShare);
    this.#known = new KnownAddresses(limits.listNetworks);
    this.#turns = new HandshakeTurns({ ...limits.handshakes, waitingMax });
    this.#known.learn();
  }

  get open(): number {
    return this.#open.size;
  }

  get waiting(): number {
    return this.#turns.waiting;
  }

  /** @param begin has the server shake hands; called at once, later or never */
  admit(raw: Socket, begin: () => void): void {
    const { remoteAddress, remotePort } = raw;
    if (remoteAddress === undefined || remotePort === undefined) return void raw.destroy();
    const address = neighbourhoodOf(remoteAddress);
    const isListed = this.#known.isListed(remoteAddress);
    const reason = this.#refusalOf(remoteAddress, address, isListed);
    if (reason !== null) return this.#refuse(raw, reason);
    const key = `${remoteAddress} ${remotePort}`;
    this.#open.set(key, {
      raw,
      secure: null,
      address,
      isListed,
      openedAtMs: performance.now(),
      underWay: 0,
      waiting: [],
      answered: 0,
      isCut: false,
      receiving: null,
      unread: null,
    });
    count(this.#byAddress, address, 1);
    if (!isListed) this.#unlisted += 1;
    raw.once("close", () => {
      this.#open.delete(key);
      count(this.#byAddress, address, -1);
      if (!isListed) this.#unlisted -= 1;
    });
    // Whose proxy opens connections as it needs them stands for many.
    if (this.#isProxy(remoteAddress)) return begin();
    this.#waitForTurn(
      raw,
      { address, standing: isListed ? "listed" : this.#known.isProven(address) ? "proven" : "unknown" },
      begin,
    );
  }

  secured(secure: TLSSocket): void {
    const watched = this.#open.get(`${secure.remoteAddress} ${secure.remotePort}`);
    if (!watched) return;
    watched.secure = secure;
    this.#bySecure.set(secure, watched);
  }

  /** @param goOn is called when it is the request's turn; never for what was cut, of which more may be parsed already */
  begins(request: IncomingMessage, goOn: () => void): void {
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
  ends(request: IncomingMessage, status: number, isKnown: boolean): void {
    const watched = this.#bySecure.get(request.socket);
    if (!watched || watched.isCut || watched.raw.destroyed) return;
    watched.underWay -= 1;
    watched.answered += 1;
    watched.waiting.shift()?.();
    if (status >= 400 && !request.complete) {
      count(this.#cut, "unfinished", 1);
      this.#penalise(watched);
    }
    if (status < 400 && isKnown) this.#known.prove(watched.address);
  }

  watch(): void {
    const now = performance.now();
    for (const watched of this.#open.values()) {
      if (this.#isSlowSender(watched, now)) this.#cutOff(watched, "slow-sender");
      else if (this.#isSlowReader(watched, now)) this.#cutOff(watched, "slow-reader");
    }
    this.#boundUnread(now);
    this.#turns.tidy();
    this.#known.learn();
    for (const [reason, connections] of this.#refused)
      this.#events.emit("https.connections-refused", { reason, connections });
    for (const [reason, connections] of this.#cut) this.#events.emit("https.connections-cut", { reason, connections });
    if (this.#waited.connections > 0) this.#events.emit("https.connections-waited", { ...this.#waited });
    this.#refused.clear();
    this.#cut.clear();
    Object.assign(this.#waited, { connections: 0, longestMs: 0 });
  }

  /** Nobody's turn comes any more. */
  close(): void {
    this.#turns.refuseAll();
  }

  /** Unless somebody is known there: behind one address may be many. */
  #penalise({ address, isListed, raw }: Watched): void {
    if (!isListed && !this.#known.isProven(address) && !this.#isProxy(raw.remoteAddress ?? ""))
      this.#turns.penalise(address);
  }

  #refuse(raw: Socket, reason: RefusedReason): void {
    count(this.#refused, reason, 1);
    raw.destroy();
  }

  #waitForTurn(raw: Socket, { address, standing }: { address: string; standing: Standing }, begin: () => void): void {
    const held = holdConnection(raw, helloBytesMax, () => this.#refuse(raw, "hello-limit"));
    const leave = this.#turns.come(
      {
        neighbourhood: address,
        begin: () => {
          const waitedMs = held.release();
          if (raw.destroyed) return;
          if (waitedMs !== null) this.#noteWait(waitedMs);
          begin();
        },
        refuse: (reason) => {
          held.release();
          this.#refuse(raw, reason);
        },
      },
      standing,
    );
    if (held.isOver) return;
    held.wait(leave);
    this.#turning ??= setInterval(() => this.#passTurns(), turnEveryMs).unref();
  }

  #noteWait(waitedMs: number): void {
    this.#waited.connections += 1;
    this.#waited.longestMs = Math.max(this.#waited.longestMs, Math.round(waitedMs));
  }

  #passTurns(): void {
    this.#turns.pass();
    if (this.#turns.waiting > 0 || this.#turning === null) return;
    clearInterval(this.#turning);
    this.#turning = null;
  }

  #refusalOf(remoteAddress: string, address: string, isListed: boolean): RefusedReason | null {
    const { connectionsMax, connectionsPerAddressMax } = this.#limits;
    if (!this.#isProxy(remoteAddress) && (this.#byAddress.get(address) ?? 0) >= connectionsPerAddressMax)
      return "address-limit";
    const unlistedMax = Math.ceil(connectionsMax * (1 - listedReserveShare));
    const hasPlace = this.#open.size < connectionsMax && (isListed || this.#unlisted < unlistedMax);
    return hasPlace || this.#makeRoom(address, isListed) ? null : "connection-limit";
  }

  /** Of the address that holds most, who never asked anything, and then who asks nothing now; of listed ones for such. */
  #makeRoom(newcomer: string, isListed: boolean): boolean {
    const now = performance.now();
    const idle = [...this.#open.values()].filter(
      (one) => one.underWay === 0 && now - one.openedAtMs > youngMs && (isListed || !one.isListed),
    );
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
    const { bytesRead } = receiving.request.socket;
    if (this.#isBelowRate(bytesRead - receiving.bytesBefore, now - receiving.sinceMs)) return true;
    // What was sent or fetched quickly once is no credit for ever.
    if (now - receiving.sinceMs > 2 * this.#graceMs) Object.assign(receiving, { sinceMs: now, bytesBefore: bytesRead });
    return false;
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
    const { raw, secure } = watched;
    this.#penalise(watched);
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
