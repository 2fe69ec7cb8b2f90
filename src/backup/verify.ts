/**
 * Whether a backup can be restored: every file against its checksum, the vault's too, and the database brought up in a
 * scratch folder, which reads every page of the tables that matter and compares what there is with what there was.
 */
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Fault } from "../errors.ts";
import { dataFolderAt } from "../machine/data-folder.ts";
import { damaged, digestOf } from "./checked-file.ts";
import { vaultOf } from "./expire.ts";
import { clearDatabase, restore, type Restored } from "./restore.ts";
import { findBackup, noteVerified, type StoredBackup } from "./store.ts";
import { findMissing } from "./vault-copies.ts";

export type Verified = Restored & { at: Date; startedAt: string };

/**
 * @param place a backup, or a folder of backups, of which the newest is taken
 * @param scratch where there is room for the database, which goes afterwards; default: the system's temporary folder
 * @throws Fault BACKUP_DAMAGED and what `restore` throws
 */
export async function verify(
  place: string,
  scratch: string = tmpdir(),
  onProgress: (step: string, doneBytes: number, totalBytes: number | null) => void = () => undefined,
): Promise<Verified> {
  const backup = await findBackup(place);
  await verifyVault(backup, onProgress);
  const root = await mkdtemp(path.join(scratch, "tideline-verify-"));
  // As root, PostgreSQL's account must pass through.
  await chmod(root, 0o711);
  const folder = dataFolderAt(path.join(root, "data"));
  try {
    const restored = await restore({ from: backup.folder, folder, keysFrom: null, databaseOnly: true, onProgress });
    if (restored.lackingBytes > 0)
      throw new Fault(
        "BACKUP_DAMAGED",
        `${backup.folder}: ${restored.lackingBytes} deliveries lack their bytes in the vault.`,
      );
    const at = new Date();
    await noteVerified(backup.folder, at);
    return { ...restored, at, startedAt: backup.manifest.startedAt };
  } finally {
    await removeScratch(root, folder.root);
  }
}

async function verifyVault(
  backup: StoredBackup & { store: string },
  onProgress: (step: string, doneBytes: number, totalBytes: number | null) => void,
): Promise<void> {
  const { store } = backup;
  const copies = await vaultOf(backup);
  const [missing] = await findMissing(store, copies);
  if (missing !== undefined)
    throw new Fault("BACKUP_DAMAGED", `${path.join(store, "vault", missing)} is missing or cut off.`);
  let done = 0;
  for (const { reference, sha256 } of copies) {
    const file = path.join(store, "vault", reference);
    const found = await digestOf(file, (bytes) =>
      onProgress("vault", (done += bytes), backup.manifest.vault.sizeBytes),
    );
    if (found !== sha256) throw damaged(file);
  }
}

/** The database may lie elsewhere, where its account could not enter. */
async function removeScratch(root: string, dataDir: string): Promise<void> {
  await clearDatabase(dataDir);
  await rm(root, { recursive: true, force: true });
}
