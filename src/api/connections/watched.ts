/** What the guard over the server's connections goes by, and what it knows of each. */
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { FastifyRequest } from "fastify";
import type { HandshakeRates, TurnRefusal } from "./handshake-turns.ts";

export type ConnectionLimits = {
  connectionsMax: number;
  /** An address of IPv4, or a /64; proxies that are named are counted only among all. */
  connectionsPerAddressMax: number;
  handshakes: Pick<HandshakeRates, "perSecond" | "perAddressPerSecond">;
  /** CIDR texts that partners have named: from there nobody is a stranger. */
  listNetworks(): Promise<readonly string[]>;
  /** Of a body that arrives, and of answers that are fetched. */
  bytesPerSecondMin: number;
  /** Before the rate is asked for. */
  graceMs?: number;
  watchEveryMs?: number;
};

export type Watched = {
  raw: Socket;
  secure: TLSSocket | null;
  address: string;
  isListed: boolean;
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

/** "unfinished": answered before its body had come, and did not stop sending it. */
export type CutReason = "slow-sender" | "slow-reader" | "pipelined" | "unread" | "unfinished";
export type Unread = { watched: Watched; bytes: number };
export type RefusedReason = "connection-limit" | "address-limit" | "hello-limit" | TurnRefusal;
