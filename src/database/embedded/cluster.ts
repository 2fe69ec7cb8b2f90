/**
 * The embedded PostgreSQL: files, start, stop. Story of `startCluster`: choose the account, find the programs, stop an
 * orphan, create the files when there are none, check their format, start, wait until it answers.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chown, open, readFile, rename, rm } from "node:fs/promises";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { embeddedConnectionsMax } from "../../../config/connections.ts";
import { Fault } from "../../errors.ts";
import { brokenFile, readNeededFile, readSmallFile, writeSmallFile } from "../../machine/small-file.ts";
import { makeFolder, syncFolder } from "../../machine/sync-folder.ts";
import { type Account, chooseAccount, isReachable } from "./account.ts";
import { type Binaries, findBinaries } from "./binaries.ts";
import { serverEnvironment } from "./environment.ts";
import { type DatabaseUrls, arrangementStatements, type ServiceRole, serviceRoles } from "../service-roles.ts";
import { stopOrphan, stopServer } from "./orphan.ts";

export type Cluster = {
  /** Of the database `tideline`, passwords included, as its superuser: for what makes servers and roles, never to serve. */
  url: string;
  /** As the service's roles, whose passwords are new with every start and are written nowhere. */
  urls: DatabaseUrls;
  port: number;
  pid: number;
  /** Where its files lie: below the data folder, or elsewhere when its account cannot reach that. */
  location: string;
  /** Whether an orphan of an earlier run had to be stopped. */
  orphanPid: number | null;
  /** Resolves with a reason if the server ends without being asked to. */
  lost: Promise<string>;
  stop(): Promise<void>;
};

export type ClusterOptions = {
  /** Extra `name=value` settings. */
  settings?: readonly string[];
  /** Where to listen; default: whatever port the system says is free. */
  findPort?: () => Promise<number>;
  /** Longer than usual where much of its log is to be replayed. */
  startWithinMs?: number;
};

const superuser = "tideline";
const databaseName = "tideline";
/** A crashed server replays its log before it answers; a large one takes a while. */
const usualStartMs = 120_000;
/** Between its being found free and its being listened on, another program may take a port. */
const portsTriedMax = 5;
/** What a server says that could not listen. */
const noPort = "could not create any TCP/IP sockets";

const serverSettings = [
  "listen_addresses=127.0.0.1",
  // Connections go over loopback TCP: a socket folder would need rights for two accounts.
  "unix_socket_directories=",
  `max_connections=${embeddedConnectionsMax}`,
  "shared_buffers=256MB",
  // Bulk loads write much log: fewer, longer checkpoints keep full-page images few.
  "max_wal_size=4GB",
  "checkpoint_timeout=15min",
  "wal_compression=on",
  // Whoever keeps this log beside backups and is away for long must not fill the disk: it then begins anew.
  "max_slot_wal_keep_size=32GB",
  "jit=off",
  "timezone=UTC",
  "log_timezone=UTC",
  // Statements may hold personal data: they must not reach the log.
  "log_min_error_statement=panic",
  "log_error_verbosity=terse",
  // Whose connection it was: a right that a role lacks is told by its name.
  "log_line_prefix=%m [%p] %u/%a ",
];

/** @throws Fault FILE_BROKEN, POSTGRES_FORMAT, POSTGRES_START */
export async function startCluster(dataDir: string, options: ClusterOptions = {}): Promise<Cluster> {
  const location = await chooseLocation(dataDir);
  const files = path.join(location, "files");
  const account = await chooseAccount(files);
  const binaries = await findBinaries(account, path.join(shelterRoot, "programs"));
  const orphanPid = await stopOrphan(files);
  await ensureOwnedFolder(location, account);
  await ensureFiles(binaries, files, location, account);
  await assertFormat(files, binaries.majorVersion);
  return { ...(await start(binaries, files, location, account, options)), location, orphanPid };
}

/** Where the files of a data folder go that PostgreSQL's account cannot enter. */
export const shelterRoot = process.platform === "darwin" ? "/usr/local/var/tideline" : "/var/lib/tideline";

export async function chooseLocation(dataDir: string): Promise<string> {
  const inside = path.join(dataDir, "postgres");
  if (process.getuid?.() !== 0 || (await isReachable(dataDir))) return inside;
  // The pointer lies in the data folder, so that removing the folder means starting anew.
  const pointer = path.join(dataDir, "postgres-location");
  const known = await readLocation(pointer);
  if (known !== null) return known;
  const elsewhere = path.join(shelterRoot, randomBytes(6).toString("hex"));
  await writeSmallFile(pointer, `${elsewhere}\n`);
  return elsewhere;
}

