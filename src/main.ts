/**
 * Opens Tideline: what all stand on, what the roles share, then each role in the order in which data flows backwards:
 * whoever reaches a door finds everything behind it running. Closes in reverse. With `roles/` this is the only place
 * that knows every stage.
 *
 *   observed → ground (folder → database → keys) → stages → worker → scheduler → doors
 */
import { inAddress, reachableHost } from "./machine/addresses.ts";
import { noteDoors } from "./machine/doors.ts";
import type { Clock } from "./time/clock.ts";
import type { Config } from "./config.ts";
import type { DataFolder } from "./machine/data-folder.ts";
import { type Database, packageVersion } from "./database/database.ts";
import type { Events } from "./events.ts";
import { countBuffersWithHeap } from "./machine/garbage-collection.ts";
import type { HostKeys } from "./landing/sftp/connection/host-keys.ts";
import type { Cluster } from "./database/embedded/cluster.ts";
import { openApiRole } from "./roles/api.ts";
import { openConsoleRole } from "./roles/console.ts";
import { type Closer, openGround } from "./roles/ground.ts";
import { openObserved } from "./roles/observed.ts";
import { startMending } from "./roles/mending.ts";
import { startScheduler } from "./roles/scheduler.ts";
import { openSftp } from "./roles/sftp.ts";
import { openStages } from "./roles/stages.ts";
import { startWorker } from "./roles/worker.ts";
import type { ServerCertificate } from "./machine/tls/authority.ts";
import { giveBackWhenQuiet } from "./machine/unused-memory.ts";

export type Tideline = {
  folder: DataFolder;
  clock: Clock;
  database: Database;
  keyEncryptionKey: Buffer;
  certificate: ServerCertificate;
  hostKeys: HostKeys;
  /** The API's base address as partners see it. */
  baseUrl: string;
  /** Null where the role does not run here. */
  httpsPort: number | null;
  sftpPort: number | null;
  consolePort: number | null;
  /** Where clients on this machine find both doors. */
  host: string;
  /** Where it is looked at; null: nowhere. */
  observePort: number | null;
  observeHost: string;
  /** Null with a database of one's own. */
  cluster: Cluster | null;
  /** Resolves with a reason when something broke that needs a restart. */
  broken: Promise<string>;
  /** Stops taking, lets running work finish, closes. Safe to call twice. */
  close(): Promise<void>;
};

/** @throws Fault when the configuration, a port, the folder or the database does not let it start. */
export async function openTideline(config: Config, events: Events): Promise<Tideline> {
  const closers: Closer[] = [];
  const close = async () => {
    const failures: unknown[] = [];
    // Whatever fails to close, the database behind it must still be stopped.
    for (let closer = closers.pop(); closer; closer = closers.pop())
      await closer().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    return { ...(await open(config, events, closers)), close };
  } catch (error) {
    // Why it did not start is what matters; what failed to close follows from that.
    await close().catch(() => undefined);
    throw error;
  }
}

async function open(config: Config, events: Events, closers: Closer[]): Promise<Omit<Tideline, "close">> {
  countBuffersWithHeap();
  const stopGivingBack = giveBackWhenQuiet();
  closers.push(async () => stopGivingBack());
  const runs = (role: Config["roles"][number]) => config.roles.includes(role);
  const observed = await openObserved(config, events, closers);
  const ground = await openGround(config, events, closers);
  const stages = await openStages(ground);
  if (runs("worker") || runs("scheduler") || runs("sftp")) await startMending(ground, stages);
  if (runs("worker")) await startWorker(ground, stages);
  if (runs("scheduler")) await startScheduler(ground, stages);
  const sftp = runs("sftp") ? await openSftp(ground, stages) : null;
  const sftpPort = sftp?.port ?? null;
  const pages = runs("console") ? await openConsoleRole(ground, stages) : null;
  const beside = pages !== null && "beside" in pages ? pages.beside : null;
  const httpsPort = runs("api") ? await openApiRole(ground, stages, beside) : null;
  const consolePort = pages !== null && "port" in pages ? pages.port : beside && httpsPort;
  await noteDoors(ground.folder.doors, { baseUrl: httpsPort === null ? null : stages.baseUrl(), sftpPort });
  await observed.started(ground, stages, () => ({
    baseUrl: httpsPort === null ? null : stages.baseUrl(),
    authority: httpsPort === null ? null : ground.certificate.authority,
    sftpPort,
    hostKeys: sftp?.hostKeys().publicKeys ?? [],
  }));
  // Before anything closes, so that whoever sends callers here hears of it first.
  closers.push(async () => observed.stopping());
  events.emit("service.started", { roles: config.roles.join(","), version: await packageVersion() });

  const { folder, clock, database, keyEncryptionKey, certificate, hostKeys, cluster } = ground;
  const broken = cluster ? cluster.lost : new Promise<string>(() => undefined);
  return {
    folder,
    clock,
    database,
    keyEncryptionKey,
    certificate,
    hostKeys,
    baseUrl: stages.baseUrl(),
    httpsPort,
    sftpPort,
    consolePort,
    host: reachableHost(config.host),
    observePort: observed.port,
    observeHost: inAddress(reachableHost(config.observeHost ?? config.host)),
    cluster,
    broken,
  };
}
