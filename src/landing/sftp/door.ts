/**
 * The SFTP door: partners log in with a key, see inbox/ and receipts/, and what they complete in inbox/ is delivered.
 *
 *   admission → key exchange → login → channel → requests → upload → seal, fsync, hash → deliver → acknowledge
 *
 * The socket server is ours, so that limits hold before a stranger's first byte is read; SSH is ssh2's; SFTP is ours,
 * on a plain channel: ssh2's own cannot announce extensions and has no back-pressure.
 */
import { once } from "node:events";
import { createServer, type AddressInfo, type Server as SocketServer } from "node:net";
import type { Events } from "../../events.ts";
import { Fault } from "../../errors.ts";
import { introduce } from "../../machine/proxy-header.ts";
import type { AuditTrail } from "../../partners/audit-trail.ts";
import type { DiskGuard } from "../disk-guard.ts";
import { Arrivals, createSshServer, elapsed } from "./connection/arrivals.ts";
import type { FindPartner } from "./connection/authentication.ts";
import { Claims } from "./files/claims.ts";
import type { DoorState } from "./connection/connection.ts";
import { type DefenceRules, defenceRules, LoginDefence } from "./connection/defence.ts";
import type { Deliver, FindWhatIsMissing, FinishedFile, IsKeptWithRow } from "./files/finished-file.ts";
import { parseHostKeys } from "./connection/host-key-update.ts";
import { KnownHashes } from "./files/known-hashes.ts";
import { type SftpLimits, sftpLimits } from "./limits.ts";
import { actorOf } from "./connection/login.ts";
import { commonTemporaryNames, type TemporaryNames } from "./files/paths.ts";
import {
  claimLapsed,
  claimUnconfirmed,
  deliverUnconfirmed,
  isLeftOver,
  type IsRecorded,
  type Unconfirmed,
} from "./files/recovery.ts";
import { type FindAllowance, Usages } from "./files/usage.ts";
import type { SessionDoor } from "./open-sessions.ts";

export type { FinishedFile } from "./files/finished-file.ts";

export type SftpDoorSettings = {
  host: string;
  /** 0 for any free one. */
  port: number;
  hostKeys: HostIdentity;
  /** Holds `<partnerId>/inbox` and `<partnerId>/receipts`, which are made when a partner first comes. */
  landingDirectory: string;
  temporaryNames?: TemporaryNames;
  /** Begins each connection with a PROXY header; nobody by default. */
  isProxy?(address: string): boolean;
  limits?: Partial<SftpLimits>;
  defence?: DefenceRules;
};

/** Private keys as OpenSSH or PEM text. */
export type HostIdentity = {
  /** With which the door proves who it is. */
  privateKeys: readonly string[];
  /** Those and the ones that follow or went before: clients that can are told of them all. */
  announced: readonly string[];
};

export type SftpDoorDependencies = {
  findPartner: FindPartner;
  findAllowance: FindAllowance;
  /** Networks that some partner's list names. */
  listNetworks(): Promise<readonly string[]>;
  /** Networks of partners that may use MACs of the time before encrypt-then-MAC. */
  listLegacyNetworks(): Promise<readonly string[]>;
  deliver: Deliver;
  /** Default: no file's are. */
  isKeptWithRow?: IsKeptWithRow;
  findWhatIsMissing: FindWhatIsMissing;
  /** Resolves when the receipts of what a partner has delivered so far are written. */
  receiptsWritten(partnerId: string): Promise<void>;
  isRecorded: IsRecorded;
  events: Events;
  audit: Pick<AuditTrail, "record">;
  disk: Pick<DiskGuard, "isLow" | "reserve">;
};

export type SftpDoor = SessionDoor & {
  port: number;
  /** Logged-in connections. */
  sessions(): number;
  /** For the connections that come from now on. */
  renewHostKeys(hostKeys: HostIdentity): void;
  /** Takes no more connections and uploads; those that run may finish within `graceMs`. */
  close(graceMs: number): Promise<void>;
};

