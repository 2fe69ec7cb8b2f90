/**
 * Opens Tideline: every stage in the order in which data flows, each told only of the one before it; closes them in
 * reverse. This is the only file that knows every stage.
 *
 *   folder → keys → database → staging → workers → recognition → budgets → scheduler → doors
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { apiConnectionsMax, backgroundConnectionsMax } from "../config/connections.ts";
import { baseUrlOf, certifiedHosts, reachableHost } from "./addresses.ts";
import { type ApiDependencies, openApi } from "./api/server.ts";
import { refreshBudgetsOf, type Refreshing, refreshStale } from "./budgets/refresh.ts";
import { type Clock, createClock } from "./clock.ts";
import type { Config } from "./config.ts";
import { claimDataFolder, type DataFolder, describeDataFolder } from "./data-folder.ts";
import { assertUsable, type Database, openDatabase, packageVersion } from "./database.ts";
import { eraseDeleted } from "./data-subjects/erase.ts";
import type { Events } from "./events.ts";
import { countBuffersWithHeap } from "./garbage-collection.ts";
import { acceptRequest, type Landing, recordFile } from "./landing/accept.ts";
import { watchExpectedFiles } from "./landing/expected/watch.ts";
import { retain } from "./landing/retention/retain.ts";
import { findAllowance } from "./landing/allowance.ts";
import { type DiskGuard, openDiskGuard, type Place } from "./landing/disk-guard.ts";
import { isFileRecorded } from "./landing/deliveries.ts";
import { openFollowUps } from "./landing/follow-ups.ts";
import { createReceipts } from "./landing/receipt.ts";
import { openSftpDoor, type SftpDoor } from "./landing/sftp/door.ts";
import { followRoles, openRoles } from "./landing/sftp/host-key-roles.ts";
import type { HostKeys } from "./landing/sftp/host-keys.ts";
import { fileVault } from "./landing/vault.ts";
import { ensureRates, openConversion } from "./ledger/rates.ts";
import { migrate } from "./migrate.ts";
import { createDeliverer } from "./notifications/deliver.ts";
import { createAuditTrail } from "./partners/audit-trail.ts";
import { assertOpensKeys, loadKeyEncryptionKey } from "./partners/key-encryption-key.ts";
import { deleteExpiredLoginIds } from "./partners/login.ts";
import { findSftpPartner, listAllowedNetworks, listLegacyNetworks, rememberNetworks } from "./partners/sftp-keys.ts";
import { assertPortFree } from "./ports.ts";
import { fetchDue, watchConsents } from "./psd2/fetch.ts";
import type { Connecting } from "./psd2/flow.ts";
import { type Cluster, startCluster } from "./postgres/cluster.ts";
import { forgetReports, makeReports } from "./reports/run.ts";
import { markOutdated, recogniseChanged, type Recognising, refreshUser } from "./recognition/run.ts";
import { type Round, startRounds } from "./schedule/rounds.ts";
import { createCalls } from "./staging/calls.ts";
import { serveTurn } from "./staging/dispatch.ts";
import { assumeImports, resumeImports } from "./staging/imports.ts";
import { startLoading } from "./staging/loading.ts";
import { answersWithinMs, openPools } from "./staging/pools.ts";
import { assertRedisAnswers, migrateQueue, openQueue } from "./staging/queue.ts";
import { sweepReceipts } from "./staging/sweep.ts";
import { openAuthority, type ServerCertificate } from "./tls/authority.ts";
import { followOwnCertificate, type OwnCertificate, readOwnCertificate } from "./tls/own-certificate.ts";

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
  /** Where clients on this machine find both doors. */
  host: string;
  /** Null with a database of one's own. */
  cluster: Cluster | null;
  /** Resolves with a reason when something broke that needs a restart. */
  broken: Promise<string>;
  /** Stops taking, lets running work finish, closes. Safe to call twice. */
  close(): Promise<void>;
};

