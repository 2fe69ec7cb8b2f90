/**
 * The role `console`: the operators' pages, on a listener of their own or on the API's. It works as background work does, since it shows
 * every partner's deliveries: what pages read is read on connections that change nothing.
 */
import { X509Certificate } from "node:crypto";
import { readAddress } from "../../config/addresses.ts";
import { consoleConnectionsMax } from "../../config/connections.ts";
import { addFirstAccount, hasAccounts, makeToken } from "../console/access/accounts.ts";
import type { IdentityProvider } from "../console/access/identity-provider.ts";
import { type Config, consoleListenerOf } from "../config.ts";
import type { ConsoleDependencies } from "../console/context.ts";
import { type Console, type ConsoleBeside, openConsole, openConsoleBeside } from "../console/server.ts";
import { type Database, openDatabase, packageVersion } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { sessionUrlOf } from "../database/service-roles.ts";
import { readSmallFile, writeSmallFile } from "../machine/small-file.ts";
import { followOwnCertificate } from "../machine/tls/own-certificate.ts";
import { verifyAudit } from "../partners/audit-chain.ts";
import { findHandover, type FoundHandover } from "../operations/handover.ts";
import { recordAudit } from "../partners/audit.ts";
import { graceMsOf, type Ground } from "./ground.ts";
import type { Stages } from "./stages.ts";

/** A page that takes longer is narrowed down by whoever asked. */
const answersWithinMs = 10_000;
const certificateLookEveryMs = 60_000;

export type OpenedConsole = { port: number } | { beside: ConsoleBeside };

/** @returns the port on which it listens, or what the API's listener is to pass on */
export async function openConsoleRole(ground: Ground, stages: Stages): Promise<OpenedConsole> {
  const { config, closers } = ground;
  const settings = { version: await packageVersion(), publicUrl: config.consoleUrl ?? null };
  const dependencies = await dependenciesOf(ground, stages);
  const listener = consoleListenerOf(config);
  if (listener === null) {
    const { trustedProxies } = config;
    const beside = await openConsoleBeside({ ...settings, trustedProxies }, dependencies);
    closers.push(() => beside.close());
    return { beside };
  }
  const pages = await openConsole({ ...settings, ...listener, tls: ground.certificate }, dependencies);
  closers.push(() => pages.close(graceMsOf(config)));
  followCertificate(ground, pages);
  return { port: pages.port };
}

async function dependenciesOf(ground: Ground, { landing }: Stages): Promise<ConsoleDependencies> {
  const { config, events, clock, disk, keyEncryptionKey } = ground;
  const reading = open(ground, { readOnly: true, sizeMax: consoleConnectionsMax - 2, answersWithinMs });
  const database = open(ground, { sizeMax: 2 });
  await makeFirstToken(ground, database);
  return {
    reading,
    database,
    clock,
    events,
    enqueue: landing.enqueue,
    vault: landing.vault,
    disks: () => disk.disks(),
    verifyTrail: (anchor) => verifyAudit(reading, keyEncryptionKey, anchor),
    ring: async () => keyEncryptionKey,
    handover: (partnerId) => handoverOf(ground, reading, partnerId),
    provider: await providerOf(config),
    sessionLife: { idleMinutes: config.consoleIdleMinutes, hours: config.consoleSessionHours },
    certificateEndsAt: () => new Date(new X509Certificate(ground.certificate.cert).validTo),
    queueEngine: config.redisUrl === undefined ? "the service's PostgreSQL" : "Redis",
  };
}

function followCertificate({ closers, events, ownCertificateFiles, certificate }: Ground, pages: Console): void {
  if (ownCertificateFiles === null) return;
  const unfollow = followOwnCertificate(
    ownCertificateFiles,
    certificate,
    certificateLookEveryMs,
    (found) => pages.renewCertificate(found),
    (error) => events.emit("job.failed", { job: "console-certificate", durationMs: 0, error }),
  );
  closers.push(async () => unfollow());
}

/** As `tideline partner credentials` has it. */
async function handoverOf(
  { config, certificate, folder }: Ground,
  reading: Database,
  partnerId: string,
): Promise<FoundHandover | null> {
  return await findHandover(reading, partnerId, { ...config, folder, ownAuthority: async () => certificate.authority });
}

async function providerOf(config: Config): Promise<IdentityProvider | null> {
  const { consoleOidcIssuer: issuer, consoleOidcClientId: clientId } = config;
  if (issuer === undefined || clientId === undefined) return null;
  const { openIdentityProvider } = await import("../console/access/identity-provider.ts");
  return openIdentityProvider({
    issuer,
    clientId,
    clientSecret: config.consoleOidcClientSecret ?? null,
    scope: config.consoleOidcScope,
    roleClaim: config.consoleOidcRoleClaim,
    roles: config.consoleOidcRoles,
    partnerClaim: config.consoleOidcPartnerClaim ?? null,
    nameClaim: config.consoleOidcNameClaim,
  });
}

function open(
  { databaseUrls, closers }: Ground,
  options: { sizeMax: number; readOnly?: boolean; answersWithinMs?: number },
): Database {
  const url = sessionUrlOf(databaseUrls);
  if (readAddress(url).isPooled)
    throw new Fault(
      "POOLER_UNFIT",
      "The console's connections are told that they only read, which none through a pooler can be: give DATABASE_URL_JOBS_DIRECT, or run no console here (--roles).",
    );
  const database = openDatabase(url, { applicationName: "tideline console", ...options });
  closers.push(() => database.end());
  return database;
}

/** Once, while nobody has an account: a file that is removed, or an account that is, is not made again. */
async function makeFirstToken({ folder, events }: Ground, database: Database): Promise<void> {
  if (await hasAccounts(database)) return;
  const remedy = "Remove it: a new one is made at the next start while the console has no account.";
  const token = (await readSmallFile(folder.consoleToken, remedy))?.trim() ?? makeToken();
  // The file first: an account whose token nobody knows would be in the way of the next start's.
  await writeSmallFile(folder.consoleToken, `${token}\n`);
  if (!(await addFirstAccount(database, token))) return;
  await recordAudit(database, "service", {
    partnerId: null,
    event: "console.token-added",
    details: { name: "admin", role: "admin" },
  });
  events.emit("console.token-made", { file: "console-token" });
}
