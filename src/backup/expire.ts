/** Backups that are more than should be kept go, and with them what they alone needed of the vault and the log. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Queryable } from "../database/database.ts";
import { forgetOthers } from "./records.ts";
import { findChain, removeLog } from "./log-files.ts";
import { listBackups, removeBackup, type StoredBackup } from "./store.ts";
import { parseList, removeCopies } from "./vault-copies.ts";

/** Whoever calls it holds the lock of backups. @param keep the newest ones that stay, at least one */
export async function expire(database: Queryable, store: string, keep: number, running: string): Promise<void> {
  const all = await listBackups(store);
  const kept = all.slice(-Math.max(1, keep));
  for (const { folder } of all.slice(0, all.length - kept.length)) await removeBackup(folder);
  await forgetOthers(
    database,
    store,
    kept.map(({ folder }) => folder),
    running,
  );
  const [oldest] = kept;
  if (oldest === undefined) return;
  const needed = new Set<string>();
  for (const backup of kept) for (const { reference } of await vaultOf(backup)) needed.add(reference);
  // Copies of that day and later may be of what came since, which the kept log tells of.
  await removeCopies(store, oldest.manifest.startedAt.slice(0, 10), needed);
  await removeLog(
    store,
    kept.map(({ manifest }) => manifest.log),
    await findChain(database, store),
  );
}

export async function vaultOf({ folder }: StoredBackup): Promise<ReturnType<typeof parseList>> {
  return parseList(await readFile(path.join(folder, "vault.sha256"), "utf8"));
}
