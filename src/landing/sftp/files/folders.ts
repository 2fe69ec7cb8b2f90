/** Listing, making and removing folders. */
import type { Dir, Stats } from "node:fs";
import { mkdir, opendir, rmdir } from "node:fs/promises";
import path from "node:path";
import { syncFolder } from "../../../machine/sync-folder.ts";
import { attributesOf, type Name, shownModes } from "../wire/attributes.ts";
import type { SessionContext } from "./context.ts";
import { sftpLimits } from "../limits.ts";
import { areas, type Location, locateChangeable, locateNew, locateToRead, statPlain } from "./paths.ts";
import { stageOf } from "./stages.ts";
import { absent, asRefusal } from "../wire/status.ts";

export type Folder = {
  kind: "folder";
  /** The next names, none at the end. */
  next(): Promise<Name[]>;
  close(): Promise<void>;
};

/** What a partner sees of a file or folder's permissions. */
export function shownModeOf(location: Location, stats: Stats): number {
  if (location.area !== "inbox") return stats.isDirectory() ? shownModes.fixedFolder : shownModes.unchangeableFile;
  if (stats.isDirectory()) return shownModes.inboxFolder;
  return stageOf(stats) === "landing" ? shownModes.landingFile : shownModes.unchangeableFile;
}

/** @throws Refusal NO_SUCH_FILE when it is no folder */
export async function openFolder(context: SessionContext, clientPath: string): Promise<Folder> {
  const location = await locateToRead(context, clientPath);
  if (location.area === "root") return rootFolder(context.partnerFolder);
  const stats = await statPlain(location.diskPath);
  if (!stats?.isDirectory()) throw absent();
  const entries = await opendir(location.diskPath, { bufferSize: sftpLimits.namesPerReplyMax });
  return { kind: "folder", next: () => nextNames(entries, location, location.diskPath), close: () => entries.close() };
}

function rootFolder(partnerFolder: string): Folder {
  let listed = false;
  return {
    kind: "folder",
    async next() {
      if (listed) return [];
      listed = true;
      const names = areas.map((area) =>
        namesOf([area], { area, names: [], diskPath: path.join(partnerFolder, area) }, partnerFolder),
      );
      return (await Promise.all(names)).flat();
    },
    async close() {},
  };
}

async function nextNames(entries: Dir, location: Location, diskPath: string): Promise<Name[]> {
  const found: string[] = [];
  for (let entry = await entries.read(); entry; entry = await entries.read()) {
    if (entry.isFile() || entry.isDirectory()) found.push(entry.name);
    if (found.length === sftpLimits.namesPerReplyMax) break;
  }
  const names = await namesOf(found, location, diskPath);
  // All of them may have been removed just now; only the end of the folder is an empty answer.
  return found.length > 0 && names.length === 0 ? nextNames(entries, location, diskPath) : names;
}

async function namesOf(found: string[], location: Location, diskPath: string): Promise<Name[]> {
  const names = await Promise.all(
    found.map(async (name): Promise<Name | null> => {
      const stats = await statPlain(path.join(diskPath, name)).catch(nullWhenRefused);
      return stats && { name, attributes: attributesOf(stats, shownModeOf(location, stats)) };
    }),
  );
  return names.filter((name) => name !== null);
}

function nullWhenRefused(error: unknown): null {
  if (asRefusal(error)) return null;
  throw error;
}

export async function makeFolder(context: SessionContext, clientPath: string): Promise<void> {
  const { diskPath, names } = await locateNew(context.partnerFolder, clientPath);
  const uncount = await context.room.makeFolder(diskPath);
  await mkdir(diskPath, { mode: 0o700 }).catch((error: unknown) => {
    uncount();
    throw error;
  });
  await syncFolder(path.dirname(diskPath));
  context.audit("sftp.folder-made", { folder: names.join("/") });
}

/** Removes an empty folder. */
export async function removeFolder(context: SessionContext, clientPath: string): Promise<void> {
  const { diskPath, names } = await locateChangeable(context.partnerFolder, clientPath);
  await rmdir(diskPath);
  context.room.usage.folderRemoved(diskPath);
  await syncFolder(path.dirname(diskPath));
  context.audit("sftp.folder-removed", { folder: names.join("/") });
}
