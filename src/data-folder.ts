/** The data folder of one machine: writable, used by one Tideline at a time, and where everything in it lies. */
import { access, chmod, constants, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "./errors.ts";

export type DataFolder = {
  root: string;
  /** <partnerId>/{inbox,receipts} */
  landing: string;
  vault: string;
  hostKeys: string;
  tls: string;
  demo: string;
  /** The embedded database's address, for commands, while `up` runs. */
  postgresUrl: string;
  logFile: string;
};

/** Folders that machines of a fleet share, where they lie elsewhere. */
export type SharedFolders = { vaultDir?: string | undefined; landingDir?: string | undefined; hostKeysDir?: string | undefined };

export function describeDataFolder(root: string, shared: SharedFolders = {}): DataFolder {
  const at = (name: string, elsewhere?: string) => (elsewhere === undefined ? path.join(root, name) : path.resolve(elsewhere));
  return {
    root, landing: at("landing", shared.landingDir), vault: at("vault", shared.vaultDir), hostKeys: at("host-keys", shared.hostKeysDir),
    tls: at("tls"), demo: at("demo"), postgresUrl: at("postgres-url"), logFile: at("tideline.log"),
  };
}

/** @returns a function that gives the folder free. @throws Fault DATA_DIR_NOT_WRITABLE, DATA_DIR_IN_USE */
export async function claimDataFolder(folder: DataFolder): Promise<() => Promise<void>> {
  await makeWritable(folder.root);
  const lock = path.join(folder.root, "tideline.pid");
  const holder = await readHolder(lock);
  if (holder !== null) throw new Fault("DATA_DIR_IN_USE", `Tideline already runs on ${folder.root} (process ${holder}).`);
  await writeFile(lock, `${process.pid}\n`, { mode: 0o600 });
  return () => rm(lock, { force: true });
}

/** @throws Fault DATA_DIR_NOT_WRITABLE */
export async function makeWritable(root: string): Promise<void> {
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await access(root, constants.W_OK | constants.X_OK);
    // As root, PostgreSQL's account must pass through; every secret in here is 0600 of its own.
    if (process.getuid?.() === 0) await chmod(root, 0o711);
    await writeFile(path.join(root, ".writable"), "");
    await rm(path.join(root, ".writable"));
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new Fault("DATA_DIR_NOT_WRITABLE", `The data folder ${root} cannot be written${code}.`, { cause });
  }
}

/** The process that holds the folder, if it lives and is one of ours: after `kill -9` the number may belong to another. */
async function readHolder(lock: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(lock, "utf8").catch(() => ""), 10);
  if (!Number.isInteger(pid) || pid === process.pid) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return null;
  }
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "tideline");
  return command.includes("tideline") ? pid : null;
}
