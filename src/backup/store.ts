/**
 * The folder into which backups go, and what lies in it:
 *
 *   tideline-backups                     marks the folder, so that nothing is written where its disk is not mounted
 *   backup-20261123T021005Z-3f9a1c/      one whole backup; while it is made, and once it goes, its name ends otherwise
 *     manifest.json                      what it is of and what belongs to it, with sizes and checksums; written last
 *     postgres.tar.zst                   the database server's files, consistent, with its log
 *     postgres-password                  of the server's own account
 *     folders.tar.zst                    landing zone, host keys, certificate authority, demo partner
 *     vault.sha256                       which files of the vault belong to it, as sha256sum writes them
 *   vault/2026-11-23/<delivery id>       landed bytes, once for all backups: they never change
 *   vault/2026-11-23.sha256              their checksums
 *   wal/<slot>/                          the server's log since, where it is kept (log.ts)
 */
import { createHash, randomBytes } from "node:crypto";
import { lstat, readdir, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../errors.ts";
import { readSmallFile, writeSmallFile } from "../machine/small-file.ts";
import { makeFolder, syncFolder } from "../machine/sync-folder.ts";

/** How the folders are laid out; a later Tideline that lays them out otherwise raises it. */
export const storeFormat = 1;

export type StoredFile = { name: string; sizeBytes: number; sha256: string };

/** Rows of one table before the copy began and after it ended: a whole copy has as many, or something between. */
export type Counted = { table: string; before: number; after: number };

export type Manifest = {
  format: number;
  id: string;
  tidelineVersion: string;
  postgresVersion: number;
  /** The newest migration that the database had. */
  schema: string;
  startedAt: string;
  finishedAt: string;
  /** Positions in the server's log: the copy is consistent from the second on. */
  log: { start: string; end: string; /** The chain of kept log, where it is kept. */ slot: string | null };
  counts: Counted[];
  files: StoredFile[];
  vault: {
    files: number;
    sizeBytes: number;
    /** It is not in the backup: it stays in its bucket. */ elsewhere?: string;
  };
  /** Fingerprint of the key-encryption key without which sealed secrets stay sealed; which key it is, and not the key. */
  keyFingerprint: string;
  sizeBytes: number;
};

export type StoredBackup = { name: string; folder: string; manifest: Manifest; verifiedAt: string | null };

const mark = "tideline-backups";
const whole = /^backup-\d{8}T\d{6}Z-[0-9a-f]{6}$/;
/** What was broken off, and what was on its way out. */
const leftOver = /^backup-\d{8}T\d{6}Z-[0-9a-f]{6}\.(unfinished|going)$/;

/** By its name the moment and order of a backup can be told. */
export function nameOf(startedAt: Date): string {
  const moment = startedAt.toISOString().replace(/[-:]|\.\d+/g, "");
  return `backup-${moment}-${randomBytes(3).toString("hex")}`;
}

/** Makes the folder, where it is new or empty, one for backups. @throws Fault BACKUP_PLACE */
export async function openStore(store: string): Promise<void> {
  if ((await readSmallFile(path.join(store, mark))) !== null) return;
  await makeFolder(store);
  const others = await readdir(store);
  if (others.some((name) => name !== "lost+found" && !name.endsWith(".unfinished"))) {
    throw new Fault(
      "BACKUP_PLACE",
      `${store} holds other things than backups (${others.slice(0, 3).join(", ")}). Name a folder that is new or empty.`,
    );
  }
  await writeSmallFile(path.join(store, mark), "Tideline's backups\n");
}

/** Whether backups lie there already: a disk that is not mounted shows an empty folder. */
export async function isStore(store: string): Promise<boolean> {
  return (await readSmallFile(path.join(store, mark)).catch(() => null)) !== null;
}

/** Whole backups, the oldest first. A folder without a readable manifest is none. @throws Fault BACKUP_PLACE */
export async function listBackups(store: string): Promise<StoredBackup[]> {
  const names = await readdir(store).catch((error: NodeJS.ErrnoException) => {
    throw new Fault("BACKUP_PLACE", `${store} cannot be read (${error.code}).`, { cause: error });
  });
  const found: StoredBackup[] = [];
  for (const name of names.filter((one) => whole.test(one)).sort()) {
    const folder = path.join(store, name);
    found.push({ name, folder, manifest: await readManifest(folder), verifiedAt: await readVerified(folder) });
  }
  return found;
}

/**
 * One backup, or the newest of a folder of backups.
 * @throws Fault BACKUP_PLACE when there is none, BACKUP_INCOMPLETE for one that was broken off, BACKUP_DAMAGED
 */
export async function findBackup(place: string): Promise<StoredBackup & { store: string }> {
  const folder = path.resolve(place);
  const name = path.basename(folder);
  if (leftOver.test(name)) throw incomplete(folder);
  if (whole.test(name)) {
    const manifest = await readManifest(folder);
    return { name, folder, store: path.dirname(folder), manifest, verifiedAt: await readVerified(folder) };
  }
  const newest = (await listBackups(folder)).at(-1);
  if (newest === undefined) {
    const broken = (await readdir(folder)).find((one) => leftOver.test(one));
    if (broken !== undefined) throw incomplete(path.join(folder, broken));
    throw new Fault("BACKUP_PLACE", `There is no backup in ${folder}.`);
  }
  return { ...newest, store: folder };
}

function incomplete(folder: string): Fault {
  return new Fault("BACKUP_INCOMPLETE", `${folder} was broken off before it was whole.`);
}

async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(path.join(folder, "manifest.json"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") throw incomplete(folder);
    throw error;
  });
  const manifest = parseManifest(text);
  if (manifest === null)
    throw new Fault("BACKUP_DAMAGED", `${path.join(folder, "manifest.json")} is not what was written.`);
  if (manifest.format > storeFormat) {
    throw new Fault(
      "BACKUP_VERSION",
      `${folder} was made by Tideline ${manifest.tidelineVersion}, which lays backups out otherwise.`,
    );
  }
  return manifest;
}

