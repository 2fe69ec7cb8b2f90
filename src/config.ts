/** Reads the configuration: flags over environment over defaults. Every problem is found before any is reported. */
import path from "node:path";
import { readAddress } from "../config/addresses.ts";
import { consolePortAlone } from "../config/console-knobs.ts";
import { callersLogin, connectionsNeeded, embeddedConnectionsMax } from "../config/connections.ts";
import { loadThreadsBeside, parkedLoadsMax } from "../config/staging.ts";
import { type Knob, type KnobName, knobs } from "../config/knobs.ts";
import { Fault } from "./errors.ts";

type ValueOf<Name extends KnobName> = (typeof knobs)[Name] extends Knob<infer Value> ? Value : never;

export type Config = { [Name in KnobName]: ValueOf<Name> };

/** Values given on the command line, by knob. */
export type Flags = Partial<Record<KnobName, string>>;

/** @throws Fault CONFIG_INVALID that names every problem, one a line. */
export function readConfig(flags: Flags = {}, environment: NodeJS.ProcessEnv = process.env): Config {
  const { config, problems } = examineConfig(flags, environment);
  if (problems.length > 0)
    throw new Fault("CONFIG_INVALID", `The configuration is not usable.\n  ${problems.join("\n  ")}\n`);
  return config;
}

/** The same without throwing, for `tideline check-config`. A knob with a problem has its default. */
export function examineConfig(
  flags: Flags = {},
  environment: NodeJS.ProcessEnv = process.env,
): { config: Config; problems: string[] } {
  const problems: string[] = [];
  const values = (Object.keys(knobs) as KnobName[]).map((name) => [
    name,
    readKnob(name, flags[name], environment, problems),
  ]);
  const config = Object.fromEntries(values) as Config;
  problems.push(...contradictions(config), ...unknownVariables(environment));
  return { config: { ...config, dataDir: path.resolve(config.dataDir) }, problems };
}

function readKnob(
  name: KnobName,
  flag: string | undefined,
  environment: NodeJS.ProcessEnv,
  problems: string[],
): unknown {
  const knob: Knob<unknown> = knobs[name];
  const text = flag ?? environment[knob.environment];
  if (text === undefined || (flag === undefined && text === "")) return knob.byDefault;
  try {
    return knob.parse(text);
  } catch (error) {
    const where = flag === undefined ? knob.environment : (knob.flag ?? name);
    problems.push(
      `${where} must be ${error instanceof Error ? error.message : "valid"}${knob.secret ? "" : `, not "${text}"`}`,
    );
    return knob.byDefault;
  }
}

/** The console's own listener; null: it shares the API's, which runs in the same process. */
export function consoleListenerOf({
  consolePort,
  consoleHost,
  roles,
}: Pick<Config, "consolePort" | "consoleHost" | "roles">): { host: string; port: number } | null {
  if (consolePort !== "api") return { host: consoleHost, port: consolePort };
  return roles.includes("api") ? null : { host: consoleHost, port: consolePortAlone };
}

/** As PostgreSQL calls it. */
const connectionsSetting = "max_connections";

/** What a service that is not one of a fleet runs; the console is for whoever wants one. */
const rolesOfWhole = ["api", "sftp", "worker", "scheduler"] as const;

