/**
 * Where delivered bytes stay, encrypted, until retention removes them. `file:` serves one machine or a shared mount;
 * another store needs the same operations.
 */
import { createWriteStream } from "node:fs";
import { chmod, constants, copyFile, link, mkdir, open, rm } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Fault } from "../errors.ts";
import { syncFolder } from "../machine/sync-folder.ts";
import { originEnding } from "./origin.ts";
import { stageModes } from "./sftp/files/stages.ts";

export type Vault = {
  /** The folder under which references are relative paths; loaders in threads read from here. */
  readonly directory: string;
  /** Keeps the bytes of a finished file durably, and what says whose it is. Idempotent. @returns its reference. */
  keep(deliveryId: string, file: string, day: string, origin?: Buffer): Promise<string>;
  /** Under which `keep` would keep it. */
  referenceOf(deliveryId: string, day: string): string;
  /**
   * As `keep` of a file whose bytes are durable elsewhere: a power cut may take these.
   * @returns whether it is the file itself under a second name, or a copy
   */
  name(reference: string, file: string): Promise<"linked" | "copied">;
  /** Writes contents durably, of a file that came in the clear and is sealed on the way. @returns the reference. */
  write(deliveryId: string, contents: AsyncIterable<Buffer | string>, day: string, origin?: Buffer): Promise<string>;
  /** Marks a file as recorded, as the door marks its own name of it: what bears no mark was never acknowledged. */
  confirm(reference: string): Promise<void>;
  /** With what was kept beside it. */
  remove(reference: string): Promise<void>;
};

/** @param isThere asked before a day's folder is made: in a mount's empty place it would hide what lies in the vault */
export function fileVault(directory: string, isThere: () => Promise<boolean> = async () => true): Vault {
  const store = storeIn(directory, isThere);
  return {
    directory,
    keep: (deliveryId, file, day, origin) =>
      store(deliveryId, day, async (kept) => {
        await Promise.all([linkOrCopy(file, kept), writeBeside(kept, origin)]);
      }),
    referenceOf: (deliveryId, day) => path.join(day, deliveryId),
    async name(reference, file) {
      const day = path.dirname(reference);
      let how: "linked" | "copied" = "linked";
      const put = async (kept: string) => void (how = await linkOrCopy(file, kept));
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
    async confirm(reference) {
      await chmod(path.join(directory, reference), stageModes.delivered);
    },
    async remove(reference) {
      await rm(path.join(directory, reference), { force: true });
      await rm(path.join(directory, `${reference}${originEnding}`), { force: true });
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
async function linkOrCopy(file: string, kept: string): Promise<"linked" | "copied"> {
  try {
    await link(file, kept);
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
  if (origin === undefined) return;
  const handle = await open(`${kept}${originEnding}`, "w", 0o600);
  try {
    await handle.writeFile(origin);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFile(file: string): Promise<void> {
  // For reading: fsync needs no more, and landed files are read-only.
  const handle = await open(file, "r");
  await handle.sync().finally(() => handle.close());
}
