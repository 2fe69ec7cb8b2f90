/**
 * Small files that a power cut must neither empty nor halve: keys, passwords, addresses, states. The one way to write
 * them, and the one way to read them, which tells a file that is missing from one that lost its content.
 */
import { randomBytes } from "node:crypto";
import { link, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../errors.ts";
import { syncFolder } from "./sync-folder.ts";

export type SmallFileOptions = {
  /** Default: 0600. Holds for a file that is replaced too. */
  mode?: number;
  owner?: { uid: number; gid: number };
  /** Leaves a file that is there already as it is: of several writers the first one wins. */
  onlyNew?: boolean;
};

/** The steps on the disk, in a test's hands where their order matters. */
export type Disk = {
  open: (file: string, flags: "wx", mode: number) => Promise<Handle>;
  rename: (from: string, to: string) => Promise<void>;
  link: (from: string, to: string) => Promise<void>;
  rm: (file: string, options: { force: true }) => Promise<void>;
  syncFolder: (folder: string) => Promise<void>;
};

type Handle = {
  chmod(mode: number): Promise<void>;
  chown(uid: number, gid: number): Promise<void>;
  writeFile(text: string): Promise<void>;
  sync(): Promise<void>;
  close(): Promise<void>;
};

const realDisk: Disk = { open, rename, link, rm, syncFolder };

/**
 * Writes a file whole: content and name are durable when this resolves, and a crash at any step leaves the old file or
 * the new one. What a crash leaves beside it ends in `.unfinished`. The folder must be there (`makeFolder`).
 */
export async function writeSmallFile(
  file: string,
  text: string,
  { mode = 0o600, owner, onlyNew = false }: SmallFileOptions = {},
  disk: Disk = realDisk,
): Promise<void> {
  const unfinished = `${file}.${randomBytes(4).toString("hex")}.unfinished`;
  try {
    const handle = await disk.open(unfinished, "wx", mode);
    try {
      // The process's mask may have taken bits away.
      await handle.chmod(mode);
      if (owner) await handle.chown(owner.uid, owner.gid);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    if (onlyNew) await linkUnlessPresent(disk, unfinished, file);
    else await disk.rename(unfinished, file);
  } catch (error) {
    // On a full disk each try would leave one.
    await disk.rm(unfinished, { force: true });
    throw error;
  }
  await disk.syncFolder(path.dirname(file));
}

async function linkUnlessPresent(disk: Disk, unfinished: string, file: string): Promise<void> {
  await disk.link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await disk.rm(unfinished, { force: true });
}

/**
 * @param remedy what may be done about this very file when it is broken, a sentence
 * @returns its text; null when there is no such file. @throws Fault FILE_BROKEN when it is empty, or holds the NUL bytes
 * of blocks that were never written
 */
export async function readSmallFile(file: string, remedy?: string): Promise<string | null> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  if (text.trim() === "") throw brokenFile(file, "is empty", remedy);
  if (text.includes("\0")) throw brokenFile(file, "is broken: it holds NUL bytes", remedy);
  return text;
}

/** The same for a file that something else proves to have been there. @throws Fault FILE_BROKEN when it is missing */
export async function readNeededFile(file: string, remedy?: string): Promise<string> {
  const text = await readSmallFile(file, remedy);
  if (text === null) throw brokenFile(file, "is missing", remedy);
  return text;
}

/** @param what is the matter with it, as a predicate. @param remedy a sentence that goes before the catalogue's */
export function brokenFile(file: string, what: string, remedy?: string, cause?: unknown): Fault {
  return new Fault("FILE_BROKEN", `${file} ${what}.${remedy === undefined ? "" : ` ${remedy}`}`, { cause });
}
