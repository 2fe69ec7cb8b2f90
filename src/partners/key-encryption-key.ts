/** The key that seals every private key in the database: from the configuration, or kept in the data folder. */
import { randomBytes } from "node:crypto";
import { access, link, mkdir, open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../config.ts";
import type { Queryable } from "../database.ts";
import { Fault } from "../errors.ts";
import { unseal } from "./sealing.ts";

/** AES-256. */
const keyBytes = 32;

/**
 * The configured key, else the one in `<data-dir>/key-encryption-key` (base64, readable by its owner only), which is
 * made when there is none. Idempotent, and safe from two processes at once: the first to write wins.
 * @throws Fault KEY_ENCRYPTION_KEY when the file does not hold a key.
 */
export async function loadKeyEncryptionKey(config: Pick<Config, "keyEncryptionKey" | "dataDir">): Promise<Buffer> {
  if (config.keyEncryptionKey !== undefined) return config.keyEncryptionKey;
  const file = path.join(config.dataDir, "key-encryption-key");
  await createUnlessPresent(file);
  const key = Buffer.from((await readFile(file, "utf8")).trim(), "base64");
  if (key.length !== keyBytes) throw new Fault("KEY_ENCRYPTION_KEY", `${file} does not hold ${keyBytes} bytes in base64.`);
  return key;
}

/** Written beside and linked into place: whoever finds the file finds all of it. */
async function createUnlessPresent(file: string): Promise<void> {
  if (await access(file).then(() => true, () => false)) return;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = `${file}.${randomBytes(4).toString("hex")}`;
  const handle = await open(unfinished, "wx", 0o600);
  try {
    await handle.writeFile(`${randomBytes(keyBytes).toString("base64")}\n`);
    // Whatever is sealed with it is lost without it.
    await handle.sync();
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await handle.close();
    await rm(unfinished, { force: true });
  }
}

/** Tries the key on one stored secret, so that a wrong one is told at the start and not by the first batch. @throws Fault KEY_ENCRYPTION_KEY */
export async function assertOpensKeys(database: Queryable, keyEncryptionKey: Buffer): Promise<void> {
  const { rows } = await database.query<{ kid: string; private_sealed: Buffer }>(
    `select kid, private_sealed
       from service_keys
      order by created_at desc
      limit 1`,
  );
  for (const row of rows) unseal(keyEncryptionKey, row.kid, row.private_sealed);
}
