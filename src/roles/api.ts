/** The role `api`: the HTTPS door with everything behind it. */
import { setTimeout as wait } from "node:timers/promises";
import type { Beside } from "../api/beside.ts";
import { type Api, type ApiDependencies, openApi } from "../api/server.ts";
import { refreshBudgetsOf } from "../budgets/refresh.ts";
import { sandboxBankRoutes } from "../demo/sandbox-bank/routes.ts";
import { findCallerRole } from "../database/role-rights.ts";
import { type Database, openDatabase, packageVersion } from "../database/database.ts";
import { acceptRequest, isRepeat } from "../landing/accept.ts";
import type { BytesInFlightLimits } from "../landing/https/bytes-in-flight.ts";
import type { DiskGuard } from "../landing/disk-guard.ts";
import type { VaultWatch } from "../landing/vault-watch.ts";
import { type Check, judgeReadiness, lookNowAndThen, type Readiness, readWritable } from "../observation/readiness.ts";
import { openConversion } from "../rates/conversion.ts";
import { describeRatesAge, readRatesAge } from "../rates/watch.ts";
import type { Clock } from "../time/clock.ts";
import { refreshUser } from "../recognition/run.ts";
import { type AuditTrail, createAuditTrail } from "../partners/audit-trail.ts";
import { listUnguarded } from "../partners/exposure.ts";
import { listAllowedNetworks, rememberNetworks } from "../partners/keys/sftp-keys.ts";
import { isLoopback } from "../partners/network.ts";
import { type Reads, readsFrom, readsWithReplica } from "../database/replica.ts";
import { TenantClaims } from "../database/tenant-claims.ts";
import { presentTenant } from "../database/tenant.ts";
import { followOwnCertificate, type OwnCertificate } from "../machine/tls/own-certificate.ts";
import { graceMsOf, type Ground } from "./ground.ts";
import type { Stages } from "./stages.ts";

/** What renews certificates does so weeks ahead. */
const certificateLookEveryMs = 60_000;
/** A full disk is an operator's work of minutes. */
const diskRetrySeconds = 60;

/** @param beside shares the listener; null: nothing does. @returns the port on which it listens */
export async function openApiRole(ground: Ground, stages: Stages, beside: Beside | null): Promise<number> {
  const { config, closers, certificate, database } = ground;
  // Apart from the pool of background work: callers neither wait behind it nor longer than a moment for a database that
  // hangs. And for the caller alone: the database itself shows these connections nothing that is another partner's.
  const claims = new TenantClaims(database);
  closers.push(() => claims.close());
  const asked = openDatabase(ground.databaseUrls.api, {
    sizeMax: config.apiConnections,
    applicationName: "tideline api",
    answersWithinMs: config.answersSeconds * 1000,
    tenant: { present: presentTenant, claims },
    ...(await roleToTakeOn(ground)),
  });
  closers.push(() => asked.end());
  const reads = openReads(ground, asked, claims);
  const trail = createAuditTrail(database, ground.events);
  closers.push(() => trail.close());
  let isDraining = false;
  const api = await openApi(
    {
      host: config.host,
      port: config.httpsPort,
      tls: certificate,
      version: await packageVersion(),
      asksForCertificates: config.clientCertificates === "ask",
      trustedProxies: config.trustedProxies,
      proxyProtocolNetworks: config.proxyProtocolNetworks,
      requestTimeoutMs: config.httpsRequestSeconds * 1000,
      keepAliveTimeoutMs: config.httpsKeepAliveSeconds * 1000,
      connections: {
        connectionsMax: config.httpsConnectionsMax,
        connectionsPerAddressMax: config.httpsConnectionsPerAddressMax,
        handshakes: {
          perSecond: config.httpsHandshakesPerSecondMax,
          perAddressPerSecond: config.httpsHandshakesPerSecondPerAddressMax,
        },
        listNetworks: rememberNetworks(() => listAllowedNetworks(database, "https")),
        bytesPerSecondMin: config.httpsBytesPerSecondMin,
      },
      metricsNetworks: config.metricsNetworks,
      rememberedBytesMax: config.rememberedDocumentBytesMax,
      furtherPages: [sandboxBankRoutes],
      ...(beside !== null && { beside }),
    },
    await dependenciesOf(ground, stages, { asked, reads }, trail, () => isDraining),
  );
  closers.push(() => api.close(graceMsOf(config)));
  followCertificate(ground, api);
  // First of all: everything behind it still runs.
  closers.push(async () => {
    isDraining = true;
    api.drain();
    await wait(config.drainSeconds * 1000);
  });
  stages.apiOpened(api.port);
  return api.port;
}

/** A replica that does not answer costs a caller this much, before the primary is asked. */
const replicaAnswersMsMax = 2000;

function openReads({ config, closers, events }: Ground, asked: Database, claims: TenantClaims): Reads {
  if (config.databaseUrlApiReplica === undefined) return readsFrom(asked);
  const replica = openDatabase(config.databaseUrlApiReplica, {
    sizeMax: config.apiConnections,
    applicationName: "tideline api reads",
    answersWithinMs: Math.min(config.answersSeconds * 1000, replicaAnswersMsMax),
    tenant: { present: presentTenant, claims },
  });
  closers.push(() => replica.end());
  const reads = readsWithReplica(asked, replica, config.replicaLagMsMax);
  events.gauges(
    "tideline_reads_since_start",
    "Groups of callers' reads, by the server that answered.",
    ["by"],
    async () => Object.entries(reads.counts()).map(([by, value]) => ({ labels: { by }, value })),
  );
  return reads;
}

