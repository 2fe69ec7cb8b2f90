/** One SSH connection: login, its SFTP channels, and the watch over its time and bytes. */
import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import type { Socket } from "node:net";
import path from "node:path";
import type { Connection as SshConnection, ParsedKey, ServerChannel, Session as SshSession } from "ssh2";
import type { Events } from "../../../events.ts";
import { quickStepsIn } from "../../../machine/quick-steps.ts";
import type { AuditTrail } from "../../../partners/audit-trail.ts";
import type { SftpPartner } from "../../../partners/keys/sftp-keys.ts";
import type { DiskGuard } from "../../disk-guard.ts";
import type { Admitted } from "./admission.ts";
import { type FindPartner, isWelcome } from "./authentication.ts";
import type { Claims } from "../files/claims.ts";
import type { SessionContext, UploadUnderWay } from "../files/context.ts";
import type { LoginDefence } from "./defence.ts";
import type { Deliver, FindWhatIsMissing, IsKeptWithRow } from "../files/finished-file.ts";
import { announceHostKeys } from "./host-key-update.ts";
import type { KnownHashes } from "../files/known-hashes.ts";
import type { SftpLimits } from "../limits.ts";
import { actorOf, attendLogin } from "./login.ts";
import type { Negotiation } from "./negotiation.ts";
import { areas, type TemporaryNames } from "../files/paths.ts";
import type { IsRecorded } from "../files/recovery.ts";
import { openRoom } from "../files/room.ts";
import { serveSftp } from "../files/session.ts";
import type { Audit } from "../files/session-audit.ts";
import { refuseBeyondWindow } from "./ssh2-inside.ts";
import type { Usages } from "../files/usage.ts";
import type { OpenSession } from "../open-sessions.ts";

/** What all connections of a door share. */
export type DoorState = {
  readonly landingDirectory: string;
  readonly temporaryNames: TemporaryNames;
  readonly limits: SftpLimits;
  readonly findPartner: FindPartner;
  readonly deliver: Deliver;
  readonly isKeptWithRow?: IsKeptWithRow;
  readonly findWhatIsMissing: FindWhatIsMissing;
  readonly receiptsWritten: (partnerId: string) => Promise<void>;
  readonly isRecorded: IsRecorded;
  readonly events: Events;
  readonly audit: Pick<AuditTrail, "record">;
  readonly listNetworks: () => Promise<readonly string[]>;
  readonly listLegacyNetworks: () => Promise<readonly string[]>;
  readonly claims: Claims;
  readonly hashes: KnownHashes;
  readonly usages: Usages;
  readonly disk: Pick<DiskGuard, "isLow" | "reserve">;
  readonly defence: LoginDefence;
  /** Of which clients are told after their login. */
  announcedHostKeys: readonly ParsedKey[];
  stopping: boolean;
};

/** Who is at the other end. */
type Login = { readonly partner: SftpPartner; readonly fingerprint: string; readonly address: string };

export class Connection {
  readonly #door: DoorState;
  readonly #socket: Socket;
  readonly sessionId: string = randomUUID();
  readonly #gone = new AbortController();
  readonly #tally = { bytesReceived: 0, filesDelivered: 0 };
  readonly #uploads = new Set<UploadUnderWay>();
  readonly #channels = new Set<Promise<void>>();
  readonly #startedAt = Date.now();
  #client: SshConnection | undefined;
  #login: Login | undefined;
  #isDisconnected = false;
  #refusalsAudited = 0;
  #requestedAt = Date.now();
  #recheckedAt = Date.now();
  #rekeyedAt = Date.now();
  #rekeyedAtSizeBytes = 0;

  constructor(door: DoorState, socket: Socket) {
    this.#door = door;
    this.#socket = socket;
  }

