/** What every role stands on: folder, database, keys, events. */
import { rm } from "node:fs/promises";
import { certifiedHosts } from "../machine/addresses.ts";
import { type Clock, createClock } from "../time/clock.ts";
import { type Config, consoleListenerOf } from "../config.ts";
import { assertWhole, claimDataFolder, type DataFolder, dataFolderAt } from "../machine/data-folder.ts";
import { writeSmallFile } from "../machine/small-file.ts";
import { makeFolder } from "../machine/sync-folder.ts";
import { assertUsable, type Database, openDatabase } from "../database/database.ts";
import { type DatabaseUrls, namedAddresses, urlsOf } from "../database/service-roles.ts";
import type { Events } from "../events.ts";
import { type DiskGuard, openDiskGuard, type WatchedFolder } from "../landing/disk-guard.ts";
import { openRoles } from "../landing/sftp/connection/host-key-roles.ts";
import type { HostKeys } from "../landing/sftp/connection/host-keys.ts";
import { ensureRates } from "../rates/table.ts";
import { type Activity, createActivity } from "../observation/activity.ts";
import { migrate } from "../database/migrate.ts";
import { assertPoolersFit } from "../database/pooler.ts";
import { assertOpensKeys, loadKeyEncryptionKey } from "../partners/keys/key-encryption-key.ts";
import { assertPortFree } from "../machine/ports.ts";
import { type Cluster, startCluster } from "../database/embedded/cluster.ts";
import { assertRedisAnswers, migrateQueue } from "../staging/queue.ts";
import { openAuthority, type ServerCertificate } from "../machine/tls/authority.ts";
import { type OwnCertificateFiles, readOwnCertificate } from "../machine/tls/own-certificate.ts";

/** What every role stands on. Closing runs `closers` from the last to the first. */
export type Ground = {
  config: Config;
  events: Events;
  closers: Closer[];
  clock: Clock;
  folder: DataFolder;
  /** Null with a database of one's own. */
  cluster: Cluster | null;
  databaseUrls: DatabaseUrls;
  /** As jobs: what all background work of the main thread asks. */
  database: Database;
  keyEncryptionKey: Buffer;
  certificate: ServerCertificate;
  /** Null where the certificate is of our own authority. */
  ownCertificateFiles: OwnCertificateFiles | null;
  hostKeys: HostKeys;
  disk: DiskGuard;
  /** What this process has in hand. */
  activity: Activity;
};

export type Closer = () => Promise<void>;

/** Running uploads and requests may finish within this when it stops. */
export function graceMsOf({ stopSeconds }: Config): number {
  return stopSeconds * 1000;
}

/** @throws Fault when a port, the folder, the database or a key does not let it start. */
export async function openGround(config: Config, events: Events, closers: Closer[]): Promise<Ground> {
  const folder = await claimFolder(config, closers);
  // At a first start an RSA key is made, beside the database's files.
  const openingHostKeys = settled(openRoles(folder.hostKeys));
  const cluster = config.databaseUrl === undefined ? await openCluster(folder, config, events, closers) : null;
  const databaseUrls = cluster?.urls ?? urlsOf(config);
  const database = await openMigrated(databaseUrls, config, events, closers);
  const clock = createClock(config.asOf);
  const keyEncryptionKey = await loadKeyEncryptionKey(config);
  await assertOpensKeys(database, keyEncryptionKey);
  const { certificate, ownCertificateFiles } = await openCertificate(config, folder, clock, events);
  const hostKeys = await openingHostKeys();
  const disk = await openDiskGuard(
    watchedFolders(folder, cluster),
    { bytesMin: config.diskFreeBytesMin, percentMin: config.diskFreePercentMin },
    events,
  );
  closers.push(async () => disk.close());
  return {
    config,
    events,
    closers,
    clock,
    folder,
    cluster,
    databaseUrls,
    database,
    keyEncryptionKey,
    certificate,
    ownCertificateFiles,
    hostKeys,
    disk,
    activity: createActivity(),
  };
}

