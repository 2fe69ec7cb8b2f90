/**
 * Where faults strike: Tideline's processes on folders and a database of their own, and two banks. Five ways to run it:
 *   single    one process with everything, the embedded PostgreSQL
 *   attached  one process on a PostgreSQL of the harness, behind a proxy that can cut connections
 *   fleet     a process for each role, two workers, the same proxy, the queue in Redis
 *   told      as single, for what mostly waits
 *   disks     as single, with inboxes, vault and data folder on small file systems of their own
 *   power-…   as single, with the data folder on a disk of this file system, whose power can be cut
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { Redis } from "ioredis";
import { killHard, listProcesses, treeOf } from "../outside/processes.ts";
import { onboardPartner, type Partner } from "../outside/partner.ts";
import { repository } from "../outside/service.ts";
import { keepLog, keepMetrics, keepReceipts } from "../log-tap/keep.ts";
import { freePort } from "../ports.ts";
import { HarnessDatabase } from "./database.ts";
import { type BatchKey, readBatchKey } from "./generated.ts";
import { Member } from "./member.ts";
import { type FileSystem, PowerDisk, powerDiskImpossible } from "./power/power-disk.ts";
import { mountDisks } from "./small-disks.ts";

export const worldNames = ["single", "told", "disks", "attached", "fleet", "power-ext4", "power-xfs"] as const;
export type WorldName = (typeof worldNames)[number];

export type WorldPartner = { partner: Partner; key: BatchKey };

export type World = {
  name: WorldName;
  folder: string;
  members: readonly Member[];
  member(name: string): Member;
  /** Null with the embedded one. */
  database: HarnessDatabase | null;
  redis: Redis | null;
  /** Of each member. */
  environment: NodeJS.ProcessEnv;
  /** Where the data folder is, in worlds of that name. */
  powerDisk: PowerDisk | null;
  /** For looking. */
  databaseUrl(): Promise<string>;
  /** Sends what faults strike. */
  victim: WorldPartner;
  /** Must not notice what the victim sends; null where nothing asks for it. */
  neighbour: WorldPartner | null;
  /** Runs an operator's command. @returns standard output @throws when it fails */
  tideline(...parameters: string[]): Promise<string>;
  startAll(): Promise<void>;
  killAll(): Promise<void>;
  /** Ends everything and leaves nothing. */
  remove(): Promise<void>;
};

const outputBytesMax = 64 * 1024 * 1024;
const stopWithinMs = 15_000;
/** Kept from run to run: with it a start takes half as long on a busy machine, and so does a round of kills. */
const compiled = path.join(tmpdir(), "tideline-faults-compiled");

export async function openWorld(name: WorldName): Promise<World> {
  const folder = await mkdtemp(path.join(tmpdir(), `tideline-faults-${name}-`));
  // As root, PostgreSQL's account must pass through.
  await chmod(folder, 0o711);
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  const close = async () => {
    for (let closer = closers.pop(); closer; closer = closers.pop()) await closer().catch(() => undefined);
  };
  try {
    return await furnish(name, folder, closers, close);
  } catch (error) {
    await close();
    throw error;
  }
}

async function furnish(
  name: WorldName,
  folder: string,
  closers: (() => Promise<unknown>)[],
  close: () => Promise<void>,
): Promise<World> {
  if (name === "disks") closers.push(await mountDisks(folder));
  const fileSystem = fileSystems[name];
  const powerDisk = fileSystem ? await PowerDisk.make(folder, fileSystem) : null;
  if (powerDisk) closers.push(() => powerDisk.remove());
  const database =
    name === "attached" || name === "fleet" ? await HarnessDatabase.open(path.join(folder, "harness")) : null;
  if (database) closers.push(() => database.close());
  const redis = name === "fleet" ? await startRedis(folder, closers) : null;
  const environment = {
    NODE_COMPILE_CACHE: compiled,
    TIDELINE_KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    // Files that are cut short on purpose are to be judged at once.
    TIDELINE_SFTP_INCOMPLETE_MINUTES: "0",
    ...sharedFolders(name, folder),
    ...(database ? { DATABASE_URL: database.proxiedUrl } : {}),
    ...(redis ? { REDIS_URL: redis.url } : {}),
  };
  const [httpsPort, sftpPort] = [await freePort(), await freePort()];
  const ports = { https: ["--https-port", String(httpsPort)], sftp: ["--sftp-port", String(sftpPort)] };
  const members = compositions[name].map(
    ({ name: member, roles }) =>
      new Member({
        name: member,
        environment,
        dataDir: path.join(powerDisk?.place ?? folder, member),
        logFile: path.join(folder, `${member}.log`),
        flags: [
          "--roles",
          roles.join(","),
          ...(roles.includes("api") ? ports.https : []),
          ...(roles.includes("sftp") ? ports.sftp : []),
        ],
      }),
  );
  const landing =
    sharedFolders(name, folder).TIDELINE_LANDING_DIR ?? path.join(members[0]?.settings.dataDir ?? "", "landing");
  closers.push(
    ...members.map(
      ({ settings }) =>
        () =>
          keepLog(settings.logFile),
    ),
    () => keepReceipts(name, landing),
  );
  closers.push(
    () => endMembers(members),
    () => keepMetrics(name, httpsPort),
  );
  const first = members[0];
  if (!first) throw new Error("a world without members");
  const world = {
    name,
    folder,
    members,
    database,
    redis: redis?.client ?? null,
    environment,
    powerDisk,
    member: (wanted: string) => members.find((one) => one.settings.name === wanted) ?? first,
    databaseUrl: async () =>
      database?.url ?? (await readFile(path.join(first.settings.dataDir, "postgres-url"), "utf8")).trim(),
    async tideline(...parameters: string[]) {
      const command = [
        path.join(repository, "src/cli/tideline.mjs"),
        ...parameters,
        "--data-dir",
        first.settings.dataDir,
      ];
      return (
        await promisify(execFile)(process.execPath, command, {
          env: { ...process.env, TIDELINE_CONSOLE_PORT: "0", ...environment },
          maxBuffer: outputBytesMax,
        })
      ).stdout;
    },
    startAll: async () => void (await Promise.all(members.map((member) => member.isRunning || member.start()))),
    killAll: async () => void (await Promise.all(members.map((member) => member.kill()))),
    remove: close,
  };
  await world.startAll();
  const service = { folder, dataDir: first.settings.dataDir, httpsPort, sftpPort, tideline: world.tideline };
  const onboard = async (id: string): Promise<WorldPartner> => {
    const partner = await onboardPartner(service, id, {
      id: `${id}-dk`,
      country: "DK",
      currency: "DKK",
      timeZone: "Europe/Copenhagen",
      locale: "da-DK",
    });
    return { partner, key: readBatchKey(await partner.batchKey()) };
  };
  return {
    ...world,
    victim: await onboard("victim"),
    neighbour: name === "single" || name === "told" ? await onboard("neighbour") : null,
  };
}

