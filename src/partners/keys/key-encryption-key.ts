/**
 * The keys that encrypt every secret in the database (secrets-at-rest.ts), by whichever of three ways an installation has
 * them: from the configuration, from a command that asks a key management service, or kept in the data folder.
 */
import { randomBytes } from "node:crypto";
import path from "node:path";
import type { Config } from "../../config.ts";
import type { Queryable } from "../../database/database.ts";
import { Fault } from "../../errors.ts";
import { readNeededFile, readSmallFile, writeSmallFile } from "../../machine/small-file.ts";
import { makeFolder } from "../../machine/sync-folder.ts";
import { readKeysByCommand } from "./key-command.ts";
import { firstKey, keyBytes, keysOf, decryptSecret } from "./secrets-at-rest.ts";

/** One way to have the keys. */
type KeyProvider = {
  /** @returns the ring: the first one seals, each opens what it sealed */
  read(): Promise<Buffer>;
  /** Whether the service changes the keys itself; else whoever keeps them does. */
  changesKeys: boolean;
};

/** The first of the three that is set up. */
function providerOf(config: KeySource): KeyProvider {
  const { keyEncryptionKey, keyEncryptionKeysAlso = [], keyEncryptionCommand } = config;
  if (keyEncryptionKey !== undefined)
    return { changesKeys: false, read: async () => Buffer.concat([keyEncryptionKey, ...keyEncryptionKeysAlso]) };
  if (keyEncryptionCommand !== undefined)
    return { changesKeys: false, read: () => readKeysByCommand(keyEncryptionCommand) };
  return { changesKeys: true, read: () => readFileOfKeys(config) };
}

/** Whether the keys lie in the data folder, so that `keys rotate` makes and drops them. */
export function keepsKeysInFolder(config: KeySource): boolean {
  return providerOf(config).changesKeys;
}

/**
 * The configured keys, else those that the configured command prints, else those in `<data-dir>/key-encryption-key`
 * (base64, a line each, readable by its owner only), of which the first is made when there is none. Idempotent, and safe
 * from two processes at once: the first to write wins.
 * @returns the ring: the first one seals, each opens what it sealed. @throws Fault KEY_ENCRYPTION_KEY when the file
 * does not hold keys, FILE_BROKEN when it is empty, KEY_COMMAND when the command brings none.
 */
export async function loadKeyEncryptionKey(config: KeySource): Promise<Buffer> {
  return await providerOf(config).read();
}

async function readFileOfKeys(config: KeySource): Promise<Buffer> {
  const file = fileOf(config);
  await createUnlessPresent(file);
  const keys = (await readNeededFile(file, remedy))
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

/** Whatever is sealed with a key is lost without it, so it is on the disk before it is used. */
async function writeKeys(config: KeySource, ring: Buffer): Promise<Buffer> {
  await writeSmallFile(fileOf(config), textOf(ring));
  return ring;
}

const remedy = "Every secret in the database is sealed with it.";

export type KeySource = Pick<Config, "keyEncryptionKey" | "dataDir"> &
  Partial<Pick<Config, "keyEncryptionKeysAlso" | "keyEncryptionCommand">>;

function fileOf({ dataDir }: KeySource): string {
  return path.join(dataDir, "key-encryption-key");
}

/** Of two processes the first one's is kept: whoever finds the file finds all of it. */
async function createUnlessPresent(file: string): Promise<void> {
  if ((await readSmallFile(file, remedy)) !== null) return;
  await makeFolder(path.dirname(file));
  await writeSmallFile(file, textOf(randomBytes(keyBytes)), { onlyNew: true });
}

function textOf(ring: Buffer): string {
  return keysOf(ring)
    .map((key) => `${key.toString("base64")}\n`)
    .join("");
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
