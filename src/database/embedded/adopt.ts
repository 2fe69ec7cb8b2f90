/** Database files that come from a backup, put in place of those that initdb would make. */
import { rename, rm } from "node:fs/promises";
import path from "node:path";
import { Fault } from "../../errors.ts";
import { readNeededFile, writeSmallFile } from "../../machine/small-file.ts";
import { syncFolder } from "../../machine/sync-folder.ts";
import { type Account, chooseAccount } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import { chooseLocation, ensureOwnedFolder, hasCluster, shelterRoot } from "./cluster.ts";

export type Adoption = {
  /** The password that the files were made with. */
  password: string;
  /** Puts the server's files into a new folder, for this account. */
  fill(files: string, account: Account): Promise<void>;
};

/**
 * Gives a data folder database files, under their name only when all are there. @returns where they lie: `location` of
 * the cluster that is started on the folder next. @param majorVersion of the files
 * @throws Fault RESTORE_NOT_EMPTY when it has some, BACKUP_VERSION
 */
export async function adoptFiles(dataDir: string, majorVersion: number, { password, fill }: Adoption): Promise<string> {
  if (await hasCluster(dataDir)) throw new Fault("RESTORE_NOT_EMPTY", `${dataDir} has a database.`);
  const location = await chooseLocation(dataDir);
  const files = path.join(location, "files");
  const account = await chooseAccount(files);
  const ours = (await findBinaries(account, path.join(shelterRoot, "programs"))).majorVersion;
  if (ours !== majorVersion) {
    throw new Fault(
      "BACKUP_VERSION",
      `Its database files are of PostgreSQL ${majorVersion}, this Tideline runs PostgreSQL ${ours}.`,
    );
  }
  await ensureOwnedFolder(location, account);
  const { uid, gid } = account;
  const owner = uid === undefined || gid === undefined ? {} : { owner: { uid, gid } };
  await writeSmallFile(path.join(location, "password"), password, owner);
  const unfinished = path.join(location, "files.unfinished");
  await rm(unfinished, { recursive: true, force: true });
  await fill(unfinished, account);
  await readNeededFile(path.join(unfinished, "PG_VERSION"));
  await rename(unfinished, files);
  await syncFolder(location);
  return location;
}