/** An empty or halved pointer must not begin a new database beside the one that is there. @throws Fault FILE_BROKEN */
async function readLocation(pointer: string): Promise<string | null> {
  const remedy = `It holds the path of the database's folder, one of those below ${shelterRoot}: write that into it.`;
  const known = (await readSmallFile(pointer, remedy))?.trim() ?? null;
  if (known !== null && !/^[0-9a-f]{12}$/.test(path.relative(shelterRoot, known)))
    throw brokenFile(pointer, "is broken: it does not name such a folder", remedy);
  return known;
}

/** As its superuser, the address of a server that runs: for what copies the server. @param url of any of its users */
export async function superuserUrl(dataDir: string, url: string): Promise<string> {
  const password = await readNeededFile(path.join(await chooseLocation(dataDir), "password"), passwordRemedy);
  const found = new URL(url);
  [found.username, found.password] = [superuser, encodeURIComponent(password.trim())];
  return found.href;
}

/**
 * Whether a data folder has database files, or knows where else they lie. Makes nothing.
 * @throws the system's error where this account may not look, which is no answer
 */
export async function hasCluster(dataDir: string): Promise<boolean> {
  return (
    (await isThere(path.join(dataDir, "postgres", "files", "PG_VERSION"))) ||
    (await isThere(path.join(dataDir, "postgres-location")))
  );
}

async function isThere(file: string): Promise<boolean> {
  return await readFile(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT" || error.code === "ENOTDIR") return false;
      throw error;
    },
  );
}

export async function ensureOwnedFolder(folder: string, account: Account): Promise<void> {
  await makeFolder(folder, 0o755);
  if (account.uid !== undefined && account.gid !== undefined) await chown(folder, account.uid, account.gid);
}