function contradictions(config: Config): string[] {
  const problems: string[] = [];
  const runsApart = rolesOfWhole.some((role) => !config.roles.includes(role));
  const { consolePort } = config;
  if (consolePort !== 0 && (consolePort === config.httpsPort || consolePort === config.sftpPort))
    problems.push(
      `TIDELINE_CONSOLE_PORT is ${consolePort}, which another door has; "api" puts the console on the API's listener`,
    );
  if ((config.consoleOidcIssuer === undefined) !== (config.consoleOidcClientId === undefined))
    problems.push(
      "TIDELINE_CONSOLE_OIDC_ISSUER and TIDELINE_CONSOLE_OIDC_CLIENT_ID belong together: give both or neither",
    );
  if (config.httpsPort === config.sftpPort && config.httpsPort !== 0)
    problems.push(`--https-port and --sftp-port are both ${config.httpsPort}`);
  for (const [flag, port] of [
    ["--https-port", config.httpsPort],
    ["--sftp-port", config.sftpPort],
  ] as const) {
    if (port !== 0 && port === config.observePort) problems.push(`${flag} and --observe-port are both ${port}`);
  }
  if ((config.tlsCertificateFile === undefined) !== (config.tlsKeyFile === undefined)) {
    problems.push("TIDELINE_TLS_CERT_FILE and TIDELINE_TLS_KEY_FILE belong together: give both or neither");
  }
  if (config.redisUrl !== undefined && config.databaseUrl === undefined && runsApart) {
    problems.push("REDIS_URL with single roles also needs DATABASE_URL: a fleet shares both");
  }
  const ofRoles = [
    config.databaseUrlApi,
    config.databaseUrlJobs,
    config.databaseUrlJobsDirect,
    config.databaseUrlLoader,
  ];
  if (config.databaseUrl === undefined && ofRoles.some((address) => address !== undefined)) {
    problems.push(
      "DATABASE_URL_API, _JOBS, _JOBS_DIRECT and _LOADER belong to DATABASE_URL: the embedded database has its own",
    );
  }
  problems.push(...contradictionsOfPoolers(config));
  if (config.databaseUrlApi !== undefined && new URL(config.databaseUrlApi).username !== callersLogin)
    problems.push(`DATABASE_URL_API must log in as ${callersLogin}: the database judges by that name`);
  if (config.databaseUrlApiReplica !== undefined) {
    if (config.databaseUrlApi === undefined) problems.push("DATABASE_URL_API_REPLICA belongs to DATABASE_URL_API");
    if (new URL(config.databaseUrlApiReplica).username !== callersLogin)
      problems.push(`DATABASE_URL_API_REPLICA must log in as ${callersLogin}: the database judges by that name`);
  }
  const bringsKeys = config.keyEncryptionKey !== undefined || config.keyEncryptionCommand !== undefined;
  if (config.databaseUrl !== undefined && !bringsKeys && runsApart) {
    problems.push(
      "DATABASE_URL with single roles also needs TIDELINE_KEY_ENCRYPTION_KEY or TIDELINE_KEY_ENCRYPTION_COMMAND: every machine must open the same keys",
    );
  }
  if (config.keyEncryptionKey !== undefined && config.keyEncryptionCommand !== undefined)
    problems.push("TIDELINE_KEY_ENCRYPTION_KEY and TIDELINE_KEY_ENCRYPTION_COMMAND are both set: give one");
  if ((config.vaultS3AccessKeyId === undefined) !== (config.vaultS3SecretAccessKey === undefined)) {
    problems.push(
      "TIDELINE_VAULT_S3_ACCESS_KEY_ID and TIDELINE_VAULT_S3_SECRET_ACCESS_KEY belong together: give both or neither",
    );
  }
  if (config.vaultS3KmsKeyId !== undefined && config.vaultS3Encryption !== "aws:kms")
    problems.push("TIDELINE_VAULT_S3_KMS_KEY_ID belongs to TIDELINE_VAULT_S3_ENCRYPTION=aws:kms");
  const mail = [config.alertSmtpUrl !== undefined, config.alertMailFrom !== undefined, config.alertMailTo.length > 0];
  if (mail.includes(true) && mail.includes(false)) {
    problems.push(
      "TIDELINE_ALERT_SMTP_URL, TIDELINE_ALERT_MAIL_FROM and TIDELINE_ALERT_MAIL_TO belong together: give all or none",
    );
  }
  if (config.keyEncryptionKeysAlso.length > 0 && config.keyEncryptionKey === undefined) {
    problems.push(
      "TIDELINE_KEY_ENCRYPTION_KEYS_ALSO belongs to TIDELINE_KEY_ENCRYPTION_KEY: a command prints all keys, and without either they lie in the data folder",
    );
  }
  const loading = config.loadThreads + loadThreadsBeside + parkedLoadsMax;
  const threads = loading + config.doorThreads + config.recognitionThreads + config.reportThreads;
  const allowed = Number(config.postgresSettings[connectionsSetting] ?? embeddedConnectionsMax);
  const needed = connectionsNeeded(threads, config);
  if (config.databaseUrl === undefined && needed > allowed) {
    problems.push(
      `TIDELINE_LOAD_THREADS and TIDELINE_DOOR_THREADS are ${config.loadThreads} and ${config.doorThreads}: with all else they need up to ${needed} connections, and the embedded database has ${allowed}; lower them, or set TIDELINE_POSTGRES_SETTINGS=max_connections=${needed} or DATABASE_URL`,
    );
  }
  return problems;
}

/** What an address says of itself; whether it is true, only the server tells. */
function contradictionsOfPoolers(config: Config): string[] {
  const isPooled = (url: string | undefined) => url !== undefined && readAddress(url).isPooled;
  const mustBeDirect = [
    ["DATABASE_URL", config.databaseUrl],
    ["DATABASE_URL_JOBS_DIRECT", config.databaseUrlJobsDirect],
  ] as const;
  const problems = mustBeDirect
    .filter(([, url]) => isPooled(url))
    .map(([name]) => `${name} must lead to the server itself, not through a pooler`);
  // Whether a console opens here, its role tells: commands have every role by default.
  if (isPooled(config.databaseUrlJobs) && config.databaseUrlJobsDirect === undefined && config.redisUrl === undefined)
    problems.push(
      "DATABASE_URL_JOBS leads through a pooler, through which the queue cannot listen: give DATABASE_URL_JOBS_DIRECT or REDIS_URL",
    );
  return problems;
}

/** What Kubernetes and container links put into the environment for a service that is called tideline. */
const namesAService = /^TIDELINE_(PORT|(.*_)?(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT_\d+_(TCP|UDP)(_\w+)?))$/;

/** What only tests read, and the commands that they run find in their environment. */
const ofTests = [
  "TIDELINE_TEST_POSTGRES",
  "TIDELINE_TEST_LOGS",
  "TIDELINE_NEWER_OPENSSH",
  "TIDELINE_NEWER_PGBOUNCER",
] as const;

/** A misspelt variable would silently leave its default in force. */
function unknownVariables(environment: NodeJS.ProcessEnv): string[] {
  const known = new Set<string>([...Object.values(knobs).map((knob) => knob.environment), ...ofTests]);
  return Object.keys(environment)
    .filter((name) => name.startsWith("TIDELINE_") && !known.has(name) && !namesAService.test(name))
    .map((name) => `${name} is not a setting; the known ones are printed by tideline check-config`);
}
