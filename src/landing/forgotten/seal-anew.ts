/** Origins under the next key-encryption key: what was sealed with the previous one must not need it for good. */
import { opendir, open, readdir, readFile, rename } from "node:fs/promises";
import path from "node:path";
import { syncFolder } from "../../machine/sync-folder.ts";
import { decryptSecret, encryptSecret, firstKey, headerBytes, headerOf } from "../../partners/keys/secrets-at-rest.ts";
import { isDay } from "../../time/calendar.ts";
import { originEnding } from "../../vault/vault.ts";
import { contextOf } from "../origin.ts";

/**
 * Each is whole before and after, and one that no key of the ring opens stays as it is: a file's name in an inbox says the
 * same. Durable when it resolves; stopped or cut off, the next call goes on. @returns how many were sealed anew
 */
export async function sealOriginsAnew(vaultDirectory: string, ring: Buffer, signal?: AbortSignal): Promise<number> {
  const header = headerOf(firstKey(ring));
  let sealed = 0;
  for (const day of (await readdir(vaultDirectory).catch(nothingWhenGone)).filter(isDay)) {
    for await (const entry of await opendir(path.join(vaultDirectory, day))) {
      signal?.throwIfAborted();
      if (!entry.isFile() || !entry.name.endsWith(originEnding)) continue;
      const file = path.join(vaultDirectory, day, entry.name);
      const before = await readFile(file).catch(() => null);
      if (before === null || before.subarray(0, headerBytes).equals(header)) continue;
      const anew = reseal(ring, entry.name.slice(0, -originEnding.length), before);
      if (anew === null) continue;
      await replace(file, anew);
      sealed += 1;
    }
    await syncFolder(path.join(vaultDirectory, day));
  }
  return sealed;
}

function reseal(ring: Buffer, deliveryId: string, before: Buffer): Buffer | null {
  try {
    return encryptSecret(ring, contextOf(deliveryId), decryptSecret(ring, contextOf(deliveryId), before));
  } catch {
    return null;
  }
}

async function replace(file: string, bytes: Buffer): Promise<void> {
  const unfinished = `${file}.unfinished`;
  const handle = await open(unfinished, "w", 0o600);
  try {
    await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(unfinished, file);
}

function nothingWhenGone(error: NodeJS.ErrnoException): string[] {
  if (error.code === "ENOENT") return [];
  throw error;
}