/** initdb works beside the final place and is renamed into it, so that an interrupted one leaves nothing half made. */
async function ensureFiles(binaries: Binaries, files: string, location: string, account: Account): Promise<void> {
  if (await exists(path.join(files, "PG_VERSION"))) return;
  const unfinished = path.join(location, "files.unfinished");
  const passwordFile = path.join(location, "password");
  await rm(unfinished, { recursive: true, force: true });
  const { uid, gid } = account;
  await writeSmallFile(
    passwordFile,
    randomBytes(24).toString("base64url"),
    uid === undefined || gid === undefined ? {} : { owner: { uid, gid } },
  );
  await run(
    binaries.initdb,
    [
      `--pgdata=${unfinished}`,
      `--username=${superuser}`,
      `--pwfile=${passwordFile}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      "--locale=C",
      "--data-checksums",
    ],
    account,
    location,
  );
  // initdb has synced what it wrote.
  await rename(unfinished, files);
  await syncFolder(location);
}

async function assertFormat(files: string, majorVersion: number): Promise<void> {
  const found = Number.parseInt(await readNeededFile(path.join(files, "PG_VERSION")), 10);
  if (found !== majorVersion) {
    throw new Fault(
      "POSTGRES_FORMAT",
      `The database files are of PostgreSQL ${found}, this Tideline runs PostgreSQL ${majorVersion}.`,
    );
  }
}

async function start(binaries: Binaries, files: string, location: string, account: Account, options: ClusterOptions) {
  const { findPort = freePort, settings = [], startWithinMs = usualStartMs } = options;
  for (let tried = 1; ; tried++) {
    try {
      return await startOn(await findPort(), binaries, files, location, account, { settings, startWithinMs });
    } catch (error) {
      if (tried === portsTriedMax || !(error instanceof Fault) || !error.message.includes(noPort)) throw error;
    }
  }
}

async function startOn(
  port: number,
  binaries: Binaries,
  files: string,
  location: string,
  account: Account,
  { settings: more, startWithinMs }: { settings: readonly string[]; startWithinMs: number },
) {
  const passwordFile = path.join(location, "password");
  const password = (await readNeededFile(passwordFile, passwordRemedy)).trim();
  const log = await open(path.join(location, "postgres.log"), "a", 0o600);
  const { size: toldBefore } = await log.stat();
  const settings = [...serverSettings, ...more].flatMap((setting) => ["-c", setting]);
  const child = spawn(binaries.postgres, ["-D", files, "-p", String(port), ...settings], {
    ...account,
    cwd: location,
    env: serverEnvironment(process.env),
    stdio: ["ignore", log.fd, log.fd],
    // A group of its own: Ctrl-C must reach us first, so that running work can commit.
    detached: true,
  });
  await log.close();
  let stopping = false;
  const exited = new Promise<string>((resolve) => {
    child.once("exit", (code, signal) => resolve(`PostgreSQL ended with ${signal ?? `code ${code}`}`));
    child.once("error", (error) => resolve(error.message));
  });
  const server = `postgres://${superuser}:${encodeURIComponent(password)}@127.0.0.1:${port}`;
  const passwords = makePasswords();
  try {
    await waitUntilAnswers(`${server}/postgres`, exited, startWithinMs, () => lastWords(location, toldBefore));
    await ensureDatabase(`${server}/postgres`);
    await arrangeRoles(`${server}/${databaseName}`, passwords);
  } catch (error) {
    await stopChild(child, exited);
    throw isWrongPassword(error)
      ? brokenFile(passwordFile, "is broken: the database refuses what it holds", passwordRemedy, error)
      : error;
  }
  return {
    url: `${server}/${databaseName}`,
    urls: mapRoles((role) => `postgres://${serviceRoles[role]}:${passwords[role]}@127.0.0.1:${port}/${databaseName}`),
    port,
    pid: child.pid ?? 0,
    lost: exited.then((reason) => (stopping ? new Promise<string>(() => undefined) : reason)),
    async stop() {
      stopping = true;
      await stopChild(child, exited);
    },
  };
}

async function stopChild(child: ChildProcess, exited: Promise<string>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  await stopServer(child.pid);
  await exited;
}

async function waitUntilAnswers(
  url: string,
  exited: Promise<string>,
  withinMs: number,
  lastWords: () => Promise<string>,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  let ended: string | null = null;
  void exited.then((reason) => (ended = reason));
  for (;;) {
    if (await answers(url)) return;
    if (ended !== null || Date.now() > deadline) {
      throw new Fault(
        "POSTGRES_START",
        `The embedded PostgreSQL did not start: ${ended ?? "no answer in time"}; last words: ${await lastWords()}`,
      );
    }
    await wait(30);
  }
}

/** @throws what the server says of a wrong password: no waiting makes it right. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return true;
  } catch (error) {
    if (isWrongPassword(error)) throw error;
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const passwordRemedy = "It holds the password of the database's account, made when the database was.";

/** SQLSTATE invalid_password. */
function isWrongPassword(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === "28P01";
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [databaseName]);
    if (rowCount === 0) await client.query(`create database ${databaseName}`);
  } finally {
    await client.end();
  }
}

function mapRoles(of: (role: ServiceRole) => string): Record<ServiceRole, string> {
  return { migrator: of("migrator"), jobs: of("jobs"), loader: of("loader"), api: of("api") };
}

function makePasswords(): Record<ServiceRole, string> {
  return mapRoles(() => randomBytes(24).toString("base64url"));
}

/** In one transaction: a start that is cut leaves a folder that the next one finds as it was, or arranged. */
async function arrangeRoles(url: string, passwords: Record<ServiceRole, string>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(["begin", ...arrangementStatements({ databaseName, passwords }), "commit"].join(";\n"));
  } finally {
    await client.end();
  }
}

async function run(program: string, parameters: string[], account: Account, cwd: string): Promise<void> {
  const child = spawn(program, parameters, {
    ...account,
    cwd,
    env: serverEnvironment(process.env),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  child.stdout.on("data", (chunk: Buffer) => (said += chunk));
  child.stderr.on("data", (chunk: Buffer) => (said += chunk));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once("close", resolve).once("error", reject),
  );
  if (code !== 0)
    throw new Fault("POSTGRES_START", `initdb ended with code ${code}: ${said.trim().split("\n").at(-1)}`);
}

/** Why it ended, where it says so, of what it has logged beyond so many bytes. */
async function lastWords(location: string, toldBefore: number): Promise<string> {
  const log = await readFile(path.join(location, "postgres.log")).catch(() => Buffer.alloc(0));
  const lines = log.subarray(toldBefore).toString("utf8").trimEnd().split("\n");
  return lines.findLast((line) => line.includes(" FATAL: ")) ?? (lines.at(-1) || "none");
}

async function freePort(): Promise<number> {
  return await new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject).listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}

async function exists(file: string): Promise<boolean> {
  return await readFile(file).then(
    () => true,
    () => false,
  );
}
