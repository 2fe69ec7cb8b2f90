/** One SSH connection: login, its SFTP channels, and the watch over its time and bytes. */
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import type { Socket } from "node:net";
import path from "node:path";
import type { Connection as SshConnection, ServerChannel, Session as SshSession } from "ssh2";
import type { Events } from "../../events.ts";
import type { Admitted } from "./admission.ts";
import type { FindPartner } from "./authentication.ts";
import type { Claims } from "./claims.ts";
import type { SessionContext } from "./context.ts";
import type { Deliver } from "./delivery.ts";
import type { SftpLimits } from "./limits.ts";
import { attendLogin } from "./login.ts";
import { areas, type TemporaryNames } from "./paths.ts";
import { serveSftp } from "./session.ts";

/** What all connections of a door share. */
export type DoorState = {
  readonly landingDirectory: string;
  readonly temporaryNames: TemporaryNames;
  readonly limits: SftpLimits;
  readonly findPartner: FindPartner;
  readonly deliver: Deliver;
  readonly events: Events;
  readonly claims: Claims;
  stopping: boolean;
};

export class Connection {
  readonly #door: DoorState;
  readonly #socket: Socket;
  readonly #sessionId = randomUUID();
  readonly #gone = new AbortController();
  readonly #tally = { bytesReceived: 0, filesDelivered: 0 };
  readonly #channels = new Set<Promise<void>>();
  readonly #startedAt = Date.now();
  #client: SshConnection | undefined;
  #partnerId: string | undefined;
  #requestedAt = Date.now();
  #rekeyedAt = Date.now();
  #rekeyedAtSizeBytes = 0;

  constructor(door: DoorState, socket: Socket) {
    this.#door = door;
    this.#socket = socket;
  }

  /** The client has sent its identification: what follows is SSH. */
  attend(client: SshConnection, address: string, admitted: Admitted): void {
    const { findPartner, events, limits } = this.#door;
    this.#client = client;
    attendLogin(client, { sessionId: this.#sessionId, address, admitted, findPartner, events, limits }, (partnerId) => {
      this.#partnerId = partnerId;
      this.#requestedAt = Date.now();
    });
    client.on("session", (accept, reject) => {
      if (this.#channels.size >= limits.channelsPerConnectionMax) return reject();
      this.#attendSession(accept());
    });
  }

  /** Only the SFTP subsystem is there: ssh2 refuses shells, commands and forwarding that nobody listens for. */
  #attendSession(session: SshSession): void {
    session.on("subsystem", (accept, reject, { name }) => {
      if (name !== "sftp" || this.#partnerId === undefined) return reject();
      const channel = accept();
      const serving = this.#serve(channel, this.#partnerId);
      this.#channels.add(serving);
      void serving.finally(() => this.#channels.delete(serving));
    });
  }

  async #serve(stream: ServerChannel, partnerId: string): Promise<void> {
    // The socket's own errors end the connection; a channel has none besides.
    stream.on("error", () => undefined);
    try {
      const context = await this.#contextFor(partnerId);
      const onRequest = () => (this.#requestedAt = Date.now());
      await serveSftp(context, { stream, socket: this.#socket, gone: this.#gone.signal, onRequest }, this.#door.limits);
      // Without the exit status `scp` fails, without the close `sftp` waits for ever; the connection is the client's to end.
      if (!stream.writable || this.#gone.signal.aborted) return;
      stream.exit(0);
      stream.end();
    } catch (error) {
      this.#door.events.emit("sftp.failed", { sessionId: this.#sessionId, error });
    }
  }

  async #contextFor(partnerId: string): Promise<SessionContext> {
    const door = this.#door;
    const partnerFolder = path.join(door.landingDirectory, partnerId);
    for (const area of areas) await mkdir(path.join(partnerFolder, area), { recursive: true, mode: 0o700 });
    const { temporaryNames, claims, deliver, events } = door;
    const sessionId = this.#sessionId;
    return { sessionId, partnerId, partnerFolder, temporaryNames, claims, deliver, events, isStopping: () => door.stopping, tally: this.#tally };
  }

  /** Called each `watchIntervalMs`: ends what is overdue, changes keys that have served long enough. */
  watch(now: number): void {
    const { limits } = this.#door;
    if (this.#socket.writableLength > limits.unsentSizeBytesMax) this.cut();
    else if (now - this.#startedAt > limits.connectionLifeMs) this.end();
    else if (this.#partnerId === undefined && now - this.#startedAt > limits.loginGraceMs) this.cut();
    else if (this.#partnerId !== undefined && now - this.#requestedAt > limits.idleMs) this.end();
    else if (this.#partnerId !== undefined) this.#rekeyIfDue(now);
  }

  #rekeyIfDue(now: number): void {
    const { rekeySizeBytes, rekeyMs } = this.#door.limits;
    const sizeBytes = this.#socket.bytesRead + this.#socket.bytesWritten;
    if (sizeBytes - this.#rekeyedAtSizeBytes < rekeySizeBytes && now - this.#rekeyedAt < rekeyMs) return;
    this.#rekeyedAt = now;
    this.#rekeyedAtSizeBytes = sizeBytes;
    this.#client?.rekey();
  }

  /** Says goodbye. */
  end(): void {
    if (this.#client) this.#client.end();
    else this.cut();
  }

  cut(): void {
    this.#socket.destroy();
  }

  /** The socket has closed. Resolves when nothing of the connection is under way any more. */
  async closed(): Promise<void> {
    this.#gone.abort();
    await Promise.all(this.#channels);
    if (this.#partnerId === undefined) return;
    this.#door.events.emit("sftp.session-ended", { sessionId: this.#sessionId, partnerId: this.#partnerId, ...this.#tally });
  }
}
