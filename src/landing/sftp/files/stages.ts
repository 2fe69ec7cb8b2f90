/**
 * How far a landed file has come, kept in the permission bits of its inode: they survive a restart, go along with a
 * rename, and change atomically. The door judges by the bits and does not rely on the kernel to enforce them.
 *
 * landing   0600  bytes may still be written
 *           0640  the same, and its client has closed it although it is not whole: incomplete
 * sealed    0400  complete, and offered for delivery; whether that succeeded may be unknown (a crash, a refusal).
 *                 The vault may hold a hard link, so this inode is never written again
 * delivered 0440  delivery was confirmed; the partner can neither rename nor delete it
 */
import type { Stats } from "node:fs";
import type { DiskFile } from "../../../machine/opened-file.ts";
import { recordedMode } from "../../../vault/file-vault.ts";

export type Stage = "landing" | "sealed" | "delivered";

export const stageModes: Readonly<Record<Stage, number>> = { landing: 0o600, sealed: 0o400, delivered: recordedMode };

export function stageOf(stats: Stats): Stage {
  if (stats.mode & 0o200) return "landing";
  return stats.mode & 0o040 ? "delivered" : "sealed";
}

export async function setStage(file: DiskFile, stage: Stage): Promise<void> {
  await file.chmod(stageModes[stage]);
}

const incompleteMode = 0o640;

/** A landing file that was closed before its end; whoever goes on with it takes the mark away. */
export function isIncomplete({ mode }: Stats): boolean {
  return (mode & 0o777) === incompleteMode;
}

export async function markIncomplete(file: DiskFile): Promise<void> {
  await file.chmod(incompleteMode);
}
