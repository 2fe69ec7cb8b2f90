/**
 * Files that came in the clear. Their text rests nowhere but encrypted: the vault keeps them as one compact JWE to the
 * partner's own batch key, which the door has only the public half of, and in the inbox a hole of the same size takes
 * their place, so that clients which look after an upload find what they sent, by name, size and time.
 */
import { createReadStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { Queryable } from "../database/database.ts";
import { Fault } from "../errors.ts";
import { publicBatchKeys } from "../partners/keys/batch-keys.ts";
import { type SealingKey, sealStream } from "../sealing/sealed-stream.ts";
import { syncFolder } from "../machine/sync-folder.ts";

/** @throws Fault CONFIG_INVALID for a partner without an encryption key. */
export async function sealedContents(
  database: Queryable,
  partnerId: string,
  file: string,
): Promise<AsyncIterable<Buffer | string>> {
  const [key] = await publicBatchKeys(database, partnerId);
  if (!key) throw new Fault("CONFIG_INVALID", `The partner ${partnerId} has no encryption key.`);
  return sealStream(
    { kty: "RSA", n: key.n ?? "", e: key.e ?? "", kid: key.kid } satisfies SealingKey,
    createReadStream(file),
  );
}

/** As a delivered file is: its partner may read it, and nobody may write, rename or delete it. */
const deliveredMode = 0o440;

/** Puts a hole of its size in a file's place. Idempotent; a file that is gone is no failure. */
export async function replaceBySparseFile(file: string): Promise<void> {
  const stats = await stat(file).catch(() => null);
  if (!stats) return;
  const hole = path.join(path.dirname(file), `.${stats.ino}.hole`);
  const handle = await open(hole, "w", 0o600);
  try {
    await handle.truncate(stats.size);
    await handle.utimes(stats.atime, stats.mtime);
    await handle.chmod(deliveredMode);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(hole, file).catch(async (error: unknown) => {
    await rm(hole, { force: true });
    throw error;
  });
  await syncFolder(path.dirname(file));
}