/** @throws Fault PORT_TAKEN */
export async function openSftpDoor(settings: SftpDoorSettings, dependencies: SftpDoorDependencies): Promise<SftpDoor> {
  const limits = { ...sftpLimits, ...settings.limits };
  const { landingDirectory, temporaryNames = commonTemporaryNames } = settings;
  const door: DoorState = {
    ...dependencies,
    landingDirectory,
    temporaryNames,
    limits,
    claims: new Claims(),
    hashes: new KnownHashes(),
    stopping: false,
    usages: new Usages(landingDirectory, dependencies.findAllowance, limits.usageRememberedMs),
    defence: new LoginDefence(dependencies.listNetworks, settings.defence ?? defenceRules),
    announcedHostKeys: parseHostKeys(settings.hostKeys.announced),
  };
  const arrivals = new Arrivals(door);
  let sshServer = createSshServer(settings.hostKeys.privateKeys, limits, arrivals);
  const sockets = createServer({ noDelay: true }, (socket) =>
    introduce(
      socket,
      settings.isProxy ?? (() => false),
      (introduced) => arrivals.receive(introduced, sshServer),
      (address, reason) => door.events.emit("proxy.refused", { address, reason }),
    ),
  );
  const unconfirmed = await claimUnconfirmed(landingDirectory, temporaryNames, door.claims);
  // A database that is away lists nobody, and is asked again.
  await arrivals.learnNetworks().catch(() => undefined);
  await listen(sockets, settings.host, settings.port);
  let recovered = recover(door, unconfirmed, "sftp.file-recovered");
  const lapse = async () => {
    const before = new Date(Date.now() - limits.incompleteMs);
    const lapsed = await claimLapsed(landingDirectory, temporaryNames, door.claims, before);
    await recover(door, lapsed, "sftp.upload-lapsed");
  };
  // One look after the other, and none while the door closes.
  const looking = setInterval(() => {
    recovered = recovered
      .then(() => (door.stopping ? undefined : lapse()))
      .catch((error: unknown) => door.events.emit("sftp.failed", { sessionId: "lapsed", error }));
  }, limits.lapsedLookEveryMs);
  const watch = setInterval(() => arrivals.watch(Date.now()), limits.watchIntervalMs);
  return {
    port: (sockets.address() as AddressInfo).port,
    sessions: () => arrivals.sessions,
    openSessions: () => arrivals.describe(),
    disconnect: (sessionId) => arrivals.disconnect(sessionId),
    renewHostKeys({ privateKeys, announced }) {
      sshServer = createSshServer(privateKeys, limits, arrivals);
      door.announcedHostKeys = parseHostKeys(announced);
    },
    async close(graceMs) {
      door.stopping = true;
      sockets.close();
      await Promise.race([door.claims.whenEmpty(), elapsed(graceMs)]);
      // A file is given free just before its client is told so.
      await nextEventLoopIteration();
      await arrivals.close(limits.farewellMs);
      clearInterval(watch);
      clearInterval(looking);
      await recovered;
    },
  };
}

/** Delivers what stands sealed and was not confirmed, one after the other, while the door is open. Never rejects. */
async function recover(
  door: DoorState,
  unconfirmed: readonly Unconfirmed[],
  event: "sftp.file-recovered" | "sftp.upload-lapsed",
): Promise<void> {
  const { isRecorded, deliver, isKeptWithRow = () => false, findWhatIsMissing } = door;
  // What lapses is delivered as it is.
  const isPart = async (file: FinishedFile) =>
    event === "sftp.file-recovered" && (await isLeftOver(file, isKeptWithRow, findWhatIsMissing));
  for (const one of unconfirmed) {
    const { partnerId, name, diskPath, release } = one;
    try {
      const finished = door.stopping ? null : await deliverUnconfirmed(one, { isRecorded, deliver, isPart });
      if (!finished) continue;
      const { correlationId, sizeBytes, sha256 } = finished;
      door.usages.of(partnerId).delivered(diskPath, sizeBytes);
      door.events.emit(event, { correlationId, partnerId, sizeBytes });
      await door.audit.record(actorOf(partnerId), {
        partnerId,
        event,
        details: { file: name, sizeBytes, sha256: sha256.toString("hex"), correlationId },
      });
    } catch (error) {
      // It stays sealed: its client may deliver it by uploading it again, and the next start tries again.
      door.events.emit("sftp.failed", { sessionId: "recovery", error });
    } finally {
      release();
    }
  }
}

async function listen(server: SocketServer, host: string, port: number): Promise<void> {
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EADDRINUSE") throw cause;
    throw new Fault("PORT_TAKEN", `Another program listens on port ${port} (SFTP).`, { cause });
  }
}

async function nextEventLoopIteration(): Promise<void> {
  await new Promise<void>((resolve) => setImmediate(resolve));
}
