/** The connections that are open, from the socket's arrival until they touch no file any more. */
import type { Socket } from "node:net";
import ssh2, { type ClientInfo, type Connection as SshConnection, type Server as SshServer } from "ssh2";
import { namedNetworks } from "../../../partners/network.ts";
import { Admission, type Admitted } from "./admission.ts";
import { algorithms, hostKeysFor, legacyMacs } from "./algorithms.ts";
import { isAllowed, plainAddress } from "./authentication.ts";
import { Connection, type DoorState } from "./connection.ts";
import type { SftpLimits } from "../limits.ts";
import type { OpenSession } from "../open-sessions.ts";
import { negotiate } from "./negotiation.ts";
import { refuse } from "./refusal.ts";
import { isOfHandshake } from "./ssh2-inside.ts";

/** What peers read of us; no version, since it would only serve those who look for weak ones. */
const identification = "Tideline";

/** One for each set of host keys; sockets are handed to it. @param hostKeys private ones */
export function createSshServer(hostKeys: readonly string[], limits: SftpLimits, arrivals: Arrivals): SshServer {
  return new ssh2.Server(
    {
      hostKeys: hostKeysFor(hostKeys),
      algorithms,
      ident: identification,
      keepaliveInterval: limits.keepaliveIntervalMs,
      keepaliveCountMax: limits.keepaliveCountMax,
    },
    (client, info) => arrivals.identify(client, info),
  );
}

type Arrival = {
  socket: Socket;
  connection: Connection;
  admitted: Admitted;
  address: string;
  mayUseLegacyMacs: boolean;
  openedAt: number;
};

/** Connections are found again by their remote end when ssh2 has read their identification. */
export class Arrivals {
  readonly #door: DoorState;
  readonly #admission: Admission;
  readonly #open = new Map<string, Arrival>();
  readonly #running = new Set<Promise<void>>();
  #isListed: (address: string) => boolean = () => false;
  #refusals = { second: 0, told: 0, untold: 0 };

  constructor(door: DoorState) {
    this.#door = door;
    this.#admission = new Admission(door.limits);
  }

  get sessions(): number {
    return this.#admission.sessions;
  }

  /** Of logged-in connections. */
  describe(): OpenSession[] {
    return [...this.#open.values()].flatMap(({ connection }) => connection.describe() ?? []);
  }

  disconnect(sessionId: string): void {
    for (const { connection } of this.#open.values()) if (connection.sessionId === sessionId) connection.disconnect();
  }

  receive(socket: Socket, sshServer: SshServer): void {
    const { remoteAddress, remotePort } = socket;
    if (remoteAddress === undefined || remotePort === undefined) return void socket.destroy();
    const address = plainAddress(remoteAddress);
    const admitted = this.#admission.admit(address, {
      isListed: this.#isListed(address),
      isSilent: () => socket.bytesRead === 0,
      cut: () => socket.destroy(),
    });
    if ("refused" in admitted) return this.#refuse(socket, address, admitted.refused);
    const arrival: Arrival = {
      mayUseLegacyMacs: false,
      socket,
      connection: new Connection(this.#door, socket),
      admitted,
      address,
      openedAt: Date.now(),
    };
    const running = this.#attend(socket, remoteEndOf(remoteAddress, remotePort), arrival);
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
    // ssh2 listens only later, and a socket that breaks before would end the process.
    socket.on("error", () => undefined);
    this.#begin(arrival, sshServer).catch((error: unknown) => {
      this.#door.events.emit("sftp.failed", { sessionId: arrival.connection.sessionId, error });
      socket.destroy();
    });
  }

  /** In a flood the first ones of a second are told and named, the others only counted and closed. */
  #refuse(socket: Socket, address: string, reason: string): void {
    const second = Math.floor(Date.now() / 1000);
    if (second !== this.#refusals.second) {
      const { untold } = this.#refusals;
      if (untold > 0) this.#door.events.emit("sftp.connections-refused", { connections: untold });
      this.#refusals = { second, told: 0, untold: 0 };
    }
    if (this.#refusals.told >= this.#door.limits.refusalsToldMax) {
      this.#refusals.untold += 1;
      return void socket.destroy();
    }
    this.#refusals.told += 1;
    this.#door.events.emit("sftp.connection-refused", { address, reason });
    refuse(socket, identification, reason);
  }

  /** Reads anew which networks partners have listed; those of before stay when it cannot be read. */
  async learnNetworks(): Promise<void> {
    this.#isListed = namedNetworks(await this.#door.listNetworks());
  }

  /** Whoever failed often waits here, before the key exchange costs anything. */
  async #begin(arrival: Arrival, sshServer: SshServer): Promise<void> {
    const { address, socket } = arrival;
    const delayMs = await this.#door.defence.connectionDelayMs(address);
    if (delayMs > 0) {
      this.#door.events.emit("sftp.connection-delayed", { address, delayMs });
      await elapsed(delayMs);
    }
    arrival.mayUseLegacyMacs = await this.#isLegacy(address);
    if (!socket.destroyed) sshServer.injectSocket(socket);
  }

  async #isLegacy(address: string): Promise<boolean> {
    const networks = await this.#door.listLegacyNetworks();
    return networks.length > 0 && isAllowed(address, networks);
  }

  /** Resolves when the connection is gone and touches no file any more. */
  async #attend(socket: Socket, remoteEnd: string, arrival: Arrival): Promise<void> {
    this.#open.set(remoteEnd, arrival);
    await new Promise<void>((resolve) => socket.once("close", () => resolve()));
    this.#open.delete(remoteEnd);
    arrival.admitted.leave();
    await arrival.connection.closed();
  }

  identify(client: SshConnection, info: ClientInfo): void {
    const arrival = this.#open.get(remoteEndOf(info.ip, info.port));
    // Without a listener an error would end the process; a broken connection is followed by its close, which is
    // handled.
    client.on("error", (error: Error) => {
      if (isOfHandshake(error) && arrival) {
        this.#door.events.emit("sftp.connection-refused", { address: arrival.address, reason: error.message });
      }
    });
    if (!arrival) return void client.end();
    const { socket, connection, address, admitted, mayUseLegacyMacs } = arrival;
    const macs = mayUseLegacyMacs ? legacyMacs : [];
    const negotiation = negotiate(client, { socket, legacyMacs: macs, waitMs: this.#door.limits.keyExchangeWaitMs });
    connection.attend(client, address, admitted, negotiation);
  }

  watch(now: number): void {
    this.learnNetworks().catch((error: unknown) =>
      this.#door.events.emit("sftp.failed", { sessionId: "networks", error }),
    );
    for (const { connection, socket, admitted, openedAt } of this.#open.values()) {
      if (socket.bytesRead === 0 && now - openedAt > this.#door.limits.firstByteMs) {
        admitted.staysSilent();
        socket.destroy();
      } else connection.watch(now);
    }
  }

  /** Says goodbye to whoever is there, then cuts; waits until no file is touched any more. */
  async close(farewellMs: number): Promise<void> {
    for (const { connection } of this.#open.values()) connection.end();
    const allGone = Promise.all(this.#running);
    await Promise.race([allGone, elapsed(farewellMs)]);
    for (const { connection } of this.#open.values()) connection.cut();
    await allGone;
  }
}

function remoteEndOf(address: string, port: number): string {
  return `${address} ${port}`;
}

export async function elapsed(durationMs: number): Promise<void> {
  await new Promise<void>((resolve) => setTimeout(resolve, durationMs).unref());
}
