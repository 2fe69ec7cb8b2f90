/**
 * Where delivered bytes stay, encrypted, until retention removes them. `file:` serves one machine or a shared mount;
 * another store needs the same operations.
 */
import { createWriteStream } from "node:fs";
import { constants, copyFile, link, mkdir, open, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Fault } from "../errors.ts";
import { syncFolder } from "../machine/sync-folder.ts";

export type Vault = {
  /** The folder under which references are relative paths; loaders in threads read from here. */
  readonly directory: string;
  /** Keeps the bytes of a finished file durably. Idempotent. @returns its reference. */
  keep(deliveryId: string, file: string, day: string): Promise<string>;
  /** Under which `keep` would keep it. */
  referenceOf(deliveryId: string, day: string): string;
  /** As `keep` of a file whose bytes are durable elsewhere: a power cut may take these. */
  name(reference: string, file: string): Promise<void>;
  /** Writes contents durably, of a file that came in the clear and is sealed on the way. @returns the reference. */
  write(deliveryId: string, contents: AsyncIterable<Buffer | string>, day: string): Promise<string>;
  remove(reference: string): Promise<void>;
};

/** @param isThere asked before a day's folder is made: in a mount's empty place it would hide what lies in the vault */
export function fileVault(directory: string, isThere: () => Promise<boolean> = async () => true): Vault {
  const store = storeIn(directory, isThere);
  return {
    directory,
    keep: (deliveryId, file, day) => store(deliveryId, day, (kept) => linkOrCopy(file, kept)),
    referenceOf: (deliveryId, day) => path.join(day, deliveryId),
    async name(reference, file) {
      const day = path.dirname(reference);
      await store(path.basename(reference), day, (kept) => linkOrCopy(file, kept), false);
    },
    write: (deliveryId, contents, day) =>
      store(deliveryId, day, async (kept) => {
        await pipeline(Readable.from(contents, { objectMode: false }), createWriteStream(kept, { mode: 0o600 }));
        await syncFile(kept);
      }),
    async remove(reference) {
      await rm(path.join(directory, reference), { force: true });
    },
  };
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
