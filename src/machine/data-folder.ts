/** The data folder of one machine: writable, used by one Tideline at a time, and where everything in it lies. */
import { access, chmod, constants, link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../errors.ts";
import { writeSmallFile } from "./small-file.ts";
import { syncFolder } from "./sync-folder.ts";

export type DataFolder = {
  root: string;
  /** <partnerId>/{inbox,receipts} */
  landing: string;
  vault: string;
  hostKeys: string;
  tls: string;
  demo: string;
  /** Of the console's first account. */
  consoleToken: string;
  /** The embedded database's address, for commands, while `up` runs. */
  postgresUrl: string;
  /** Where the doors of the service that runs, or ran last, listen: doors.ts. */
  doors: string;
  logFile: string;
  /** There while an unclean stop has not been looked after. */
  uncleanStop: string;
  /** There while what a backup holds is put into the folder. */
  unfinishedRestore: string;
};

/** Folders that machines of a fleet share, where they lie elsewhere. */
export type SharedFolders = {
  vaultDir?: string | undefined;
  landingDir?: string | undefined;
  hostKeysDir?: string | undefined;
};

export function dataFolderAt(root: string, shared: SharedFolders = {}): DataFolder {
  const at = (name: string, elsewhere?: string) =>
    elsewhere === undefined ? path.join(root, name) : path.resolve(elsewhere);
  return {
    root,
    landing: at("landing", shared.landingDir),
    vault: at("vault", shared.vaultDir),
    hostKeys: at("host-keys", shared.hostKeysDir),
    tls: at("tls"),
    demo: at("demo"),
    consoleToken: at("console-token"),
    postgresUrl: at("postgres-url"),
    doors: at("doors.json"),
    logFile: at("tideline.log"),
    uncleanStop: at("unclean-stop"),
    unfinishedRestore: at("restore-unfinished"),
  };
}

/**
 * Notes an unclean stop of whoever had the folder before: his lock is still there.
 * @returns a function that gives the folder free. @throws Fault DATA_DIR_NOT_WRITABLE, DATA_DIR_IN_USE
 */
export async function claimDataFolder(folder: DataFolder): Promise<() => Promise<void>> {
  await makeWritable(folder.root);
  const lock = path.join(folder.root, "tideline.pid");
  const own = `${lock}.${process.pid}`;
  await writeFile(own, `${process.pid}\n`, { mode: 0o600 });
  try {
    while (!(await linked(own, lock)) && !(await takenOver(folder, lock, own)));
    // A lock that a power cut takes along would make its stop look clean.
    await syncFolder(folder.root);
  } finally {
    await rm(own, { force: true });
  }
  return () => rm(lock, { force: true });
}

/** Whether somebody had this folder and did not give it free, and nobody has looked after that since. */
export async function wasStoppedUncleanly(folder: DataFolder): Promise<boolean> {
  return await access(folder.uncleanStop).then(
    () => true,
    () => false,
  );
}

/** @throws Fault RESTORE_UNFINISHED for a folder into which a restore was begun and not ended. */
export async function assertWhole({ root, unfinishedRestore }: DataFolder): Promise<void> {
  const isUnfinished = await access(unfinishedRestore).then(
    () => true,
    () => false,
  );
  if (isUnfinished) throw new Fault("RESTORE_UNFINISHED", `The data folder ${root} holds part of a backup.`);
}

/** What an unclean stop may have spoiled is whole again. */
export async function forgetUncleanStop(folder: DataFolder): Promise<void> {
  await rm(folder.uncleanStop, { force: true });
}

/** Of several that start at once, one makes the link, and whoever sees it sees all of it. */
async function linked(own: string, lock: string): Promise<boolean> {
  try {
    await link(own, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Replaces a dead process's lock. Only whoever holds the right to succeed that very process may, and only while the
 * lock is still that process's, so that a slower start never takes away what a faster one has just got.
 * @returns false when the lock has changed meanwhile. @throws Fault DATA_DIR_IN_USE
 */
async function takenOver(folder: DataFolder, lock: string, own: string): Promise<boolean> {
  const { root } = folder;
  const dead = await readPid(lock);
  const holder = await readHolder(lock);
  if (holder !== null) throw inUse(root, holder);
  const right = `${lock}.after-${dead}`;
  if (!(await linked(own, right))) {
    const successor = await readHolder(right);
    if (successor !== null) throw inUse(root, successor);
    await rm(right, { force: true });
    return false;
  }
  try {
    if ((await readPid(lock)) !== dead) return false;
    await writeSmallFile(folder.uncleanStop, `${new Date().toISOString()}\n`);
    await rename(own, lock);
    return true;
  } finally {
    await rm(right, { force: true });
  }
}

function inUse(root: string, holder: number): Fault {
  return new Fault("DATA_DIR_IN_USE", `Tideline already runs on ${root} (process ${holder}).`);
}

/** @throws Fault DATA_DIR_NOT_WRITABLE */
export async function makeWritable(root: string): Promise<void> {
  try {
    await mkdir(root, { recursive: true, mode: 0o700 });
    await access(root, constants.W_OK | constants.X_OK);
    // As root, PostgreSQL's account must pass through; every secret in here is 0600 of its own.
    if (process.getuid?.() === 0) await chmod(root, 0o711);
    const probe = path.join(root, `.writable.${process.pid}`);
    await writeFile(probe, "");
    await rm(probe);
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
    throw new Fault("DATA_DIR_NOT_WRITABLE", `The data folder ${root} cannot be written${code}.`, { cause });
  }
}

/**
 * The process that holds the folder, if it lives and is one of ours: after `kill -9` the number may belong to another.
 */
async function readHolder(lock: string): Promise<number | null> {
  const pid = await readPid(lock);
  if (pid === null || pid === process.pid) return null;
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return null;
  }
  const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "tideline");
  return command.includes("tideline") ? pid : null;
}

async function readPid(lock: string): Promise<number | null> {
  const pid = Number.parseInt(await readFile(lock, "utf8").catch(() => ""), 10);
  return Number.isInteger(pid) ? pid : null;
}