/** Running uploads and requests may finish within this. */
const graceMs = 10_000;
const sweepEveryMs = 10_000;
/** Taking a call is nothing: these are taken as fast as the queue gives them. */
const callsTakenAtOnce = 10;
const recogniseEveryMs = 500;
const notifyEveryMs = 1000;
const psd2FetchEveryMs = 1000;
const reportsEveryMs = 1000;
const minuteMs = 60_000;
const expectedFilesEveryMs = 30_000;
const hourMs = 3_600_000;
const outdatedUsersMax = 10_000;
const hostKeysLookEveryMs = 2000;
/** What renews certificates does so weeks ahead. */
const certificateLookEveryMs = 60_000;
/** A full disk is an operator's work of minutes. */
const diskRetrySeconds = 60;

/** @throws Fault when the configuration, a port, the folder or the database does not let it start. */
export async function openTideline(config: Config, events: Events): Promise<Tideline> {
  const closers: (() => Promise<void>)[] = [];
  const closeAll = async () => {
    const failures: unknown[] = [];
    // Whatever fails to close, the database behind it must still be stopped.
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer().catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  };
  try {
    return await open(config, events, closers, closeAll);
  } catch (error) {
    // Why it did not start is what matters; what failed to close follows from that.
    await closeAll().catch(() => undefined);
    throw error;
  }
}