  /** The client has sent its identification: what follows is SSH. */
  attend(client: SshConnection, address: string, admitted: Admitted, negotiation: Negotiation): void {
    const { limits } = this.#door;
    this.#client = client;
    attendLogin(
      client,
      { ...this.#door, sessionId: this.sessionId, address, admitted, negotiation },
      (partner, fingerprint) => {
        this.#login = { partner, fingerprint, address };
        this.#requestedAt = Date.now();
      },
    );
    client.once("ready", () => announceHostKeys(client, this.#door.announcedHostKeys));
    client.on("session", (accept, reject) => {
      if (this.#channels.size >= limits.channelsPerConnectionMax) return reject();
      this.#attendSession(accept());
    });
  }

  /** Only the SFTP subsystem is there: ssh2 refuses shells, commands and forwarding that nobody listens for. */
  #attendSession(session: SshSession): void {
    session.on("subsystem", (accept, reject, { name }) => {
      if (name !== "sftp" || this.#login === undefined) return reject();
      const channel = accept();
      const serving = this.#serve(channel, this.#login.partner);
      this.#channels.add(serving);
      void serving.finally(() => this.#channels.delete(serving));
    });
  }

  async #serve(stream: ServerChannel, partner: SftpPartner): Promise<void> {
    // The socket's own errors end the connection; a channel has none besides.
    stream.on("error", () => undefined);
    this.#refuseBeyondWindow(stream);
    try {
      const context = await this.#contextFor(partner.partnerId);
      const onRequest = () => (this.#requestedAt = Date.now());
      const limits = {
        ...this.#door.limits,
        handlesMax: Math.min(this.#door.limits.handlesMax, partner.quota.handles),
      };
      await serveSftp(context, { stream, socket: this.#socket, gone: this.#gone.signal, onRequest }, limits);
      // Without the exit status `scp` fails, without the close `sftp` waits for ever; the connection is the client's to
      // end.
      if (!stream.writable || this.#gone.signal.aborted) return;
      stream.exit(0);
      stream.end();
    } catch (error) {
      this.#door.events.emit("sftp.failed", { sessionId: this.sessionId, error });
    }
  }

  async #contextFor(partnerId: string): Promise<SessionContext> {
    const door = this.#door;
    const partnerFolder = path.join(door.landingDirectory, partnerId);
    for (const area of areas) await mkdir(path.join(partnerFolder, area), { recursive: true, mode: 0o700 });
    const { temporaryNames, claims, hashes, deliver, isKeptWithRow, findWhatIsMissing, events, disk } = door;
    const sessionId = this.sessionId;
    const audit: Audit = (event, details) => this.#audit(event, details);
    const inbox = path.join(partnerFolder, "inbox");
    const room = openRoom({
      sessionId,
      partnerId,
      inbox,
      usage: door.usages.of(partnerId),
      disk,
      events,
      audit,
    });
    return {
      sessionId,
      partnerId,
      partnerFolder,
      temporaryNames,
      quickly: quickStepsIn(inbox),
      claims,
      deliver,
      isKeptWithRow: isKeptWithRow ?? (() => false),
      findWhatIsMissing,
      incompleteMs: door.limits.incompleteMs,
      events,
      audit,
      room,
      hashes,
      receiptsWritten: () => door.receiptsWritten(partnerId),
      isStopping: () => door.stopping,
      uploads: this.#uploads,
      tally: this.#tally,
    };
  }

  /** Null: nobody has logged in. */
  describe(): OpenSession | null {
    if (this.#login === undefined) return null;
    return {
      id: this.sessionId,
      partnerId: this.#login.partner.partnerId,
      address: this.#login.address,
      since: new Date(this.#startedAt),
      bytesReceived: this.#socket.bytesRead,
      bytesSent: this.#socket.bytesWritten,
      filesDelivered: this.#tally.filesDelivered,
      uploads: [...this.#uploads].map(({ location, opened }) => ({
        name: location.names.join("/"),
        bytes: opened.writing.sizeBytes,
      })),
    };
  }

  /** As an operator wants it. */
  disconnect(): void {
    if (this.#isDisconnected || this.#login === undefined) return;
    this.#isDisconnected = true;
    const { partnerId } = this.#login.partner;
    this.#door.events.emit("sftp.session-disconnected", { sessionId: this.sessionId, partnerId });
    this.#farewell();
  }

  /** Whoever goes on sending does not read the goodbye. */
  #farewell(): void {
    this.end();
    setTimeout(() => this.cut(), this.#door.limits.farewellMs).unref();
  }

  #refuseBeyondWindow(stream: ServerChannel): void {
    refuseBeyondWindow(stream, () => {
      this.#door.events.emit("sftp.refused", {
        sessionId: this.sessionId,
        partnerId: this.#login?.partner.partnerId ?? "",
        operation: "protocol",
        reason: "More bytes than the window holds.",
      });
      this.cut();
    });
  }

  #audit(event: string, details: Readonly<Record<string, unknown>>): void {
    if (!this.#login) return;
    if (event === "sftp.refused" && ++this.#refusalsAudited > this.#door.limits.refusalsAuditedMax) return;
    const { partner, address } = this.#login;
    const entry = { partnerId: partner.partnerId, event, details: { address, sessionId: this.sessionId, ...details } };
    void this.#door.audit.record(actorOf(partner.partnerId), entry, false);
  }

  /** Called each `watchIntervalMs`: ends what is overdue, changes keys that have served long enough. */
  watch(now: number): void {
    const { limits } = this.#door;
    if (this.#socket.writableLength > limits.unsentSizeBytesMax) this.cut();
    else if (now - this.#startedAt > limits.connectionLifeMs) this.end();
    else if (this.#login === undefined && now - this.#startedAt > limits.loginGraceMs) this.cut();
    else if (this.#login !== undefined && now - this.#requestedAt > limits.idleMs) this.end();
    else if (this.#login !== undefined) {
      this.#rekeyIfDue(now);
      this.#recheckIfDue(now, this.#login);
    }
  }

  /** A key that was removed or has expired, a partner that was suspended: their sessions do not live on. */
  #recheckIfDue(now: number, { partner, fingerprint, address }: Login): void {
    const { findPartner, events, limits } = this.#door;
    if (now - this.#recheckedAt < limits.recheckMs) return;
    this.#recheckedAt = now;
    const sessionId = this.sessionId;
    findPartner(partner.partnerId)
      .then((found) => {
        if (isWelcome(found, fingerprint, address)) return;
        events.emit("sftp.session-revoked", { sessionId, partnerId: partner.partnerId });
        this.#audit("sftp.session-revoked", { fingerprint });
        this.#farewell();
      })
      // A database that is away is no reason to end an upload; the next look comes.
      .catch((error: unknown) => events.emit("sftp.failed", { sessionId, error }));
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
    if (this.#login === undefined) return;
    this.#door.events.emit("sftp.session-ended", {
      sessionId: this.sessionId,
      partnerId: this.#login.partner.partnerId,
      ...this.#tally,
    });
    const unnamed = Math.max(0, this.#refusalsAudited - this.#door.limits.refusalsAuditedMax);
    this.#audit("sftp.session-ended", { ...this.#tally, ...(unnamed > 0 ? { refusalsUnnamed: unnamed } : {}) });
  }
}