/** With a login of their own, callers' connections have no other role; else they take it on, and could leave it again. */
async function roleToTakeOn({ databaseUrls, database, events }: Ground): Promise<{ role?: string }> {
  if (databaseUrls.api !== databaseUrls.migrator) return {};
  const role = await findCallerRole(database);
  if (role === null) events.emit("database.callers-not-confined", {});
  else events.emit("database.callers-could-leave", {});
  return role === null ? {} : { role };
}

async function dependenciesOf(
  { config, keyEncryptionKey, clock, events, disk, database }: Ground,
  { pools, landing, vaultWatch, recognising, refreshing, psd2, baseUrl }: Stages,
  { asked, reads }: { asked: Database; reads: Reads },
  trail: AuditTrail,
  isDraining: () => boolean,
): Promise<ApiDependencies> {
  const { host, trustedProxies, proxyProtocolNetworks } = config;
  const isExposed = !isLoopback(host) || trustedProxies.length + proxyProtocolNetworks.length > 0;
  const lookedAt = lookNowAndThen(() =>
    readiness(asked, { disk, vault: vaultWatch, clock, reads }, isExposed ? database : null),
  );
  const apiLanding = { ...landing, database: asked };
  return {
    database: asked,
    reads,
    trail,
    keyEncryptionKey,
    clock,
    events,
    doorThreads: config.doorThreads,
    bytesInFlight: inFlightOf(config.httpsBytesInFlightMax),
    inspect: pools.inspect,
    isRepeat: (request) => isRepeat(apiLanding, request),
    acceptRequest: async (request) =>
      disk.isLow("database")
        ? { outcome: "busy", retryAfterSeconds: diskRetrySeconds }
        : await acceptRequest(apiLanding, request),
    convert: (await openConversion(database)).convert,
    refreshUser: async (userId) => {
      await refreshUser(recognising, userId);
      // What fails is an event, and a budget that cannot be made must not take what was done down with it.
      await refreshBudgetsOf(refreshing, userId).catch(() => undefined);
    },
    refreshBudgets: (userId) => refreshBudgetsOf(refreshing, userId),
    makeBudgetReport: pools.budgetReport,
    baseUrl,
    isReady: async () =>
      isDraining()
        ? judgeReadiness([{ name: "service", found: "is stopping", needs: "everything" }])
        : await lookedAt(),
    psd2: { ...psd2, database: asked },
  };
}

/** Two partners' floods leave room for a third's batch, and one address never takes all of its partner's. */
function inFlightOf(all: number): BytesInFlightLimits {
  return { all, ofPartner: Math.floor(all / 2), ofSource: Math.floor(all / 3) };
}

/** @param ofPartners sees all partners; null: where nobody calls from elsewhere, each may be as it is */
async function readiness(
  database: Database,
  { disk, vault, clock, reads }: { disk: DiskGuard; vault: VaultWatch; clock: Clock; reads: Reads },
  ofPartners: Database | null,
): Promise<Readiness> {
  const writable = await readWritable(database);
  // Told, and no reason to be taken out of service: what is served is marked.
  const exchangeRates = await readRatesAge(database, clock).then(describeRatesAge, () => "cannot be read");
  const replica = reads.describe();
  const checks: Check[] = [
    { name: "database", found: writable === null ? "does not answer" : "ok", needs: "everything" },
    { name: "databaseWrites", found: writable ?? "does not answer", needs: "writes" },
    { name: "disk", found: disk.describe(), needs: "writes" },
    { name: "vault", found: vault.describe(), needs: "writes" },
    { name: "exchangeRates", found: exchangeRates, needs: "nothing" },
    ...(replica === null ? [] : [{ name: "replica", found: replica, needs: "nothing" } as const]),
  ];
  const found = judgeReadiness(checks);
  if (found.status !== "ready" || ofPartners === null) return found;
  // Told and no more: the partners beside them are served. Anybody may ask, so it tells no names.
  const unguarded = (await listUnguarded(ofPartners)).length;
  const told = `${unguarded} not served: no networks, certificates or signatures (tideline status)`;
  return judgeReadiness([...checks, { name: "partners", found: unguarded === 0 ? "ok" : told, needs: "nothing" }]);
}

function followCertificate(ground: Ground, api: Api): void {
  const { events, closers, ownCertificateFiles, certificate } = ground;
  if (ownCertificateFiles === null) return;
  const renewed = (found: OwnCertificate) => {
    api.renewCertificate(found);
    ground.certificate = { ...found, authority: found.cert };
    events.emit("https.certificate-renewed", {});
  };
  const unfollow = followOwnCertificate(ownCertificateFiles, certificate, certificateLookEveryMs, renewed, (error) =>
    events.emit("job.failed", { job: "certificate", durationMs: 0, error }),
  );
  closers.push(async () => unfollow());
}
