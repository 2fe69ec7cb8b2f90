/** The role `sftp`: the SFTP door. */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { DataFolder } from "../machine/data-folder.ts";
import type { Events } from "../events.ts";
import { recordFile } from "../landing/accept.ts";
import { isKeptWithRow, isRecorded } from "../landing/landed-file.ts";
import { findWhatIsMissing } from "../landing/incomplete-file.ts";
import { findAllowance, quotaOnDisk } from "../landing/allowance.ts";
import { openFollowUps } from "../landing/follow-ups.ts";
import { openSftpDoor } from "../landing/sftp/door.ts";
import type { SftpLimits } from "../landing/sftp/limits.ts";
import { startWriting } from "../landing/sftp/open-sessions.ts";
import { followRoles } from "../landing/sftp/connection/host-key-roles.ts";
import type { HostKeys } from "../landing/sftp/connection/host-keys.ts";
import { temporaryNamesOf } from "../landing/sftp/files/paths.ts";
import { namedNetworks } from "../partners/network.ts";
import type { Quota } from "../partners/settings/landing-rules.ts";
import { createAuditTrail } from "../partners/audit-trail.ts";
import {
  findSftpPartner,
  listAllowedNetworks,
  listLegacyNetworks,
  rememberNetworks,
} from "../partners/keys/sftp-keys.ts";
import { type Closer, graceMsOf, type Ground } from "./ground.ts";
import type { Stages } from "./stages.ts";

const hostKeysLookEveryMs = 2000;

/** hostKeys: those that it announces by now. */
export type OpenedSftp = { port: number; hostKeys(): HostKeys };

export async function openSftp(ground: Ground, { landing }: Stages): Promise<OpenedSftp> {
  const { config, events, closers, database, folder, hostKeys, disk } = ground;
  const audit = createAuditTrail(database, events);
  closers.push(() => audit.close());
  const followUps = openFollowUps(landing);
  closers.push(() => followUps.close());
  const door = await openSftpDoor(
    {
      host: config.host,
      port: config.sftpPort,
      hostKeys,
      landingDirectory: folder.landing,
      temporaryNames: temporaryNamesOf(config.sftpTemporaryNames),
      limits: limitsOf(config),
      isProxy: namedNetworks(config.proxyProtocolNetworks),
    },
    {
      findPartner: (name) => findSftpPartner(database, name),
      findAllowance: (partnerId) => findAllowance(database, partnerId, defaultsOn(ground)),
      listNetworks: rememberNetworks(() => listAllowedNetworks(database, "sftp")),
      listLegacyNetworks: rememberNetworks(() => listLegacyNetworks(database)),
      deliver: async (file, makeDurable) =>
        followUps.add(await recordFile(landing, { ...file, door: "sftp" }, makeDurable)),
      isKeptWithRow,
      receiptsWritten: followUps.receiptsWritten,
      findWhatIsMissing: ({ partnerId, name, path, bytes }) =>
        findWhatIsMissing(landing.database, { partnerId, name, landed: bytes ?? path }),
      isRecorded: (file) => isRecorded(landing, file),
      events,
      audit,
      disk,
    },
  );
  closers.push(() => door.close(graceMsOf(config)));
  closers.push(startWriting({ database, events }, { id: randomUUID(), machine: hostname() }, door));
  let announced = hostKeys;
  closers.push(followHostKeys(folder, hostKeys, events, (renewed) => door.renewHostKeys((announced = renewed))));
  events.gauge("tideline_sftp_sessions", "Logged-in SFTP connections.", () => door.sessions());
  return { port: door.port, hostKeys: () => announced };
}

/** Where landed bytes stay on the disk of the inboxes. */
function defaultsOn({ config, disk }: Ground): Partial<Quota> {
  const { sizeBytes = 0 } = disk.spaces().find(({ place }) => place === "landing") ?? {};
  if (sizeBytes === 0) return {};
  const { inboxBytes, storedBytes } = quotaOnDisk(sizeBytes);
  return config.vaultS3Url === undefined ? { inboxBytes, storedBytes } : { inboxBytes };
}

function limitsOf(config: Ground["config"]): Partial<SftpLimits> {
  const { sftpConnectionsMax, sftpConnectionsPerAddressMax, sftpConnectionsBeforeLoginMax } = config;
  return {
    idleMs: config.sftpIdleMinutes * 60_000,
    connectionLifeMs: config.sftpConnectionHours * 3_600_000,
    loginGraceMs: config.sftpLoginSeconds * 1000,
    incompleteMs: config.sftpIncompleteMinutes * 60_000,
    connectionsMax: sftpConnectionsMax,
    connectionsListedReserve: Math.floor(sftpConnectionsMax / 4),
    connectionsPerAddressMax: sftpConnectionsPerAddressMax,
    connectionsUnauthenticatedMax: sftpConnectionsBeforeLoginMax,
    connectionsUnauthenticatedListedMax: sftpConnectionsBeforeLoginMax,
    connectionsUnauthenticatedPerAddressMax: Math.ceil(sftpConnectionsBeforeLoginMax / 2),
  };
}

function followHostKeys(
  folder: DataFolder,
  hostKeys: HostKeys,
  events: Events,
  onChange: (renewed: HostKeys) => void,
): Closer {
  const renew = (renewed: HostKeys) => {
    onChange(renewed);
    events.emit("sftp.host-keys-changed", { announced: renewed.announced.length });
  };
  const following = followRoles(folder.hostKeys, hostKeys, hostKeysLookEveryMs, renew, (error) =>
    events.emit("job.failed", { job: "host-keys", durationMs: 0, error }),
  );
  return async () => following.stop();
}
