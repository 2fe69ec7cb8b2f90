/**
 * Where the bytes of a landed file lie. Those of a small one were committed with its row, and its file in the vault was
 * not synced: what a power cut took of that is written anew from the row. A vault that is elsewhere does not have those,
 * and what it has is brought here first.
 */
import { randomUUID } from "node:crypto";
import { mkdir, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { vaultMark } from "../../config/landing.ts";
import { Fault } from "../../src/errors.ts";
import { findBody, type LoadableDelivery } from "../../src/deliveries/progress.ts";
import type { WorkerContext } from "../context.ts";

export type KeptFile = { path: string; sizeBytes: number };

/** @throws Fault VAULT_GONE when what was kept is not there any more. */
export async function findKeptFile(
  context: WorkerContext,
  { id, sizeBytes }: Pick<LoadableDelivery, "id" | "sizeBytes">,
  vaultReference: string,
): Promise<KeptFile> {
  const file = context.pathInVault(vaultReference);
  const found = await sizeOf(file);
  // One that came in the clear lies there compressed and sealed, and has no bytes beside its row.
  if (found === sizeBytes) return { path: file, sizeBytes };
  const body = await findBody(context.database, id);
  if (body === null) {
    const brought = await context.vault.bring(vaultReference);
    if (brought === null) throw new Fault("VAULT_GONE");
    return { path: brought, sizeBytes: (await stat(brought)).size };
  }
  await writeAnew(context, file, body);
  return { path: file, sizeBytes: body.length };
}

/** In a mount's empty place a folder of ours would hide what lies in the vault. */
async function writeAnew(context: WorkerContext, file: string, body: Buffer): Promise<void> {
  if (!context.vault.isElsewhere && !(await context.vault.has(vaultMark))) throw new Fault("VAULT_GONE");
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${randomUUID()}`;
  await writeFile(unfinished, body, { mode: 0o600 });
  await rename(unfinished, file);
}

/** Null: there is none. */
async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Everything else speaks against the disk.
    if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    return null;
  }
}