/** Of work that was begun: whatever came of it is told when it is asked for, and nowhere else. */
function settled<Result>(work: Promise<Result>): () => Promise<Result> {
  work.catch(() => undefined);
  return () => work;
}

/** Folder and ports first: what cannot work says so before anything is started. */
async function claimFolder(config: Config, closers: Closer[]): Promise<DataFolder> {
  if (config.roles.includes("api")) await assertPortFree(config.host, config.httpsPort, "--https-port");
  if (config.roles.includes("sftp")) await assertPortFree(config.host, config.sftpPort, "--sftp-port");
  const console = config.roles.includes("console") ? consoleListenerOf(config) : null;
  if (console !== null) await assertPortFree(console.host, console.port, "--console-port");
  const folder = dataFolderAt(config.dataDir, config);
  closers.push(await claimDataFolder(folder));
  await assertWhole(folder);
  await Promise.all([folder.landing, folder.vault].map((path) => makeFolder(path)));
  return folder;
}

async function openCluster(
  folder: DataFolder,
  { postgresSettings }: Config,
  events: Events,
  closers: Closer[],
): Promise<Cluster> {
  const cluster = await startCluster(folder.root, {
    settings: Object.entries(postgresSettings).map(([name, value]) => `${name}=${value}`),
  });
  closers.push(async () => {
    await rm(folder.postgresUrl, { force: true });
    await cluster.stop();
    events.emit("postgres.stopped", {});
  });
  if (cluster.orphanPid !== null) events.emit("postgres.orphan-stopped", { pid: cluster.orphanPid });
  await writeSmallFile(folder.postgresUrl, cluster.urls.migrator);
  events.emit("postgres.started", { port: cluster.port, recovered: cluster.orphanPid !== null });
  return cluster;
}

async function openMigrated(urls: DatabaseUrls, config: Config, events: Events, closers: Closer[]): Promise<Database> {
  const database = openDatabase(urls.jobs, { sizeMax: config.backgroundConnections, applicationName: "tideline" });
  closers.push(() => database.end());
  await assertUsable(database);
  // Only of a server of one's own there are addresses.
  await assertPoolersFit(namedAddresses(config));
  const applied = await migrate(urls.migrator);
  if (config.redisUrl === undefined) await migrateQueue(urls.migrator);
  else await assertRedisAnswers(config.redisUrl);
  await ensureRates(database);
  if (applied > 0) events.emit("database.migrated", { applied });
  return database;
}

async function openCertificate(
  config: Config,
  folder: DataFolder,
  clock: Clock,
  events: Events,
): Promise<{ certificate: ServerCertificate; ownCertificateFiles: OwnCertificateFiles | null }> {
  // Made even where it does not serve: a certificate of one's own that is taken away again must not stop the next
  // start.
  const authority = await openAuthority(folder.tls, certifiedHosts(config), clock.now(), (error) =>
    events.emit("certificate.broken", { error }),
  );
  if (config.tlsCertificateFile === undefined || config.tlsKeyFile === undefined)
    return { certificate: authority, ownCertificateFiles: null };
  const ownCertificateFiles = { certificateFile: config.tlsCertificateFile, keyFile: config.tlsKeyFile };
  const own = await readOwnCertificate(ownCertificateFiles);
  // Its own chain is what a sandbox's clients are told to trust.
  return { certificate: { ...own, authority: own.cert }, ownCertificateFiles };
}

/** A database of one's own has its own guards; the embedded one fills a disk that is ours to watch. */
export function watchedFolders(folder: DataFolder, cluster: Cluster | null): WatchedFolder[] {
  const ours = [
    { name: "landing", folder: folder.landing },
    { name: "vault", folder: folder.vault },
  ];
  return cluster ? [...ours, { name: "database", folder: cluster.location }] : ours;
}
