/** The keys that encrypt every secret in the database (secrets-at-rest.ts): from the configuration, or kept in the data folder. */
import { randomBytes } from "node:crypto";
import { access, link, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import type { Queryable } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { firstKey, keyBytes, keysOf, decryptSecret } from "./secrets-at-rest.ts";

/**
 * The configured keys, else those in `<data-dir>/key-encryption-key` (base64, a line each, readable by its owner only),
 * of which the first is made when there is none. Idempotent, and safe from two processes at once: the first to write
 * wins.
 * @returns the ring: the first one encrypts, each decrypts what it encrypted. @throws Fault KEY_ENCRYPTION_KEY when the file
 * does not hold keys.
 */
export async function loadKeyEncryptionKey(config: KeySource): Promise<Buffer> {
  if (config.keyEncryptionKey !== undefined)
    return Buffer.concat([config.keyEncryptionKey, ...(config.keyEncryptionKeysAlso ?? [])]);
  const file = fileOf(config);
  await createUnlessPresent(file);
  const keys = (await readFile(file, "utf8"))
    .trim()
    .split("\n")
    .map((line) => Buffer.from(line.trim(), "base64"));
  if (keys.some((key) => key.length !== keyBytes))
    throw new Fault("KEY_ENCRYPTION_KEY", `${file} does not hold ${keyBytes} bytes in base64 on each line.`);
  return Buffer.concat(keys);
}

/**
 * Puts a new key before the ring's in the file; from now on it encrypts. The caller sees to it that nobody works with the
 * old file. @returns the ring
 */
export async function addKey(config: KeySource, ring: Buffer): Promise<Buffer> {
  return await writeKeys(config, Buffer.concat([randomBytes(keyBytes), ring]));
}

/** Leaves only the ring's first key in the file. Whatever the others encrypted is lost. @returns the ring */
export async function dropOtherKeys(config: KeySource, ring: Buffer): Promise<Buffer> {
  return await writeKeys(config, firstKey(ring));
}

async function writeKeys(config: KeySource, ring: Buffer): Promise<Buffer> {
  const unfinished = await writeBeside(fileOf(config), ring);
  await rename(unfinished, fileOf(config));
  await syncFolder(path.dirname(fileOf(config)));
  return ring;
}

export type KeySource = Pick<Config, "keyEncryptionKey" | "dataDir"> & Partial<Pick<Config, "keyEncryptionKeysAlso">>;

function fileOf({ dataDir }: KeySource): string {
  return path.join(dataDir, "key-encryption-key");
}

/** Written beside and linked into place: whoever finds the file finds all of it. */
async function createUnlessPresent(file: string): Promise<void> {
  if (
    await access(file).then(
      () => true,
      () => false,
    )
  )
    return;
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const unfinished = await writeBeside(file, randomBytes(keyBytes));
  try {
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(unfinished, { force: true });
  }
  await syncFolder(path.dirname(file));
}

/**
 * Whatever is encrypted with a key is lost without it, so it is on the disk before it is used. @returns the file's name
 */
async function writeBeside(file: string, ring: Buffer): Promise<string> {
  const unfinished = `${file}.${randomBytes(4).toString("hex")}`;
  const handle = await open(unfinished, "wx", 0o600);
  try {
    await handle.writeFile(
      keysOf(ring)
        .map((key) => `${key.toString("base64")}\n`)
        .join(""),
    );
    await handle.sync();
  } finally {
    await handle.close();
  }
  return unfinished;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync();
  await handle.close();
}

/**
 * Tries the key on one stored secret, so that a wrong one is told at the start and not by the first batch. @throws
 * Fault KEY_ENCRYPTION_KEY
 */
export async function assertOpensKeys(database: Queryable, keyEncryptionKey: Buffer): Promise<void> {
  const { rows } = await database.query<{ kid: string; privateSealed: Buffer }>(
    `select kid, private_sealed as "privateSealed"
       from service_keys
      order by created_at desc
      limit 1`,
  );
  for (const row of rows) decryptSecret(keyEncryptionKey, row.kid, row.privateSealed);
}