/**
 * The member that holds the doors' certificate and host keys comes first; the SFTP door of a fleet shares its host
 * keys.
 */
const inOne = [{ name: "everything", roles: ["api", "sftp", "worker", "scheduler"] }];
const compositions: Readonly<Record<WorldName, readonly { name: string; roles: readonly string[] }[]>> = {
  single: inOne,
  told: inOne,
  disks: inOne,
  attached: inOne,
  "power-ext4": inOne,
  "power-xfs": inOne,
  fleet: [
    { name: "api", roles: ["api"] },
    { name: "sftp", roles: ["sftp"] },
    { name: "worker-1", roles: ["worker"] },
    { name: "worker-2", roles: ["worker"] },
    { name: "scheduler", roles: ["scheduler"] },
  ],
};

const fileSystems: Partial<Record<WorldName, FileSystem>> = { "power-ext4": "ext4", "power-xfs": "xfs" };

function sharedFolders(name: WorldName, folder: string): NodeJS.ProcessEnv {
  // All on the one disk.
  if (fileSystems[name]) return {};
  const shared = { TIDELINE_VAULT_DIR: path.join(folder, "vault"), TIDELINE_LANDING_DIR: path.join(folder, "landing") };
  if (name === "fleet") return { ...shared, TIDELINE_HOST_KEYS_DIR: path.join(folder, "api", "host-keys") };
  // A floor that small disks can have; with the default one these would never take a byte.
  return name === "disks"
    ? { ...shared, TIDELINE_DISK_FREE_BYTES_MIN: "1000000", TIDELINE_DISK_FREE_PERCENT_MIN: "0" }
    : {};
}

/**
 * An orderly stop, which also keeps what Node compiled for the next start; then nothing is left, whatever came of it.
 */
async function endMembers(members: readonly Member[]): Promise<void> {
  for (const member of members) member.retire();
  await Promise.race([Promise.all(members.map((member) => member.stop())), wait(stopWithinMs)]);
  await Promise.all(members.map((member) => member.kill()));
  for (const { settings } of members) killHard(await embeddedServer(settings.dataDir));
}

/** The embedded PostgreSQL of a data folder with all its processes. */
export async function embeddedServer(dataDir: string) {
  const processes = await listProcesses();
  const server = processes.find((one) => one.command.includes(`-D ${path.join(dataDir, "postgres", "files")}`));
  return server ? treeOf(processes, server.pid) : [];
}

/** Null, or why this world cannot be here. */
export async function worldImpossible(name: WorldName): Promise<string | null> {
  const fileSystem = fileSystems[name];
  if (fileSystem) return await powerDiskImpossible(fileSystem);
  if (name !== "fleet") return null;
  return await promisify(execFile)("redis-server", ["--version"]).then(
    () => null,
    () => "there is no redis-server",
  );
}

async function startRedis(
  folder: string,
  closers: (() => Promise<unknown>)[],
): Promise<{ client: Redis; url: string }> {
  const port = await freePort();
  const child: ChildProcess = spawn(
    "redis-server",
    ["--port", String(port), "--bind", "127.0.0.1", "--dir", folder, "--save", ""],
    { stdio: "ignore" },
  );
  const missing = new Promise<never>((_, reject) => child.once("error", reject));
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { maxRetriesPerRequest: null });
  client.on("error", () => undefined);
  closers.push(async () => {
    client.disconnect();
    child.kill("SIGKILL");
  });
  await Promise.race([client.ping(), missing]);
  return { client, url };
}