async function open(config: Config, events: Events, closers: (() => Promise<void>)[], close: () => Promise<void>): Promise<Tideline> {
  countBuffersWithHeap();
  const runs = (role: Config["roles"][number]) => config.roles.includes(role);
  const clock = createClock(config.asOf);
  const version = await packageVersion();

  // Folder and ports first: what cannot work says so before anything is started.
  if (runs("api")) await assertPortFree(config.host, config.httpsPort, "--https-port");
  if (runs("sftp")) await assertPortFree(config.host, config.sftpPort, "--sftp-port");
  const folder = describeDataFolder(config.dataDir, config);
  closers.push(await claimDataFolder(folder));
  await Promise.all([folder.landing, folder.vault].map((path) => mkdir(path, { recursive: true, mode: 0o700 })));

  // Database.
  const cluster = config.databaseUrl === undefined ? await openCluster(folder, events, closers) : null;
  const databaseUrl = config.databaseUrl ?? cluster?.url ?? "";
  const database = openDatabase(databaseUrl, { sizeMax: backgroundConnectionsMax, applicationName: "tideline" });
  closers.push(() => database.end());
  await assertUsable(database);
  const applied = await migrate(databaseUrl);
  if (config.redisUrl === undefined) await migrateQueue(databaseUrl);
  else await assertRedisAnswers(config.redisUrl);
  await ensureRates(database);
  if (applied > 0) events.emit("database.migrated", { applied });

  // Keys.
  const keyEncryptionKey = await loadKeyEncryptionKey(config);
  await assertOpensKeys(database, keyEncryptionKey);
  const authority = await openAuthority(folder.tls, certifiedHosts(config), clock.now());
  const ownFiles = config.tlsCertificateFile !== undefined && config.tlsKeyFile !== undefined ? { certificateFile: config.tlsCertificateFile, keyFile: config.tlsKeyFile } : null;
  const own = ownFiles === null ? null : await readOwnCertificate(ownFiles);
  // Its own chain is what a sandbox's clients are told to trust.
  const certificate = own === null ? authority : { ...own, authority: own.cert };
  const hostKeys = await openRoles(folder.hostKeys);

  // Staging: what the doors hand over, and the threads that load it.
  const disk = await openDiskGuard(placesOf(folder, cluster), { bytesMin: config.diskFreeBytesMin, percentMin: config.diskFreePercentMin }, events);
  closers.push(async () => disk.close());
  const vault = fileVault(folder.vault);
  const receipts = createReceipts(database, folder.landing);
  const queue = openQueue({ databaseUrl, redisUrl: config.redisUrl });
  closers.push(() => queue.close());
  // On its own database nobody else can be loading: jobs of a killed run need not wait for their locks to expire.
  if (cluster && config.redisUrl === undefined) await queue.clear();
  const pools = openPools({ databaseUrl, keyEncryptionKey, vaultDirectory: folder.vault }, config);
  closers.push(() => pools.close());
  let called = (): void => undefined;
  const calls = createCalls(queue, (deliveryIds, error) => events.emit("delivery.uncalled", { count: deliveryIds.length, error }));
  closers.push(() => calls.close());
  const landing: Landing = {
    database, vault, receipts, events, clock, stagingDepthMax: config.stagingDepthMax, stagingDepthTotalMax: config.stagingDepthTotalMax,
    enqueue: async (deliveryIds) => {
      // Workers here need no queue between.
      called();
      for (const id of deliveryIds) calls.add(id);
    },
  };
  const baseUrl = config.publicUrl ?? baseUrlOf(config.host, config.httpsPort);
  const recognising: Recognising = { database, clock, events, baseUrl, recognise: pools.recognise };
  const refreshing: Refreshing = { database, clock, events, baseUrl, refreshBudgets: pools.refreshBudgets };

  let ownPort: number | null = null;
  const psd2: Connecting = {
    database, keyEncryptionKey, events, baseUrl: () => recognising.baseUrl, today: () => clock.today("UTC"),
    sandbox: () => {
      const isOn = config.sandboxBank === "on" || (config.sandboxBank === "auto" && config.databaseUrl === undefined);
      // A certificate of one's own need not name localhost.
      const ownUrl = ownPort === null || own !== null ? recognising.baseUrl : `https://localhost:${ownPort}`;
      return isOn ? { ownUrl, authority: certificate.authority, publicUrl: recognising.baseUrl } : null;
    },
  };

  if (runs("worker")) {
    const dispatching = { database, events, receipts, clock, ingest: pools.ingest, ingestGroup: pools.ingestGroup, wake: () => loading.wake() };
    const loading = startLoading({ database, events, slots: config.loadThreads, serve: (turn) => serveTurn(dispatching, turn) });
    called = () => loading.wake();
    closers.push(async () => {
      const stopped = loading.stop();
      // A load of hours is cut at its last chunk, from which it goes on; it must not hold the stop up.
      await pools.close();
      await stopped;
    });
    closers.push(await queue.consume(async () => loading.wake(), callsTakenAtOnce, (error) => events.emit("queue.unreachable", { error })));
    let stopping = false;
    const reporting = { database, clock, events, makeReport: pools.report, refreshUser: (userId: number) => refreshUser(recognising, userId) };
    const rounds = startRounds([
      { name: "recognise", everyMs: recogniseEveryMs, run: async () => void (await recogniseChanged(recognising, () => stopping)) },
      { name: "budgets", everyMs: recogniseEveryMs, run: async () => void (await refreshStale(refreshing, () => stopping)) },
      { name: "reports", everyMs: reportsEveryMs, run: async () => void (await makeReports(reporting, () => stopping)) },
    ], events);
    closers.push(() => {
      stopping = true;
      return rounds.stop();
    });
  }

  if (runs("scheduler")) {
    let closing = false;
    const rounds: Round[] = [
      { name: "receipts", everyMs: sweepEveryMs, run: () => sweepReceipts({ database, events, receipts }) },
      { name: "outdated", everyMs: minuteMs, run: async () => void (await markOutdated(database, clock, outdatedUsersMax)) },
      { name: "imports", everyMs: sweepEveryMs, run: () => resumeImports({ database, events, clock }) },
      { name: "assumed-imports", everyMs: minuteMs, run: () => assumeImports({ database, events, clock }, config.importAssumedAfterHours) },
      { name: "login-ids", everyMs: minuteMs, run: () => deleteExpiredLoginIds(database) },
      { name: "expected-files", everyMs: expectedFilesEveryMs, run: () => watchExpectedFiles({ database, events, clock }) },
      { name: "reports-past-their-age", everyMs: hourMs, run: async () => void (await forgetReports({ database, events, clock })) },
      { name: "erasure", everyMs: hourMs, run: async () => void (await eraseDeleted({ database, events, now: new Date() }, "scheduler")) },
      { name: "retention", everyMs: hourMs, run: async () => void (await retain({ database, vault, landingDirectory: folder.landing, events, clock })) },
    ];
    rounds.push({ name: "consents", everyMs: hourMs, run: async () => void (await watchConsents(psd2)) });
    rounds.push({ name: "psd2-fetch", everyMs: psd2FetchEveryMs, run: async () => void (await fetchDue({ ...psd2, acceptRequest: (request) => acceptRequest(landing, request) }, () => closing)) });
    const deliverer = createDeliverer({ database, keyEncryptionKey, events, now: () => new Date(), random: Math.random });
    rounds.push({ name: "notifications", everyMs: notifyEveryMs, run: async () => void (await deliverer.deliverDue(() => closing)) });
    // What an earlier run left is told at once; what fails now is the next round's.
    await sweepReceipts({ database, events, receipts }).catch((error: unknown) => events.emit("job.failed", { job: "receipts", durationMs: 0, error }));
    const running = startRounds(rounds, events);
    closers.push(() => {
      closing = true;
      return running.stop();
    });
  }

  // Doors last: whoever reaches one finds everything behind it running.
  let sftpPort: number | null = null;
  if (runs("sftp")) {
    const audit = createAuditTrail(database, events);
    closers.push(() => audit.close());
    const followUps = openFollowUps(landing);
    closers.push(() => followUps.close());
    const door = await openSftpDoor(
      { host: config.host, port: config.sftpPort, hostKeys, landingDirectory: folder.landing },
      {
        findPartner: (name) => findSftpPartner(database, name),
        findAllowance: (partnerId) => findAllowance(database, partnerId),
        listNetworks: rememberNetworks(() => listAllowedNetworks(database)),
        listLegacyNetworks: rememberNetworks(() => listLegacyNetworks(database)),
        deliver: async (file, makeDurable) => followUps.add(await recordFile(landing, { ...file, door: "sftp" }, makeDurable)),
        receiptsWritten: followUps.receiptsWritten,
        isRecorded: async ({ partnerId, name, sha256 }) => await isFileRecorded(database, partnerId, name, sha256),
        events, audit, disk,
      },
    );
    closers.push(() => door.close(graceMs));
    closers.push(renewHostKeys(door, folder, hostKeys, events));
    events.gauge("tideline_sftp_sessions", "Logged-in SFTP connections.", () => door.sessions());
    sftpPort = door.port;
  }
  let httpsPort: number | null = null;
  if (runs("api")) {
    // Apart from the pool of background work: callers neither wait behind it nor longer than a moment for a database that hangs.
    const asked = openDatabase(databaseUrl, { sizeMax: apiConnectionsMax, applicationName: "tideline api", answersWithinMs });
    closers.push(() => asked.end());
    const apiLanding = { ...landing, database: asked };
    const dependencies: ApiDependencies = {
      database: asked, keyEncryptionKey, clock, events, inspect: pools.inspect,
      acceptRequest: async (request) => (disk.isLow("database") ? { outcome: "busy", retryAfterSeconds: diskRetrySeconds } : await acceptRequest(apiLanding, request)),
      convert: await openConversion(database),
      refreshUser: async (userId) => {
        await refreshUser(recognising, userId);
        // What fails is an event, and a budget that cannot be made must not take what was done down with it.
        await refreshBudgetsOf(refreshing, userId).catch(() => undefined);
      },
      refreshBudgets: (userId) => refreshBudgetsOf(refreshing, userId),
      makeBudgetReport: pools.budgetReport,
      baseUrl: () => refreshing.baseUrl,
      isReady: () => readiness(asked, disk), psd2: { ...psd2, database: asked },
    };
    const api = await openApi({
      host: config.host, port: config.httpsPort, tls: certificate, version, asksForCertificates: config.clientCertificates === "ask",
      trustedProxies: config.trustedProxies, metricsNetworks: config.metricsNetworks,
    }, dependencies);
    closers.push(() => api.close(graceMs));
    if (ownFiles !== null) {
      const renewed = (found: OwnCertificate) => {
        api.renewCertificate(found);
        events.emit("https.certificate-renewed", {});
      };
      const unfollow = followOwnCertificate(ownFiles, certificate, certificateLookEveryMs, renewed, (error) => events.emit("job.failed", { job: "certificate", durationMs: 0, error }));
      closers.push(async () => unfollow());
    }
    httpsPort = api.port;
    ownPort = api.port;
    if (config.publicUrl === undefined) recognising.baseUrl = refreshing.baseUrl = baseUrlOf(config.host, api.port);
  }
  observeStaging(events, database);
  for (const { name } of placesOf(folder, cluster)) events.gauge(`tideline_${name}_disk_free_bytes`, `Free bytes where the ${name} lies.`, () => Math.max(0, disk.freeBytes(name)));
  events.emit("service.started", { roles: config.roles.join(","), version });
  const broken = cluster ? cluster.lost : new Promise<string>(() => undefined);
  return { folder, clock, database, keyEncryptionKey, certificate, hostKeys, baseUrl: recognising.baseUrl, httpsPort, sftpPort, host: reachableHost(config.host), cluster, broken, close };
}

