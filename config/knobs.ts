/**
 * Every knob: its environment variable, flag, unit, default and reason. `tideline check-config` prints this table with
 * the values in force; src/config.ts reads it.
 */
import { availableParallelism } from "node:os";
import { capacityKnobs } from "./capacity-knobs.ts";
import { consoleKnobs } from "./console-knobs.ts";
import { type Knob, knob } from "./knob.ts";
import { observationKnobs } from "./observation-knobs.ts";
import {
  anyText,
  commandWords,
  day,
  integer,
  keyBytes,
  keyList,
  namePatterns,
  networks,
  oneOf,
  redisAddress,
  url,
} from "./knob-values.ts";
import { vaultKnobs } from "./vault-knobs.ts";

export type { Knob };

export const allRoles = ["api", "sftp", "worker", "scheduler", "console"] as const;
export type Role = (typeof allRoles)[number];

function roles(text: string): readonly Role[] {
  const named = text.split(",").map((name) => name.trim());
  const wrong = named.filter((name) => !allRoles.some((role) => role === name));
  if (wrong.length > 0) throw new Error(`roles out of ${allRoles.join(", ")}`);
  return allRoles.filter((role) => named.includes(role));
}

export const knobs = {
  dataDir: knob({
    environment: "TIDELINE_DATA_DIR",
    flag: "--data-dir",
    unit: "folder",
    byDefault: "./data",
    parse: anyText,
    reason: "Database files, keys, landed files and logs of one machine.",
  }),
  vaultDir: knob<string | undefined>({
    environment: "TIDELINE_VAULT_DIR",
    unit: "folder",
    byDefault: undefined,
    parse: anyText,
    reason:
      "Delivered bytes, still encrypted; a fleet shares it between doors and workers. Default: vault in the data folder.",
  }),
  ...vaultKnobs,
  landingDir: knob<string | undefined>({
    environment: "TIDELINE_LANDING_DIR",
    unit: "folder",
    byDefault: undefined,
    parse: anyText,
    reason:
      "Partners' inbox and receipts; SFTP doors and workers of a fleet share it. Default: landing in the data folder.",
  }),
  hostKeysDir: knob<string | undefined>({
    environment: "TIDELINE_HOST_KEYS_DIR",
    unit: "folder",
    byDefault: undefined,
    parse: anyText,
    reason: "The SFTP door's host keys; doors behind one name share them. Default: host-keys in the data folder.",
  }),
  roles: knob<readonly Role[]>({
    environment: "TIDELINE_ROLES",
    flag: "--roles",
    unit: "list",
    byDefault: allRoles,
    parse: roles,
    reason: "A fleet runs roles apart; one machine runs all.",
  }),
  host: knob({
    environment: "TIDELINE_HOST",
    flag: "--host",
    unit: "address",
    byDefault: "127.0.0.1",
    parse: anyText,
    reason: "Nothing listens to a network unless someone asks for it.",
  }),
  httpsPort: knob({
    environment: "TIDELINE_HTTPS_PORT",
    flag: "--https-port",
    unit: "port",
    byDefault: 8443,
    parse: integer(0, 65_535),
    reason: "The usual unprivileged HTTPS port; 0 takes any free one.",
  }),
  sftpPort: knob({
    environment: "TIDELINE_SFTP_PORT",
    flag: "--sftp-port",
    unit: "port",
    byDefault: 2222,
    parse: integer(0, 65_535),
    reason: "The usual unprivileged SSH port; 0 takes any free one.",
  }),
  ...consoleKnobs,
  sftpTemporaryNames: knob({
    environment: "TIDELINE_SFTP_TEMPORARY_NAMES",
    unit: "patterns",
    byDefault: [".*", "*.tmp", "*.part", "*.filepart", "*.partial"],
    parse: namePatterns,
    reason:
      "How clients call a file while it is under way (WinSCP .filepart, rclone .partial, lftp and rsync a leading dot): its close delivers nothing, the rename to another name does.",
  }),
  sftpIncompleteMinutes: knob({
    environment: "TIDELINE_SFTP_INCOMPLETE_MINUTES",
    unit: "minutes",
    byDefault: 60,
    parse: integer(0, 10_080),
    reason:
      "A file that was closed before its end waits so long to be continued or replaced, and is then taken as it is; 0 takes it at once.",
  }),
  sftpConnectionsMax: knob({
    environment: "TIDELINE_SFTP_CONNECTIONS_MAX",
    unit: "connections",
    byDefault: 256,
    parse: integer(16, 10_000),
    reason:
      "Open SFTP connections of everybody together; a quarter is kept for networks that partners have listed (partner allow-ip).",
  }),
  sftpConnectionsPerAddressMax: knob({
    environment: "TIDELINE_SFTP_CONNECTIONS_PER_ADDRESS_MAX",
    unit: "connections",
    byDefault: 64,
    parse: integer(1, 10_000),
    reason:
      "Of one address, of IPv6 one /64: a bank's whole network may stand behind one, and mirroring clients open up to 32. More for several banks behind one proxy.",
  }),
  sftpConnectionsBeforeLoginMax: knob({
    environment: "TIDELINE_SFTP_CONNECTIONS_BEFORE_LOGIN_MAX",
    unit: "connections",
    byDefault: 64,
    parse: integer(4, 10_000),
    reason:
      "Not yet logged in, from networks that nobody has listed, half of them for one address; as many more are kept for listed ones. Each costs a key exchange.",
  }),
  drainSeconds: knob({
    environment: "TIDELINE_DRAIN_SECONDS",
    unit: "seconds",
    byDefault: 0,
    parse: integer(0, 600),
    reason:
      "How long a process that is told to stop goes on taking calls while it says that it is not ready: a little more than a load balancer needs to notice.",
  }),
  backupDir: knob<string | undefined>({
    environment: "TIDELINE_BACKUP_DIR",
    unit: "folder",
    byDefault: undefined,
    parse: anyText,
    reason:
      "Where the scheduler backs the embedded database and the folders up to, and keeps every change since; on another disk than the data. Default: nowhere.",
  }),
  backupEveryHours: knob({
    environment: "TIDELINE_BACKUP_EVERY_HOURS",
    unit: "hours",
    byDefault: 24,
    parse: integer(1, 24 * 31),
    reason: "Between two backups: what has to be replayed when one is restored. Changes are kept all the time.",
  }),
  backupKeep: knob({
    environment: "TIDELINE_BACKUP_KEEP",
    unit: "backups",
    byDefault: 7,
    parse: integer(1, 10_000),
    reason:
      "The newest ones that stay; a user who was erased is in older ones until they go, so not longer than you may hold data.",
  }),
  backupKeysDir: knob<string | undefined>({
    environment: "TIDELINE_BACKUP_KEYS_DIR",
    unit: "folder",
    byDefault: undefined,
    parse: anyText,
    reason: "Where each backup puts a copy of the key-encryption key, apart from the backups. Default: nowhere.",
  }),
  publicUrl: knob<string | undefined>({
    environment: "TIDELINE_PUBLIC_URL",
    unit: "address",
    byDefault: undefined,
    parse: url("https"),
    reason:
      "The base address as partners see it, for instance behind a proxy; default: https://localhost and the port.",
  }),
  tlsCertificateFile: knob<string | undefined>({
    environment: "TIDELINE_TLS_CERT_FILE",
    unit: "file",
    byDefault: undefined,
    parse: anyText,
    reason:
      "A certificate of your own with its chain, PEM; read again when it changes. Default: one by the service's own authority.",
  }),
  tlsKeyFile: knob<string | undefined>({
    environment: "TIDELINE_TLS_KEY_FILE",
    unit: "file",
    byDefault: undefined,
    parse: anyText,
    reason: "The private key of that certificate, PEM without a passphrase.",
  }),
  clientCertificates: knob<"off" | "ask">({
    environment: "TIDELINE_CLIENT_CERTIFICATES",
    unit: "off or ask",
    byDefault: "off",
    parse: oneOf(["off", "ask"]),
    reason:
      "Whether callers are asked for a certificate in the TLS handshake, for partners that must show one. Browsers may then ask their users, so it is off unless needed.",
  }),
  trustedProxies: knob<readonly string[]>({
    environment: "TIDELINE_TRUSTED_PROXIES",
    unit: "networks",
    byDefault: [],
    parse: networks,
    reason: "Proxies whose X-Forwarded-For and Client-Cert headers are believed; from anyone else they say nothing.",
  }),
  proxyProtocolNetworks: knob<readonly string[]>({
    environment: "TIDELINE_PROXY_PROTOCOL_NETWORKS",
    unit: "networks",
    byDefault: [],
    parse: networks,
    reason:
      "Proxies that pass connections of both doors on and begin each with a PROXY header of version 2, which says from where it came; without one theirs are closed. Nobody else's is read.",
  }),
  sandboxBank: knob<"on" | "off" | "auto">({
    environment: "TIDELINE_SANDBOX_BANK",
    unit: "on, off or auto",
    byDefault: "auto",
    parse: oneOf(["on", "off", "auto"]),
    reason:
      "A bank of generated people, to try connecting one. auto: on with the embedded database, off with one of your own.",
  }),
  httpsConnectionsMax: knob({
    environment: "TIDELINE_HTTPS_CONNECTIONS_MAX",
    unit: "connections",
    byDefault: 2000,
    parse: integer(16, 100_000),
    reason:
      "Open connections of the HTTPS port; each takes some 60 kB. When all are taken, one that asks nothing gives way.",
  }),
  httpsConnectionsPerAddressMax: knob({
    environment: "TIDELINE_HTTPS_CONNECTIONS_PER_ADDRESS_MAX",
    unit: "connections",
    byDefault: 256,
    parse: integer(1, 100_000),
    reason: "Of one address, of IPv6 one /64; proxies of TIDELINE_TRUSTED_PROXIES may have as many as there are.",
  }),
  httpsHandshakesPerSecondMax: knob({
    environment: "TIDELINE_HTTPS_HANDSHAKES_PER_SECOND_MAX",
    unit: "connections a second",
    byDefault: 50,
    parse: integer(1, 100_000),
    reason:
      "New connections of all addresses together that nobody has listed (partner allow-ip), and as many of those among them that were answered well lately: browsers that connect a bank are few a second. A handshake takes a millisecond of the thread that answers everybody; who comes too often waits for his turn, up to ten seconds.",
  }),
  httpsHandshakesPerSecondPerAddressMax: knob({
    environment: "TIDELINE_HTTPS_HANDSHAKES_PER_SECOND_PER_ADDRESS_MAX",
    unit: "connections a second",
    byDefault: 100,
    parse: integer(1, 100_000),
    reason:
      "New connections of one address, of IPv6 one /64, listed or not, and five seconds' worth at once: a bank's many backends behind one address start together, and keep their connections. Proxies of TIDELINE_TRUSTED_PROXIES are exempt.",
  }),
  httpsBytesInFlightMax: knob({
    environment: "TIDELINE_HTTPS_BYTES_IN_FLIGHT_MAX",
    unit: "bytes",
    byDefault: 192 * 1024 * 1024,
    parse: integer(64 * 1024 * 1024, 1e12),
    reason:
      "Bodies of pushed batches from their first byte to their answer; half of it for one partner, a third for one address. The process holds some four times as much for them.",
  }),
  httpsBytesPerSecondMin: knob({
    environment: "TIDELINE_HTTPS_BYTES_PER_SECOND_MIN",
    unit: "bytes a second",
    byDefault: 4096,
    parse: integer(0, 1e9),
    reason:
      "How fast a body must come and an answer be read, after five seconds; slower connections only hold memory and a place.",
  }),
  rememberedDocumentBytesMax: knob({
    environment: "TIDELINE_REMEMBERED_DOCUMENT_BYTES_MAX",
    unit: "bytes",
    byDefault: 64 * 1024 * 1024,
    parse: integer(0, 1e12),
    reason:
      "Documents read in the last minutes that an API process keeps in memory: an app that reads one again costs the database one row and no text. Users have some 350 kB each; 0 keeps none.",
  }),
  databaseUrl: knob<string | undefined>({
    environment: "DATABASE_URL",
    unit: "address",
    secret: true,
    byDefault: undefined,
    parse: url("postgres", "postgresql"),
    reason:
      "Any PostgreSQL from 15; default: the embedded one in the data folder. Owns the schema; serves whatever has no address of its own below.",
  }),
  databaseUrlApi: knob<string | undefined>({
    environment: "DATABASE_URL_API",
    unit: "address",
    secret: true,
    byDefault: undefined,
    parse: url("postgres", "postgresql"),
    reason:
      "Where callers' connections log in, as tideline_api (`tideline database roles --script` prints how it is made); default: DATABASE_URL, whose user takes that role on and could leave it.",
  }),
  databaseUrlApiReplica: knob<string | undefined>({
    environment: "DATABASE_URL_API_REPLICA",
    unit: "address",
    secret: true,
    byDefault: undefined,
    parse: url("postgres", "postgresql"),
    reason:
      "A standby of that server, as tideline_api: it answers callers' reads as soon as it shows all that was committed before they began. One server; default: the primary answers.",
  }),
  replicaLagMsMax: knob({
    environment: "TIDELINE_REPLICA_LAG_MS_MAX",
    unit: "milliseconds",
    byDefault: 200,
    parse: integer(1, 5000),
    reason:
      "How long a read waits for the standby to have caught up; then the primary is asked, for the next second too.",
  }),
  databaseUrlJobs: knob<string | undefined>({
    environment: "DATABASE_URL_JOBS",
    unit: "address",
    secret: true,
    byDefault: undefined,
    parse: url("postgres", "postgresql"),
    reason: "Where background work and the queue log in, as tideline_jobs; default: DATABASE_URL.",
  }),
  databaseUrlJobsDirect: knob<string | undefined>({
    environment: "DATABASE_URL_JOBS_DIRECT",
    unit: "address",
    secret: true,
    byDefault: undefined,
    parse: url("postgres", "postgresql"),
    reason:
      "Where jobs log in past a pooler, for the queue without REDIS_URL and for the console, which hold connections of their own; default: DATABASE_URL_JOBS. Addresses that lead through a pooler end in ?pooler=transaction.",
  }),
  databaseUrlLoader: knob<string | undefined>({
    environment: "DATABASE_URL_LOADER",
    unit: "address",
    secret: true,
    byDefault: undefined,
    parse: url("postgres", "postgresql"),
    reason: "Where threads that check and load log in, as tideline_loader; default: that of jobs.",
  }),
  redisUrl: knob<string | undefined>({
    environment: "REDIS_URL",
    unit: "address",
    secret: true,
    byDefault: undefined,
    parse: redisAddress,
    reason:
      "Moves the queue to Redis, for a fleet of worker machines; redis+sentinel://host:26379,host:26379/NAME asks Sentinels for the master. Default: the queue lives in Postgres.",
  }),
  keyEncryptionKey: knob<Buffer | undefined>({
    environment: "TIDELINE_KEY_ENCRYPTION_KEY",
    unit: "base64",
    secret: true,
    byDefault: undefined,
    parse: keyBytes,
    reason:
      "Seals every private key in the database; default: generated once in the data folder. Back it up apart from the database.",
  }),
  keyEncryptionKeysAlso: knob<readonly Buffer[]>({
    environment: "TIDELINE_KEY_ENCRYPTION_KEYS_ALSO",
    unit: "base64, comma-separated",
    secret: true,
    byDefault: [],
    parse: keyList,
    reason:
      "Open what they sealed and seal nothing: the next key before every machine seals with it, the previous one until tideline keys rotate is through.",
  }),
  keyEncryptionCommand: knob<readonly string[] | undefined>({
    environment: "TIDELINE_KEY_ENCRYPTION_COMMAND",
    unit: "a program and its parameters, or a JSON array of them",
    byDefault: undefined,
    parse: commandWords,
    reason:
      "Prints the key-encryption keys, base64, a line each: the first seals, the others open. For a key that only a key management service or a hardware module can unwrap. Asked at each start and by each command that needs them; no shell reads it.",
  }),
  ratesUrl: knob<string | undefined>({
    environment: "TIDELINE_RATES_URL",
    unit: "address",
    byDefault: undefined,
    parse: url("https", "http"),
    reason:
      "From where the scheduler fetches the European Central Bank's reference rates each banking day, for instance https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml. Default: nothing goes out; tideline rates load takes files.",
  }),
  ratesPrivateAddress: knob<"refused" | "allowed">({
    environment: "TIDELINE_RATES_PRIVATE_ADDRESS",
    unit: "refused or allowed",
    byDefault: "refused",
    parse: oneOf(["refused", "allowed"]),
    reason:
      "Whether the rates' address may lie in a private network and be plain http, as a mirror of one's own; else only public addresses over https are called.",
  }),
  asOf: knob<string | undefined>({
    environment: "TIDELINE_AS_OF",
    flag: "--as-of",
    unit: "day",
    byDefault: undefined,
    parse: day,
    reason: "Starts the business clock at that day, to replay old data; tokens and logs keep real time.",
  }),
  loadThreads: knob({
    environment: "TIDELINE_LOAD_THREADS",
    unit: "threads",
    byDefault: Math.max(1, Math.min(8, availableParallelism())),
    parse: integer(1, 64),
    reason: "Deliveries loaded at once; one a core keeps Postgres and decryption both busy.",
  }),
  doorThreads: knob({
    environment: "TIDELINE_DOOR_THREADS",
    unit: "threads",
    byDefault: Math.max(1, Math.min(4, availableParallelism())),
    parse: integer(1, 64),
    reason: "Batches opened at once before a 201; apart from the loaders, so that a large file never delays a request.",
  }),
  stagingDepthMax: knob({
    environment: "TIDELINE_STAGING_DEPTH_MAX",
    unit: "deliveries",
    byDefault: 10_000,
    parse: integer(1, 10_000_000),
    reason:
      "Accepted and not yet loaded of one partner; past it the HTTPS door answers that partner 503, so that a backlog cannot grow without bound.",
  }),
  stagingDepthTotalMax: knob({
    environment: "TIDELINE_STAGING_DEPTH_TOTAL_MAX",
    unit: "deliveries",
    byDefault: 100_000,
    parse: integer(1, 100_000_000),
    reason:
      "The same of all partners together; far above the limit of one, so that one partner's backlog makes no other wait.",
  }),
  importAssumedAfterHours: knob({
    environment: "TIDELINE_IMPORT_ASSUMED_AFTER_HOURS",
    unit: "hours",
    byDefault: 24,
    parse: integer(1, 8760),
    reason: "A user whose sender never sends IMPORT_COMPLETED counts as complete this long after the last record.",
  }),
  diskFreeBytesMin: knob({
    environment: "TIDELINE_DISK_FREE_BYTES_MIN",
    unit: "bytes",
    byDefault: 512 * 1024 * 1024,
    parse: integer(0, 1e15),
    reason: "Below it no new files and batches are taken, so that accepted ones can still be recorded and loaded.",
  }),
  diskFreePercentMin: knob({
    environment: "TIDELINE_DISK_FREE_PERCENT_MIN",
    unit: "percent",
    byDefault: 1,
    parse: integer(0, 90),
    reason: "The same as a share of the disk; the larger of both floors holds. Production disks deserve 5 or more.",
  }),
  ...capacityKnobs,
  ...observationKnobs,
} as const;

export type KnobName = keyof typeof knobs;