/** Its last line is the checksum of the lines before it. */
export function manifestText(manifest: Manifest): string {
  const text = `${JSON.stringify(manifest, null, 2)}\n`;
  return `${text}sha256 ${sha256Of(text)}\n`;
}

function parseManifest(text: string): Manifest | null {
  const [, body = "", sha256] = /^([^]*\n)sha256 ([0-9a-f]{64})\n$/.exec(text) ?? [];
  return sha256 === sha256Of(body) ? (JSON.parse(body) as Manifest) : null;
}

function sha256Of(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** When its verification last succeeded. */
export async function noteVerified(folder: string, at: Date): Promise<void> {
  await writeSmallFile(path.join(folder, "verified-at"), `${at.toISOString()}\n`);
}

async function readVerified(folder: string): Promise<string | null> {
  return (await readSmallFile(path.join(folder, "verified-at")))?.trim() ?? null;
}

/** Takes a backup away, so that at no step it looks whole and is not. */
export async function removeBackup(folder: string): Promise<void> {
  const going = `${folder}.going`;
  await rename(folder, going);
  await syncFolder(path.dirname(folder));
  await rm(going, { recursive: true, force: true });
}

/** Whoever holds the lock of backups calls it: nobody else is making one. */
export async function removeLeftOvers(store: string): Promise<void> {
  for (const name of await readdir(store))
    if (leftOver.test(name)) await rm(path.join(store, name), { recursive: true, force: true });
}

/** @throws Fault BACKUP_DAMAGED when a file is missing or has another size. */
export async function assertPresent(folder: string, { files }: Manifest): Promise<void> {
  for (const { name, sizeBytes } of files) {
    const found = await lstat(path.join(folder, name)).catch(() => null);
    if (found === null) throw new Fault("BACKUP_DAMAGED", `${path.join(folder, name)} is missing.`);
    if (found.size !== sizeBytes)
      throw new Fault("BACKUP_DAMAGED", `${path.join(folder, name)} has ${found.size} bytes instead of ${sizeBytes}.`);
  }
}