async function openCluster(folder: DataFolder, events: Events, closers: (() => Promise<void>)[]): Promise<Cluster> {
  const cluster = await startCluster(folder.root);
  closers.push(async () => {
    await rm(folder.postgresUrl, { force: true });
    await cluster.stop();
    events.emit("postgres.stopped", {});
  });
  if (cluster.orphanPid !== null) events.emit("postgres.orphan-stopped", { pid: cluster.orphanPid });
  await writeFile(folder.postgresUrl, cluster.url, { mode: 0o600 });
  events.emit("postgres.started", { port: cluster.port, recovered: cluster.orphanPid !== null });
  return cluster;
}

/** A database of one's own has its own guards; the embedded one fills a disk that is ours to watch. */
function placesOf(folder: DataFolder, cluster: Cluster | null): Place[] {
  const ours = [{ name: "landing", folder: folder.landing }, { name: "vault", folder: folder.vault }];
  return cluster ? [...ours, { name: "database", folder: cluster.location }] : ours;
}

function renewHostKeys(door: SftpDoor, folder: DataFolder, hostKeys: HostKeys, events: Events): () => Promise<void> {
  const renew = (renewed: HostKeys) => {
    door.renewHostKeys(renewed);
    events.emit("sftp.host-keys-changed", { announced: renewed.announced.length });
  };
  const following = followRoles(folder.hostKeys, hostKeys, hostKeysLookEveryMs, renew, (error) => events.emit("job.failed", { job: "host-keys", durationMs: 0, error }));
  return async () => following.stop();
}

