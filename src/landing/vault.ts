/**
 * Where delivered bytes stay, still encrypted, until retention removes them. `file:` serves one machine or a shared
 * mount; another store needs the same three operations.
 */
import { constants, copyFile, link, mkdir, open, rm } from "node:fs/promises";
import path from "node:path";

export type Vault = {
  /** The folder under which references are relative paths; loaders in threads read from here. */
  readonly directory: string;
  /** Keeps the bytes of a finished file durably. Idempotent. @returns its reference. */
  keep(deliveryId: string, file: string, day: string): Promise<string>;
  remove(reference: string): Promise<void>;
};

export function fileVault(directory: string): Vault {
  return {
    directory,
    async keep(deliveryId, file, day) {
      const folder = path.join(directory, day);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const kept = path.join(folder, deliveryId);
      await linkOrCopy(file, kept);
      await syncFolder(folder);
      await syncFolder(directory);
      return path.join(day, deliveryId);
    },
    async remove(reference) {
      await rm(path.join(directory, reference), { force: true });
    },
  };
}

/** A hard link costs nothing; across file systems the bytes are copied. */
async function linkOrCopy(file: string, kept: string): Promise<void> {
  try {
    await link(file, kept);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "EEXIST") return;
    if (code !== "EXDEV" && code !== "EPERM") throw error;
    await copyFile(file, kept, constants.COPYFILE_EXCL);
    await syncFile(kept);
  }
}

async function syncFile(file: string): Promise<void> {
  // For reading: fsync needs no more, and landed files are read-only.
  const handle = await open(file, "r");
  await handle.sync().finally(() => handle.close());
}

/** A name is durable only when its folder is. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  await handle.sync().finally(() => handle.close());
}
