/** A vault in a folder of one machine, or of a mount that several share. */
import { createWriteStream, linkSync } from "node:fs";
import {
  access,
  chmod,
  constants,
  copyFile,
  link,
  lstat,
  mkdir,
  open,
  opendir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  stat,
} from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { vaultMark } from "../../config/landing.ts";
import { Fault } from "../errors.ts";
import { inThreads, type QuickSteps, quickStepsIn } from "../machine/quick-steps.ts";
import { writeSmallFile } from "../machine/small-file.ts";
import { syncFolder } from "../machine/sync-folder.ts";
import { isDay } from "../time/calendar.ts";
import { originEnding, type Vault } from "./vault.ts";

/** Of a file that is recorded: the door's last mark of its own name, which is the same inode's. */
export const recordedMode = 0o440;

/** @param isThere asked before a day's folder is made: in a mount's empty place it would hide what lies in the vault */
export function fileVault(directory: string, isThere: () => Promise<boolean> = async () => true): Vault {
  const store = storeIn(directory, isThere);
  const linker = linkerInto(directory);
  const at = (name: string) => path.join(directory, name);
  return {
    directory,
    isElsewhere: false,
    location: directory,
    keep: (deliveryId, file, day, _sha256, origin) =>
      store(deliveryId, day, async (kept) => {
        await Promise.all([linkOrCopy(file, kept), writeBeside(kept, origin)]);
      }),
    referenceOf: (deliveryId, day) => path.join(day, deliveryId),
    async name(reference, file) {
      const day = path.dirname(reference);
      let how: "linked" | "copied" = "linked";
      const put = async (kept: string) => void (how = await linker(file, kept));
      await store(path.basename(reference), day, put, false);
      return how;
    },
    write: (deliveryId, contents, day, origin) =>
      store(deliveryId, day, async (kept) => {
        await Promise.all([
          pipeline(Readable.from(contents, { objectMode: false }), createWriteStream(kept, { mode: 0o600 })),
          writeBeside(kept, origin),
        ]);
        await syncFile(kept);
      }),
    confirm: (reference) => chmod(at(reference), recordedMode),
    async look(reference) {
      const stats = await lstat(at(reference)).catch(nullWhenGone);
      if (stats === null) return null;
      const { size: sizeBytes, dev, ino } = stats;
      return { sizeBytes, isConfirmed: (stats.mode & 0o777) === recordedMode, inode: `${dev}:${ino}` };
    },
    readOrigin: (reference) => readFile(at(`${reference}${originEnding}`)).catch(nullWhenGone),
    async replaceOrigins(day, anew, signal) {
      let replaced = 0;
      for await (const { name } of filesIn(at(day))) {
        signal?.throwIfAborted();
        if (!name.endsWith(originEnding)) continue;
        const file = path.join(at(day), name);
        const before = await readFile(file).catch(nullWhenGone);
        const after = before === null ? null : anew(name.slice(0, -originEnding.length), before);
        if (after === null) continue;
        await replace(file, after);
        replaced += 1;
      }
      await syncFolder(at(day));
      return replaced;
    },
    async remove(reference) {
      await rm(at(reference), { force: true });
      await rm(at(`${reference}${originEnding}`), { force: true });
    },
    has: (name) => isReadable(at(name)),
    mark: () => writeSmallFile(at(vaultMark), "Tideline's vault\n"),
    bring: async (reference) => ((await isReadable(at(reference))) ? at(reference) : null),
    days: async () => ((await readdir(directory).catch(nullWhenGone)) ?? []).filter(isDay),
    list: (day) => filesIn(at(day)),
    async tidy(before) {
      for (const day of await readdir(directory)) {
        if (!isDay(day) || day >= before) continue;
        await rmdir(at(day)).catch((error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST" && error.code !== "ENOENT") throw error;
        });
      }
    },
    discard: async () => undefined,
    discardUnread: async () => undefined,
  };
}

async function isReadable(file: string): Promise<boolean> {
  return await access(file, constants.R_OK).then(
    () => true,
    () => false,
  );
}

async function* filesIn(folder: string): AsyncGenerator<{ name: string; sizeBytes: number }> {
  for await (const entry of await opendir(folder)) {
    if (!entry.isFile()) continue;
    const found = await stat(path.join(folder, entry.name)).catch(() => null);
    if (found !== null) yield { name: entry.name, sizeBytes: found.size };
  }
}

function storeIn(directory: string, isThere: () => Promise<boolean>) {
  let preparedDay: string | undefined;
  const prepare = async (day: string) => {
    if (!(await isThere())) throw new Fault("VAULT_AWAY");
    await mkdir(path.join(directory, day), { recursive: true, mode: 0o700 });
    // Once a day by each process is enough: whoever made the folder may have died before this.
    await syncFolder(directory);
    preparedDay = day;
  };
  return async (
    deliveryId: string,
    day: string,
    put: (kept: string) => Promise<void>,
    isDurable = true,
  ): Promise<string> => {
    const folder = path.join(directory, day);
    if (day !== preparedDay) await prepare(day);
    await put(path.join(folder, deliveryId));
    if (isDurable) await syncFolder(folder);
    return path.join(day, deliveryId);
  };
}

/** Folders of which it is known that links lead from them into the vault. */
const foldersKnownMax = 1000;

/** As `linkOrCopy`; quickly from folders that an earlier link has shown to lie on the vault's own disk. */
function linkerInto(directory: string) {
  const quickly = quickStepsIn(directory);
  const known = new Set<string>();
  return async (file: string, kept: string): Promise<"linked" | "copied"> => {
    const folder = path.dirname(file);
    if (known.has(folder)) return await linkOrCopy(file, kept, quickly);
    const how = await linkOrCopy(file, kept);
    if (known.size >= foldersKnownMax) known.clear();
    if (how === "linked") known.add(folder);
    return how;
  };
}

/** A hard link costs nothing; across file systems the bytes are copied. */
async function linkOrCopy(file: string, kept: string, quickly: QuickSteps = inThreads): Promise<"linked" | "copied"> {
  try {
    await quickly.take(
      () => linkSync(file, kept),
      () => link(file, kept),
    );
    return "linked";
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST") return "linked";
    if (code !== "EXDEV" && code !== "EPERM") throw error;
    await copyFile(file, kept, constants.COPYFILE_EXCL);
    await syncFile(kept);
    return "copied";
  }
}

/** Durable with the name that its folder's sync makes durable; an earlier try's is written over. */
async function writeBeside(kept: string, origin: Buffer | undefined): Promise<void> {
  if (origin !== undefined) await writeSynced(`${kept}${originEnding}`, origin);
}

/** Its folder's sync makes the name durable. */
async function replace(file: string, bytes: Buffer): Promise<void> {
  const unfinished = `${file}.unfinished`;
  await writeSynced(unfinished, bytes);
  await rename(unfinished, file);
}

async function writeSynced(file: string, bytes: Buffer): Promise<void> {
  const handle = await open(file, "w", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function nullWhenGone(error: NodeJS.ErrnoException): null {
  if (error.code === "ENOENT" || error.code === "ENOTDIR") return null;
  throw error;
}

async function syncFile(file: string): Promise<void> {
  // For reading: fsync needs no more, and landed files are read-only.
  const handle = await open(file, "r");
  await handle.sync().finally(() => handle.close());
}