async function readiness(database: Database, disk: DiskGuard): Promise<{ ready: boolean; checks: Record<string, string> }> {
  const answered = await database.query("select 1").then(() => "ok", () => "does not answer");
  const checks = { database: answered, disk: disk.describe() };
  return { ready: Object.values(checks).every((found) => found === "ok"), checks };
}

function observeStaging(events: Events, database: Database): void {
  const count = async (condition: string): Promise<number> => {
    const { rows } = await database.query<{ n: number }>(`select count(*) as n from ${condition}`);
    return rows[0]?.n ?? 0;
  };
  events.gauge("tideline_staging_depth", "Deliveries accepted and not yet loaded.", () => count("deliveries where state in ('accepted', 'loading')"));
  const sum = async (column: string): Promise<number> => {
    const { rows } = await database.query<{ total: number }>(`select coalesce(sum(${column}), 0)::bigint as total from deliveries where state = 'loading'`);
    return rows[0]?.total ?? 0;
  };
  events.gauge("tideline_loading_deliveries", "Deliveries that are being loaded.", () => count("deliveries where state = 'loading'"));
  events.gauge("tideline_loading_records", "Records that they have brought so far.", () => sum("records"));
  events.gauge("tideline_loading_bytes_left", "Landed bytes that they still have before them.", () => sum("size_bytes - bytes_loaded"));
  events.gauge("tideline_changed_users", "Users whose figures are not up to date.", () => count("changed_users"));
  events.gauge("tideline_expected_files_missing", "Files that should have come and have not.", () => count("expected_files where state = 'missing'"));
  events.gauge("tideline_notifications_pending", "Notifications that are not delivered yet.", () => count("notifications where state = 'pending'"));
  events.gauge("tideline_notifications_dead", "Notifications that were given up and can be replayed.", () => count("notifications where state = 'dead'"));
  events.gauge("tideline_import_markers_waiting", "IMPORT_COMPLETED markers that wait for earlier deliveries.", () => count("import_markers where applied_at is null"));
}
